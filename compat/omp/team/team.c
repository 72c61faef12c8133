#include "omp/team/team.h"

#include <string.h>

#include "omp/loop/cancel.h"
#include "omp/task/reduction.h"
#include "omp/task/task.h"
#include "omp/task/task_policy.h"
#include "omp/task/tsan.h"
#include "omp/team/affinity.h"
#include "omp/team/group.h"
#include "omp/team/initial.h"
#include "omp/tool/hooks.h"

/* ---- a region's team ---- */

/* Writes only what differs: the rest stays in the members' caches from one region to the next. */
#define SET(field, value)                                                                                    \
    do {                                                                                                     \
        if ((field) != (value))                                                                              \
            (field) = (value);                                                                               \
    } while (0)

static void release_member(void *context) {
    struct bomp_member *member = context;
    bomp_task_strip(&member->implicit, member->worker);
    bomp_workshare_member_destroy(member);
    bz_free(member->held.rows);
    if (member->num == 0) {
        bomp_group_leave(member->team);
        bomp_workshare_team_destroy(member->team);
        bz_os_free(member->team, sizeof(struct bomp_team_memory));
    }
    bz_os_free(member, sizeof(struct bomp_member_memory));
}

struct bomp_team *bomp_team_place(struct bomp_team_memory *memory) {
    memory->team.ws = &memory->ws;
    memory->team.merge = &memory->merge;
    return &memory->team;
}

struct bomp_member *bomp_member_place(struct bomp_member_memory *memory, struct bomp_team *team,
                                      struct bz_worker *worker, unsigned num) {
    memory->member.ws = &memory->ws;
    memory->member.team = team;
    memory->member.worker = worker;
    memory->member.num = num;
    return &memory->member;
}

/* Gives worker `num` of the thread team its member. False: no memory. */
static bool add_member(struct bomp_team *team, unsigned num) {
    struct bz_worker *worker = bz_team_worker(team->thread_team, num);
    struct bomp_member_memory *memory = bz_os_alloc(sizeof *memory);
    if (!memory)
        return false;
    bz_worker_set_context(worker, bomp_member_place(memory, team, worker, num), release_member);
    return true;
}

static struct bomp_team *team_new(struct bz_team *thread_team) {
    struct bomp_team_memory *memory = bz_os_alloc(sizeof *memory);
    if (!memory)
        return NULL;
    struct bomp_team *team = bomp_team_place(memory);
    team->thread_team = thread_team;
    bomp_cancel_team_init(team);
    if (add_member(team, 0))
        return team;
    bz_os_free(memory, sizeof *memory);
    return NULL;
}

/* The team whose thread team is nested in this thread's worker, for `wanted` threads or as many as can be had. */
static struct bomp_team *team_enter(struct bomp_member *outer, unsigned wanted) {
    unsigned size = wanted;
    struct bz_team *thread_team = bz_team_enter(outer->worker, &size);
    if (!thread_team)
        return NULL;
    struct bomp_member *primary = bz_worker_context(bz_team_worker(thread_team, 0));
    struct bomp_team *team = primary ? primary->team : team_new(thread_team);
    if (!team)
        return NULL;
    if (team->counts.ready == 0)
        team->counts.ready = 1;
    while (team->counts.ready < size && add_member(team, team->counts.ready))
        team->counts.ready++;
    if (team->counts.ready < size) {
        size = team->counts.ready;
        bz_team_enter(outer->worker, &size);
    }
    SET(team->size, size);
    return team;
}

/* ---- what regions do that have more to do than most ---- */

static void region_open(struct bomp_team *team, const struct bomp_icv *icv, unsigned wanted,
                        void (*fn)(void *)) {
    if (bomp_affinity_asked)
        bomp_affinity_open(team, icv);
    if (bomp_is_observed(team->outer)) {
        team->cancel.special = true;
        bomp_hooks->region->begin(team, wanted ? wanted : icv->threads ? icv->threads : team->size, fn);
    }
}

/* Places and tools are matters of its initial threads. */
static void league_open(struct bomp_team *team) {
    team->affinity.policy = BOMP_BIND_FALSE;
    team->affinity.show = false;
}

static BZ_COLD void extras_open(struct bomp_team *team, const struct bomp_icv *icv, unsigned wanted,
                                void (*fn)(void *)) {
    if (fn == bomp_league_run)
        league_open(team);
    else
        region_open(team, icv, wanted, fn);
    bz_tsan_before(&team->tsan.start);
}

static BZ_COLD void extras_start(struct bomp_member *member) {
    if (bz_tsan)
        bomp_tsan_start(member);
    if (bomp_affinity_asked)
        bomp_affinity_start(member);
    if (member->team->tool.observed)
        bomp_hooks->region->implicit_begin(member);
}

static BZ_COLD void extras_close(struct bomp_team *team) {
    bomp_merge_close(team);
    if (bomp_affinity_asked)
        bomp_affinity_close(team);
    if (bz_tsan)
        bomp_tsan_close(team);
    if (team->tool.observed)
        bomp_hooks->region->end(team);
}

/* ---- opening and closing ---- */

static void set_icv(struct bomp_team *team, const struct bomp_icv *outer) {
    struct bomp_icv icv;
    memcpy(&icv, outer, sizeof icv); /* with what lies between its fields */
    bomp_icv_child(&icv, &icv);
    if (memcmp(&team->icv, &icv, sizeof icv) != 0)
        memcpy(&team->icv, &icv, sizeof icv);
}

struct bomp_team *bomp_team_open(struct bomp_member *outer, unsigned wanted, void (*fn)(void *), void *data,
                                 size_t copied) {
    const struct bomp_icv *icv = outer->current->icv;
    struct bomp_initial *initial = outer->team->initial;
    unsigned size = bomp_icv_team_size(icv, wanted, outer->team->active_level);
    bool counts = bomp_group_counts(icv, size);
    if (bz_unlikely(counts))
        size = bomp_group_take(outer, size);
    struct bomp_team *team = team_enter(outer, size);
    if (bz_unlikely(!team))
        bz_fatal("out of memory for a team of %u threads", size);
    SET(team->initial, initial);
    SET(team->outer, outer);
    if (bz_unlikely(counts))
        bomp_group_taken(team, icv, size);
    SET(team->level, outer->team->level + 1);
    SET(team->active_level, outer->team->active_level + (team->size > 1));
    set_icv(team, icv);
    SET(team->body.allocator, outer->allocator);
    if (bz_unlikely(bomp_region_extras))
        extras_open(team, icv, wanted, fn);
    SET(team->reduction, NULL);
    SET(team->body.fn, fn);
    void *seen = copied > 0 && team->size > 1 ? memcpy(team->copy, data, copied) : data;
    SET(team->body.data, seen);
    if (bz_unlikely(team->cancel.on))
        bomp_cancel_team_open(team);
    bomp_workshare_team_start(team);
    return team;
}

void bomp_team_close(struct bomp_team *team) {
    /* relaxed, all: the members are through; for the next region, published by its start */
    if (bz_load_relaxed(bomp_team_singles(team)) != 0)
        bz_store_relaxed(bomp_team_singles(team), 0);
    if (bz_unlikely(team->counts.granted | team->counts.shared))
        bomp_group_give(team);
    if (bz_unlikely(bomp_region_extras))
        extras_close(team);
}

void bomp_member_start(struct bomp_member *member) {
    bomp_task_strip(&member->implicit,
                    member->worker); /* of its last region: its tasks may have used that to the end */
    member->ws->singles = member->ws->singles_seen = member->ws->merges = 0;
    member->allocator = member->team->body.allocator;
    member->current = &member->implicit;
    bomp_task_policy_start(member);
    bomp_task_init_implicit(&member->implicit, member->worker, &member->team->icv);
    if (bz_unlikely(member->team->cancel.on))
        member->implicit.flags |= BOMP_TASK_CANCELLABLE;
    if (bz_unlikely(member->team->reduction))
        bomp_reduction_member_start(member);
    if (bz_unlikely(bomp_region_extras))
        extras_start(member);
    bomp_workshare_member_start(member);
}

/* ---- fork ---- */

/* Constructs that begin from now on are those of a team of one. */
static void go_on_alone(struct bomp_member *self, struct bomp_team **sharing) {
    bomp_workshare_alone(self);
    bz_barrier_abandon(&self->team->cancel.barrier);
    bomp_merge_forget(self->team);
    self->num = 0;
    self->team->size = 1;
    bomp_group_alone(self->team, sharing);
}

static void child_of_fork(void) {
    struct bomp_team *sharing = NULL;
    bomp_group_forget();
    for (struct bomp_member *self = bomp_self_if_any(); self; self = bomp_member_around(self))
        if (self->team->thread_team)
            go_on_alone(self, &sharing);
}

/* In the child of a fork the teams that the forking thread is in continue with it alone. */
__attribute__((constructor)) static void follow_forks(void) {
    bz_os_at_fork(NULL, NULL, child_of_fork);
}
