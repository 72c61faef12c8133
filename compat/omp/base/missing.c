#include "omp/base/missing.h"

#include "omp/base/polling.h"
#include "omp/bomp.h"
#include "runtime.h"

/* Names of GCC's runtime and its versions. The plugins of devices ask its own library, not us. Other runtimes have names
 * that begin alike, and versions of their own or none; there is a function that they lack. */
static const char *const reserved[] = {"GOMP_", "GOACC_", NULL};
static const char *const shared[] = {"omp_", "acc_", NULL};
static const char *const exempt[] = {"GOMP_PLUGIN_", NULL};
static const char *const versions[] = {"GOMP_", "OMP_", "GOACC_", "OACC_", NULL};
static const struct bz_wanted wanted = {.reserved = reserved,
                                        .shared = shared,
                                        .exempt = exempt,
                                        .versions = versions,
                                        .mark = "GOMP_offload_register",
                                        .us = &wanted};

/* As in polling.c. */
static struct bz_a64 seen;

void bomp_missing_look_first(void) {
    if (bz_load_relaxed(&seen) == 0) /* relaxed: as below */
        bomp_missing_look();
}

void bomp_missing_look_at(void (*fn)(void *)) {
    bomp_polling_of(fn);
}

void bomp_missing_look(void) {
    struct bz_missing missing;
    uint64_t loads = bz_load_relaxed(&seen); /* relaxed, both: the number alone counts */
    bool found = bz_os_is_missing(&wanted, &loads, &missing);
    bz_store_relaxed(&seen, loads);
    if (found)
        bomp_no_function(missing.object, missing.name, missing.version);
}
