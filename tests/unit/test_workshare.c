/* test_workshare.c: workshare.h, with members played by one thread (crowd.h): constructs with and without barriers,
 * regions of changing size, and their memory. */
#include "crowd.h"

#include <pthread.h>
#include <sched.h>

#include "capture.h"
#include "omp/loop/construct_storage.h"

/* ---- memory (linked with --wrap=bz_os_alloc) ---- */

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);

static unsigned allocations; /* so far */
static bool no_memory;       /* all requests fail from now on */

void *__wrap_bz_os_alloc(size_t size) {
    if (no_memory)
        return NULL;
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __real_bz_os_alloc(size);
}

/* ---- programs ---- */

#define SPOTS(array) (sizeof(array) / sizeof *(array))
#define LENGTH 40

static void random_program(struct crowd *crowd, struct crowd_loop *program, unsigned nowait_percent) {
    static const uint32_t schedules[] = {
        BOMP_LOOP_STATIC,
        BOMP_LOOP_DYNAMIC,
        BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC,
        BOMP_LOOP_GUIDED,
        BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC,
        BOMP_LOOP_RUNTIME,
        BOMP_LOOP_STATIC | BOMP_LOOP_ORDERED,
        BOMP_LOOP_DYNAMIC | BOMP_LOOP_ORDERED,
    };
    for (unsigned i = 0; i < LENGTH; i++)
        program[i] = (struct crowd_loop){
            .is_signed = true,
            .up = true,
            .end = crowd_random(crowd, 30),
            .step = 1 + crowd_random(crowd, 2),
            .chunk = crowd_random(crowd, 4),
            .schedule = schedules[crowd_random(crowd, sizeof schedules / sizeof *schedules)],
            .nowait = crowd_random(crowd, 100) < nowait_percent};
}

static void rows_of_constructs_stay_apart(void **state) {
    struct crowd *crowd = *state;
    static const unsigned percents[] = {0, 50, 90, 100};
    struct crowd_loop program[LENGTH];
    for (unsigned round = 0; round < 600; round++) {
        random_program(crowd, program, percents[round % 4]);
        crowd->order = (enum crowd_order)crowd_random(crowd, CROWD_ORDERS);
        unsigned size = round % 50 < 25 ? 3 : 1 + crowd_random(crowd, CROWD_MAX);
        crowd_region(crowd, size, program, 1 + crowd_random(crowd, LENGTH), crowd_random(crowd, 2));
    }
}

static void barriers_save_memory(void **state) {
    struct crowd *crowd = *state;
    struct crowd_loop program[LENGTH];
    random_program(crowd, program, 0);
    crowd_region(crowd, 4, program, 1, false);
    unsigned before = allocations;
    for (unsigned round = 0; round < 50; round++)
        crowd_region(crowd, 4, program, LENGTH, round % 2);
    assert_int_equal(allocations, before);
}

/* Regions of one thread in between change nothing either. */
static void a_region_of_one_changes_nothing(void **state) {
    struct crowd *crowd = *state;
    struct crowd_loop program[LENGTH];
    random_program(crowd, program, 50);
    for (unsigned round = 0; round < 50; round++) {
        crowd_region(crowd, round % 2 ? 1 : 5, program, 7 + round % 3, false);
        assert_int_equal(crowd->team->ws->era, 1);
    }
}

/* However long the row without a barrier, only a few constructs are in flight; and a barrier loses none of them. */
static void members_in_step_save_memory(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = {.schedule = BOMP_LOOP_DYNAMIC};
    bomp_loop_unsigned(&loop, true, 0, 5, 1);
    crowd->team->size = 4;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < 4; i++)
        bomp_workshare_member_start(crowd->members[i]);
    unsigned before = allocations;
    for (unsigned step = 0; step < 5000; step++) {
        for (unsigned i = 0; i < 4; i++) {
            /* The first member to arrive changes, and so does the last: free constructs move from member to member. */
            struct bomp_member *self = crowd->members[(i + step / 7) % 4];
            struct bomp_span span;
            bomp_loop_meet(self, &loop);
            while (bomp_loop_take(self, &span))
                ;
            bomp_loop_leave(self);
        }
        for (unsigned i = 0; i < 4 && step > 3000 && step % 5 == 0; i++)
            bomp_workshare_barrier(crowd->members[i], NULL, BOMP_BARRIER_OTHER);
    }
    assert_true(allocations - before < 10);
}

/* ---- members that skip constructs, against the rules ---- */

#define SKIP_ROW 5

static struct bomp_loop ten(uint32_t schedule) {
    struct bomp_loop loop = {.schedule = schedule, .chunk = 1};
    bomp_loop_unsigned(&loop, true, 0, 10, 1);
    return loop;
}

static unsigned run_loop(struct bomp_member *self, const struct bomp_loop *loop) {
    struct bomp_span span;
    unsigned ran = 0;
    bomp_loop_meet(self, loop);
    while (bomp_loop_take(self, &span))
        ran += (unsigned)(span.end - span.first);
    bomp_loop_leave(self);
    return ran;
}

/* Up to that many loops without a barrier; each member skips some of the last ones, perhaps all. */
static void skip_some(struct crowd *crowd) {
    static const uint32_t schedules[] = {BOMP_LOOP_DYNAMIC, BOMP_LOOP_GUIDED,
                                         BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC};
    for (unsigned i = 0; i < crowd->team->size; i++) {
        unsigned met = crowd_random(crowd, SKIP_ROW + 1);
        for (unsigned k = 0; k < met; k++) {
            struct bomp_loop loop = ten(schedules[k % 3]);
            run_loop(crowd->members[i], &loop);
        }
    }
}

/* A loop that all members enter, one after the other or in steps; each iteration runs once, and the turns pass on. */
static void check_loop(struct crowd *crowd, uint32_t schedule) {
    struct bomp_loop loop = ten(schedule);
    struct bomp_span span;
    unsigned ran = 0, size = crowd->team->size, first = crowd_random(crowd, size);
    for (unsigned i = 0; i < size; i++)
        bomp_loop_meet(crowd->members[(first + i) % size], &loop);
    bool done[CROWD_MAX] = {false};
    for (unsigned step = 0; step < 100 * size; step++) {
        unsigned i = step % size;
        if (done[i] || crowd_must_wait(crowd->members[i]))
            continue;
        done[i] = !bomp_loop_take(crowd->members[i], &span);
        ran += done[i] ? 0 : (unsigned)(span.end - span.first);
    }
    assert_int_equal(ran, 10);
    for (unsigned i = 0; i < size; i++) {
        assert_false(crowd_must_wait(crowd->members[i]));
        bomp_loop_leave(crowd->members[i]);
    }
}

static void begin_region(struct crowd *crowd, unsigned size) {
    crowd->team->size = size;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < size; i++)
        bomp_workshare_member_start(crowd->members[i]);
}

static void barrier(struct crowd *crowd) {
    for (unsigned i = 0; i < crowd->team->size; i++)
        bomp_workshare_barrier(crowd->members[i], NULL, BOMP_BARRIER_OTHER);
}

static void silent(bool on) {
    static struct capture c;
    if (on)
        capture_begin(&c);
    else
        capture_end(&c);
}

static unsigned length(const struct bomp_workshare *ws) {
    unsigned n = 0;
    for (; ws; ws = ws->link)
        n++;
    return n;
}

/* At the start of a region each construct but the homes is free, held by a member, or the last one of the last row. */
static void check_that_none_is_lost(struct crowd *crowd) {
    const struct bomp_workshare_team *team = crowd->team->ws;
    const struct bomp_workshare *ended = crowd->members[0]->ws->ended;
    unsigned all = BOMP_WORKSHARE_FIXED - BOMP_WORKSHARE_HOMES, found = length(bz_load_relaxed(&team->pool));
    for (const struct bomp_workshare *ws = bz_load_relaxed(&team->made); ws; ws = ws->made)
        all++;
    for (unsigned i = 0; i < crowd->team->size; i++)
        found += length(crowd->members[i]->ws->spare);
    found += ended && (ended < team->fixed || ended >= team->fixed + BOMP_WORKSHARE_HOMES);
    assert_int_equal(found, all);
}

/* After the next barrier, and in the next region, all members meet again, and no memory is lost. */
static void skipped_constructs_are_left_behind(void **state) {
    struct crowd *crowd = *state;
    static const uint32_t schedules[] = {BOMP_LOOP_DYNAMIC, BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC,
                                         BOMP_LOOP_GUIDED, BOMP_LOOP_STATIC | BOMP_LOOP_ORDERED};
    silent(true);
    for (unsigned round = 0; round < 1000; round++) {
        begin_region(crowd, 2 + round / 10 % 5);
        check_that_none_is_lost(crowd);
        for (unsigned segments = crowd_random(crowd, 3); segments > 0; segments--) {
            skip_some(crowd);
            barrier(crowd);
            if (crowd_random(crowd, 2))
                continue;
            check_loop(crowd, schedules[crowd_random(crowd, SPOTS(schedules))]);
            barrier(crowd);
        }
        check_loop(crowd, schedules[crowd_random(crowd, SPOTS(schedules))]);
        if (crowd_random(crowd, 2)) {
            barrier(crowd);
            skip_some(crowd); /* before the region's end */
        }
    }
    silent(false);
}

/* ---- without memory ---- */

#define POOR 3
#define POOR_LOOPS 300

static struct poor {
    struct crowd *crowd;
    unsigned num;
    unsigned *hits;
} poor[POOR];

static void *poor_main(void *arg) {
    struct poor *self = arg;
    struct bomp_member *member = self->crowd->members[self->num];
    struct bomp_loop loop = {.schedule = BOMP_LOOP_DYNAMIC};
    struct bomp_span span;
    bomp_loop_unsigned(&loop, true, 0, 10, 1);
    bomp_workshare_member_start(member);
    for (unsigned i = 0; i < POOR_LOOPS; i++) {
        bomp_loop_meet(member, &loop);
        while (bomp_loop_take(member, &span))
            __atomic_fetch_add(&self->hits[i], 1, __ATOMIC_RELAXED);
        bomp_loop_leave(member);
        if (i % 10 == self->num)
            sched_yield();
    }
    return NULL;
}

/* Run-ahead is limited then, and dynamic loops share one count, but all work is done. */
static void without_memory_members_wait(void **state) {
    struct crowd *crowd = *state;
    static unsigned hits[POOR_LOOPS];
    pthread_t threads[POOR];
    no_memory = true;
    crowd->team->size = POOR;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < POOR; i++) {
        poor[i] = (struct poor){crowd, i, hits};
        assert_int_equal(pthread_create(&threads[i], NULL, poor_main, &poor[i]), 0);
    }
    for (unsigned i = 0; i < POOR; i++)
        pthread_join(threads[i], NULL);
    no_memory = false;
    for (unsigned i = 0; i < POOR_LOOPS; i++)
        assert_int_equal(hits[i], 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CROWD_TEST(skipped_constructs_are_left_behind),
        CROWD_TEST(rows_of_constructs_stay_apart),
        CROWD_TEST(barriers_save_memory),
        CROWD_TEST(a_region_of_one_changes_nothing),
        CROWD_TEST(members_in_step_save_memory),
        CROWD_TEST(without_memory_members_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
