/* The event of a detached task: the task is complete when its body has ended and the program has fulfilled the event, in
 * whatever order. Each side sets its bit; the one that comes second sees to the completion.
 *
 * The program may fulfill from any thread, also one that never met OpenMP. Completing the task changes what belongs to
 * workers of its domain. One of these does it at once; any other thread puts the task in the domain's priority queue,
 * and whoever of the team takes it from there completes it. So that the team is not gone meanwhile, it enters the
 * domain as an external thread from before it sets its bit.
 *
 * Of a task that is discarded the event goes with it, but the program does not know that and may fulfill it at any time. So
 * the bit is set in the same step in which the event is found to be the one of the handle. As many handles that no event has
 * are taken for such ones as there were.
 * Model: tests/model/event.pml. */
#ifndef BOMP_EVENT_H
#define BOMP_EVENT_H

#include "runtime.h"

struct bomp_task;
struct bomp_tool_task;

enum {
    BOMP_EVENT_ENDED = 1,     /* the body has; set by whoever ran it */
    BOMP_EVENT_FULFILLED = 2, /* set by the program */
    BOMP_EVENT_WAITED = 4, /* of an undeferred task, whose thread waits; set by it before the body begins */
    /* For tools: what they hear of the event depends on which of LEAVING and FULFILLING comes first. The side that comes
     * second notifies when the first one has, which LEFT and FULFILLED say. The task
     * stays until that. */
    BOMP_EVENT_LEAVING = 8,     /* the body is about to end; set by whoever ran it, as the last one */
    BOMP_EVENT_FULFILLING = 16, /* set by the program */
    BOMP_EVENT_LEFT = 32,       /* if LEAVING was first: the tool has heard that the body has ended */
    /* Tools have heard of the task. Set by its creator, which reports a fulfilling that came before. */
    BOMP_EVENT_KNOWN = 64
};

/* Whoever fulfills it may read this when it is gone, and its memory used again. */
struct bomp_event {
    /* The bits; above them the mark, which says of which handle it is; changed by both sides. */
    struct bz_a64 word;
    /* Constant. Pooled tasks and those for helpers have it, too. */
    struct {
        struct bz_domain *v;
    } domain;
    /* The task, deferred: constant. Undeferred: the struct bz_worker that waits; written by it before the body begins. Of a
     * task that ran apart (agent.c), whose event nobody fulfills: the rest; written by the agent, read by who completes
     * it. */
    struct {
        void *v;
    } who;
    /* What tools keep of the task; written before KNOWN is set, read after it. */
    struct bomp_tool_task *tool;
};

/* For a deferred task, or with NULL for an undeferred one of the calling worker. Returns the handle for the program: that of
 * an event that was at the same place before is another one, as a rule (there are 65536 for each). */
void *bomp_event_init(struct bomp_event *event, struct bomp_task *task, struct bz_worker *self);
/* The task turns out to be undeferred, before its body begins: the calling worker, its creator's, waits for it. */
void bomp_event_await(struct bomp_event *event, struct bz_worker *self);
/* The handle of a detached task that is not even created, since it is cancelled: nobody waits for it, and the program may
 * fulfill it. */
void *bomp_event_of_nobody(void);
/* A tool has heard of the task's creation, and its body has not begun; by its creator. */
void bomp_event_known(struct bomp_event *event, struct bomp_tool_task *tool);
/* The event goes. */
void bomp_event_end(struct bomp_event *event);

/* The task's body has ended. True: its event has come about before, the caller completes the task. False: it will be done
 * elsewhere; the task may be gone. */
bool bomp_event_body_ended(struct bomp_event *event);

/* Instead, if the body never ran: nobody waits for it, and it goes. */
void bomp_event_discard(struct bomp_event *event);

/* For tools: the body is about to end. True: the tool has heard that the event was fulfilled. False: it will,
 * once it has heard that the body has ended, and bomp_event_left has said so. */
bool bomp_event_leave_body(struct bomp_event *event);
void bomp_event_left(struct bomp_event *event);

/* Of an undeferred task: whether it has come about. */
bool bomp_event_is_fulfilled(const struct bomp_event *event);

#endif
