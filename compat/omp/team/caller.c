#include "omp/team/caller.h"

#include "omp/task/task.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

void *bomp_nothing(void) {
    return NULL;
}

int bomp_thread_num(void) {
    struct bomp_member *self = bomp_self_if_any();
    return self ? (int)self->num : 0;
}

/* Perhaps the program's first use of OpenMP, with which tools begin. */
static BZ_COLD void first_question(void) {
    if (bomp_tool_first_use())
        (void)bomp_self();
}

static BZ_COLD int ask_first(void) {
    first_question();
    return 1;
}

int bomp_num_threads(void) {
    struct bomp_member *self = bomp_self_if_any();
    return bz_likely(self) ? (int)self->team->size : ask_first();
}

static BZ_COLD int first_id(void) {
    int id = (int)bz_thread_number() - 1;
    first_question();
    return id;
}

int bomp_thread_id(void) {
    return bz_likely(bz_thread_mark.number != 0) ? (int)bz_thread_mark.number - 1 : first_id();
}

struct bomp_caller bomp_caller(void) {
    return (struct bomp_caller){bomp_thread_id(), bomp_thread_num()};
}

int bomp_process_threads(void) {
    return (int)bz_thread_cache_size() + 1;
}

int bomp_level(void) {
    struct bomp_member *self = bomp_self_if_any();
    return self ? self->team->level : 0;
}

int bomp_active_level(void) {
    struct bomp_member *self = bomp_self_if_any();
    return self ? self->team->active_level : 0;
}

/* The caller or its ancestor at a level, NULL if there is no such level. */
static struct bomp_member *ancestor(int level) {
    struct bomp_member *member = bomp_self();
    if (level < 0 || level > member->team->level)
        return NULL;
    while (member->team->level > level)
        member = member->team->outer;
    return member;
}

int bomp_ancestor_thread_num(int level) {
    struct bomp_member *member = ancestor(level);
    return member ? (int)member->num : -1;
}

int bomp_team_size(int level) {
    struct bomp_member *member = ancestor(level);
    return member ? (int)member->team->size : -1;
}

int bomp_in_final(void) {
    const struct bomp_member *self = bomp_self_if_any();
    return self && self->current->flags & BOMP_TASK_FINAL;
}

int bomp_in_explicit_task(void) {
    const struct bomp_member *self = bomp_self_if_any();
    return self && self->current != &self->implicit;
}

const struct bomp_icv *bomp_icv(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_likely(self))
        return self->current->icv;
    const struct bomp_icv *icv = bomp_icv_initial();
    first_question();
    return icv;
}

struct bomp_icv *bomp_icv_own(void) {
    struct bomp_icv *icv = bomp_task_own_icv(bomp_self()->current);
    if (!icv)
        bz_fatal("out of memory for a task's control variables");
    return icv;
}

bool bomp_run_schedule(uint32_t *kind, int *chunk) {
    const struct bomp_icv *icv = bomp_icv();
    *kind = icv->sched_implied ? icv->sched & ~BOMP_LOOP_MONOTONIC : icv->sched;
    *chunk = icv->chunk;
    return icv->sched_said;
}

int bomp_max_active_levels(void) {
    int levels = bomp_icv()->max_active_levels;
    return levels < BOMP_SUPPORTED_ACTIVE_LEVELS ? levels : INT_MAX;
}
