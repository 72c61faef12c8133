/* Moving undeferred tasks from the stack to slab objects, when they first have a deferred child. What identifies them
 * stays. */
#include "omp/state/team.h"
#include "omp/task/task.h"

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
