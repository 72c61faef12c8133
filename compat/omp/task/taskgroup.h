/* Taskgroup regions. A task's taskgroup is the innermost one around its creation. It counts tasks with all their
 * descendants, except those in groups that the descendants open. */
#ifndef BOMP_TASKGROUP_H
#define BOMP_TASKGROUP_H

#include "omp/task/task.h"

struct bomp_reduction;

/* Exists from the region's start to its end, in a slab object. Thieves may still read a task that was there before. */
struct bomp_group {
    char of_task[offsetof(struct bomp_task, refs)]; /* parent and depth of that task; never written */
    struct bomp_group *outer; /* of the same task, or of the one that created it; constant */
    struct bz_worker *owner;  /* whose task opened it; constant */
    struct bz_tally members;  /* tasks created in it, with all descendants, that are not complete */
    /* 1: its tasks that have not begun are discarded. Set by any of its tasks, read by all. */
    struct bz_a32 cancelled;
    struct bomp_reduction
        *reduction; /* that its tasks take part in; NULL: none. Constant once it has tasks */
    bool merges; /* reductions of it, or of groups around, merge when tasks end; constant once it has tasks */
    bool implicit; /* a reduction's: cancelling the taskgroup means the one around it; constant once shared */
    bool construct; /* of a worksharing construct, whose end is skipped when it is cancelled; owner only */
};

_Static_assert(offsetof(struct bomp_task, parent) < offsetof(struct bomp_task, refs) &&
                   offsetof(struct bomp_task, depth) < offsetof(struct bomp_task, refs),
               "a taskgroup must not cover what thieves read of a task");

/* Makes it a group of tasks on behalf of `owner`, without any yet. */
static inline void bomp_taskgroup_init(struct bomp_group *group, struct bomp_group *outer,
                                       struct bz_worker *owner) {
    group->outer = outer;
    group->owner = owner;
    bz_tally_init(&group->members);
    bz_store_relaxed(&group->cancelled, 0); /* relaxed: published with the first task */
    group->reduction = NULL;
    group->merges = outer && outer->merges;
    group->implicit = group->construct = false;
}

/* Whether its tasks, or of none (NULL), know a reduction. */
static inline bool bomp_group_has_reduction(const struct bomp_group *group) {
    while (group && !group->reduction)
        group = group->outer;
    return group;
}

#endif
