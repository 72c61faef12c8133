/* Task reductions (bomp.h). The compiled code merges the rows, or, if the reduction is *managed*, the end of its
 * group.
 *
 * A reduction is constant once it is shared, but for its users. A row belongs to its thread until the group has
 * ended. */
#ifndef BOMP_REDUCTION_H
#define BOMP_REDUCTION_H

#include "omp/bomp.h"
#include "runtime.h"

struct bomp_group;
struct bomp_member;

struct bomp_reduction_entry {
    struct bomp_reduction_item item;
    struct bomp_reduction_variable variable; /* managed. The byte behind a copy is 1 if that is initialised */
};

struct bomp_reduction {
    struct bomp_reduction *next; /* of the same registration */
    char *base;                  /* the row of thread 0 */
    size_t stride;               /* bytes from row to row */
    size_t bytes;                /* of all rows */
    char *block;                 /* their memory: `bytes` and `spare` */
    size_t spare;                /* for an alignment beyond that of blocks */
    size_t count;                /* of items */
    struct bz_a32 users;         /* of the first one of a registration: releases to come */
    struct bz_a32 lock;          /* while tasks merge into the originals */
    bool managed;
    size_t running_at; /* if some are `soon`: offset of a count of tasks in a row; else 0 */
    struct bomp_reduction_entry entries[];
};

static inline void bomp_reduction_use(struct bomp_reduction *reduction) {
    bz_fetch_add_relaxed(&reduction->users, 1); /* relaxed: there is a user who keeps it meanwhile */
}

/* Around a task, or several in a row, of a group that merges. When the last that the thread has begun ends, its `soon`
 * copies are merged. */
void bomp_reduction_task_begins(const struct bomp_group *group, const struct bomp_member *member);
void bomp_reduction_task_ended(const struct bomp_group *group, const struct bomp_member *member);

/* The group has ended: merges the rows of a managed reduction and releases it. */
void bomp_reduction_group_ended(struct bomp_reduction *reduction);

/* In a region whose implicit tasks have a reduction: gives the member's one its own group. */
void bomp_reduction_member_start(struct bomp_member *member);

#endif
