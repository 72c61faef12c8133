/* procs.c: see procs.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "omp/icv/procs.h"

#include <sched.h>
#include <unistd.h>

#define ONE_CHANGE ((uint64_t)1 << 32)

struct bz_a64 bomp_procs_word;
struct bomp_procs_answer bomp_procs_told, bomp_procs_mask;

/* All relaxed: numbers that nothing else hangs on. Written and read by any thread. */
static struct bz_a32 mask_count;  /* CPUs in the mask when the quota was last read; 0: never */
static struct bz_a32 quota_count; /* what came of both then */
static struct bz_a32 pinned; /* CPUs of the process, while the main thread's mask is its own affair; else 0 */

static unsigned count_mask(void) {
    unsigned now = bz_topology_affinity_count();
    unsigned before = bz_load_relaxed(&pinned);
    return before != 0 ? before : now;
}

/* What the mask and the quota allow now. The quota's files are read again only if the mask is another one. */
static unsigned measure(void) {
    unsigned mask = count_mask();
    if (mask != bz_load_relaxed(&mask_count)) {
        bz_store_relaxed(&quota_count, bz_topology_workers_for(mask));
        bz_store_relaxed(&mask_count, mask);
        bz_set_cpus(mask);
    }
    return bz_load_relaxed(&quota_count);
}

/* The last answer to the program; 0: it has never asked. */
static unsigned told(void) {
    return (uint32_t)bz_load_relaxed(&bomp_procs_told.word);
}

static unsigned as_told(unsigned count) {
    unsigned most = told();
    return most != 0 && most < count ? most : count;
}

/* The count, found at `made`, of a mask that is as the word says. */
static uint64_t answer(struct bomp_procs_answer *answer, uint64_t word, unsigned count, uint64_t made) {
    uint64_t said = (word & ~(ONE_CHANGE - 1)) | count;
    bz_store_relaxed(&answer->word, said);
    bz_store_relaxed(&answer->made, made);
    return said;
}

/* Measured, and left in the word unless the program has set a mask meanwhile. */
BZ_COLD unsigned bomp_procs_find(void) {
    uint64_t word = bz_load_relaxed(&bomp_procs_word);
    unsigned count;
    do
        count = as_told(measure());
    while (!bz_cas_relaxed(&bomp_procs_word, &word, (word & ~(ONE_CHANGE - 1)) | count));
    return count;
}

BZ_COLD unsigned bomp_procs_tell_anew(void) {
    uint64_t word = bz_load_relaxed(&bomp_procs_word), said;
    do {
        uint64_t now = bz_tick_ns();
        said = answer(&bomp_procs_told, word, measure(), now);
    } while (!bz_cas_relaxed(&bomp_procs_word, &word, said));
    return (uint32_t)said;
}

BZ_COLD unsigned bomp_procs_count_anew(void) {
    uint64_t word = bz_load_relaxed(&bomp_procs_word), now = bz_tick_ns();
    return (uint32_t)answer(&bomp_procs_mask, word, count_mask(), now);
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
    if (told() != 0 || elapsed < BOMP_PROCS_PERIOD_NS)
        return bomp_procs();
    bz_store_relaxed(&last_look, now);
    return bomp_procs_find();
}

/* ---- what the program does to its masks ---- */

/* Of the process when it was loaded or forked, so that a child of vfork, which has our memory, is not taken for it.
 * Written by its only thread, or at first; read by all. */
static struct bz_a32 process;

static void note_process(void) {
    bz_store_relaxed(&process, (uint32_t)getpid()); /* relaxed: nothing comes with it */
}

static bool is_main_thread(uint32_t thread) {
    return thread == bz_load_relaxed(&process); /* relaxed: as above */
}

/* CPUs of the calling thread's mask; 0: not known. Allocates nothing: there may be a signal handler around. */
static uint32_t count_own(void) {
    uint64_t mask[1024];
    return sched_getaffinity(0, sizeof mask, (cpu_set_t *)mask) == 0 ? bz_cpus_count(mask, 1024) : 0;
}

/* May be called in a signal handler and in the child of vfork, where it costs the parent a look. What the runtime sets
 * itself does not count; with its pins the CPUs are what they are. */
static void mask_was_set(void) {
    bz_cpus_stay();
    if (bz_cpus_kept() || bz_load_relaxed(&pinned) != 0)
        return;
    uint64_t word = bz_load_relaxed(&bomp_procs_word);
    while (!bz_cas_relaxed(&bomp_procs_word, &word, (word & ~(ONE_CHANGE - 1)) + ONE_CHANGE))
        ;
}

struct bomp_mask_change bomp_mask_begin(uint32_t thread) {
    struct bomp_mask_change change = {.before = bz_load_relaxed(&pinned)};
    change.own = thread == bz_os_thread_id() && is_main_thread(bz_os_process_id());
    change.counts = !bz_cpus_own.setting && !bz_cpus_kept() && is_main_thread(thread);
    return change;
}

/* A pin is known before it is made: whoever measures reads the mask first. */
void bomp_mask_pin(struct bomp_mask_change *change) {
    change->pin = true;
    if (change->before == 0)
        bz_store_relaxed(&pinned, count_own());
}

void bomp_mask_end(const struct bomp_mask_change *change, bool done) {
    if (bz_cpus_own.setting)
        return;
    if (change->own && done)
        bz_pin_miss();
    if (change->counts && !done)
        bz_store_relaxed(&pinned, change->before);
    else if (change->counts && !change->pin)
        bz_store_relaxed(&pinned, 0);
    mask_was_set();
}

__attribute__((constructor)) static void follow_process(void) {
    note_process();
    bz_os_at_fork(NULL, NULL, note_process);
}
