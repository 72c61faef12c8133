/* Tasks in memory: their extra parts, their move from the stack, their control variables. */
#include "omp/task/task.h"

#include "omp/task/depend_table.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_run.h"
#include "omp/task/taskgroup.h"
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

/* ---- extra parts ---- */

/* The tools' data of each task are behind it. */
BZ_INLINE struct bomp_task_extra *extra_new(struct bz_worker *self) {
    struct {
        struct bomp_task_extra extra;
        struct bomp_tool_task tool;
    } *observed = bz_worker_alloc(self, bz_likely(!bomp_hooks) ? sizeof observed->extra : sizeof *observed);
    if (!observed)
        return NULL;
    observed->extra.tool = &observed->tool;
    bz_store_relaxed(&observed->extra.node.refs, 1); /* relaxed: not shared yet */
    return &observed->extra;
}

struct bomp_task_extra *bomp_task_extra(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    if (!extra && task->flags & BOMP_TASK_HAS_NODE)
        extra = task->extra;
    else if (extra || !(extra = extra_new(self)))
        return extra;
    extra->block = NULL;
    extra->tsan = NULL;
    extra->table = NULL;
    extra->item.priority = 0;
    extra->helped = false;
    extra->detached = false;
    task->flags |= BOMP_TASK_HAS_EXTRA;
    return task->extra = extra;
}

struct bomp_node *bomp_task_node_new(struct bomp_task *task, struct bz_worker *self) {
    if (!bomp_task_has_extra(task) && !(task->extra = extra_new(self)))
        return NULL;
    task->flags |= BOMP_TASK_HAS_NODE;
    bomp_node_init(&task->extra->node, BOMP_NODE_TASK, task);
    return &task->extra->node;
}

static void clear_extra(struct bomp_task_extra *extra, struct bz_worker *self) {
    bz_free(extra->block);
    bz_free(extra->tsan);
    bomp_table_free(extra->table, self);
    if (extra->detached)
        bomp_event_end(&extra->event);
}

void bomp_task_strip_slow(struct bomp_task *task, struct bz_worker *self) {
    if (bomp_task_has_extra(task))
        clear_extra(task->extra, self);
    if (task->flags & (BOMP_TASK_HAS_EXTRA | BOMP_TASK_HAS_NODE))
        bomp_node_unref(&task->extra->node, self);
    task->flags &= ~(uint32_t)(BOMP_TASK_HAS_EXTRA | BOMP_TASK_HAS_NODE);
    if (bz_unlikely(task->flags & BOMP_TASK_OWNS_ICV))
        bomp_task_free_icvs(task);
}

/* ---- from the stack ----
 *
 * Undeferred tasks move to slab objects when they first have a deferred child. Their identity stays. */

static void move(struct bomp_task *task, struct bomp_task *copy, struct bomp_task *parent,
                 struct bz_worker *worker) {
    bz_store_relaxed(&copy->parent, parent); /* relaxed: published with its first child, all of this */
    bz_store_relaxed(&copy->depth, bomp_task_depth_below(parent, 0));
    bz_store_relaxed(&copy->refs, 0);
    bz_store_relaxed(&copy->owner, worker);
    bz_tally_init(&copy->children);
    copy->floor = bz_worker_queue_end(worker); /* it has no queued descendant yet */
    copy->flags = (task->flags & ~(uint32_t)(BOMP_TASK_STACK | BOMP_TASK_TOP)) | BOMP_TASK_MOVED;
    copy->created = task->created;
    copy->group = task->group;
    copy->icv = task->icv; /* with the blocks, if it has any of its own */
    if (copy->flags & BOMP_TASK_TOOL)
        copy->children.local = BOMP_TASK_OBSERVES_WAITS;
    task->moved = copy;
    task->flags |= BOMP_TASK_MOVED;
}

BZ_COLD static void give_back(struct bomp_task *copies, struct bz_worker *worker) {
    while (copies) {
        struct bomp_task *next = copies->moved;
        bz_worker_free(worker, copies);
        copies = next;
    }
}

struct bomp_task *bomp_task_persist(struct bomp_member *self) {
    if (bz_likely(!(self->current->flags & BOMP_TASK_STACK)))
        return self->current;
    /* Copies up to the first task that other threads may read; each leads to the one below by `moved`. */
    struct bomp_task *copies = NULL, *copy;
    struct bomp_task *task = self->current;
    bool top = false;
    while (!top && (task->flags & BOMP_TASK_STACK) && !bomp_task_has_moved(task)) {
        if (!(copy = bz_worker_alloc(self->worker, sizeof *copy))) {
            give_back(copies, self->worker);
            return NULL;
        }
        copy->data = task;
        copy->moved = copies;
        copies = copy;
        top = task->flags & BOMP_TASK_TOP;
        task = bz_load_relaxed(&task->parent); /* relaxed: this thread's own, or constant */
    }
    struct bomp_task *parent = !top && task->flags & BOMP_TASK_STACK ? task->moved : task;
    while ((copy = copies)) {
        copies = copy->moved;
        move(copy->data, copy, parent, self->worker);
        parent = copy;
    }
    return self->current = parent;
}

uintptr_t bomp_task_number(void) {
    return (uintptr_t)bomp_task_identity(bomp_self()->current);
}

uintptr_t bomp_task_parent_number(void) {
    const struct bomp_task *parent = bz_load_relaxed(&bomp_self()->current->parent); /* relaxed: as above */
    if (!parent)
        return 0;
    return (uintptr_t)(bomp_task_has_moved(parent) ? parent : bomp_task_identity(parent));
}

/* ---- control variables ----
 *
 * A task that changes some has a list of blocks: the newest is in use; children that still run may have inherited older
 * ones. */

struct block {
    struct bomp_icv icv;
    struct block *older;
    uint32_t created; /* the task's children when it was made, or last found not to be inherited */
};

static struct block *newest(const struct bomp_task *task) {
    return task->flags & BOMP_TASK_OWNS_ICV ? bz_container_of(task->icv, struct block, icv) : NULL;
}

/* Whether it may have descendants: incomplete children, or references of complete ones. */
static bool has_descendants(struct bomp_task *task) {
    if (task->flags & BOMP_TASK_STACK)
        return false; /* one that had any would have moved */
    uint32_t own = bomp_task_is_detached(task) ? 1 : 0;
    return !bz_tally_peek_none(&task->children) ||
           bz_load_acquire(&task->refs) != own; /* H2: pairs with H1 */
}

static void free_blocks(struct block *block) {
    while (block) {
        struct block *older = block->older;
        bz_free(block);
        block = older;
    }
}

/* Whether no descendant may read the task's newest block; without descendants, frees the older ones. */
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
