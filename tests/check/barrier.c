/* The barrier (src/team/barrier.c) with the sleep of its workers: a meeting is complete when all workers have arrived
 * and no unit of work is left, not before, and for all or none where it can be called off. No member sleeps through
 * it. */
#include "team/barrier.h"
#include "check.h"

#include <string.h>

enum { WORKERS = 3, JOBS = 2 };

static struct bz_domain domain;
static struct bz_worker workers[WORKERS];
static struct bz_barrier barrier;
static struct check_job {
    struct bz_job job;
    bool begets, done, of_next; /* of_next: created after the first join */
} jobs[JOBS];
static unsigned passed[WORKERS];         /* meetings, written before each */
static bool completed[WORKERS], is_next; /* is_next: the follower has begun the second run */
static struct bz_a32 off;
static unsigned reason; /* written before it is called off */

static void push(unsigned i, struct bz_worker *self);

static void run_job(struct bz_job *job, struct bz_worker *self) {
    struct check_job *mine = bz_container_of(job, struct check_job, job);
    if (mine->begets)
        push(1, self);
    if (mine->of_next && self == &workers[1])
        check_that(is_next);
    mine->done = true;
    bz_worker_end(self);
}

static void push(unsigned i, struct bz_worker *self) {
    jobs[i].job.run = run_job;
    bz_worker_begin(self);
    (void)bz_worker_push(self, &jobs[i].job);
}

static void make(unsigned members) {
    memset(&domain, 0, sizeof domain);
    memset(workers, 0, sizeof workers);
    memset(jobs, 0, sizeof jobs);
    memset(passed, 0, sizeof passed);
    memset(completed, 0, sizeof completed);
    off.v = is_next = reason = 0;
    bz_fence_init();
    (void)bz_domain_init(&domain, WORKERS, 0);
    for (unsigned i = 0; i < members; i++) {
        bz_worker_init(&workers[i], &domain, i);
        bz_domain_enter(&domain, &workers[i]);
    }
    bz_barrier_init(&barrier);
}
static void begin_two(void) {
    make(2);
}
static void begin_three(void) {
    make(3);
}
/* Two of them in one group, the third in another. */
static void begin_grouped(void) {
    make(3);
    domain.grouped = true;
}

static void check_passed(unsigned members, unsigned times) {
    for (unsigned i = 0; i < members; i++)
        check_that(passed[i] >= times);
}
static void check_done(void) {
    for (unsigned i = 0; i < JOBS; i++)
        check_that(!jobs[i].job.run || jobs[i].done);
}

static void meet(unsigned i, unsigned members) {
    unsigned times = ++passed[i];
    bz_barrier_wait(&barrier, &workers[i], NULL);
    check_passed(members, times);
    check_done();
    bz_barrier_wait(&barrier, &workers[i], NULL); /* none goes on to write words that others read */
}
static void meet_first(void) {
    meet(0, 2);
}
static void meet_second(void) {
    meet(1, 2);
}
static void work_and_meet(void) {
    push(0, &workers[0]);
    meet_first();
}
static void beget_and_meet(void) {
    jobs[0].begets = true;
    work_and_meet();
}
static void meet_once(unsigned i) {
    passed[i]++;
    bz_barrier_wait(&barrier, &workers[i], NULL);
    check_passed(WORKERS, 1);
    check_done();
}
static void first_once(void) {
    meet_once(0);
}
static void second_once(void) {
    meet_once(1);
}
static void third_once(void) {
    meet_once(2);
}
static void third_works_once(void) {
    push(0, &workers[2]);
    meet_once(2);
}

static void first_of_three(void) {
    meet(0, 3);
}
static void second_of_three(void) {
    meet(1, 3);
}
static void third_of_three(void) {
    meet(2, 3);
}

/* The last member leaves. Then the first one lets in a second meeting, without it. */
static struct bz_a32 gone, is_open;
static void begin_shrink(void) {
    make(3);
    gone.v = is_open.v = 0;
}
static void first_shrinks(void) {
    first_once();
    while (!bz_load_acquire(&gone))
        bz_cpu_relax();
    bz_domain_limit(&domain, 2);
    bz_store_release(&is_open, 1);
    bz_barrier_wait(&barrier, &workers[0], NULL);
}
static void second_stays(void) {
    second_once();
    while (!bz_load_acquire(&is_open))
        bz_cpu_relax();
    bz_barrier_wait(&barrier, &workers[1], NULL);
}
static void third_goes(void) {
    third_once();
    bz_store_release(&gone, 1);
}

/* The leader of a run: a complete join wakes it alone, and it wakes the others for the next run. */
static void leads(void) {
    passed[0]++;
    bz_barrier_join(&barrier, &workers[0], NULL);
    check_passed(2, 1);
    check_done();
    bz_domain_wake_first(&domain, &workers[0], 2);
}
static void work_and_lead(void) {
    push(0, &workers[0]);
    leads();
}
static void follows(void) {
    passed[1]++;
    bz_barrier_join(&barrier, &workers[1], NULL);
    check_done();
}

/* A second run. The follower may not take its job before it begins the run. */
static void leads_two(void) {
    bz_barrier_join(&barrier, &workers[0], NULL);
    bz_domain_wake_first(&domain, &workers[0], 2);
    jobs[0].of_next = true;
    jobs[0].job.run = run_job;
    bz_worker_begin(&workers[0]);
    (void)bz_worker_push_public(&workers[0], &jobs[0].job);
    bz_barrier_join(&barrier, &workers[0], NULL);
    bz_domain_wake_first(&domain, &workers[0], 2);
}
static void follows_two(void) {
    bz_barrier_join(&barrier, &workers[1], NULL);
    is_next = true;
    bz_barrier_join(&barrier, &workers[1], NULL);
}

static void meet_unless(unsigned i) {
    completed[i] = bz_barrier_wait_unless(&barrier, &workers[i], &off);
    if (completed[i])
        check_done();
    else
        check_that(reason == 7);
}
static void first_unless(void) {
    meet_unless(0);
}
static void work_unless(void) {
    push(0, &workers[0]);
    meet_unless(0);
}
static void cancel_unless(void) {
    reason = 7;
    bz_store_release(&off, 1);
    bz_domain_wake_first(&domain, &workers[1], 2);
    meet_unless(1);
}
static void meet_and_cancel(void) {
    meet_unless(1);
    reason = 7;
    bz_store_release(&off, 1);
    bz_domain_wake_first(&domain, &workers[1], 2);
}
/* All or none; and no arrival remains. */
static void end_unless(void) {
    check_that(completed[0] == completed[1]);
    check_that((bz_load_relaxed(&barrier.word) & 0xffffffff) == 0);
}

static const struct check_test tests[] = {
    {"two", begin_two, {meet_first, meet_second}, NULL, 1, 0},
    {"work", begin_two, {work_and_meet, meet_second}, NULL, 1, 0},
    {"beget", begin_two, {beget_and_meet, meet_second}, NULL, 1, 0},
    {"join", begin_two, {leads, follows}, NULL, 2, 0},
    {"join_work", begin_two, {work_and_lead, follows}, NULL, 1, 0},
    {"join_next", begin_two, {leads_two, follows_two}, NULL, 1, 0},
    {"three", begin_three, {first_once, second_once, third_once}, NULL, 1, 0},
    {"three_work", begin_three, {first_once, second_once, third_works_once}, NULL, 1, 0},
    {"grouped", begin_grouped, {first_once, second_once, third_once}, NULL, 1, 0},
    {"grouped_work", begin_grouped, {first_once, second_once, third_works_once}, NULL, 1, 0},
    {"three_twice", begin_three, {first_of_three, second_of_three, third_of_three}, NULL, 0, 0},
    {"grouped_twice", begin_grouped, {first_of_three, second_of_three, third_of_three}, NULL, 0, 0},
    {"shrink", begin_shrink, {first_shrinks, second_stays, third_goes}, NULL, 1, 0},
    {"called_off", begin_two, {first_unless, cancel_unless}, end_unless, 2, 0},
    {"called_off_work", begin_two, {work_unless, cancel_unless}, end_unless, 2, 0},
    {"called_off_late", begin_two, {first_unless, meet_and_cancel}, end_unless, 2, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
