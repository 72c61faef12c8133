/* Running and ending tasks, and what they are in memory; creating them: task_create.c. */
#include "omp/task/task.h"

#include "omp/task/cancelled.h"
#include "omp/task/depend_table.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_run.h"
#include "omp/task/taskgroup.h"
#include "omp/task/tsan.h"
#include "omp/team/team_data.h"
#include "omp/tool/tool_data.h"

void bomp_task_init_implicit(struct bomp_task *task, struct bz_worker *owner, const struct bomp_icv *icv) {
    bz_store_relaxed(&task->parent, NULL); /* relaxed, all: published with the first child */
    bz_store_relaxed(&task->depth, 0);
    bz_store_relaxed(&task->refs, 0);
    bz_store_relaxed(&task->owner, owner);
    bz_tally_init(&task->children);
    task->floor = 0;
    task->flags = 0;
    task->created = 0;
    task->group = NULL;
    task->icv = icv;
}

/* ---- what few tasks have ---- */

/* Tools observe all tasks: what they keep of each is behind it. */
static struct bomp_task_extra *extra_new(struct bz_worker *self) {
    struct {
        struct bomp_task_extra extra;
        struct bomp_tool_task tool;
    } * observed;
    if (bz_likely(!bomp_hooks))
        return bz_worker_alloc(self, sizeof observed->extra);
    observed = bz_worker_alloc(self, sizeof *observed);
    if (!observed)
        return NULL;
    observed->extra.head.tool = &observed->tool;
    return &observed->extra;
}

struct bomp_task_extra *bomp_task_extra(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    if (extra || !(extra = extra_new(self)))
        return extra;
    extra->block = NULL;
    extra->tsan = NULL;
    extra->node = NULL;
    extra->table = NULL;
    extra->item.priority = 0;
    extra->by = BOMP_BY_TEAM;
    task->flags |= BOMP_TASK_HAS_EXTRA;
    return task->extra = extra;
}

static void free_extra(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    if (!extra)
        return;
    if (bz_unlikely(extra->block))
        bz_free(extra->block);
    if (bz_unlikely(extra->tsan))
        bz_free(extra->tsan);
    if (bz_unlikely(extra->table))
        bomp_table_free(extra->table, self);
    if (task->flags & BOMP_TASK_DETACHED)
        bomp_event_end(&extra->event);
    bz_worker_free(self, extra);
    task->flags &= ~(uint32_t)BOMP_TASK_HAS_EXTRA;
}

void bomp_task_strip_slow(struct bomp_task *task, struct bz_worker *self) {
    free_extra(task, self);
    if (bz_unlikely(task->flags & BOMP_TASK_OWNS_ICV))
        bomp_task_free_icvs(task);
}

/* ---- the end of a task ---- */

/* One reference less, to a task that runs or has ended before its children; frees one that has none left, and then drops
 * its reference to its parent. Its own reference, which it has until it is complete with all its children, is not in
 * the count. */
void bomp_task_drop(struct bomp_task *task, struct bz_worker *self) {
    while (bz_fetch_sub_acq_rel(&task->refs, 1) ==
           0) { /* H1: pairs with H1, H2 (what others did with the task) */
        struct bomp_task *parent = bz_load_relaxed(&task->parent); /* relaxed: constant since its creation */
        task_free(task, self);
        task = parent;
    }
}

void bomp_task_child_elsewhere(struct bomp_task *parent, struct bz_worker *owner, struct bz_worker *self) {
    switch (bz_tally_sub_shared(&parent->children)) {
    case BZ_TALLY_WAKE:
        bz_worker_wake(owner);
        break;
    case BZ_TALLY_RELEASE:
        bomp_task_drop(parent, self);
        break;
    case BZ_TALLY_NO_DUTY:
        break;
    }
}

void bomp_task_group_leave(struct bomp_group *group, struct bz_worker *self) {
    struct bz_worker *owner =
        group->owner; /* read first: the group may be gone when its last member has left */
    if (owner == self)
        bz_tally_sub(&group->members);
    else if (bz_tally_sub_shared(&group->members) == BZ_TALLY_WAKE)
        bz_worker_wake(owner);
}

void bomp_task_end_before_children(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task *parent = bz_load_relaxed(&task->parent); /* relaxed: constant since its creation */
    bz_store_relaxed(&task->owner, NULL);                      /* relaxed: T4 publishes it to the children */
    bz_fetch_add_relaxed(&parent->refs, 1); /* relaxed: dropped after H1 has seen this task go */
    if (bz_tally_end(&task->children))
        bomp_task_drop(task, self);
}

/* ---- running ---- */

bool bomp_task_begins(struct bomp_task *task, const struct bomp_member *member) {
    if ((task->flags & BOMP_TASK_COPIED) || !bomp_cancel_discards(member, task->group))
        return true;
    if (task->flags & BOMP_TASK_CLEANS) {
        task->flags |= BOMP_TASK_DISCARDED;
        task->fn(task->data);
    }
    return false;
}

bool bomp_task_body_merging(struct bomp_task *task, struct bomp_member *member, struct bz_worker *self) {
    bomp_reduction_task_begins(task->group, member);
    bool runs = task_body_alone(task, member, self);
    bomp_reduction_task_ended(task->group, member);
    return runs;
}

void bomp_task_run_queued(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    if (bz_unlikely(bomp_task_has_extra(task))) {
        bomp_task_run_special(task, self);
        return;
    }
    task_body(task, self);
    task_complete(task, task->group, self);
}

void bomp_task_run_small(struct bz_job *job, struct bz_worker *self) {
    struct bomp_member *member = bz_worker_context(self);
    task_run_small(bz_container_of(job, struct bomp_task, job), member, member->current, false, self);
}

bool bomp_task_body(struct bomp_task *task, struct bz_worker *self) {
    return task_body(task, self);
}

void bomp_task_complete(struct bomp_task *task, struct bz_worker *self) {
    task_complete(task, task->group, self);
}

void bomp_task_end_body(struct bomp_task *task, struct bz_worker *self) {
    task_end(task, self); /* a detached one has one reference more: it stays, and refers to its parent */
}

void bomp_task_complete_late(struct bomp_task *task, struct bz_worker *self) {
    if (task->group)
        bomp_task_group_leave(task->group, self);
    task_child_complete(bz_load_relaxed(&task->parent), self); /* relaxed: constant since its creation */
    bomp_task_drop(task, self);
    bz_worker_end(self);
}

/* ---- from the stack ----
 *
 * Undeferred tasks move to slab objects when they first have a deferred child. What identifies them stays. */

/* A copy of `task` in a slab object, below `parent`. */
static struct bomp_task *move(struct bomp_task *task, struct bomp_task *parent, struct bz_worker *worker) {
    struct bomp_task *copy = bz_worker_alloc(worker, sizeof *copy);
    if (!copy)
        return NULL;
    bz_store_relaxed(&copy->parent, parent); /* relaxed: published with its first child, all of this */
    bz_store_relaxed(&copy->depth, bomp_task_depth_below(parent, 0));
    bz_store_relaxed(&copy->refs, 0);
    bz_store_relaxed(&copy->owner, worker);
    bz_tally_init(&copy->children);
    copy->floor = bz_worker_queue_end(worker); /* it has no queued descendant yet: there is none below */
    copy->flags =
        (task->flags & ~(uint32_t)(BOMP_TASK_STACK | BOMP_TASK_LEFT | BOMP_TASK_TOP)) | BOMP_TASK_MOVED;
    copy->created = task->created;
    copy->group = task->group;
    copy->icv = task->icv; /* with the blocks, if it has any of its own */
    copy->data = task;
    if (copy->flags & BOMP_TASK_TOOL)
        copy->children.local = BOMP_TASK_LOOKS;
    return copy;
}

struct bomp_task *bomp_task_persist(struct bomp_member *self) {
    if (bz_likely(!(self->current->flags & BOMP_TASK_STACK)))
        return self->current;
    /* Up to the first that others may see, linking the way down through `moved`. */
    struct bomp_task *down = NULL;
    struct bomp_task *task = self->current;
    bool top = false;
    while (!top && (task->flags & BOMP_TASK_STACK) && !bomp_task_has_moved(task)) {
        task->moved = down;
        down = task;
        top = task->flags & BOMP_TASK_TOP;
        task =
            bz_load_relaxed(&task->parent); /* relaxed: this thread's own, or constant since its creation */
    }
    struct bomp_task *parent = !top && task->flags & BOMP_TASK_STACK ? task->moved : task;
    while (down) {
        struct bomp_task *next = down->moved;
        struct bomp_task *copy = parent ? move(down, parent, self->worker) : NULL;
        down->moved = copy;
        if (parent) /* it has moved, or it is the first that failed: all below that stay, too */
            down->flags |= copy ? BOMP_TASK_MOVED : BOMP_TASK_LEFT;
        parent = copy;
        down = next;
    }
    if (parent)
        self->current = parent;
    return parent;
}

const void *bomp_task_id(void) {
    return bomp_task_identity(bomp_self()->current);
}

uintptr_t bomp_task_number(void) {
    return (uintptr_t)bomp_task_id();
}

uintptr_t bomp_task_parent_number(void) {
    const struct bomp_task *parent = bz_load_relaxed(&bomp_self()->current->parent); /* relaxed: as above */
    if (!parent)
        return 0;
    return (uintptr_t)(bomp_task_has_moved(parent) ? parent : bomp_task_identity(parent));
}

/* ---- control variables ----
 *
 * Those that a task has changed: blocks in a list, the newest in use, the older ones perhaps inherited by children that
 * still run. */

struct block {
    struct bomp_icv icv;
    struct block *older;
    uint32_t created; /* the task's children when it was made, or last found to be inherited by none */
};

static struct block *newest(const struct bomp_task *task) {
    return task->flags & BOMP_TASK_OWNS_ICV ? bz_container_of(task->icv, struct block, icv) : NULL;
}

/* Whether descendants may be about. All of them are gone when none of its children is left and none of these refers to
 * it. */
static bool has_descendants(struct bomp_task *task) {
    if (task->flags & BOMP_TASK_STACK)
        return false; /* one that had any would have moved */
    uint32_t own = task->flags & BOMP_TASK_DETACHED ? 1 : 0;
    return !bz_tally_looks_none(&task->children) ||
           bz_load_acquire(&task->refs) != own; /* H2: pairs with H1 */
}

static void free_blocks(struct block *block) {
    while (block) {
        struct block *older = block->older;
        bz_free(block);
        block = older;
    }
}

/* Whether nobody else may look at the task's newest block; without descendants at older ones neither. */
static bool is_own(struct bomp_task *task, struct block *block) {
    if (block->created == task->created)
        return true;
    if (has_descendants(task))
        return false;
    block->created = task->created;
    free_blocks(block->older);
    block->older = NULL;
    return true;
}

struct bomp_icv *bomp_task_own_icv(struct bomp_task *task) {
    struct block *older = newest(task);
    if (older && is_own(task, older))
        return &older->icv;
    struct block *block = bz_alloc(sizeof *block);
    if (!block)
        return NULL;
    block->icv = *task->icv;
    block->older = older;
    block->created = task->created;
    task->icv = &block->icv;
    task->flags |= BOMP_TASK_OWNS_ICV;
    return &block->icv;
}

void bomp_task_free_icvs(struct bomp_task *task) {
    free_blocks(newest(task));
    task->flags &= ~(uint32_t)BOMP_TASK_OWNS_ICV;
}
