/* notify.h: how a hook notifies the tools that are attached, which are called clients: each is an OMPT tool, one of the
 * library's own or the program's.
 *
 *   OMPT_NOTIFY(parallel_end, parallel_end, OMPT_WORD(region), OMPT_WORD(task), flags, code)
 *
 * calls ompt_callback_parallel_end of each client that has registered it, with the client's own words. */
#ifndef OMPT_NOTIFY_H
#define OMPT_NOTIFY_H

#include <stdbool.h>

#include "omp/tool/hooks.h"
#include "runtime.h"

/* Callbacks have numbers below this. */
#define OMPT_EVENTS 38

/* A callback, by the event's number; NULL: none. Written by a client at any time, read by any thread that meets the
 * event: relaxed. */
struct ompt_call {
    ompt_callback_t v;
};

struct ompt_table {
    /* Bit n: client n, also when it has been finalised. Written while tools start, read by all: relaxed, as calls. */
    struct bz_a32 attached;
    /* The same of clients that are notified of what is nothing in the program: taskwaits that have nothing to wait for,
     * regions of the runtime's. */
    struct bz_a32 sees_all;
    struct ompt_call calls[OMPT_EVENTS][BOMP_TOOL_CLIENTS];
};
extern struct ompt_table ompt_table BOMP_HIDDEN;

static inline uint32_t ompt_attached(void) {
    return bz_load_relaxed(&ompt_table.attached);
}

static inline uint32_t ompt_that_see_all(void) {
    return bz_load_relaxed(&ompt_table.sees_all);
}

static inline bool ompt_sees_all(uint32_t client) {
    return ompt_that_see_all() >> client & 1;
}

/* In the arguments `client` is the index of the one that is called. */
#define OMPT_NOTIFY(event, type, ...) OMPT_NOTIFY_SOME(ompt_attached(), event, type, __VA_ARGS__)
/* The same for the clients with a bit in `some`. */
#define OMPT_NOTIFY_SOME(some, event, type, ...)                                                             \
    OMPT_EACH(some) OMPT_CALL(OMPT_CALLBACK(event), type, call_(__VA_ARGS__))
#define OMPT_EACH(some)                                                                                      \
    for (uint32_t left_ = (some), client = 0; left_ != 0 && (client = (uint32_t)__builtin_ctz(left_), true); \
         left_ &= left_ - 1)
#define OMPT_CALLBACK(event) bz_load_relaxed(&ompt_table.calls[ompt_callback_##event][client])
#define OMPT_CALL(callback, type, call)                                                                      \
    do {                                                                                                     \
        ompt_callback_##type##_t call_ = (ompt_callback_##type##_t)(callback);                               \
        if (call_)                                                                                           \
            call;                                                                                            \
    } while (0)

/* The word of the client that is called, in what has words: a region, a task, a thread; NULL of none. */
#define OMPT_WORD(holder) ((holder) ? &(holder)->words.of[client] : NULL)

/* ---- the calling thread ---- */

struct ompt_thread {
    struct bomp_tool_words words;
    /* What it does, an ompt_state_t, and what it waits for. Written by it, read by it, perhaps in a signal handler:
     * relaxed. */
    struct bz_a32 state;
    struct bz_a64 wait_id;
    bool begun;               /* its begin was reported */
    bool works;               /* as that of a worker */
    struct bomp_member *root; /* of a thread that has an initial task, which was reported; else NULL */
    unsigned hint;            /* of the critical construct that it meets next */
    uint32_t before_mutex;    /* its state before it asked for the mutex that it asks for */
};

/* On the heap, from the first event of the thread to its end: what is thread-local here is so in all programs, and takes
 * of the little that glibc has for libraries that are loaded late. NULL: no event yet. */
extern __thread struct ompt_thread *ompt_thread_own BOMP_HIDDEN;

/* Makes it. No memory is fatal. */
struct ompt_thread *ompt_thread_new(void);

static inline struct ompt_thread *ompt_thread(void) {
    return bz_likely(ompt_thread_own) ? ompt_thread_own : ompt_thread_new();
}

/* Whether the begin of the calling thread was reported, and not its end. */
static inline bool ompt_thread_begun(void) {
    return ompt_thread_own && ompt_thread_own->begun;
}

/* The calling thread comes to OpenMP: reports its begin, once. Its end is reported when it ends. */
void ompt_thread_begin(ompt_thread_t kind);

/* Reports the end of the calling thread, if its begin was. */
void ompt_thread_end(void);

/* Workers whose begin was reported and whose end was not, the calling thread not counted. */
unsigned ompt_workers(void);

/* The child of a fork has one thread of all. */
void ompt_workers_lost(void);

/* It is in that state now. Returns the one before. */
static inline uint32_t ompt_enter_state(ompt_state_t state) {
    struct ompt_thread *self = ompt_thread();
    uint32_t before = bz_load_relaxed(&self->state); /* relaxed, both: its own */
    bz_store_relaxed(&self->state, state);
    return before;
}

/* Of those that ompt_enumerate_mutex_impls lists: a parking lot; a member's position in a doacross loop, which no thread
 * has for itself. */
#define OMPT_MUTEX_PARKING 1
#define OMPT_MUTEX_POSITION 2

/* ---- tasks and regions ---- */

/* What is kept of a task that has BOMP_TASK_TOOL: any one of a team that is observed. */
static inline struct bomp_tool_task *ompt_task_of(const struct bomp_task *task) {
    if (!bz_load_relaxed(&task->parent)) { /* relaxed: constant since its creation */
        struct bomp_member *member = bz_container_of((struct bomp_task *)task, struct bomp_member, implicit);
        return bz_likely(!member->tool.inner) ? &member->tool.task : &member->tool.inner->task;
    }
    if ((task->flags & (BOMP_TASK_STACK | BOMP_TASK_MOVED)) == BOMP_TASK_MOVED)
        task = task->data; /* where it was, on its thread's stack */
    return task->flags & BOMP_TASK_STACK ? task->data : task->extra->tool;
}

/* Of the current task, which is observed, and of the region around it. */
static inline struct bomp_tool_task *ompt_current(const struct bomp_member *self) {
    return ompt_task_of(self->current);
}
static inline struct bomp_tool_region *ompt_region_of(struct bomp_team *team) {
    return team->thread_team || !team->initial->region ? &team->tool : team->initial->region;
}
static inline struct bomp_tool_region *ompt_region(const struct bomp_member *self) {
    return bz_likely(!self->tool.inner) ? ompt_region_of(self->team) : &self->tool.inner->region;
}

/* Ends what its thread has begun: worksharing constructs; the implicit task. */
void ompt_work_over(struct bomp_member *self);
void ompt_implicit_end(struct bomp_member *self);

/* Where the program's code of a task has entered the runtime; NULL: it is back. `flags`: what `frame` is. */
static inline void ompt_enter_frame(struct bomp_tool_task *task, const void *frame, int flags) {
    task->frame.enter_frame.ptr = (void *)frame;
    task->frame.enter_frame_flags = ompt_frame_runtime | flags;
}

/* The same where the entry point has noted the frame, or else inside of us. */
void ompt_enter_noted(struct bomp_tool_task *task);

/* Where the runtime calls the program's code of a task; NULL: that has returned. */
static inline void ompt_exit_frame(struct bomp_tool_task *task, const void *frame, int flags) {
    task->frame.exit_frame.ptr = (void *)frame;
    task->frame.exit_frame_flags = ompt_frame_runtime | flags;
}

/* ---- places in the program ---- */

/* The library's own code lies between these; defined by the linker. */
extern const char __ehdr_start[] BOMP_HIDDEN, etext[] BOMP_HIDDEN;

static inline bool ompt_is_ours(const void *code) {
    return (const char *)code >= __ehdr_start && (const char *)code < etext;
}

const void *ompt_site_of_function(const struct bomp_member *self);

/* Where the program is: there, or, where that is in this library because a function of the program's ended with the call
 * and so jumped, in the function that the current task runs: behind its first byte, or where its region was opened. NULL:
 * not known. */
static inline const void *ompt_site(const struct bomp_member *self, const void *code) {
    return bz_likely(!ompt_is_ours(code)) ? code : ompt_site_of_function(self);
}

/* For our own tools, as the call may be inlined elsewhere: behind the first byte of the program's function that a construct
 * runs, as a call site; or as `code`. */
static inline const void *ompt_entry(const void *function, const void *code) {
    return function && !ompt_is_ours(function) ? (const char *)function + 1 : code;
}

/* Where a construct is, for the client that is called. */
#define OMPT_PLACE(code, entry) (ompt_sees_all(client) ? (code) : (entry))

/* OMPT_NOTIFY of an event of the current task of `self`, if that is observed. In the arguments, `task` and `region` are its
 * data, and `site` is ompt_site of `code`. */
#define OMPT_NOTIFY_CURRENT(self, code, ...)                                                                 \
    do {                                                                                                     \
        if (bomp_is_observed(self)) {                                                                        \
            struct bomp_tool_task *task = ompt_current(self);                                                \
            struct bomp_tool_region *region = ompt_region(self);                                             \
            const void *site = ompt_site(self, code);                                                        \
            (void)region, (void)site;                                                                        \
            OMPT_NOTIFY(__VA_ARGS__);                                                                        \
        }                                                                                                    \
    } while (0)

/* ---- the hooks of each noun ---- */

/* bomp_hooks, to be written while others read it. */
struct ompt_hooks_word {
    const struct bomp_hooks *v;
};

extern const struct bomp_region_hooks ompt_region_hooks BOMP_HIDDEN;
extern const struct bomp_task_hooks ompt_task_hooks BOMP_HIDDEN;
extern const struct bomp_sync_hooks ompt_sync_hooks BOMP_HIDDEN;
extern const struct bomp_mutex_hooks ompt_mutex_hooks BOMP_HIDDEN;
extern const struct bomp_work_hooks ompt_work_hooks BOMP_HIDDEN;
extern const struct bomp_target_hooks ompt_target_hooks BOMP_HIDDEN;

#endif
