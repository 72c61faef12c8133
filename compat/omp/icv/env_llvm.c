/* env_llvm.c: see env_kinds.h. Kinds of LLVM's variables, which begin with KMP_ or LIBOMP_. */
#include <errno.h>
#include <string.h>

#include "omp/affinity/machine.h"
#include "omp/base/tuning.h"
#include "omp/icv/env.h"
#include "omp/icv/env_kinds.h"
#include "omp/icv/first_mask.h"

/* Programs of LLVM's compilers name its library, or import a function of it, in its version or none. */
bool bomp_llvm_is_asked(void) {
    static const char *const libraries[] = {"libomp.so", "libomp-", "libiomp5",
                                            NULL}; /* not Open MPI's libompi */
    static const char *const versions[] = {"VERSION", NULL};
    static const char *const functions[] = {"__kmpc_", NULL};
    static const struct bz_links links = {libraries, versions, functions};
    return bz_os_is_linked(&links);
}

/* ---- numbers and words ---- */

int bomp_read_llvm_switch(const char *text, bool *on) {
    static const char *const words[] = {"true",  "t", ".true.",  ".t.", "on",  "1", "yes", "y", "enabled",
                                        "false", "f", ".false.", ".f.", "off", "0", "no",  "n", "disabled"};
    size_t index;
    int rc = bz_parse_word(text, words, 18, &index);
    if (rc == 0)
        *on = index < 9;
    return rc;
}

int bomp_read_warnings(const char *text, bool *quiet) {
    bool on;
    int rc = bomp_read_llvm_switch(text, &on);
    if (rc == 0)
        *quiet = !on;
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

/* Bytes without a suffix. */
int bomp_read_stack(const char *text, size_t *size) {
    size_t value;
    int rc = bz_parse_size(text, 1, &value);
    if (rc == 0 && value < BZ_STACK_LEAST)
        return BOMP_ENV_SMALL;
    if (rc == 0)
        *size = value;
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

int bomp_read_library(const char *text, struct bomp_icv_store *s) {
    static const char *const words[] = {"serial", "turnaround", "throughput", "dedicated", "multiuser"};
    size_t index;
    int rc = bz_parse_word(text, words, 5, &index);
    if (rc != 0)
        return rc;
    s->global.library = (uint8_t)(BOMP_LIBRARY_SERIAL + (index < 3 ? index : index - 2));
    if (s->global.library == BOMP_LIBRARY_TURNAROUND)
        s->global.wait_policy = BOMP_WAIT_ACTIVE;
    return 0;
}

/* ---- CPUs ---- */

/* The places of a league's teams. */
int bomp_read_teams_bind(const char *text, uint8_t *policy) {
    static const char *const words[] = {"primary", "close", "spread", "master"};
    size_t index;
    int rc = bz_parse_word(text, words, 4, &index);
    if (rc == 0)
        *policy = (uint8_t)(BOMP_BIND_PRIMARY + index % 3);
    return rc;
}

uint64_t *bomp_usable_new(const struct bomp_icv_store *s, int *rc) {
    uint64_t *usable = bz_alloc_zero(bz_cpus_words(), sizeof *usable);
    *rc = usable ? bomp_process_cpus(usable) : ENOMEM;
    for (size_t word = 0; *rc == 0 && s->global.subset && word < bz_cpus_words(); word++)
        usable[word] &= s->global.subset[word];
    return usable;
}

int bomp_read_subset(const char *text, struct bomp_icv_store *s) {
    int rc;
    uint64_t *usable = bomp_usable_new(s, &rc);
    if (rc == 0)
        rc = bomp_machine_subset(text, usable, bz_cpus_words());
    if (rc != 0) {
        bz_free(usable);
        return rc;
    }
    bz_free(s->global.subset);
    s->global.subset = usable;
    return 0;
}

/* `keeps`: threads that lose their pin get the CPUs that the process has now. */
static int read_wish(const char *text, const struct bomp_icv_store *s, bool keeps,
                     struct bomp_affinity_wish *wish) {
    int rc;
    uint64_t *usable = bomp_usable_new(s, &rc);
    if (rc == 0)
        rc = bomp_machine_affinity(text, usable, bz_cpus_words(), wish);
    if (rc == 0 && keeps && wish->places.count > 0 && (rc = bz_cpus_keep(usable)) != 0)
        bomp_places_free(&wish->places);
    bz_free(usable);
    return rc;
}

/* Instead of what OMP_PROC_BIND and OMP_PLACES say. */
int bomp_read_affinity(const char *text, struct bomp_icv_store *s) {
    struct bomp_affinity_wish wish;
    int rc = read_wish(text, s, false, &wish);
    if (rc != 0)
        return rc;
    s->global.affinity_verbose = wish.verbose;
    s->global.affinity_resets = wish.resets;
    s->global.affinity_decides = wish.decides;
    s->global.affinity_disabled = wish.disabled;
    if (!wish.decides)
        return 0;
    bomp_places_free(&s->global.places);
    s->global.places = wish.places;
    s->global.first_place = wish.first;
    s->initial.bind = wish.binds ? (uint8_t)wish.policy : BOMP_BIND_FALSE;
    s->initial.bind_left = 0;
    return wish.places.partly ? BOMP_ENV_PARTLY : 0;
}

/* ---- hidden helper threads ---- */

int bomp_read_helpers(const char *text, uint8_t *count) {
    uint64_t value;
    int rc = bz_parse_uint(text, 0, UINT32_MAX, &value);
    if (rc != 0)
        return rc;
    bool fits = value <= BOMP_HELPERS_MOST;
    *count = fits ? (uint8_t)value : BOMP_HELPERS_MOST;
    return fits ? 0 : BOMP_ENV_PARTLY;
}

unsigned bomp_env_helpers(void) {
    uint8_t count = BOMP_HELPERS;
    bool on = true;
    const char *number = bz_os_getenv("LIBOMP_NUM_HIDDEN_HELPER_THREADS");
    const char *use = bz_os_getenv("LIBOMP_USE_HIDDEN_HELPER_TASK");
    if (number)
        (void)bomp_read_helpers(number, &count);
    if (use)
        (void)bomp_read_llvm_switch(use, &on);
    return on ? count : 0;
}

int bomp_read_helper_affinity(const char *text, struct bomp_icv_store *s) {
    struct bomp_affinity_wish wish;
    int rc = read_wish(text, s, true, &wish);
    if (rc != 0)
        return rc;
    bomp_places_free(&s->global.helper_places);
    s->global.helper_verbose = wish.verbose;
    s->global.helper_levels = (uint8_t)wish.levels;
    s->global.helper_first = wish.first;
    s->global.helper_places = wish.places;
    return wish.places.partly ? BOMP_ENV_PARTLY : 0;
}
