/* Tasks between __kmpc_omp_task_alloc and their end. bomp_task_note has the flags that were passed, the flags below, and
 * above 32 bits the size of the shared part. */
#ifndef KMPC_TASK_H
#define KMPC_TASK_H

#include "kmpc.h"

/* More bits of the note than enum kmpc_task_flag has. */
enum {
    KMPC_TASK_HAS_EVENT = 0x100, /* it is detached */
    KMPC_TASK_RUNS = 0x200,      /* an untied one: one of its parts */
    KMPC_TASK_AGAIN = 0x400,     /* another part was asked for meanwhile */
    KMPC_TASK_HELPED = 0x800,    /* hidden helper threads run it */
    KMPC_TASK_NOTE = 32          /* bits of the note below the size */
};

/* Bytes of its two parts. */
static inline size_t kmpc_task_front(const struct kmpc_task *task) {
    return (size_t)((const char *)task->shared - (const char *)task);
}
static inline size_t kmpc_task_back(struct kmpc_task *task) {
    return (size_t)(*bomp_task_note(task) >> KMPC_TASK_NOTE);
}

/* Of a proxy task: the handle of the event that stands for its completion, behind its shared part. */
static inline void **kmpc_task_proxy_event(struct kmpc_task *task) {
    return (void **)((char *)task->shared + ((kmpc_task_back(task) + 7) & ~(size_t)7));
}

/* Runs a struct kmpc_task, with all its parts, and destroys its privates; if it is discarded that alone. The function of
 * tasks for bomp.h. */
void kmpc_task_run(void *task);

/* Destroys its privates, by the calling thread, if they ask for that. */
void kmpc_task_destroy(struct kmpc_task *task, int32_t id);

/* The task for bomp.h, without its dependences. */
struct bomp_task_spec kmpc_task_spec(struct kmpc_task *task);

#endif
