/* Taskgroups. A task's taskgroup is the innermost one around its creation. It counts tasks with their descendants, except
 * those in groups that the descendants open. */
#ifndef BOMP_TASKGROUP_H
#define BOMP_TASKGROUP_H

#include "omp/task/task.h"

struct bomp_reduction;

/* In a slab object, where thieves may still read an earlier task. */
struct bomp_group {
    char of_task[offsetof(struct bomp_task, refs)]; /* that one's parent and depth; never written */
    struct bomp_group *outer; /* of the same task, or of the one that created it; constant */
    struct bz_worker *owner;  /* whose task opened it; constant */
    struct bz_tally members;  /* its incomplete tasks */
    /* 1: tasks that have not begun are discarded. Set by any of its tasks, read by all. */
    struct bz_a32 cancelled;
    struct bomp_reduction *reduction; /* of its tasks, or NULL. Constant once it has tasks */
    bool merges;    /* reductions here or around merge when tasks end; constant once it has tasks */
    bool implicit;  /* a reduction's: cancelling means the group around; constant once it has tasks */
    bool construct; /* of a worksharing construct, whose end a cancellation skips; owner only */
};

_Static_assert(offsetof(struct bomp_task, parent) < offsetof(struct bomp_task, refs) &&
                   offsetof(struct bomp_task, depth) < offsetof(struct bomp_task, refs),
               "a taskgroup must not cover what thieves read of a task");

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
