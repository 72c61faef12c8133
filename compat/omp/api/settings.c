/* Settings of the process; see bomp_api.h. Settings of threads hold for new ones: outside of regions, idle threads end. */
#include <errno.h>
#include <string.h>

#include "omp/base/text.h"
#include "omp/bomp.h"
#include "omp/icv/env.h"
#include "omp/team/caller.h"
#include "omp/team/initial.h"
#include "omp/team/target.h"
#include "runtime.h"

/* libomp's default: 200 ms. Ours adapts. */
#define BLOCKTIME_MS 200
#define NS_PER_MS UINT64_C(1000000)

static void renew_threads(void) {
    if (bomp_level() == 0)
        (void)bomp_pause();
}

/* ---- stacks ---- */

size_t bomp_stack_size(void) {
    (void)bomp_icv_initial(); /* the environment comes first, here and below */
    size_t size = bz_stack_size();
    return size ? size : bz_os_default_stack();
}

void bomp_set_stack_size(size_t bytes) {
    size_t size = bytes < BZ_STACK_LEAST ? BZ_STACK_LEAST : bytes;
    (void)bomp_icv_initial();
    if (size == bz_stack_size())
        return;
    bz_stack_set_size(size);
    renew_threads();
}

/* ---- how long threads search for work before they sleep ---- */

int bomp_blocktime(void) {
    (void)bomp_icv_initial();
    if (bz_spin_ns() == BZ_SPIN_AUTO)
        return BLOCKTIME_MS;
    uint64_t ns = bz_spin_ns();
    if (ns == BOMP_ACTIVE_SPIN_NS) /* OMP_WAIT_POLICY=active: forever, by its name */
        return INT_MAX;
    return ns / NS_PER_MS < INT_MAX ? (int)(ns / NS_PER_MS) : INT_MAX;
}

static void set_spin(uint64_t ns) {
    (void)bomp_icv_initial();
    bool same = bz_spin_ns() != BZ_SPIN_AUTO && bz_spin_ns() == ns;
    if (same)
        return;
    bz_set_spin_ns(ns);
    renew_threads();
}

void bomp_set_blocktime(int ms) {
    set_spin(ms == INT_MAX ? BZ_SPIN_INFINITE : ms > 0 ? (uint64_t)ms * NS_PER_MS : 0);
}

/* ---- the kind of library ---- */

/* Of the process; 0: as the environment says. Any thread. */
static struct bz_a32 library;

int bomp_library(void) {
    uint32_t set = bz_load_relaxed(&library); /* relaxed: the number alone counts */
    return (int)(set ? set : bomp_global()->library);
}

/* Serial: the caller's regions, and those of its tasks, have one thread. */
void bomp_set_library(int kind) {
    if (kind < BOMP_LIBRARY_SERIAL || kind > BOMP_LIBRARY_THROUGHPUT) {
        bz_warn("kmp_set_library: kind=%d: no such kind; ignored", kind);
        return;
    }
    bool was_serial = bomp_library() == BOMP_LIBRARY_SERIAL;
    struct bomp_icv *icv = bomp_icv_own();
    bz_store_relaxed(&library, (uint32_t)kind); /* relaxed: as its load */
    if (kind == BOMP_LIBRARY_SERIAL) {
        icv->threads = icv->thread_limit = 1;
    } else if (was_serial) {
        icv->threads = 0;
        icv->thread_limit = UINT_MAX;
    }
    if (kind == BOMP_LIBRARY_TURNAROUND)
        set_spin(BOMP_ACTIVE_SPIN_NS);
}

/* ---- several at once ---- */

/* The variables that count not only while the library is loaded. */
static const struct bomp_words settable = BOMP_WORDS(
    0, 1, "OMP_NUM_THREADS", "OMP_DYNAMIC", "OMP_NESTED", "OMP_SCHEDULE", "OMP_MAX_ACTIVE_LEVELS",
    "OMP_THREAD_LIMIT", "OMP_STACKSIZE", "OMP_DEFAULT_DEVICE", "OMP_TARGET_OFFLOAD", "KMP_ALL_THREADS",
    "KMP_DEVICE_THREAD_LIMIT", "KMP_STACKSIZE", "KMP_BLOCKTIME", "KMP_LIBRARY", "KMP_WARNINGS");

/* NAME=value, which it changes. */
static void set_default(struct bomp_icv_store *store, char *item) {
    const char *name = item;
    char *value = strchr(item, '=');
    uint32_t unused;
    if (!value) {
        bz_warn_value("kmp_set_defaults: text", item, "not a variable with a value; ignored");
        return;
    }
    *value++ = '\0';
    int rc = bomp_take_word(&name, &settable, &unused) ? bomp_env_set(store, item, value) : ENOENT;
    if (rc == ENOENT)
        bz_warn_value(item, value,
                      "unknown, or read only when a program starts; kmp_set_defaults ignores it");
    else if (rc != 0)
        bz_warn_value(item, value, "invalid value; kmp_set_defaults ignores it");
}

/* To the caller's control variables and to new threads. A list counts as its first number. */
static void apply(struct bomp_icv_store *store) {
    const struct bomp_global *global = &store->global;
    store->initial.threads_left = 0;
    *bomp_icv_own() = store->initial;
    if (global->stack_size)
        bomp_set_stack_size(global->stack_size);
    if (global->spin_ns != BZ_SPIN_AUTO)
        set_spin(global->spin_ns);
    if (global->offload != bomp_target_offload())
        bomp_set_target_offload(global->offload);
    if (global->library)
        bomp_set_library((int)global->library);
    if (!global->llvm_warns)
        bomp_set_warnings(false);
}

void bomp_set_defaults(const char *list, size_t length) {
    struct bomp_icv_store *store = bz_alloc_zero(1, sizeof *store);
    char *copy = bz_alloc(length + 1);
    if (!store || !copy)
        bomp_no_memory("kmp_set_defaults");
    memcpy(copy, list, length);
    copy[length] = '\0';
    store->initial = *bomp_icv();
    store->global.spin_ns = BZ_SPIN_AUTO;
    store->global.offload = bomp_target_offload();
    store->global.llvm_warns = true;
    for (char *item = copy; item;) {
        char *next = strchr(item, '|');
        if (next)
            *next++ = '\0';
        if (*item)
            set_default(store, item);
        item = next;
    }
    apply(store);
    bz_free(copy);
    bz_free(store);
}

void bomp_set_warnings(bool on) {
    (void)bomp_icv_initial();
    bz_error_quiet(!on);
}
