/* Task reductions: private copies of variables that the tasks of a group reduce into, for each thread one row of them. A
 * reduction that is registered with a taskgroup is known to all tasks of the group, which ask for their thread's copy.
 * The compiled code merges the rows, or, if the reduction is *managed*, the end of its group.
 *
 * A reduction is made before it is shared and constant from then on, but for its count of users. A row is its thread's,
 * until the group has ended. */
#ifndef BOMP_REDUCTION_H
#define BOMP_REDUCTION_H

#include "omp/bomp.h"
#include "runtime.h"

struct bomp_group;
struct bomp_member;

/* An item, and the variable that it is in a managed reduction; else NULL. Behind the copy of a variable there is a byte in
 * each row, 1 from when the copy is initialised. */
struct bomp_reduction_entry {
    struct bomp_reduction_item item;
    const struct bomp_reduction_variable *variable;
};

struct bomp_reduction {
    struct bomp_reduction *next; /* of the same registration */
    char *base;                  /* the row of thread 0 */
    size_t stride;               /* bytes from row to row */
    size_t bytes;                /* of all rows */
    char *block;                 /* where they lie, `bytes` and `spare` */
    size_t spare;                /* for an alignment beyond that of blocks */
    size_t count;                /* of items */
    struct bz_a32 users;         /* of the first one of a registration: those who will release it */
    struct bz_a32 lock;          /* while tasks merge into the originals */
    struct bomp_reduction_variable *variables; /* of a managed one, behind the entries; else NULL */
    size_t running_at; /* in each row, if some are `soon`: where its struct running is; else 0 */
    /* The items twice: sorted by offset, and then by original. */
    struct bomp_reduction_entry entries[];
};

/* One more user. */
static inline void bomp_reduction_use(struct bomp_reduction *reduction) {
    bz_fetch_add_relaxed(&reduction->users, 1); /* relaxed: there is a user who keeps it meanwhile */
}

/* Around a task, or several one after the other, of a group that merges, on the thread of this member. When the last one of
 * those that it has begun has ended, suspended ones included, what has to be merged by then is. */
void bomp_reduction_task_begins(const struct bomp_group *group, const struct bomp_member *member);
void bomp_reduction_task_ended(const struct bomp_group *group, const struct bomp_member *member);

/* A group that knows it has ended: if it is managed, that is its end, too. */
void bomp_reduction_group_ended(struct bomp_reduction *reduction);

/* The start of a region whose implicit tasks have a reduction: gives the member's one its own group. */
void bomp_reduction_member_start(struct bomp_member *member);

#endif
