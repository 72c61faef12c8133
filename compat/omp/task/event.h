/* The event of a detached task: the task is complete when its body has ended and the program has fulfilled the event, in
 * either order. Each side sets its bit; the second side completes the task. Any thread may fulfill it, even one unknown
 * to OpenMP. A worker of the task's domain completes the task at once. Another thread enters the domain as an external
 * one before it sets its bit, so that the team stays, and puts the task into the priority queue for a worker.
 *
 * The program may fulfill the event of a discarded task, which is gone. So one atomic step checks that the event is
 * still the handle's and sets the bit. As many unknown handles as tasks were discarded are ignored, others reported.
 * Model: tests/model/event.pml. */
#ifndef BOMP_EVENT_H
#define BOMP_EVENT_H

#include "runtime.h"

struct bomp_task;
struct bomp_tool_task;

enum {
    BOMP_EVENT_ENDED = 1,     /* the body has ended; set by the thread that ran it */
    BOMP_EVENT_FULFILLED = 2, /* set by the program */
    BOMP_EVENT_WAITED = 4, /* of an undeferred task, whose thread waits; set by it before the body begins */
    /* For tools: the side that is second, by LEAVING or FULFILLING, waits for the first side's report (LEFT or
     * FULFILLED), then makes its own. The task stays until then. */
    BOMP_EVENT_LEAVING = 8,     /* the body is about to end; set by the thread that ran it */
    BOMP_EVENT_FULFILLING = 16, /* set by the program */
    BOMP_EVENT_LEFT = 32,       /* if LEAVING was first: the end of the body has been reported */
    /* Tools know the task. Set by its creator, which reports an earlier fulfilling. */
    BOMP_EVENT_KNOWN = 64
};

/* A fulfilling thread may read this after its end, when its memory is used again. */
struct bomp_event {
    /* The bits; above them the mark, which says which handle it belongs to; changed by both sides. */
    struct bz_a64 word;
    /* Constant. Tasks for helper threads have it as well. */
    struct {
        struct bz_domain *v;
    } domain;
    /* Deferred: the task; constant. Undeferred: the waiting struct bz_worker; written by it before the body begins. */
    struct {
        void *v;
    } who;
    /* The tools' data of the task; written before KNOWN is set, read after it. */
    struct bomp_tool_task *tool;
};

/* For a deferred task, or with NULL for an undeferred one of the calling worker. Returns the handle, one of 65536 for each
 * place. */
void *bomp_event_init(struct bomp_event *event, struct bomp_task *task, struct bz_worker *self);
/* The task turns out to be undeferred, before its body begins: the calling worker, its creator's, waits for it. */
void bomp_event_await(struct bomp_event *event, struct bz_worker *self);
/* The handle of a detached task that is cancelled before its creation: the program may fulfill it, without effect. */
void *bomp_event_of_nobody(void);
/* By its creator, after a tool was notified of the task's creation and before its body begins. */
void bomp_event_known(struct bomp_event *event, struct bomp_tool_task *tool);
/* The end of the event. */
void bomp_event_end(struct bomp_event *event);

/* The task's body has ended. True: the event is fulfilled, the caller completes the task. False: the fulfilling thread
 * will; the task may be gone. */
bool bomp_event_body_ended(struct bomp_event *event);

/* The body never ran: the event ends unfulfilled. */
void bomp_event_discard(struct bomp_event *event);

/* For tools: the body is about to end. True: the fulfilling has been reported. False: its thread reports it after
 * bomp_event_left, which follows the report about the body's end. */
bool bomp_event_leave_body(struct bomp_event *event);
void bomp_event_left(struct bomp_event *event);

/* Of an undeferred task. */
bool bomp_event_is_fulfilled(const struct bomp_event *event);

#endif
