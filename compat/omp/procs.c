/* procs.c: see procs.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "procs.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "api.h"
#include "export.h"

#define ONE_CHANGE ((uint64_t)1 << 32)

struct bz_a64 bomp_procs_word;

/* All relaxed: numbers that nothing else hangs on. Written and read by any thread. */
static struct bz_a32 mask_count;  /* CPUs in the mask when the quota was last read; 0: never */
static struct bz_a32 quota_count; /* what came of both then */
static struct bz_a32 told;        /* the last answer to the program; 0: it has never asked */
static struct bz_a32 pinned;      /* 1: the main thread's mask is not the process's; set by the main thread */

unsigned bomp_procs_in_mask(void) {
    unsigned before = bz_load_relaxed(&mask_count);
    return bz_load_relaxed(&pinned) && before != 0 ? before : bz_topology_affinity_count();
}

/* What the mask and the quota allow now. The quota's files are read again only if the mask is another one. */
static unsigned measure(void) {
    unsigned mask = bomp_procs_in_mask();
    if (mask != bz_load_relaxed(&mask_count)) {
        bz_store_relaxed(&quota_count, bz_topology_default_workers());
        bz_store_relaxed(&mask_count, mask);
        bz_set_cpus(mask);
    }
    return bz_load_relaxed(&quota_count);
}

static unsigned as_told(unsigned count) {
    unsigned most = bz_load_relaxed(&told);
    return most != 0 && most < count ? most : count;
}

/* Measures, and leaves the answer in the word unless the program has set a mask meanwhile. */
static unsigned update(bool tell) {
    uint64_t word = bz_load_relaxed(&bomp_procs_word);
    unsigned count;
    do {
        count = measure();
        if (tell)
            bz_store_relaxed(&told, count);
        else
            count = as_told(count);
    } while (!bz_cas_relaxed(&bomp_procs_word, &word, (word & ~(ONE_CHANGE - 1)) | count));
    return count;
}

BZ_COLD unsigned bomp_procs_find(void) {
    return update(false);
}

unsigned bomp_procs_tell(void) {
    return update(true);
}

/* As many regions as take about a period, if the last ones took that long together; so long as they took less, more. */
static uint8_t next_span(unsigned span, uint64_t elapsed) {
    uint64_t regions =
        elapsed < BOMP_PROCS_PERIOD_NS ? 2 * span : span * (uint64_t)BOMP_PROCS_PERIOD_NS / elapsed;
    return regions < 1 ? 1 : regions < BOMP_PROCS_REGIONS ? (uint8_t)regions : BOMP_PROCS_REGIONS;
}

BZ_COLD unsigned bomp_procs_look(struct bomp_procs_clock *clock) {
    static struct bz_a64 last_look; /* at the mask, by any thread */
    uint64_t now = bz_os_now_ns(), elapsed = now - bz_load_relaxed(&last_look);
    clock->span = next_span(clock->span, elapsed);
    clock->left = (uint8_t)(clock->span - 1);
    if (bz_load_relaxed(&told) != 0 || elapsed < BOMP_PROCS_PERIOD_NS)
        return bomp_procs();
    bz_store_relaxed(&last_look, now);
    return update(false);
}

/* ---- what the program does to its masks ---- */

static bool is_main_thread(void) {
    return gettid() == getpid();
}

/* Before a thread sets its own mask. The process's CPUs are found out first if that is the mask that tells of them. */
static void about_to_set_own(void) {
    if (bz_cpus_setting || bz_cpus_kept() != NULL || !is_main_thread())
        return;
    bool pin = bomp_active_level() > 0;
    if (pin && !bz_load_relaxed(&pinned))
        (void)bomp_procs();
    bz_store_relaxed(&pinned, pin);
}

/* May be called in a signal handler and in the child of vfork, where it costs the parent a look. What the runtime sets
 * itself does not count; with its pins the CPUs are what they are. */
static void mask_was_set(void) {
    if (bz_cpus_setting)
        return;
    bz_cpus_stay();
    if (bz_cpus_kept() != NULL || bz_load_relaxed(&pinned))
        return;
    uint64_t word = bz_load_relaxed(&bomp_procs_word);
    while (!bz_cas_relaxed(&bomp_procs_word, &word, (word & ~(ONE_CHANGE - 1)) + ONE_CHANGE))
        ;
}

/* The C library's. Written by the constructor, or by who comes before it, with the same values. */
static struct { __typeof__(&sched_setaffinity) v; } real_sched;
static struct { __typeof__(&pthread_setaffinity_np) v; } real_pthread;

__attribute__((constructor)) static void find_real(void) {
    __typeof__(real_sched.v) of_process;
    __typeof__(real_pthread.v) of_thread;
    *(void **)&of_process = dlsym(RTLD_NEXT, "sched_setaffinity");
    *(void **)&of_thread = dlsym(RTLD_NEXT, "pthread_setaffinity_np");
    bz_store_relaxed(&real_sched, of_process); /* relaxed: constants of the C library's */
    bz_store_relaxed(&real_pthread, of_thread);
}

BOMP_EXPORT int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set) {
    if (bz_load_relaxed(&real_sched) == NULL)
        find_real();
    if (bz_load_relaxed(&real_sched) == NULL) {
        errno = ENOSYS;
        return -1;
    }
    if (pid == 0 || pid == gettid())
        about_to_set_own();
    int result = bz_load_relaxed(&real_sched)(pid, size, set);
    mask_was_set();
    return result;
}

BOMP_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
    if (bz_load_relaxed(&real_pthread) == NULL)
        find_real();
    if (bz_load_relaxed(&real_pthread) == NULL)
        return ENOSYS;
    if (pthread_equal(thread, pthread_self()))
        about_to_set_own();
    int result = bz_load_relaxed(&real_pthread)(thread, size, set);
    mask_was_set();
    return result;
}
