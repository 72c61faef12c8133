#include "omp/task/task_policy.h"

static bool is_implicit(const struct bomp_task *task) {
    return !bz_load_relaxed(&task->parent); /* relaxed: constant since its creation */
}

bool bomp_task_enough_alone_slow(struct bomp_member *self) {
    const struct bomp_task *parent = self->current;
    bool on_stack = parent->flags &
                    BOMP_TASK_STACK; /* then it has no children that are queued, and no tally for others */
    if (bomp_task_never_queued(self) || bz_worker_queued(self->worker) >= BOMP_QUEUE_ALONE ||
        (!on_stack && bz_tally_count(&parent->children) >= BOMP_QUEUE_ALONE))
        return true;
    return !is_implicit(parent) && !bomp_credit_take(&self->credit);
}

bool bomp_task_enough_depend_alone(struct bomp_member *self) {
    const struct bomp_task *parent = self->current;
    return is_implicit(parent) && !(parent->flags & BOMP_TASK_POLLS) && !bomp_credit_take(&self->credit);
}
