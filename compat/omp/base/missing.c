#include "omp/base/missing.h"

#include "omp/bomp.h"

/* Names and versions of GCC's runtime, but for its plugins. Other runtimes have names with the same prefixes and other
 * versions; they all lack the function `mark`. */
static const char *const gcc_reserved[] = {"GOMP_", "GOACC_", NULL};
static const char *const gcc_shared[] = {"omp_", "acc_", NULL};
static const char *const gcc_exempt[] = {"GOMP_PLUGIN_", NULL};
static const char *const gcc_versions[] = {"GOMP_", "OMP_", "GOACC_", "OACC_", NULL};

/* The same of LLVM's. Tools define functions that they intercept, but never the mark. */
static const char *const llvm_reserved[] = {"__kmpc_", NULL};
static const char *const llvm_shared[] = {"omp_", "ompc_", "kmp_", "kmpc_", NULL};
static const char *const llvm_exempt[] = {NULL};
static const char *const llvm_versions[] = {"VERSION", NULL};

static const char *const yields[] = {"GOMP_taskyield", "__kmpc_omp_taskyield", NULL};

static const struct bz_wanted wanted[] = {{.reserved = gcc_reserved,
                                           .shared = gcc_shared,
                                           .exempt = gcc_exempt,
                                           .versions = gcc_versions,
                                           .noted = yields,
                                           .mark = "GOMP_offload_register",
                                           .us = wanted},
                                          {.reserved = llvm_reserved,
                                           .shared = llvm_shared,
                                           .exempt = llvm_exempt,
                                           .versions = llvm_versions,
                                           .noted = yields,
                                           .mark = "__kmpc_ok_to_fork",
                                           .us = wanted},
                                          {.mark = NULL}};

struct bz_a64 bomp_pages_known[BOMP_PAGES];
struct bz_a32 bomp_yields;

/* Objects loaded at the last check. Any thread, without a lock, which another one could hold at a fork: of two checks at
 * once the older number may remain, for one more check. Written when all that follows from the check is done. */
static struct bz_a64 seen;

void bomp_missing_check_first(void) {
    if (bz_load_acquire(&seen) == 0) /* MC2: pairs with MC1 */
        bomp_missing_check();
}

void bomp_missing_check_function(void (*fn)(void *)) {
    bomp_missing_check_before((const void *)(uintptr_t)fn);
}

void bomp_missing_check_page(uint64_t page) {
    bomp_missing_check();
    bz_store_relaxed(&bomp_pages_known[page % BOMP_PAGES], page); /* relaxed: a cache */
}

void bomp_missing_check(void) {
    uint64_t loads = bz_load_acquire(&seen); /* MC2: pairs with MC1 */
    struct bz_missing missing;
    if (bz_os_is_missing(wanted, &loads, &missing))
        bomp_no_function(missing.object, missing.name, missing.version);
    if (missing.changed)
        bz_fiber_find_exceptions(); /* those of suspended tasks follow these */
    if (missing.noted)
        bz_store_relaxed(&bomp_yields, 1); /* relaxed: MC1 publishes it */
    bz_store_release(&seen, loads);        /* MC1: pairs with MC2 (what the check has found) */
}
