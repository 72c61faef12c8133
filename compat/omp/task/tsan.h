/* Under ThreadSanitizer (src/base/sanitizer.h), which observes all teams and tasks.
 *
 * A team has a key for its start, which all members come after, and two for meetings, used in turns: a member may be on
 * its way to the next barrier. A task comes before its thread's next meeting.
 *
 * A task has its arguments on the heap, so that they do not seem to race with earlier data, and a record of the keys of
 * creator, children and siblings. Threads begin queued tasks in turns: a race between tasks of one thread is
 * invisible. */
#ifndef BOMP_TSAN_H
#define BOMP_TSAN_H

#include "omp/bomp.h"
#include "runtime.h"

struct bomp_member;
struct bomp_table;
struct bomp_task;
struct bomp_team;

/* On the heap, whose addresses ThreadSanitizer forgets. */
struct bomp_tsan {
    uint64_t created;  /* before it: its creator */
    uint64_t children; /* before it: those that are complete */
    const void *up;    /* the parent's key for its children; constant */
    char *keys;        /* of its parent's table of dependences, or NULL. Constant, as the rest */
    size_t count;      /* of what it depends on */
    struct bomp_depend depend[];
};

/* The start and the end of a region, for a member and for the primary thread; both sides of a meeting. */
void bomp_tsan_start(struct bomp_member *member);
void bomp_tsan_close(struct bomp_team *team);
void bomp_tsan_arrive(struct bomp_member *member);
void bomp_tsan_go_on(struct bomp_member *member);
/* The key of the meeting that the member reaches next. */
const void *bomp_tsan_meeting(const struct bomp_member *member);

/* The record of a new task, which has an extra part. False: no memory. */
bool bomp_tsan_record(struct bomp_task *task, const struct bomp_task_spec *spec,
                      const struct bomp_task *parent);
/* By the creator, before others see it. `table`: has its dependences, or NULL. */
void bomp_tsan_created(struct bomp_task *task, struct bomp_table *table);

/* Before a queued task begins: waits until the last one to begin is another thread's. */
void bomp_tsan_take_turn(struct bomp_member *self);

/* Before the body, after it, and when the task is complete, before any thread can know. */
void bomp_tsan_begin(struct bomp_task *task);
void bomp_tsan_end_body(struct bomp_task *task);
void bomp_tsan_complete(struct bomp_task *task, struct bz_worker *self);
/* Its successors begin before it is complete (bomp_task_release_apart). */
void bomp_tsan_release(struct bomp_task *task);

/* The key that its children come before when they are complete. The task is in a slab object. */
const void *bomp_tsan_children(const struct bomp_task *task);

/* The current task comes after its children, all complete, that one with this list would wait for. */
void bomp_tsan_depend(struct bomp_table *table, const struct bomp_depend_list *list);

#endif
