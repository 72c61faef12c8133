/* What is kept of threads, and where the program is. */
#include <pthread.h>

#include "ompt/notify.h"

__thread struct ompt_thread *ompt_thread_own;
__thread struct bomp_entered bomp_entered;

/* Its destructor reports the end of a thread and frees its data. Written under pthread_once, read after it. */
static pthread_key_t key;
static bool has_key;

/* Workers with a begin and no end. Changed by each for itself, read by the one that finalises. */
static struct bz_a32 workers;

static void ended(void *arg) {
    ompt_thread_end();
    ompt_thread_own = NULL;
    bz_free(arg);
}

static void make_key(void) {
    has_key = pthread_key_create(&key, ended) == 0; /* else the ends of threads are not reported */
}

BZ_COLD struct ompt_thread *ompt_thread_new(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct ompt_thread *self = bz_alloc_zero(1, sizeof *self);
    if (!self)
        bz_fatal("out of memory for a tool's data of a thread");
    (void)pthread_once(&once, make_key);
    if (has_key)
        (void)pthread_setspecific(key, self);
    ompt_thread_own = self;
    return self;
}

bool bomp_tool_met(void) {
    bomp_tool_first_use();
    if (bomp_hooks)
        (void)bomp_self();
    return bomp_hooks;
}

void ompt_thread_begin(ompt_thread_t kind) {
    struct ompt_thread *self = ompt_thread();
    if (self->begun)
        return;
    self->words = (struct bomp_tool_words){0}; /* it may have ended before */
    self->begun = true;
    self->works = kind == ompt_thread_worker;
    ompt_enter_state(kind == ompt_thread_initial ? ompt_state_work_serial : ompt_state_overhead);
    bz_fetch_add_relaxed(&workers, self->works); /* relaxed: by what follows, the thread's own events */
    OMPT_NOTIFY(thread_begin, thread_begin, kind, OMPT_WORD(self));
}

void ompt_thread_end(void) {
    struct ompt_thread *self = ompt_thread_own;
    if (!ompt_thread_begun())
        return;
    OMPT_NOTIFY(thread_end, thread_end, OMPT_WORD(self));
    self->begun = false; /* not sooner: it may be asked about itself */
    ompt_enter_state(ompt_state_undefined);
    bz_fetch_sub_acq_rel(&workers,
                         self->works); /* TL1: pairs with TL2: what it reported is before the finalisation */
}

static bool is_worker(void) {
    return ompt_thread_begun() && ompt_thread_own->works;
}

void ompt_workers_lost(void) {
    bz_store_relaxed(&workers, is_worker()); /* relaxed: the only thread */
}

unsigned ompt_workers(void) {
    uint32_t all = bz_load_acquire(&workers); /* TL2: pairs with TL1 */
    return all - is_worker();
}

/* ---- places in the program ---- */

static const void *function_of(const struct bomp_member *self) {
    const struct bomp_task *task = self->current;
    if (!bz_load_relaxed(&task->parent)) /* relaxed: constant since its creation */
        return (const void *)(uintptr_t)self->team->body.fn;
    return (const void *)(uintptr_t)ompt_task_of(task)->body.fn;
}

BZ_COLD const void *ompt_site_of_function(const struct bomp_member *self) {
    bool is_implicit = !bz_load_relaxed(&self->current->parent); /* relaxed: as above */
    return ompt_entry(function_of(self), is_implicit ? ompt_region_of(self->team)->code : NULL);
}
