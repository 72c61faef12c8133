/* Sleep and wake (src/sched/sleep.c, domain.c, worker.c, counters.h): whenever all threads are at rest, no job is left
 * and no event was missed; a lost wake is a deadlock. At rest the counters are exact. */
#include "sched/sleep.h"
#include "check.h"

#include <string.h>

enum { WORKERS = 3, JOBS = 2 };

static struct bz_domain domain;
static struct bz_worker workers[WORKERS];
static struct check_job {
    struct bz_inject_node node;
    struct bz_pqueue_item item;
    unsigned content; /* written before the job is posted */
    struct bz_a32 began;
} jobs[JOBS];
static struct bz_a32 ran, goal, event;

static bool is_reached(void *arg) {
    (void)arg;
    return bz_load_acquire(&ran) >= bz_load_relaxed(&goal);
}

static bool has_come(void *arg) {
    return bz_load_acquire((struct bz_a32 *)arg) != 0;
}

/* In the child of a fork, a wait for a thread that the child lacks ends it: without other threads nothing will come. */
static struct bz_a32 threads;
unsigned bz_os_thread_count(void) {
    return bz_fetch_add_seq_cst(&threads, 0);
}

/* The job's effect: the event, if there is one. */

static void run_job(struct bz_job *job, struct bz_worker *self) {
    struct check_job *mine = bz_container_of(job, struct check_job, node.job);
    check_that(mine->content == 7);
    mine->content = 8;
    if (bz_fetch_add_acq_rel(&ran, 1) + 1 == bz_load_relaxed(&goal))
        bz_domain_wake_first(self->domain, self, WORKERS);
}

/* Waits until the other job has begun. */
static void meet(struct bz_job *job, struct bz_worker *self) {
    struct check_job *mine = bz_container_of(job, struct check_job, node.job);
    struct bz_wait wait = {.done = has_come, .arg = &jobs[mine == jobs].began, .filter = {.own_only = true}};
    (void)bz_exchange_acq_rel(&mine->began, 1);
    bz_domain_wake_first(self->domain, self, WORKERS);
    bz_worker_wait_until(self, &wait);
    run_job(job, self);
}

static void make(unsigned jobs_to_run, unsigned entered) {
    memset(&domain, 0, sizeof domain);
    memset(workers, 0, sizeof workers);
    memset(jobs, 0, sizeof jobs);
    ran.v = event.v = 0;
    threads.v = 2;
    goal.v = jobs_to_run;
    (void)bz_domain_init(&domain, WORKERS, 0);
    for (unsigned i = 0; i < entered; i++) {
        bz_worker_init(&workers[i], &domain, i);
        bz_domain_enter(&domain, &workers[i]);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        jobs[i].node.job.run = run_job;
        jobs[i].item.job = &jobs[i].node.job;
    }
}
static void begin_symmetric(void) {
    make(1, WORKERS);
}
static void begin(void) {
    bz_fence_init();
    make(1, WORKERS);
}
static void begin_two(void) {
    bz_fence_init();
    make(2, WORKERS);
}
/* As in a team that never spins. */
static void begin_fenced(void) {
    begin();
    domain.full_fences = true;
}
static void begin_two_fenced(void) {
    begin_two();
    domain.full_fences = true;
}
static void begin_meeting(void) {
    begin_two();
    jobs[0].node.job.run = jobs[1].node.job.run = meet;
}
static void begin_orphaned(void) {
    begin();
    domain.orphaned = true;
}
static void begin_one_worker(void) {
    bz_fence_init();
    make(1, 1);
}
/* A pool with one more thread that has not started yet and counts as a sleeper. */
static struct bz_a32 started;
static bool starts(struct bz_domain *its) {
    if (bz_exchange_acq_rel(&started, 1) != 0)
        return false;
    bz_counters_add_unstarted(&its->counters, -1);
    return true;
}
static void begin_unstarted(void) {
    begin();
    started.v = 0;
    domain.start = starts;
    bz_counters_add_unstarted(&domain.counters, 1);
}

static void end(void) {
    uint64_t word = bz_load_relaxed(&domain.counters.word);
    check_that(bz_counters_sleeping(word) == 0 && bz_counters_inactive(word) == 0);
}
static void end_run(void) {
    end();
    check_that(bz_load_relaxed(&ran) == bz_load_relaxed(&goal));
}

/* The job has run, or the thread for it has been started. */
static void end_started(void) {
    check_that(bz_load_relaxed(&ran) == 1 || bz_load_relaxed(&started) == 1);
}

static struct bz_job *job(unsigned i) {
    jobs[i].content = 7;
    return &jobs[i].node.job;
}
static void push(void) {
    (void)bz_worker_push(&workers[0], job(0));
}
static void push_two(void) {
    push();
    (void)bz_worker_push(&workers[0], job(1));
}
static void push_public(void) {
    (void)bz_worker_push_public(&workers[0], job(0));
}
static void inject(void) {
    (void)job(0);
    bz_domain_inject(&domain, &jobs[0].node);
}
static void inject_two(void) {
    inject();
    (void)job(1);
    bz_domain_inject(&domain, &jobs[1].node);
}
static void put(void) {
    (void)job(0);
    bz_domain_put_from_outside(&domain, &jobs[0].item);
}
static void set_event(void) {
    (void)bz_exchange_acq_rel(&event, 1);
    bz_worker_wake(&workers[1]);
}
static void set_event_light(void) {
    bz_store_release(&event, 1);
    bz_domain_wake_first(&domain, &workers[0], WORKERS);
}

static void push_and_set_event(void) {
    push_public();
    set_event();
}
static void inject_and_set_event(void) {
    inject();
    set_event();
}
static void set_event_and_push(void) {
    set_event_light();
    push_public();
}
static void comes_and_pushes(void) {
    bz_worker_init(&workers[1], &domain, 1);
    bz_domain_enter(&domain, &workers[1]);
    (void)bz_worker_push_public(&workers[1], job(0));
}
static void set_event_asleep(void) {
    bz_store_release(&event, 1);
    bz_fence_seq_cst();
    bz_domain_wake_if_asleep(&workers[1]);
}

static void wait_for_jobs(unsigned i) {
    struct bz_wait wait = {.done = is_reached, .filter = {.injected = true}};
    bz_worker_wait_until(&workers[i], &wait);
}
static void waits_for_newcomer(void) {
    wait_for_jobs(0);
}
static void first_waits(void) {
    wait_for_jobs(1);
}
static void second_waits(void) {
    wait_for_jobs(2);
}
static void waits_for_event(void) {
    struct bz_wait wait = {.done = has_come, .arg = &event};
    bz_worker_wait_until(&workers[1], &wait);
}
static void second_waits_for_event(void) {
    struct bz_wait wait = {.done = has_come, .arg = &event};
    bz_worker_wait_until(&workers[2], &wait);
}

static bool takes_none(const struct bz_job *one, const void *arg) {
    (void)one;
    (void)arg;
    return false;
}
static void waits_filtered(void) {
    struct bz_wait wait = {.done = has_come, .arg = &event, .filter = {.may_take = takes_none}};
    bz_worker_wait_until(&workers[1], &wait);
}

/* Until its time is over, which may be at any moment, or the jobs have run. */
static bool is_over(void *arg) {
    return bz_os_now_ns() >= *(uint64_t *)arg || is_reached(NULL);
}
static void waits_for_a_time(void) {
    uint64_t end = bz_os_now_ns() + 3000000000;
    struct bz_wait wait = {.done = is_over, .arg = &end, .filter = {.injected = true}, .deadline_ns = end};
    bz_worker_wait_until(&workers[1], &wait);
}

static void sets_event_and_ends(void) {
    set_event();
    bz_fetch_sub_seq_cst(&threads, 1);
}

static const struct check_test tests[] = {
    {"orphaned", begin_orphaned, {sets_event_and_ends, waits_for_event}, end, 2, 0},
    {"push", begin, {push_public, first_waits}, end_run, 3, 0},
    {"push_private", begin_two, {push_two, first_waits}, end_run, 2, 0},
    {"push_symmetric", begin_symmetric, {push_public, first_waits}, end_run, 2, 0},
    {"push_two_waiters", begin, {push_public, first_waits, second_waits}, end_run, 1, 0},
    {"inject", begin, {inject, first_waits}, end_run, 3, 1},
    {"inject_two", begin_two, {inject_two, first_waits, second_waits}, end_run, 1, 0},
    {"meeting", begin_meeting, {inject_two, first_waits, second_waits}, end_run, 1, 0},
    {"put", begin, {put, first_waits}, end_run, 2, 0},
    {"event", begin, {set_event, waits_for_event}, end, 3, 1},
    {"event_light", begin, {set_event_light, waits_for_event}, end, 3, 0},
    {"event_light_symmetric", begin_symmetric, {set_event_light, waits_for_event}, end, 2, 0},
    {"event_filtered", begin, {push_and_set_event, waits_filtered, second_waits}, end_run, 1, 0},
    {"event_poster", begin, {inject_and_set_event, waits_for_event, second_waits}, end_run, 1, 0},
    {"event_asleep", begin, {set_event_asleep, waits_for_event}, end, 2, 0},
    {"push_fenced", begin_fenced, {push_public, first_waits}, end_run, 3, 0},
    {"inject_fenced", begin_two_fenced, {inject_two, first_waits, second_waits}, end_run, 1, 0},
    {"event_fenced", begin_fenced, {set_event, waits_for_event}, end, 3, 1},
    {"all_fenced", begin_fenced, {set_event_light, waits_for_event, second_waits_for_event}, end, 1, 0},
    {"time_fenced", begin_fenced, {inject, waits_for_a_time, second_waits}, end_run, 1, 0},
    {"stops", begin_unstarted, {set_event_and_push, waits_for_event}, end_started, 3, 0},
    {"enters", begin_one_worker, {comes_and_pushes, waits_for_newcomer}, end_run, 2, 0},
    {"time", begin, {inject, waits_for_a_time, second_waits}, end_run, 1, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
