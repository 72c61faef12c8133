/* Parallel regions: the calling thread opens a team, is its thread 0, and closes it. */
#include "omp/base/polling.h"
#include "omp/bomp.h"
#include "omp/loop/loop.h"
#include "omp/loop/sections.h"
#include "omp/state/team.h"
#include "omp/state/tsan.h"
#include "omp/team/team.h"

void bomp_team_body(unsigned num, void *arg) {
    struct bomp_team *team = arg;
    struct bomp_member *self = bz_context;
    (void)num;
    bomp_member_start(self);
    team->fn(team->data);
}

void bomp_team_body_tsan(unsigned num, void *arg) {
    bomp_team_body(num, arg);
    bomp_tsan_arrive(bz_context);
}

static struct bomp_team *open(void (*fn)(void *), void *data, unsigned threads) {
    bomp_polling_of(fn);
    return bomp_team_open(bomp_self(), threads, fn, data);
}

static void begin(struct bomp_team *team) {
    bz_team_set_site(team->thread_team, (const void *)(uintptr_t)team->fn);
    bz_team_begin(team->thread_team, team->body, team);
    bomp_member_start(bz_context);
}

void bomp_parallel_end(void) {
    struct bomp_member *self = bomp_self();
    if (!self->team->thread_team) {
        bz_warn("the end of a parallel region without its start: ignored");
        return;
    }
    bz_team_end(self->team->thread_team);
    bomp_team_close(self->team);
}

void bomp_parallel_begin(void (*fn)(void *), void *data, unsigned threads) {
    begin(open(fn, data, threads));
}

void bomp_parallel(void (*fn)(void *), void *data, unsigned threads) {
    begin(open(fn, data, threads));
    fn(data);
    bomp_parallel_end();
}

unsigned bomp_parallel_reduction(void (*fn)(void *), void *data, unsigned threads,
                                 struct bomp_reduction *(*make)(void *arg, unsigned size), void *arg) {
    struct bomp_team *team = open(fn, data, threads);
    unsigned size = team->size;
    team->reduction = make(arg, size);
    bz_tsan_before(&team->tsan.start);
    begin(team);
    fn(data);
    bomp_parallel_end();
    return size;
}

void bomp_parallel_loop_begin(void (*fn)(void *), void *data, unsigned threads,
                              const struct bomp_loop *loop) {
    struct bomp_team *team = open(fn, data, threads);
    bomp_loop_install(team, loop);
    begin(team);
}

void bomp_parallel_sections_begin(void (*fn)(void *), void *data, unsigned threads, unsigned count) {
    struct bomp_team *team = open(fn, data, threads);
    bomp_sections_install(team, count);
    begin(team);
}
