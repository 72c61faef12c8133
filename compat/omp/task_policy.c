#include "task_policy.h"

bool bomp_task_enough_alone_slow(struct bomp_member *self) {
    const struct bomp_task *parent = self->current;
    bool on_stack = parent->flags &
                    BOMP_TASK_STACK; /* then it has no children that are queued, and no tally for others */
    if (bomp_task_never_queued(self) || bz_deque_size(&self->worker->deque) >= BOMP_QUEUE_ALONE ||
        (!on_stack && bz_tally_count(&parent->children) >= BOMP_QUEUE_ALONE))
        return true;
    bool implicit = !bz_load_relaxed(&parent->parent); /* relaxed: constant since its creation */
    return !implicit && !bomp_credit_take(&self->credit);
}
