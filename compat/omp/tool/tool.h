/* The clients that are told of events, and how. A client is an OMPT tool: one of the library's own, or the program's.
 * compat/ompt finds them and fills this table in; what reports an event goes through it:
 *
 *   if (bz_unlikely(bomp_told))                              where a flag that is read anyway does not say it already
 *       bomp_tell_...(...)                                   a function of this room, or of the event's own
 *
 *   BOMP_TELL(work, work, kind, ompt_scope_begin, BOMP_WORD(region), BOMP_WORD(task), count, code)
 *
 * calls ompt_callback_work of each client that has registered it, as an ompt_callback_work_t, with its own words. */
#ifndef BOMP_TOOL_H
#define BOMP_TOOL_H

#include <stdbool.h>

#include "omp/bomp.h"
#include "omp/state/initial.h"
#include "omp/state/member.h"
#include "omp/state/team.h"
#include "omp/state/tool.h"
#include "runtime.h"

/* Callbacks have numbers below this. */
#define BOMP_TOOL_EVENTS 38

struct bomp_tool_client {
    /* By the event's number; NULL: it is not told. Written by the client at any time, read by whoever meets the event:
     * relaxed. */
    struct {
        ompt_callback_t v;
    } calls[BOMP_TOOL_EVENTS];
};

struct bomp_tool_table {
    /* Of clients, those that have been finalised too. Written by compat/ompt, read by all. */
    struct bz_a32 count;
    struct bz_a64 events; /* bit n: some client has, or had, callback n; as calls */
    /* Bit n: client n is not told of what is nothing in the program: taskwaits that have nothing to wait for, regions of the
     * runtime's. Set by it before it is counted. */
    struct bz_a32 skips;
    struct bomp_tool_client clients[BOMP_TOOL_CLIENTS];
};
extern struct bomp_tool_table bomp_tool_table BOMP_HIDDEN;

/* Whether any client has registered the event; it may be gone. Relaxed: so may what is read. */
static inline bool bomp_is_told(ompt_callbacks_t event) {
    return bz_load_relaxed(&bomp_tool_table.events) >> event & 1;
}

/* Whether the client is told of what is nothing in the program. */
static inline bool bomp_tool_sees(uint32_t client) {
    return !(bz_load_relaxed(&bomp_tool_table.skips) >> client &
             1); /* relaxed: constant since it was counted */
}

/* In the arguments `client` is the index of the one that is called. The second one is for callbacks that return something.
 * Nearly always there is one client, where nothing is kept across its call. */
#define BOMP_TELL(event, type, ...) BOMP_TELL_EACH(event, type, call_(__VA_ARGS__))
#define BOMP_TELL_ANSWER(answer, event, type, ...) BOMP_TELL_EACH(event, type, (answer) = call_(__VA_ARGS__))
#define BOMP_TELL_EACH(event, type, call)                                                                    \
    do {                                                                                                     \
        const uint32_t clients_ = bz_load_relaxed(&bomp_tool_table.count); /* relaxed: as calls */           \
        if (bz_likely(clients_ <= 1)) {                                                                      \
            const uint32_t client = 0;                                                                       \
            BOMP_TELL_ONE(event, type, call);                                                                \
        } else {                                                                                             \
            for (uint32_t client = 0; client < clients_; client++)                                           \
                BOMP_TELL_ONE(event, type, call);                                                            \
        }                                                                                                    \
    } while (0)
/* The same in two functions, for what comes with each task: true, there is one client, and it has been told; else BOMP_TELL
 * is to be called, out of line. */
#define BOMP_TELL_ALONE(event, type, ...)                                                                    \
    __extension__({                                                                                          \
        const bool alone_ = bz_load_relaxed(&bomp_tool_table.count) <= 1; /* relaxed: as calls */            \
        const uint32_t client = 0;                                                                           \
        if (bz_likely(alone_))                                                                               \
            BOMP_TELL_ONE(event, type, call_(__VA_ARGS__));                                                  \
        alone_;                                                                                              \
    })
/* The same for those that are told of what is nothing in the program. */
#define BOMP_TELL_SEERS(event, type, ...)                                                                    \
    do {                                                                                                     \
        const uint32_t clients_ = bz_load_relaxed(&bomp_tool_table.count); /* relaxed: as calls */           \
        for (uint32_t client = 0; client < clients_; client++)                                               \
            if (bomp_tool_sees(client))                                                                      \
                BOMP_TELL_ONE(event, type, call_(__VA_ARGS__));                                              \
    } while (0)
#define BOMP_TELL_ONE(event, type, call)                                                                     \
    do {                                                                                                     \
        ompt_callback_##type##_t call_ = (ompt_callback_##type##_t)bz_load_relaxed(                          \
            &bomp_tool_table.clients[client].calls[ompt_callback_##event]);                                  \
        if (call_)                                                                                           \
            call;                                                                                            \
    } while (0)

/* The word of the client that is called, in what has words: a region, a task, a thread; NULL of none. */
#define BOMP_WORD(holder) ((holder) ? &(holder)->words.of[client] : NULL)

/* What is kept of a task that has BOMP_TASK_TOOL: any one of a team that is told of. */
static inline struct bomp_tool_task *bomp_tool_of(const struct bomp_task *task) {
    if (!bz_load_relaxed(&task->parent)) { /* relaxed: constant since its creation */
        struct bomp_member *member = bz_container_of((struct bomp_task *)task, struct bomp_member, implicit);
        return bz_likely(!member->told.inner) ? &member->tool : &member->told.inner->task;
    }
    if ((task->flags & (BOMP_TASK_STACK | BOMP_TASK_MOVED)) == BOMP_TASK_MOVED)
        task = task->data; /* where it was, on its thread's stack */
    return task->flags & BOMP_TASK_STACK ? task->data : ((struct bomp_task_head *)task->extra)->tool;
}

/* Whether tools are told of what the member's current task does: not if its thread came while a tool still started, and
 * did not wait for it to the end. */
static inline bool bomp_tool_is_told(const struct bomp_member *self) {
    return self->current->flags & BOMP_TASK_TOOL;
}

/* Of the current task, if tools are told of it, and of the region around it. */
static inline struct bomp_tool_task *bomp_tool_current(const struct bomp_member *self) {
    return bomp_tool_of(self->current);
}
static inline struct bomp_tool_region *bomp_tool_region_of(struct bomp_team *team) {
    return team->thread_team || !team->initial->region ? &team->tool : team->initial->region;
}
static inline struct bomp_tool_region *bomp_tool_region(const struct bomp_member *self) {
    return bz_likely(!self->told.inner) ? bomp_tool_region_of(self->team) : &self->told.inner->region;
}

#endif
