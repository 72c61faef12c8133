/* As libomp for KMP_SETTINGS: two lists, sorted by names, of the variables that are set and of the effective
 * values. */
#include <stdio.h>
#include <string.h>

#include "omp/base/text.h"
#include "omp/icv/env.h"

/* LLVM's runtime quotes lists and texts with blanks. */
static const struct bomp_words quoted =
    BOMP_WORDS(0, 1, "OMP_NUM_THREADS", "OMP_SCHEDULE", "OMP_PROC_BIND", "OMP_PLACES", "OMP_AFFINITY_FORMAT",
               "KMP_AFFINITY", "KMP_HIDDEN_HELPER_AFFINITY", "KMP_PLACE_THREADS", "KMP_HW_SUBSET");

/* The row of the next name in order; BOMP_ENV_COUNT: no more. */
static int next_row(const char *name) {
    int next = BOMP_ENV_COUNT;
    for (int i = 0; i < BOMP_ENV_COUNT; i++)
        if (strcmp(bomp_env_rows[i].name, name) > 0 &&
            (next == BOMP_ENV_COUNT || strcmp(bomp_env_rows[i].name, bomp_env_rows[next].name) < 0))
            next = i;
    return next;
}

static bool is_of_openmp(const char *name) {
    return strncmp(name, "KMP_", 4) == 0 || strncmp(name, "OMP_", 4) == 0;
}

/* An effective value. Without one, our variables and libgomp's are left out. */
static void display_value(const struct bomp_icv_store *s, int row) {
    char *text = bomp_env_value(s, (enum bomp_env_variable)row, true);
    const char *name = bomp_env_rows[row].name, *at = name;
    uint32_t unused;
    const char *quote = bomp_take_word(&at, &quoted, &unused) ? "'" : "";
    if (text && *text)
        fprintf(stderr, "   %s=%s%s%s\n", name, quote, text, quote);
    else if (is_of_openmp(name))
        fprintf(stderr, "   %s: value is not defined\n", name);
    bz_free(text);
}

static void display_option(const char *variable, const char *value, void *unused) {
    (void)unused;
    fprintf(stderr, "   %s=%s\n", variable, value);
}

void bomp_env_display_llvm(const struct bomp_icv_store *s) {
    int held = bz_os_cancel_hold();
    bomp_env_display_server();
    fputs("\nUser settings:\n\n", stderr);
    for (int row = next_row(""); row < BOMP_ENV_COUNT; row = next_row(bomp_env_rows[row].name)) {
        const char *text = bz_os_getenv(bomp_env_rows[row].name);
        if (text)
            fprintf(stderr, "   %s=%s\n", bomp_env_rows[row].name, text);
    }
    fputs("\nEffective settings:\n\n", stderr);
    for (int row = next_row(""); row < BOMP_ENV_COUNT; row = next_row(bomp_env_rows[row].name))
        if (!bomp_env_rows[row].is_idle)
            display_value(s, row);
        else if (bz_os_getenv(bomp_env_rows[row].name))
            fprintf(stderr, "   %s: has no effect\n", bomp_env_rows[row].name);
    bz_options_show(display_option, NULL);
    fputs("\n", stderr);
    bz_os_cancel_allow(held);
}
