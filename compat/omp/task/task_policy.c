#include "omp/task/task_policy.h"

#include "omp/task/agent.h"
#include "omp/task/depend_table.h"

/* Whether a task with clauses of its own had better run now, if nothing keeps it from that. */
static bool special_at_once(struct bomp_member *self, const struct bomp_task_spec *spec) {
    if (bomp_task_never_queued(self) || bomp_task_runs_alone(self, spec->reserved))
        return true;
    if (bomp_task_priority(spec) > 0 && bz_domain_put_count(bz_worker_domain(self->worker)) < BOMP_PQUEUE_MAX)
        return false;
    return bomp_task_at_once(self, spec->reserved);
}

/* Whether the children that wait for others are as many, or take as much memory, as they may. A parent with detached ones,
 * or with some for helpers, does not wait for them: it may have to go on before they can be complete. */
static bool is_full(const struct bomp_member *self, const struct bomp_table *table) {
    uint64_t children = (uint64_t)bz_tally_count(&self->current->children);
    if (table->tasks == 0 || table->detached)
        return false;
    return children * table->bytes > BOMP_DEPEND_BYTES * table->tasks ||
           (bomp_task_is_alone(self) && children > BOMP_QUEUE_PER_THREAD);
}

/* Whether one with such a clause waits in its creator. */
BZ_COLD static bool rare_awaits(struct bomp_member *self, const struct bomp_task_spec *spec,
                                const struct bomp_table *table, bool had_better) {
    if (spec->detach || spec->helped)
        return false;
    return is_full(self, table) || (had_better && !bomp_agents_want(self));
}

/* What a task that has to wait for others does. `now`: it had better run, but for that. */
static enum bomp_task_way decide_blocked(struct bomp_member *self, const struct bomp_task_spec *spec,
                                         const struct bomp_table *table, bool now) {
    bool had_better = now && bomp_task_is_alone(self) && !table->detached;
    if (bz_likely(!spec->is_rare) ? had_better || is_full(self, table)
                                  : rare_awaits(self, spec, table, had_better))
        return BOMP_TASK_AWAIT;
    return BOMP_TASK_QUEUE;
}

/* Whether a new child with this list would have to wait for others. Where all are complete no address is looked at: in a
 * team of one most tasks come to that. */
static bool blocks(const struct bomp_member *self, struct bomp_table *table,
                   const struct bomp_depend_list *list) {
    if (!table || bz_tally_looks_none(&self->current->children))
        return false;
    return bomp_table_blocks(table, list, self->worker);
}

enum bomp_task_way bomp_task_decide_special(struct bomp_member *self, const struct bomp_task_spec *spec) {
    bool now = special_at_once(self, spec);
    struct bomp_table *table = spec->depend.count > 0 ? bomp_table_of(self->current) : NULL;
    if (!now && (!table || !is_full(self, table)))
        return BOMP_TASK_QUEUE;
    if (blocks(self, table, &spec->depend))
        return decide_blocked(self, spec, table, now);
    if (!now)
        return BOMP_TASK_QUEUE;
    if (bz_unlikely(spec->is_rare)) {
        if (spec->helped || (spec->pooled && bomp_agents_want(self)))
            return BOMP_TASK_QUEUE;
        if (spec->detach)
            return BOMP_TASK_RUN_SLAB;
    }
    bool tsan = self->current->flags & BOMP_TASK_TSAN; /* it learns what the task comes after */
    return tsan ? BOMP_TASK_AWAIT : BOMP_TASK_RUN;
}
