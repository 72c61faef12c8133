/* A show_KIND function for each kind of env.def: writes the target as the variable spells it, libgomp's or libomp's. */
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>

#include "blitz.h"
#include "omp/icv/env.h"
#include "omp/icv/env_kinds.h"
#include "omp/icv/first_mask.h"
#include "runtime.h"

/* The OpenMP version that compilers of this ABI claim. */
#define OPENMP_VERSION "201511"

/* A word, which libomp writes in lower case. */
static void put_word(struct bomp_text *out, const char *word) {
    for (; *word; word++)
        bomp_text_put(out, "%c", out->llvm ? tolower((unsigned char)*word) : *word);
}

static void show_flag(struct bomp_text *out, const bool *flag) {
    put_word(out, *flag ? "TRUE" : "FALSE");
}

static void show_nested(struct bomp_text *out, const uint32_t *levels) {
    put_word(out, *levels > 1 ? "TRUE" : "FALSE");
}

static void show_limit(struct bomp_text *out, const uint32_t *limit) {
    bomp_text_put(out, "%u", out->llvm && *limit > INT_MAX ? INT_MAX : *limit);
}

static void show_count(struct bomp_text *out, const uint32_t *count) {
    bomp_text_put(out, "%u", *count);
}

static void show_capped(struct bomp_text *out, const uint32_t *number, uint32_t most) {
    (void)most;
    bomp_text_put(out, "%u", *number);
}

static void show_word(struct bomp_text *out, const uint32_t *value, const struct bomp_words *words) {
    bomp_text_put(out, "%s", words->words[*value - words->first]);
}

/* The initial value, as OpenMP says and libgomp 16 does; libomp shows the present one. */
static void show_teams(struct bomp_text *out, const struct bomp_count *count) {
    uint32_t now = bz_load_relaxed(&count->now); /* relaxed: the number alone counts */
    bomp_text_put(out, "%u", out->llvm ? now : count->given);
}

static void show_natural(struct bomp_text *out, const int32_t *number) {
    bomp_text_put(out, "%d", *number);
}

/* libomp shows the default as well, in the greatest unit that gives a whole number. */
static void show_size(struct bomp_text *out, const size_t *size, size_t unit) {
    static const char *const units[] = {"", "k", "M", "G"};
    (void)unit;
    if (!out->llvm) {
        bomp_text_put(out, "%zu", *size);
        return;
    }
    size_t number = *size ? *size : bz_os_default_stack();
    int power = 0;
    while (power < 3 && number % 1024 == 0 && number > 0) {
        number /= 1024;
        power++;
    }
    bomp_text_put(out, "%zu%s", number, units[power]);
}

static void show_allocator(struct bomp_text *out, const struct bomp_global *global) {
    uint32_t handle = global->allocator, own = handle - BOMP_GNU_ALLOCATOR;
    bomp_text_put(out, "%s",
                  handle == BOMP_ALLOCATOR_OF_ENV
                      ? global->allocator_spec.text
                      : bomp_allocator_names[handle <= BOMP_ALLOCATORS ? handle - 1 : BOMP_ALLOCATORS + own]);
}

static void show_unused(struct bomp_text *out, const struct bomp_icv_store *s) {
    (void)out, (void)s;
}

static void show_spin(struct bomp_text *out, const uint64_t *spin_ns) {
    if (*spin_ns == BZ_SPIN_AUTO)
        bomp_text_put(out, "ADAPTIVE");
    else
        bomp_text_put(out, "%llu", (unsigned long long)*spin_ns);
}

static void show_format(struct bomp_text *out, const struct bomp_global *global) {
    bomp_text_put(out, "%s", global->affinity_format);
}

/* {first[:count],...} */
static void put_cpus(struct bomp_text *out, const uint64_t *set, size_t words) {
    bomp_text_put(out, "{");
    bomp_text_put_cpus(out, set, words, true);
    bomp_text_put(out, "}");
}

static void put_places(struct bomp_text *out, const struct bomp_places *places) {
    for (unsigned i = 0; i < places->count; i++) {
        bomp_text_put(out, i > 0 ? "," : "");
        put_cpus(out, bomp_place(places, i), places->words);
    }
}

/* Each place; in libomp's spelling the abstract name, if there is one. */
static void show_places(struct bomp_text *out, const struct bomp_icv_store *s) {
    const struct bomp_places *places = &s->global.places;
    if (out->llvm && places->name)
        bomp_text_put(out, "%s", places->name);
    else
        put_places(out, places);
}

static void show_threads(struct bomp_text *out, const struct bomp_icv_store *s) {
    bomp_text_put(out, "%u", s->initial.threads != 0 ? s->initial.threads : bz_budget());
    for (unsigned i = 0; i < s->initial.threads_left; i++)
        bomp_text_put(out, ",%u", s->threads_list[i]);
}

static void show_bind(struct bomp_text *out, const struct bomp_icv_store *s) {
    static const char *const names[] = {"FALSE", "TRUE", "MASTER", "CLOSE", "SPREAD"};
    put_word(out, names[s->initial.bind]);
    for (unsigned i = 0; i < s->initial.bind_left; i++) {
        bomp_text_put(out, ",");
        put_word(out, names[s->bind_list[i]]);
    }
}

/* With the modifier and the chunk, unless they are the default. A schedule that was never set is static in LLVM's
 * code. */
static void show_schedule(struct bomp_text *out, const struct bomp_icv *icv) {
    static const char *const names[] = {"STATIC", "DYNAMIC", "GUIDED", "AUTO"};
    if (!icv->sched_said && bomp_llvm_is_asked()) {
        put_word(out, "STATIC");
        return;
    }
    uint32_t kind = icv->sched & ~BOMP_LOOP_MONOTONIC;
    bool monotonic = (icv->sched & BOMP_LOOP_MONOTONIC) != 0;
    if (monotonic != (kind == BOMP_LOOP_STATIC))
        put_word(out, monotonic ? "MONOTONIC:" : "NONMONOTONIC:");
    put_word(out, kind == BOMP_SCHED_TRAPEZOIDAL ? "TRAPEZOIDAL" : names[kind - BOMP_LOOP_STATIC]);
    if (kind != BOMP_LOOP_AUTO && icv->chunk != (kind != BOMP_LOOP_STATIC))
        bomp_text_put(out, ",%d", icv->chunk);
}

/* Kinds that are shown as others; those of CPUs as OMP_PLACES. */
#define show_cpus show_unused
#define show_debug show_natural
#define show_llvm_switch show_flag
#define show_threads_most show_limit

static void show_blocktime(struct bomp_text *out, const uint64_t *spin_ns) {
    bool is_time = out->llvm && *spin_ns < BZ_SPIN_AUTO && *spin_ns < BZ_SPIN_INFINITE;
    if (is_time && *spin_ns % 1000000 == 0)
        bomp_text_put(out, "%llums", (unsigned long long)*spin_ns / 1000000);
    else if (is_time)
        bomp_text_put(out, "%lluus", (unsigned long long)*spin_ns / 1000);
    else if (out->llvm)
        bomp_text_put(out, *spin_ns == BZ_SPIN_AUTO ? "adaptive" : "infinite");
    else
        show_spin(out, spin_ns);
}

static void show_subset(struct bomp_text *out, const struct bomp_icv_store *s) {
    if (s->global.has_subset)
        put_cpus(out, s->global.usable, bz_cpus_words());
}

/* A list that would have the same effect. */
static void put_proclist(struct bomp_text *out, const struct bomp_places *list) {
    bomp_text_put(out, list->count > 0 ? "explicit,proclist=[" : "none");
    put_places(out, list);
    bomp_text_put(out, list->count > 0 ? "]" : "");
}

static void show_affinity(struct bomp_text *out, const struct bomp_icv_store *s) {
    const struct bomp_affinity_wish *wish = &s->global.affinity;
    bomp_text_put(out, "%sverbose,%sreset,", wish->verbose ? "" : "no", wish->resets ? "" : "no");
    put_proclist(out, &s->global.places);
}

static void show_helper_affinity(struct bomp_text *out, const struct bomp_icv_store *s) {
    bomp_text_put(out, "%sverbose,", s->global.helper.verbose ? "" : "no");
    put_proclist(out, &s->global.helper.places);
}

size_t bomp_env_show(const struct bomp_icv_store *s, enum bomp_env_variable variable, char *text, size_t size,
                     bool llvm) {
    struct bomp_text out = {.text = text, .size = size, .llvm = llvm};
    *text = '\0';
    switch (variable) {
#define ENV(variable, kind, target, shown, instead)                                                          \
    case BOMP_ENV_##variable:                                                                                \
        show_##kind(&out, target);                                                                           \
        break;
#include "omp/icv/env.def"
#undef ENV
    case BOMP_ENV_COUNT:
        break;
    }
    return out.length;
}

char *bomp_env_value(const struct bomp_icv_store *s, enum bomp_env_variable variable, bool llvm) {
    char none[1];
    size_t length = bomp_env_show(s, variable, none, 1, llvm);
    char *text = bz_alloc(length + 1);
    if (text)
        (void)bomp_env_show(s, variable, text, length + 1, llvm);
    return text;
}

/* Begins with the devices that it applies to (OpenMP 5.1, section "OMP_DISPLAY_ENV"). */
static void display(const struct bomp_icv_store *s, enum bomp_env_variable variable) {
    const struct bomp_env_row *row = &bomp_env_rows[variable];
    const char *devices = row->shown == BOMP_SHOWN_FOR_ALL ? "all" : "host";
    char *value = bomp_env_value(s, variable, false);
    fprintf(stderr, "  [%s] %s = '%s'\n", devices, row->name, value ? value : "");
    bz_free(value);
}

/* If another runtime is loaded as well, both may show their settings. */
void bomp_env_display_server(void) {
    Dl_info us;
    bool found = dladdr((void *)(uintptr_t)bomp_env_display, &us) != 0 && us.dli_fname;
    fprintf(stderr, "\nlibblitz-omp %d.%d.%d serves the program, from %s%s\n", BLITZ_VERSION_MAJOR,
            BLITZ_VERSION_MINOR, BLITZ_VERSION_PATCH, found ? us.dli_fname : "an unknown file",
            bomp_libgomp_is_loaded() ? "; what another libgomp shows has no effect" : "");
}

static void display_option(const char *variable, const char *value, void *unused) {
    (void)unused;
    fprintf(stderr, "  [host] %s = '%s'\n", variable, value);
}

void bomp_env_display(const struct bomp_icv_store *s, bool verbose) {
    int held = bz_os_cancel_hold();
    bomp_env_display_server();
    fputs("OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '" OPENMP_VERSION "'\n", stderr);
    for (int i = 0; i < BOMP_ENV_COUNT; i++)
        if (bomp_env_rows[i].shown >= (verbose ? BOMP_SHOWN_VERBOSE : BOMP_SHOWN_ALWAYS))
            display(s, (enum bomp_env_variable)i);
    if (verbose)
        bz_options_show(display_option, NULL);
    fputs("OPENMP DISPLAY ENVIRONMENT END\n", stderr);
    bz_os_cancel_allow(held);
}
