#include "omp/task/task_policy.h"

#include "omp/task/depend_table.h"

/* Whether a task with clauses runs now if nothing prevents it. */
static bool special_at_once(struct bomp_member *self, const struct bomp_task_spec *spec) {
    if (!self->team->thread_team || bomp_task_runs_alone(self, spec->reserved))
        return true;
    if (bomp_task_priority(spec) > 0 &&
        bz_domain_put_count(bz_worker_domain(self->worker)) < BOMP_QUEUE_LEAST)
        return false;
    return bomp_task_at_once(self, spec->reserved);
}

/* Whether the children, if all are like this one, take as much memory as they may, or, alone, are as many as may be
 * queued. A parent with detached children or children for helper threads does not wait for them: they may complete only
 * after it has gone on. */
static bool is_full(const struct bomp_member *self, const struct bomp_task_spec *spec,
                    const struct bomp_table *table) {
    int64_t children = bz_tally_count(&self->current->children);
    size_t bytes = BOMP_DEPEND_TASK + spec->size + spec->depend.count * sizeof(struct bomp_depend_entry);
    bool is_most = bomp_task_is_alone(self) && children >= self->queue_most;
    return !table->detached && (is_most || (uint64_t)children * bytes > BOMP_DEPEND_BYTES);
}

enum bomp_task_way bomp_task_decide_special(struct bomp_member *self, const struct bomp_task_spec *spec) {
    bool now = special_at_once(self, spec);
    const struct bomp_table *table = spec->depend.count > 0 ? bomp_table_of(self->current) : NULL;
    bool full = table && is_full(self, spec, table);
    if (spec->helped || !(now || full))
        return BOMP_TASK_QUEUE;
    if (spec->detach)
        return now ? BOMP_TASK_RUN_SLAB : BOMP_TASK_QUEUE;
    if (!table)
        return BOMP_TASK_RUN;
    if (bomp_task_is_alone(self) && !table->detached)
        return BOMP_TASK_AWAIT;
    if (!now) /* unless it waits for siblings, it may wait for its creator */
        return bomp_table_blocks(table, &spec->depend) ? BOMP_TASK_AWAIT : BOMP_TASK_QUEUE;
    return full ? BOMP_TASK_AWAIT : BOMP_TASK_RUN_SLAB;
}
