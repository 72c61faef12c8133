/* test_barrier.c: barrier.h with few threads, in the interleavings that matter; stress_barrier.c has many threads. */
#include "team/barrier.h"

#include <stdlib.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"

static uint32_t generation(const struct bz_barrier *barrier) {
    return (uint32_t)(bz_load_acquire(&barrier->word) >> 32);
}

static uint32_t arrivals(const struct bz_barrier *barrier) {
    return (uint32_t)bz_load_acquire(&barrier->word) & 0xffff;
}

static uint32_t pending(const struct bz_barrier *barrier) {
    return (uint32_t)bz_load_acquire(&barrier->word) >> 16;
}

/* ---- a step in between (linked with --wrap=bz_domain_quiet) ---- */

bool __real_bz_domain_quiet(const struct bz_domain *domain);
bool __wrap_bz_domain_quiet(const struct bz_domain *domain);

static void (*after_quiet)(void); /* called on the thread that has found its domain quiet */

bool __wrap_bz_domain_quiet(const struct bz_domain *domain) {
    bool quiet = __real_bz_domain_quiet(domain);
    if (quiet && after_quiet)
        after_quiet();
    return quiet;
}

/* ---- units of work ---- */

struct unit {
    struct bz_job job; /* first */
    struct bz_a32 *done;
    struct unit *child; /* begun by this one */
    void (*effect)(void);
};

static void begin(struct bz_worker *self, struct unit *unit);

static void run_unit(struct bz_job *job, struct bz_worker *self) {
    struct unit *unit = (struct unit *)job;
    if (unit->child)
        begin(self, unit->child);
    if (unit->effect)
        unit->effect();
    bz_fetch_add_relaxed(unit->done, 1);
    bz_worker_end(self);
}

static void begin(struct bz_worker *self, struct unit *unit) {
    unit->job.run = run_unit;
    bz_worker_begin(self);
    if (!bz_worker_push_public(self, &unit->job))
        bz_worker_run(self, &unit->job);
}

/* ---- tests ---- */

static void alone_one_never_waits(void **state) {
    (void)state;
    struct rig rig;
    struct bz_barrier barrier;
    struct bz_a32 done = {0};
    struct unit units[2] = {{.done = &done, .child = &units[1]}, {.done = &done}};
    rig_init(&rig, 1, 0);
    bz_barrier_init(&barrier);
    bz_become(rig.workers);
    for (unsigned i = 0; i < 3; i++) {
        bz_barrier_wait(&barrier, bz_self, NULL);
        bz_barrier_join(&barrier, bz_self, NULL);
        assert_int_equal(barrier.word.v, 0); /* no thread has a steal request */
    }
    begin(bz_self, &units[0]);
    bz_barrier_wait(&barrier, bz_self, NULL); /* runs the unit and what the unit begins */
    assert_int_equal(generation(&barrier), 1);
    assert_int_equal(arrivals(&barrier), 0);
    assert_int_equal(done.v, 2);
    bz_barrier_wait(&barrier, bz_self, NULL); /* reports the child, which began while it waited */
    assert_int_equal(generation(&barrier), 2);
    bz_barrier_wait(&barrier, bz_self, NULL);
    assert_int_equal(generation(&barrier), 2);
    bz_become(NULL);
    rig_destroy(&rig);
}

static struct bz_a32 next; /* of the effects below */
static uint32_t turn_of[3], turn_of_child;

static void first(void) {
    turn_of[0] = bz_fetch_add_relaxed(&next, 1);
}
static void second(void) {
    turn_of[1] = bz_fetch_add_relaxed(&next, 1);
}
static void third(void) {
    turn_of[2] = bz_fetch_add_relaxed(&next, 1);
}
static void child_of_first(void) {
    turn_of_child = bz_fetch_add_relaxed(&next, 1);
}

/* Oldest first; units that they begin run after all earlier ones. */
static void alone_one_runs_the_oldest_first(void **state) {
    (void)state;
    struct rig rig;
    struct bz_barrier barrier;
    struct bz_a32 done = {0}, off = {0};
    rig_init(&rig, 1, 0);
    bz_barrier_init(&barrier);
    bz_become(rig.workers);
    for (unsigned round = 0; round < 3; round++) {
        struct unit child = {.done = &done, .effect = child_of_first};
        struct unit units[3] = {{.done = &done, .effect = first, .child = &child},
                                {.done = &done, .effect = second},
                                {.done = &done, .effect = third}};
        bz_store_relaxed(&next, 0);
        for (unsigned i = 0; i < 3; i++)
            begin(bz_self, &units[i]);
        if (round == 0)
            bz_barrier_wait(&barrier, bz_self, NULL);
        else if (round == 1)
            bz_barrier_join(&barrier, bz_self, NULL);
        else
            assert_true(bz_barrier_wait_unless(&barrier, bz_self, &off));
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(turn_of[i], i);
        assert_int_equal(turn_of_child, 3);
    }
    bz_become(NULL);
    rig_destroy(&rig);
}

static void the_generation_wraps(void **state) {
    (void)state;
    struct rig rig;
    struct bz_barrier barrier;
    rig_init(&rig, 1, 0);
    bz_barrier_init(&barrier);
    barrier.word.v = (uint64_t)UINT32_MAX << 32;
    bz_become(rig.workers);
    for (unsigned i = 0; i < 2; i++) {
        bz_worker_begin(bz_self); /* or it would not arrive */
        bz_worker_end(bz_self);
        bz_barrier_wait(&barrier, bz_self, NULL);
        assert_int_equal(generation(&barrier), i);
        assert_int_equal(arrivals(&barrier), 0);
    }
    bz_become(NULL);
    rig_destroy(&rig);
}

struct phases {
    struct bz_barrier barrier;
    struct bz_a32 inside[100], early;
    unsigned workers;
};

static void run_phases(struct bz_worker *self, void *arg) {
    struct phases *p = arg;
    for (unsigned i = 0; i < 100; i++) {
        bz_fetch_add_relaxed(&p->inside[i], 1);
        bz_barrier_wait(&p->barrier, self, NULL);
        if (bz_load_relaxed(&p->inside[i]) != p->workers)
            bz_fetch_add_relaxed(&p->early, 1);
    }
}

static void no_worker_passes_before_all_have_arrived(void **state) {
    (void)state;
    for (uint64_t spin_ns = 0; spin_ns <= 20000; spin_ns += 20000) {
        struct rig rig;
        struct phases p = {.workers = 4};
        rig_init(&rig, 4, spin_ns);
        bz_barrier_init(&p.barrier);
        rig_run(&rig, run_phases, &p);
        assert_int_equal(p.early.v, 0);
        assert_int_equal(generation(&p.barrier), 100);
        assert_int_equal(rig.domain.counters.word.v & 0xffffffff, 0); /* no worker sleeps or polls */
        rig_destroy(&rig);
    }
}

/* A unit that is still running holds up the barrier, even when all workers have arrived and sleep. */
static struct bz_a32 let_go, running;

static void effect_waits(void) {
    bz_store_release(&running, 1);
    rig_until(bz_load_acquire(&let_go));
}

struct one_unit {
    struct bz_barrier barrier;
    struct unit unit;
    struct bz_a32 passed;
};

static void meet_with_unit(struct bz_worker *self, void *arg) {
    struct one_unit *o = arg;
    if (self->index == 0)
        begin(self, &o->unit);
    bz_barrier_wait(&o->barrier, self, NULL);
    bz_fetch_add_relaxed(&o->passed, bz_load_relaxed(o->unit.done));
}

static void a_running_unit_holds_up_everybody(void **state) {
    (void)state;
    struct rig rig;
    struct bz_a32 done = {0};
    struct one_unit o = {.unit = {.done = &done, .effect = effect_waits}};
    struct rig_thread threads[3];
    rig_init(&rig, 3, 0);
    bz_barrier_init(&o.barrier);
    bz_store_relaxed(&let_go, 0);
    bz_store_relaxed(&running, 0);
    for (unsigned i = 0; i < 3; i++)
        rig_start(&threads[i], &rig.workers[i], meet_with_unit, &o);
    rig_until(bz_load_acquire(&running));
    rig_until(bz_counters_sleeping(bz_load_relaxed(&rig.domain.counters.word)) == 2);
    assert_int_equal(arrivals(&o.barrier), 3);
    assert_int_equal(pending(&o.barrier), 1);
    assert_int_equal(generation(&o.barrier), 0);
    assert_int_equal(bz_load_relaxed(&o.passed), 0);
    bz_store_release(&let_go, 1);
    for (unsigned i = 0; i < 3; i++)
        rig_join(&threads[i]);
    assert_int_equal(o.passed.v, 3);
    rig_destroy(&rig);
}

/* Two workers find the domain quiet at the same time. The slower one must not undo what the faster one has started. */
static struct {
    struct bz_barrier barrier;
    struct unit first, second;
    struct bz_a32 done;
    struct bz_a32 found[2]; /* worker i has found the domain quiet */
    struct bz_a32 second_begun;
    uint32_t seen[2]; /* units done when worker i had passed the second time */
} race;

static void hold_the_slow_one(void) {
    unsigned me = bz_self->index;
    if (generation(&race.barrier) != 0 || bz_load_relaxed(&race.found[me]))
        return;
    bz_store_release(&race.found[me], 1);
    rig_until(bz_load_acquire(&race.found[1 - me]));
    if (me == 1)
        rig_until(bz_load_acquire(&race.second_begun));
}

static void race_body(struct bz_worker *self, void *arg) {
    (void)arg;
    if (self->index == 0)
        begin(self, &race.first);
    bz_barrier_wait(&race.barrier, self, NULL);
    if (self->index == 0) {
        race.second.job.run = run_unit;
        bz_worker_begin(self);
        bz_deque_push(&self->deque, &race.second.job); /* private: only this worker can run it */
        bz_store_release(&race.second_begun, 1);
        rig_until(arrivals(&race.barrier) == 1);
    }
    bz_barrier_wait(&race.barrier, self, NULL);
    race.seen[self->index] = bz_load_relaxed(&race.done);
}

static void a_slow_completer_does_not_hide_new_work(void **state) {
    (void)state;
    struct rig rig;
    race.first.done = race.second.done = &race.done;
    rig_init(&rig, 2, 1000000000);
    bz_barrier_init(&race.barrier);
    after_quiet = hold_the_slow_one;
    rig_run(&rig, race_body, NULL);
    after_quiet = NULL;
    assert_int_equal(race.seen[0], 2);
    assert_int_equal(race.seen[1], 2);
    rig_destroy(&rig);
}

/* A complete join wakes worker 0 alone; the others may go on sleeping. */
static void join_once(struct bz_worker *self, void *arg) {
    bz_barrier_join(arg, self, NULL);
}

static void a_join_leaves_the_others_asleep(void **state) {
    (void)state;
    struct rig rig;
    struct bz_barrier barrier;
    struct rig_thread threads[3];
    rig_init(&rig, 3, 0);
    bz_barrier_init(&barrier);
    for (unsigned i = 0; i < 2; i++)
        rig_start(&threads[i], &rig.workers[i], join_once, &barrier);
    rig_until(bz_counters_sleeping(bz_load_relaxed(&rig.domain.counters.word)) == 2);
    rig_until(bz_load_relaxed(&rig.workers[1].sleeper.latch.state) == BZ_LATCH_SLEEPING);
    rig_start(&threads[2], &rig.workers[2], join_once, &barrier);
    rig_join(&threads[2]);
    rig_join(&threads[0]);
    assert_int_equal(generation(&barrier), 1);
    assert_int_equal(bz_load_relaxed(&rig.workers[1].sleeper.latch.state), BZ_LATCH_SLEEPING);
    assert_true(bz_domain_wake_if_asleep(&rig.workers[1]));
    rig_join(&threads[1]);
    assert_int_equal(rig.domain.counters.word.v & 0xffffffff, 0);
    rig_destroy(&rig);
}

static void it_can_be_resized_between_meetings(void **state) {
    (void)state;
    struct phases *p = calloc(1, sizeof *p);
    const unsigned sizes[] = {3, 1, 2, 4};
    unsigned meetings = 0; /* that are counted */
    bz_barrier_init(&p->barrier);
    for (unsigned n = 0; n < 4; n++) {
        struct rig rig;
        unsigned size = sizes[n];
        rig_init(&rig, size, 0);
        for (unsigned i = 0; i < 100; i++)
            bz_store_relaxed(&p->inside[i], 0);
        p->workers = size;
        rig_run(&rig, run_phases, p);
        assert_int_equal(p->early.v, 0);
        meetings += size > 1 ? 100 : 0;
        assert_int_equal(generation(&p->barrier), meetings);
        rig_destroy(&rig);
    }
    free(p);
}

/* ---- in groups ---- */

/* Two groups of 8 and a part of one. */
enum { MANY = 19 };

static bool nobody_has_come(const struct rig *rig, const struct bz_barrier *barrier) {
    for (uint32_t i = 0; i < rig->count; i++)
        if (bz_load_relaxed(&rig->workers[i].group_word) != 0)
            return false;
    return arrivals(barrier) == 0 && pending(barrier) == 0;
}

static void a_running_unit_holds_up_many(void **state) {
    (void)state;
    struct rig rig;
    struct bz_a32 done = {0};
    struct one_unit o = {.unit = {.done = &done, .effect = effect_waits}};
    struct rig_thread threads[MANY];
    rig_init(&rig, MANY, 0);
    bz_barrier_init(&o.barrier);
    rig.domain.grouped = true;
    bz_store_relaxed(&let_go, 0);
    bz_store_relaxed(&running, 0);
    for (unsigned i = 0; i < MANY; i++)
        rig_start(&threads[i], &rig.workers[i], meet_with_unit, &o);
    rig_until(bz_load_acquire(&running));
    rig_until(bz_counters_sleeping(bz_load_relaxed(&rig.domain.counters.word)) == MANY - 1);
    assert_int_equal((uint16_t)bz_load_relaxed(&o.barrier.done), MANY); /* all have come */
    assert_int_equal(bz_load_relaxed(&o.passed), 0);
    bz_store_release(&let_go, 1);
    for (unsigned i = 0; i < MANY; i++)
        rig_join(&threads[i]);
    assert_int_equal(o.passed.v, MANY);
    assert_int_equal(generation(&o.barrier), 1);
    assert_true(nobody_has_come(&rig, &o.barrier));
    rig_destroy(&rig);
}

static void few_and_many_meet_in_turns(void **state) {
    (void)state;
    const unsigned sizes[] = {MANY, 3, 9, 4, 5};
    struct phases *p = calloc(1, sizeof *p);
    bz_barrier_init(&p->barrier);
    for (unsigned n = 0; n < 2 * 5; n++) {
        struct rig rig;
        p->workers = sizes[n % 5];
        for (unsigned i = 0; i < 100; i++)
            bz_store_relaxed(&p->inside[i], 0);
        rig_init(&rig, p->workers, 0);
        rig.domain.grouped = n < 5;
        rig_run(&rig, run_phases, p);
        assert_int_equal(p->early.v, 0);
        assert_true(nobody_has_come(&rig, &p->barrier));
        rig_destroy(&rig);
    }
    assert_int_equal(generation(&p->barrier), 1000);
    free(p);
}

/* A member of the last group forks after others of its group have arrived. In the child it is the only worker of its
 * domain, and its index is not in that domain. */
static void a_worker_alone_after_a_fork_goes_on(void **state) {
    (void)state;
    struct rig rig;
    struct bz_barrier barrier;
    struct bz_a32 done = {0};
    struct unit units[2] = {{.done = &done, .child = &units[1]}, {.done = &done}};
    rig_init(&rig, MANY, 0);
    bz_barrier_init(&barrier);
    rig.domain.grouped = true;
    bz_store_relaxed(&rig.workers[MANY & ~3].group_word, 2);
    bz_domain_keep_only(&rig.domain, &rig.workers[MANY - 1]);
    bz_barrier_abandon(&barrier);
    begin(&rig.workers[MANY - 1], &units[0]);
    bz_barrier_wait(&barrier, &rig.workers[MANY - 1], NULL);
    assert_int_equal(done.v, 2);
    begin(&rig.workers[MANY - 1], &units[1]);
    bz_barrier_wait(&barrier, &rig.workers[MANY - 1], NULL);
    assert_int_equal(done.v, 3);
    rig_destroy(&rig);
}

/* ---- meetings that can be called off ---- */

static struct {
    struct bz_barrier barrier;
    struct bz_a32 off;
    struct bz_a32 complete, void_; /* how many members saw it complete, and void */
} called;

static void meet_or_not(struct bz_worker *self, void *arg) {
    (void)arg;
    if (bz_barrier_wait_unless(&called.barrier, self, &called.off))
        bz_fetch_add_relaxed(&called.complete, 1);
    else
        bz_fetch_add_relaxed(&called.void_, 1);
}

static void a_meeting_can_be_called_off(void **state) {
    (void)state;
    struct rig rig;
    struct rig_thread threads[3];
    rig_init(&rig, 3, 0);
    bz_barrier_init(&called.barrier);
    for (uint32_t round = 0; round < 3;
         round++) { /* first all arrive; then two, and it is called off; then as at first */
        unsigned come = round == 0 ? 3 : 2;
        bz_store_relaxed(&called.complete, 0);
        bz_store_relaxed(&called.void_, 0);
        for (unsigned i = 0; i < come; i++)
            rig_start(&threads[i], &rig.workers[i], meet_or_not, NULL);
        if (round == 1) {
            rig_until(bz_counters_sleeping(bz_load_relaxed(&rig.domain.counters.word)) == 2);
            assert_int_equal(arrivals(&called.barrier), 2);
            bz_store_release(&called.off, 1);
            bz_domain_wake_first(&rig.domain, &rig.workers[2], 3);
        }
        for (unsigned i = 0; i < come; i++)
            rig_join(&threads[i]);
        assert_int_equal(called.complete.v, round == 0 ? 3 : 0);
        assert_int_equal(called.void_.v, round == 0 ? 0 : 2);
        assert_int_equal(arrivals(&called.barrier), 0);
        assert_int_equal(generation(&called.barrier), 1);
    }
    rig_destroy(&rig);
}

/* A member that leaves takes back its report, and reports again at its next arrival. */
static void a_member_that_leaves_reports_again(void **state) {
    (void)state;
    struct rig rig;
    struct rig_thread thread;
    rig_init(&rig, 2, 0);
    bz_barrier_init(&called.barrier);
    bz_store_relaxed(&called.off, 0);
    bz_worker_begin(&rig.workers[0]);
    rig_start(&thread, &rig.workers[0], meet_or_not, NULL);
    rig_until(pending(&called.barrier) == 1);
    bz_store_release(&called.off, 1);
    bz_domain_wake_first(&rig.domain, &rig.workers[1], 2);
    rig_join(&thread);
    assert_int_equal(bz_load_relaxed(&called.barrier.word), 0);
    assert_true(rig.workers[0].quiet.last_reported != rig.workers[0].quiet.begun.v);
    bz_worker_end(&rig.workers[0]);
    rig_destroy(&rig);
}

/* The completing arrival counts even if the meeting is called off at that moment. */
static void call_it_off(void) {
    bz_store_release(&called.off, 1);
    after_quiet = NULL;
}

static void what_is_complete_stays_so(void **state) {
    (void)state;
    struct rig rig;
    struct rig_thread threads[2];
    struct bz_a32 done = {0};
    struct unit unit = {.done = &done};
    rig_init(&rig, 2, 0);
    bz_barrier_init(&called.barrier);
    bz_store_relaxed(&called.off, 0);
    bz_store_relaxed(&called.complete, 0);
    bz_store_relaxed(&called.void_, 0);
    begin(&rig.workers[0], &unit);
    after_quiet = call_it_off;
    for (unsigned i = 0; i < 2; i++)
        rig_start(&threads[i], &rig.workers[i], meet_or_not, NULL);
    for (unsigned i = 0; i < 2; i++)
        rig_join(&threads[i]);
    after_quiet = NULL;
    assert_true(called.complete.v == 2 || called.void_.v == 2); /* for all or for none */
    assert_int_equal(arrivals(&called.barrier), 0);
    rig_destroy(&rig);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_one_never_waits),
        cmocka_unit_test(alone_one_runs_the_oldest_first),
        cmocka_unit_test(the_generation_wraps),
        cmocka_unit_test(a_running_unit_holds_up_many),
        cmocka_unit_test(few_and_many_meet_in_turns),
        cmocka_unit_test(a_worker_alone_after_a_fork_goes_on),
        cmocka_unit_test(no_worker_passes_before_all_have_arrived),
        cmocka_unit_test(a_running_unit_holds_up_everybody),
        cmocka_unit_test(a_slow_completer_does_not_hide_new_work),
        cmocka_unit_test(a_join_leaves_the_others_asleep),
        cmocka_unit_test(it_can_be_resized_between_meetings),
        cmocka_unit_test(a_meeting_can_be_called_off),
        cmocka_unit_test(what_is_complete_stays_so),
        cmocka_unit_test(a_member_that_leaves_reports_again),
    };
    return cmocka_run_group_tests_name("barrier", tests, NULL, NULL);
}
