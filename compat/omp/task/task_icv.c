/* The control variables that a task has changed: blocks in a list, the newest in use, the older ones perhaps inherited by
 * children that still run. */

#include "omp/task/task.h"

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
