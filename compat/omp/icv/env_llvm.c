/* Kinds of LLVM's variables, which begin with KMP_ or LIBOMP_ (env_kinds.h). */
#include <errno.h>

#include "omp/affinity/machine.h"
#include "omp/base/tuning.h"
#include "omp/icv/env.h"
#include "omp/icv/env_kinds.h"
#include "omp/icv/first_mask.h"

/* Programs of LLVM's compilers name its library, or import a function of it. */
bool bomp_llvm_is_asked(void) {
    static const char *const libraries[] = {"libomp.so", "libomp-", "libiomp5",
                                            NULL}; /* not Open MPI's libompi */
    static const char *const versions[] = {NULL};
    static const char *const functions[] = {"__kmpc_", NULL};
    static const struct bz_links links = {libraries, versions, functions};
    return bz_os_is_linked(&links);
}

/* ---- numbers and words ---- */

static const struct bomp_words switch_words =
    BOMP_WORDS(0, 2, "false", "true", "f", "t", ".false.", ".true.", ".f.", ".t.", "off", "on", "0", "1",
               "no", "yes", "n", "y", "disabled", "enabled");

int bomp_read_llvm_switch(const char *text, bool *on) {
    uint32_t value;
    int rc = bomp_read_word(text, &value, &switch_words);
    if (rc == 0)
        *on = value;
    return rc;
}

/* Of the process; here of a contention group, mostly the same. The least limit counts. */
int bomp_read_threads_most(const char *text, uint32_t *limit) {
    static const char *const words[] = {"all"};
    uint64_t value;
    size_t index;
    int rc = 0;
    if (bz_parse_word(text, words, 1, &index) == 0)
        value = bz_budget();
    else
        rc = bz_parse_uint(text, 1, INT_MAX, &value);
    if (rc == 0 && value < *limit)
        *limit = (uint32_t)value;
    return rc;
}

/* How long a thread searches for work before it sleeps: milliseconds, or with "us" microseconds. */
int bomp_read_blocktime(const char *text, uint64_t *spin_ns) {
    static const char *const words[] = {"infinite", "infinity"};
    uint64_t count;
    size_t index;
    if (bz_parse_word(text, words, 2, &index) == 0) {
        *spin_ns = BZ_SPIN_INFINITE;
        return 0;
    }
    int rc = bz_scan_uint(&text, 0, INT_MAX, &count);
    if (rc != 0)
        return rc;
    uint64_t unit = bz_scan_word(&text, "us") ? 1000 : 1000000;
    (void)(unit == 1000000 && bz_scan_word(&text, "ms"));
    if (!bz_scan_end(&text))
        return EINVAL;
    *spin_ns = count == INT_MAX ? BZ_SPIN_INFINITE : count * unit;
    return 0;
}

const struct bomp_words bomp_library_words = BOMP_WORDS(BOMP_LIBRARY_SERIAL, 3, "serial", "turnaround",
                                                        "throughput", "serial", "dedicated", "multiuser");

/* ---- CPUs ---- */

const struct bomp_words bomp_bind_words =
    BOMP_WORDS(BOMP_BIND_PRIMARY, 3, "primary", "close", "spread", "master");

int bomp_find_usable(struct bomp_icv_store *s) {
    if (s->global.usable)
        return 0;
    uint64_t *usable = bz_alloc_zero(bz_cpus_words(), sizeof *usable);
    int rc = usable ? bomp_process_cpus(usable) : ENOMEM;
    if (rc == 0)
        s->global.usable = usable;
    else
        bz_free(usable);
    return rc;
}

int bomp_read_subset(const char *text, struct bomp_icv_store *s) {
    int rc = bomp_find_usable(s);
    if (rc == 0)
        rc = bomp_machine_subset(text, s->global.usable, bz_cpus_words());
    s->global.has_subset |= rc == 0;
    return rc;
}

static int read_wish(const char *text, struct bomp_icv_store *s, struct bomp_affinity_wish *wish) {
    int rc = bomp_find_usable(s);
    return rc == 0 ? bomp_machine_affinity(text, s->global.usable, bz_cpus_words(), wish) : rc;
}

/* Instead of what OMP_PROC_BIND and OMP_PLACES say. */
int bomp_read_affinity(const char *text, struct bomp_icv_store *s) {
    struct bomp_affinity_wish *wish = &s->global.affinity;
    int rc = read_wish(text, s, wish);
    if (rc != 0 || !wish->decides)
        return rc;
    bomp_places_free(&s->global.places);
    s->global.places = wish->places;
    s->initial.bind = wish->binds ? (uint8_t)wish->policy : BOMP_BIND_FALSE;
    s->initial.bind_left = 0;
    return wish->places.partly ? BOMP_ENV_PARTLY : 0;
}

/* ---- hidden helper threads ---- */

unsigned bomp_env_helpers(void) {
    uint32_t count = BOMP_HELPERS;
    bool on = true;
    const char *number = bz_os_getenv("LIBOMP_NUM_HIDDEN_HELPER_THREADS");
    const char *use = bz_os_getenv("LIBOMP_USE_HIDDEN_HELPER_TASK");
    if (number)
        (void)bomp_read_capped(number, &count, BOMP_HELPERS_MOST);
    if (use)
        (void)bomp_read_llvm_switch(use, &on);
    return on ? count : 0;
}

/* Threads that lose their pin get the CPUs that the process has now. */
int bomp_read_helper_affinity(const char *text, struct bomp_icv_store *s) {
    struct bomp_affinity_wish *wish = &s->global.helper;
    int rc = read_wish(text, s, wish);
    if (rc == 0 && wish->places.count > 0)
        rc = bz_cpus_keep(s->global.usable);
    if (rc != 0)
        bomp_places_free(&wish->places);
    return rc == 0 && wish->places.partly ? BOMP_ENV_PARTLY : rc;
}
