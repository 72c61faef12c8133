/* crowd.h: a team whose members are all played by one thread, so that a test controls the order of their steps. They
 * run a program of loops in small steps, in random or as unfair as possible an order. Each loop is checked as compiled
 * code sees it: each iteration runs once, one member alone has the last value, and the iterations increase where OpenMP
 * promises that. */
#ifndef CROWD_H
#define CROWD_H

#include <stdlib.h>
#include <string.h>

#include "../asserts.h"
#include "omp/icv/schedule.h"
#include "omp/loop/loop.h"
#include "omp/loop/workshare.h"
#include "omp/team/team.h"
#include "omp/team/team_data.h"

#define CROWD_MAX (BOMP_RANGE_GROUP + 2)
#define CROWD_ITERATIONS 64

/* A loop of the program: for (i = start; i before end; i += step). */
struct crowd_loop {
    bool is_signed, up;
    uint64_t start, end, step;
    uint64_t chunk;
    uint32_t schedule;
    bool nowait;
};

/* The next member to step: any; or the first until it must wait, then the second, ...; or the same from the last. */
enum crowd_order { CROWD_RANDOM, CROWD_FIRST, CROWD_LAST, CROWD_ORDERS };

enum crowd_phase { CROWD_START, CROWD_MEET, CROWD_TAKE, CROWD_ARRIVE, CROWD_DONE };

struct crowd {
    struct bomp_team *team;
    struct bomp_initial initial; /* the team's */
    struct bomp_member *members[CROWD_MAX];
    struct bz_worker *workers[CROWD_MAX];
    struct bz_team_member *team_members[CROWD_MAX]; /* the workers are parts of these */
    struct bomp_icv icv[CROWD_MAX];

    uint64_t random;
    enum crowd_order order;
    const struct crowd_loop *program;
    unsigned length;
    struct crowd_result {
        unsigned char hits[CROWD_ITERATIONS];
        unsigned last_values; /* members whose variable ended at the bound */
        unsigned arrived;     /* at the barrier after it */
    } * results;
    struct crowd_play {
        enum crowd_phase phase;
        unsigned at;       /* position in the program */
        uint64_t variable; /* the loop variable of the compiled code */
        bool any;          /* it has a value */
        uint64_t previous; /* iteration */
    } plays[CROWD_MAX];
};

static inline uint32_t crowd_random(struct crowd *crowd, uint32_t n) {
    uint64_t x = crowd->random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) % n);
}

static inline void *crowd_alloc(size_t size) {
    void *p = aligned_alloc(BZ_LINE, (size + BZ_LINE - 1) / BZ_LINE * BZ_LINE);
    assert_non_null(p);
    return memset(p, 0, size);
}

static inline struct crowd *crowd_new(void) {
    struct crowd *crowd = crowd_alloc(sizeof *crowd);
    crowd->team = bomp_team_place(crowd_alloc(sizeof(struct bomp_team_memory)));
    crowd->team->initial = &crowd->initial;
    crowd->team->icv = (struct bomp_icv){.sched = BOMP_LOOP_DYNAMIC, .chunk = 1};
    for (unsigned i = 0; i < CROWD_MAX; i++) {
        crowd->team_members[i] = crowd_alloc(sizeof *crowd->team_members[i]);
        crowd->workers[i] = &crowd->team_members[i]->worker;
        struct bomp_member *member = bomp_member_place(crowd_alloc(sizeof(struct bomp_member_memory)),
                                                       crowd->team, crowd->workers[i], i);
        crowd->members[i] = crowd->workers[i]->context = member;
        member->current = &member->implicit;
        crowd->icv[i] = crowd->team->icv;
        member->implicit.icv = &crowd->icv[i];
    }
    return crowd;
}

static inline void crowd_free(struct crowd *crowd) {
    bomp_workshare_team_destroy(crowd->team);
    for (unsigned i = 0; i < CROWD_MAX; i++) {
        bomp_workshare_member_destroy(crowd->members[i]);
        free(crowd->members[i]);
        free(crowd->team_members[i]);
    }
    free(crowd->team);
    free(crowd);
}

static inline struct bomp_loop crowd_loop_of(const struct crowd_loop *said) {
    struct bomp_loop loop = {.chunk = said->chunk, .schedule = said->schedule};
    if (said->is_signed)
        bomp_loop_signed(&loop, (int64_t)said->start, (int64_t)said->end, (int64_t)said->step);
    else
        bomp_loop_unsigned(&loop, said->up, said->start, said->end, said->step);
    return loop;
}

static inline bool crowd_before(const struct crowd_loop *said, uint64_t i, uint64_t end) {
    if (said->is_signed)
        return said->up ? (int64_t)i < (int64_t)end : (int64_t)i > (int64_t)end;
    return said->up ? i < end : i > end;
}

/* The number of the iteration with the value `i`. */
static inline uint64_t crowd_iteration(const struct crowd_loop *said, uint64_t i) {
    return said->up ? (i - said->start) / said->step : (said->start - i) / -said->step;
}

/* Plays the compiled code for the iterations of a span. */
static inline void crowd_run_span(struct crowd *crowd, struct crowd_play *play, struct bomp_span span) {
    const struct crowd_loop *said = &crowd->program[play->at];
    struct crowd_result *result = &crowd->results[play->at];
    bool increasing = said->schedule & (BOMP_LOOP_MONOTONIC | BOMP_LOOP_ORDERED) ||
                      (said->schedule & BOMP_LOOP_KIND) == BOMP_LOOP_STATIC;
    uint64_t i = span.first, ran = 0;
    do {
        uint64_t iteration = crowd_iteration(said, i);
        assert_true(iteration < CROWD_ITERATIONS);
        result->hits[iteration]++;
        assert_true(!increasing || !play->any || iteration > play->previous);
        play->previous = iteration;
        play->any = true;
        i += said->step;
        ran++;
    } while (crowd_before(said, i, span.end));
    play->variable = i;
    uint64_t chunk = said->chunk > 0 ? said->chunk : 1;
    if (crowd->team->size > 1 && (said->schedule & BOMP_LOOP_KIND) == BOMP_LOOP_DYNAMIC)
        assert_true(ran == chunk || (ran < chunk && span.end == said->end));
    if (crowd->team->size > 1 && (said->schedule & BOMP_LOOP_KIND) == BOMP_LOOP_GUIDED)
        assert_true(ran >= chunk || span.end == said->end);
}

static inline void crowd_finish_loop(struct crowd *crowd, struct crowd_play *play, struct bomp_member *self) {
    const struct crowd_loop *said = &crowd->program[play->at];
    struct crowd_result *result = &crowd->results[play->at];
    bomp_loop_leave(self);
    if (play->any && !crowd_before(said, play->variable, said->end))
        result->last_values++;
    play->any = false;
    result->arrived++;
    play->phase = said->nowait ? CROWD_MEET : CROWD_ARRIVE;
    play->at += said->nowait;
}

/* Whether the member would wait for its turn in an ordered loop. */
static inline bool crowd_must_wait(const struct bomp_member *self) {
    return self->ws->pending != 0 && bz_load_relaxed(&self->ws->at->turn) != self->ws->first;
}

/* One step of a member. False: it must wait for others, or has finished. */
static inline bool crowd_step(struct crowd *crowd, unsigned num) {
    struct crowd_play *play = &crowd->plays[num];
    struct bomp_member *self = crowd->members[num];
    struct bomp_span span;
    if (play->phase != CROWD_ARRIVE && play->at == crowd->length)
        play->phase = CROWD_DONE;
    switch (play->phase) {
    case CROWD_START:
        bomp_workshare_member_start(self);
        play->phase = crowd->team->ws->begin ? CROWD_TAKE : CROWD_MEET;
        return true;
    case CROWD_MEET: {
        struct bomp_loop loop = crowd_loop_of(&crowd->program[play->at]);
        bomp_loop_meet(self, &loop);
        play->phase = CROWD_TAKE;
        return true;
    }
    case CROWD_TAKE:
        if (crowd_must_wait(self))
            return false;
        if (bomp_loop_take(self, &span))
            crowd_run_span(crowd, play, span);
        else
            crowd_finish_loop(crowd, play, self);
        return true;
    case CROWD_ARRIVE:
        if (crowd->results[play->at].arrived < crowd->team->size)
            return false;
        bomp_workshare_barrier(self, NULL, BOMP_BARRIER_OTHER); /* there are no threads: it does not wait */
        play->phase = CROWD_MEET;
        play->at++;
        return true;
    default:
        return false;
    }
}

static inline unsigned crowd_choose(struct crowd *crowd, unsigned attempt) {
    unsigned size = crowd->team->size;
    switch (crowd->order) {
    case CROWD_FIRST:
        return attempt;
    case CROWD_LAST:
        return size - 1 - attempt;
    default:
        return crowd_random(crowd, size);
    }
}

static inline void crowd_play(struct crowd *crowd) {
    unsigned attempt = 0, fruitless = 0;
    while (fruitless < 50 * crowd->team->size) {
        bool moved = crowd_step(crowd, crowd_choose(crowd, attempt));
        fruitless = moved ? 0 : fruitless + 1;
        attempt = moved ? 0 : (attempt + 1) % crowd->team->size;
    }
    for (unsigned i = 0; i < crowd->team->size; i++)
        assert_int_equal(crowd->plays[i].at, crowd->length);
}

static inline void crowd_check(struct crowd *crowd) {
    for (unsigned p = 0; p < crowd->length; p++) {
        struct bomp_loop loop = crowd_loop_of(&crowd->program[p]);
        assert_true(loop.count <= CROWD_ITERATIONS);
        for (unsigned i = 0; i < CROWD_ITERATIONS; i++)
            assert_int_equal(crowd->results[p].hits[i], i < loop.count);
        assert_int_equal(crowd->results[p].last_values, loop.count > 0);
    }
}

/* A region of `size` members that run the program. With `installed`, its first loop has begun before they arrive. */
static inline void crowd_region(struct crowd *crowd, unsigned size, const struct crowd_loop *program,
                                unsigned length, bool installed) {
    crowd->team->size = size;
    crowd->program = program;
    crowd->length = length;
    crowd->results = calloc(length, sizeof *crowd->results);
    assert_non_null(crowd->results);
    memset(crowd->plays, 0, sizeof crowd->plays);
    bomp_workshare_team_start(crowd->team);
    if (installed) {
        struct bomp_loop loop = crowd_loop_of(&program[0]);
        bomp_loop_install(crowd->team, &loop);
    }
    crowd_play(crowd);
    crowd_check(crowd);
    free(crowd->results);
}

/* ---- a test with a crowd of its own ---- */

static inline int crowd_set_up(void **state) {
    *state = crowd_new();
    return 0;
}

static inline int crowd_tear_down(void **state) {
    crowd_free(*state);
    return 0;
}

#define CROWD_TEST(name) cmocka_unit_test_setup_teardown(name, crowd_set_up, crowd_tear_down)

#endif
