/* What is kept of threads, and where the program is. */
#include <link.h>
#include <pthread.h>

#include "ompt/notify.h"

__thread struct ompt_thread *ompt_thread_own;
__thread struct bomp_entered bomp_entered;

/* Of what is kept of threads: it goes when it is destroyed, and their end is reported. Written under pthread_once, read
 * after it, as is where the library's own code is. */
static pthread_key_t key;
static bool has_key;
struct ompt_text ompt_text;

/* Workers with a begin and no end. Changed by each for itself, read by the one that finalises. */
static struct bz_a32 workers;

static void ended(void *arg) {
    ompt_thread_end();
    ompt_thread_own = NULL;
    bz_free(arg);
}

/* Of this library, by the linker: its header, and the program headers behind it. */
extern const char __ehdr_start[] BOMP_HIDDEN;

/* Between two executable segments of the library lies nothing of others. */
static void find_text(void) {
    const ElfW(Ehdr) *header = (const void *)__ehdr_start;
    const ElfW(Phdr) *segment = (const void *)(__ehdr_start + header->e_phoff);
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        uintptr_t at = (uintptr_t)__ehdr_start + segment[i].p_vaddr;
        if (segment[i].p_type != PT_LOAD || !(segment[i].p_flags & PF_X))
            continue;
        begin = at < begin ? at : begin;
        end = at + segment[i].p_memsz > end ? at + segment[i].p_memsz : end;
    }
    ompt_text = (struct ompt_text){begin, end > begin ? end - begin : 0};
}

static void begin_all(void) {
    has_key = pthread_key_create(&key, ended) == 0; /* else the ends of threads are not reported */
    find_text();
}

BZ_COLD struct ompt_thread *ompt_thread_new(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct ompt_thread *self = bz_alloc_zero(1, sizeof *self);
    if (!self)
        bz_fatal("out of memory for a tool's data of a thread");
    (void)pthread_once(&once, begin_all);
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
    const char *function = function_of(self);
    if (function && !ompt_is_ours(function))
        return function + 1;
    return bz_load_relaxed(&self->current->parent) ? NULL
                                                   : ompt_region_of(self->team)->code; /* relaxed: as above */
}
