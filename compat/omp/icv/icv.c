/* One store for the process, filled once.
 *
 * Pairing table
 *   ICV1 ready_slow publishes the store   ICV2 ready sees it   all of the store but the atomic words */
#include "omp/icv/icv.h"

#include <pthread.h>

#include "omp/base/tuning.h"
#include "omp/icv/env.h"
#include "omp/icv/env_kinds.h"

/* Written before ICV1, constant after it, but for the atomic words of bomp_global. */
static struct bomp_icv_store store;

_Thread_local uint32_t bomp_procs_own_answer;
struct bz_a32 bomp_procs_answer;

bool bomp_affinity_asked;
bool bomp_region_extras;

/* Whether the store is filled. Written once; read by all. */
static struct bz_a32 store_ready;

/* Settings of the scheduler. */
static void apply(const struct bomp_global *global) {
    if (global->stack_size != 0)
        bz_stack_set_size(global->stack_size);
    if (global->spin_ns != BZ_SPIN_AUTO)
        bz_set_spin_ns(global->spin_ns);
}

/* Again in the child of a fork that came in the middle of it. */
static void fill(void) {
    bomp_env_read(&store);
    apply(&store.global);
    bomp_affinity_asked = store.initial.bind != BOMP_BIND_FALSE || store.global.display_affinity;
    bomp_region_extras = bomp_affinity_asked || store.global.deterministic || bz_tsan;
    bz_store_release(&store_ready, 1); /* ICV1: pairs with ICV2 */
}

static BZ_COLD void ready_slow(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill);
}

static inline void ready(void) {
    if (bz_unlikely(!bz_load_acquire(&store_ready))) /* ICV2: pairs with ICV1 */
        ready_slow();
}

const struct bomp_icv *bomp_icv_initial(void) {
    ready();
    return &store.initial;
}

struct bomp_global *bomp_global(void) {
    ready();
    return &store.global;
}

bool bomp_icv_is_llvm(void) {
    static struct bz_a32 answer;               /* 0: not known; or 1 + the answer. Any thread */
    uint32_t known = bz_load_relaxed(&answer); /* relaxed: all find the same */
    if (known == 0)
        bz_store_relaxed(&answer, known = 1 + bomp_llvm_is_asked()); /* relaxed: likewise */
    return known == 2;
}

void bomp_icv_display(bool verbose) {
    ready();
    bomp_env_display(&store, verbose);
}

void bomp_icv_defaults(struct bomp_icv_store *s) {
    s->initial = (struct bomp_icv){
        .threads_rest = s->threads_list,
        .bind_rest = s->bind_list,
        .threads = 1,
        .thread_limit = UINT_MAX,
        .sched = BOMP_LOOP_DYNAMIC,
        .chunk = 1,
        .max_active_levels = 1,
    };
    s->global = (struct bomp_global){
        .spin_ns = BZ_SPIN_AUTO,
        .affinity_format = "level %L thread %i affinity %A",
        .allocator = 1,
        .library = BOMP_LIBRARY_THROUGHPUT,
        .teams_bind = BOMP_BIND_SPREAD,
        .llvm_warns = true,
        .task_throttling = true,
        .inherits_control = true,
        .uses_helpers = true,
        .helpers = BOMP_HELPERS,
    };
}

void bomp_icv_child(struct bomp_icv *dst, const struct bomp_icv *src) {
    *dst = *src;
    if (dst->threads_left > 0) {
        dst->threads = *dst->threads_rest++;
        dst->threads_left--;
    }
    if (dst->bind_left > 0) {
        dst->bind = *dst->bind_rest++;
        dst->bind_left--;
    }
}

unsigned bomp_icv_team_size(const struct bomp_icv *icv, unsigned wanted, int active_level) {
    if ((uint32_t)active_level >= icv->max_active_levels)
        return 1;
    unsigned size = wanted ? wanted : icv->threads;
    if (size == 0)
        size = bomp_procs_for_region();
    else if (icv->dynamic && size > bz_budget())
        size = bz_budget();
    return size < icv->thread_limit ? size : icv->thread_limit;
}

void bomp_icv_set_schedule(struct bomp_icv *icv, uint32_t sched, int chunk) {
    uint32_t kind = sched & ~BOMP_LOOP_MONOTONIC;
    if ((kind < BOMP_LOOP_STATIC || kind > BOMP_LOOP_AUTO) && kind != BOMP_SCHED_TRAPEZOIDAL)
        return;
    icv->sched = sched;
    icv->sched_said = true;
    icv->sched_implied = false;
    if (kind != BOMP_LOOP_AUTO)
        icv->chunk = chunk > 0 ? chunk : kind != BOMP_LOOP_STATIC;
}

void bomp_icv_set_max_active_levels(struct bomp_icv *icv, int levels) {
    if (levels >= 0)
        icv->max_active_levels =
            levels < BOMP_SUPPORTED_ACTIVE_LEVELS ? (uint32_t)levels : BOMP_SUPPORTED_ACTIVE_LEVELS;
}
