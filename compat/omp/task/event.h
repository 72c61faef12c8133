/* The event of a detached task, which is complete when its body has ended and the program has fulfilled the event. Each
 * side sets its bit; the second one completes the task, at once on a worker of its domain. Another thread enters the
 * domain as an external one before it sets its bit, so that the team stays, and leaves the task to a worker in the
 * priority queue.
 *
 * The program may fulfill the event of a discarded task, which is gone. So one atomic step checks that the event
 * belongs to the handle and sets the bit. As many unknown handles as tasks were discarded are ignored, others reported.
 * Model: tests/model/event.pml. */
#ifndef BOMP_EVENT_H
#define BOMP_EVENT_H

#include "runtime.h"

struct bomp_task;
struct bomp_tool_task;

enum {
    BOMP_EVENT_ENDED = 1,     /* the body has ended; set by the thread that ran it */
    BOMP_EVENT_FULFILLED = 2, /* set by the program */
    BOMP_EVENT_WAITED = 4,    /* of an undeferred task; set by the waiting thread before the body begins */
    /* For tools: the second side, by LEAVING or FULFILLING, waits for the first one's report (LEFT or FULFILLED), then
     * makes its own. */
    BOMP_EVENT_LEAVING = 8,     /* the body is about to end; set by the thread that ran it */
    BOMP_EVENT_FULFILLING = 16, /* set by the program */
    BOMP_EVENT_LEFT = 32,       /* if LEAVING was first: the end of the body is reported */
    /* Tools know the task. Set by its creator, which reports an earlier fulfilling. */
    BOMP_EVENT_KNOWN = 64
};

/* A fulfilling thread may read this after its end. */
struct bomp_event {
    /* The bits; above them the mark of its handle. Changed by both sides. */
    struct bz_a64 word;
    /* Constant. Tasks for helper threads have it as well. */
    struct {
        struct bz_domain *v;
    } domain;
    /* The task, constant; of an undeferred one the waiting worker, which writes it before the body begins. */
    struct {
        void *v;
    } who;
    /* The tools' data; written before KNOWN is set, read after it. */
    struct bomp_tool_task *tool;
};

/* `task` NULL: of an undeferred task of the calling worker. Returns the handle, one of 65536 for each address. */
void *bomp_event_init(struct bomp_event *event, struct bomp_task *task, struct bz_worker *self);
/* The task proves to be undeferred before its body begins: the calling worker waits for the event. */
void bomp_event_await(struct bomp_event *event, struct bz_worker *self);
/* Of a detached task cancelled before its creation: fulfilling it has no effect. */
void *bomp_event_of_no_task(void);
/* After tools were notified of the task, before its body begins. */
void bomp_event_known(struct bomp_event *event, struct bomp_tool_task *tool);
/* The end of the event. */
void bomp_event_end(struct bomp_event *event);

/* The body has ended. True: the caller completes the task. False: the fulfilling thread will; the task may be gone. */
bool bomp_event_body_ended(struct bomp_event *event);

/* The body never ran: the event ends unfulfilled. */
void bomp_event_discard(struct bomp_event *event);

/* For tools: the body is about to end. True: the fulfilling has been reported. False: it will be, after
 * bomp_event_left, which follows the report of that end. */
bool bomp_event_leave_body(struct bomp_event *event);
void bomp_event_left(struct bomp_event *event);

/* Of an undeferred task, whose thread waits for that. */
bool bomp_event_is_fulfilled(void *event);

#endif
