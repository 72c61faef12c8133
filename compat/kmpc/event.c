/* Tasks that are complete only after an event, or, if they are proxy tasks, after a call. */
#include "task.h"

BOMP_EXPORT void *__kmpc_task_allow_completion_event(struct kmpc_ident *where, int32_t id,
                                                     struct kmpc_task *task) {
    *bomp_task_note(task) |= KMPC_TASK_HAS_EVENT;
    return bomp_task_event(task);
}

/* By a thread of the team; the other by any thread. Both are the same here. */
BOMP_EXPORT void __kmpc_proxy_task_completed(int32_t id, struct kmpc_task *task) {
    bomp_event_fulfill(*kmpc_task_proxy_event(task));
}

BOMP_EXPORT void __kmpc_proxy_task_completed_ooo(struct kmpc_task *task) {
    bomp_event_fulfill(*kmpc_task_proxy_event(task));
}
