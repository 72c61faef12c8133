/* The deque (src/sched/deque.[ch]): each job is taken exactly once, complete. At rest, a steal is requested whenever
 * nothing is public. One owner, one or two thieves. */
#include "sched/deque.h"
#include "check.h"

#include <string.h>

enum { JOBS = 5 };
struct check_job {
    struct bz_job job;
    unsigned content; /* written before the push; the taker reads it */
};

static struct bz_deque deque;
static struct check_job jobs[JOBS];
static unsigned char taken[JOBS][CHECK_THREADS]; /* each thread counts its own */

static void take(struct bz_job *job) {
    struct check_job *found = bz_container_of(job, struct check_job, job);
    if (found < jobs || found >= jobs + JOBS)
        check_fail("%p was taken, which is no job", (void *)job);
    if (found->content != 7)
        check_fail("a job was taken before it was there");
    taken[found - jobs][check_self()]++;
}

static void push(int i) {
    jobs[i].content = 7;
    check_that(bz_deque_push(&deque, &jobs[i].job));
    if (bz_deque_wanted(&deque))
        bz_deque_expose(&deque);
}

static void push_public(int i) {
    jobs[i].content = 7;
    check_that(bz_deque_push_public(&deque, &jobs[i].job));
}

static void push_requested(int i) {
    jobs[i].content = 7;
    check_that(bz_deque_reserve(&deque));
    if (bz_deque_is_requested(&deque))
        bz_deque_put_requested(&deque, &jobs[i].job);
    else
        bz_deque_put(&deque, &jobs[i].job);
    bz_deque_restore_bound(&deque);
}

static bool pop(void) {
    struct bz_job *job = bz_deque_pop(&deque);
    if (job)
        take(job);
    return job;
}

static void steal(void) {
    struct bz_job *job;
    if (bz_deque_steal(&deque, NULL, NULL, &job) == BZ_STEAL_TAKEN)
        take(job);
}

static void steal_twice(void) {
    steal();
    steal();
}

static void expose(void) {
    bz_deque_expose_for(&deque);
}

static void expose_and_steal(void) {
    if (bz_deque_expose_for(&deque))
        steal_twice();
}

static void begin(void) {
    memset(taken, 0, sizeof taken);
    memset(&deque, 0, sizeof deque);
    memset(jobs, 0, sizeof jobs);
    bz_fence_init();
    bz_deque_init(&deque, 2);
}

static void begin_with_one(void) {
    begin();
    push_public(0);
}

static void begin_with_two(void) {
    begin_with_one();
    push_public(1);
}

static void begin_with_three(void) {
    begin_with_two();
    push_public(2);
}

static void begin_private(void) {
    begin();
    push(0); /* which exposes it */
    push(1);
}

/* Its owner is the only worker until a thief comes. */
static struct bz_a32 thief_may_come;
static void begin_alone(void) {
    begin();
    thief_may_come.v = 0;
    bz_deque_set_alone(&deque, true);
    push(0);
    push(1);
}
static void begin_alone_empty(void) {
    begin_alone();
    pop();
    pop();
}

static void end(void) {
    int64_t public_jobs = bz_deque_public_size(&deque);
    if (public_jobs <= 0)
        check_that(bz_deque_is_requested(&deque));
    if (bz_deque_is_requested(&deque))
        check_that(bz_load_relaxed(&deque.bound) == 0 || public_jobs > 0);
    else
        check_that(bz_load_relaxed(&deque.fast) == deque.split);
    while (pop())
        ;
    for (int i = 0; i < JOBS; i++) {
        unsigned times = 0;
        for (int t = 0; t < CHECK_THREADS; t++)
            times += taken[i][t];
        check_that(times == (jobs[i].content == 7));
    }
    bz_deque_destroy(&deque);
}

static void pops(void) {
    pop();
    pop();
}
static void pop_one(void) {
    pop();
}
static void pushes(void) {
    push(0);
    push(1);
    pop();
}
static void grows(void) {
    push_public(2);
    pop();
}
static void grows_twice(void) {
    push_public(2);
    push_public(3);
    push_public(4);
}
static void requested(void) {
    push_requested(1);
    push_requested(2);
    pop();
}
static void push_first(void) {
    push_requested(0);
}
static void push_second(void) {
    push_requested(2);
}
static void push_public_second(void) {
    push_public(2);
    pop();
    pop();
}
static void expose_all(void) {
    bz_deque_expose_all(&deque);
}
static void pop_and_push(void) {
    pop();
    push(2);
}
static void pop_and_push_requested(void) {
    pop();
    push_requested(2);
}
static void push_public_twice(void) {
    push_public(1);
    push_public(2);
    pop();
}
static bool is_first(const struct bz_job *job, const void *arg) {
    (void)arg;
    return job == &jobs[0].job;
}
static void picks_first(void) {
    bool moved = false;
    struct bz_job *job = bz_deque_pick(&deque, is_first, NULL, &moved);
    if (job)
        take(job);
}
static void ends_alone(void) {
    bz_deque_set_alone(&deque, false);
    bz_store_release(&thief_may_come, 1);
    push(2);
    push(3);
    pop();
}
/* Leaves a job below, as a task of blitz/cilk.h that runs before its own sync does. */
static void begins_slow_pops(void) {
    bz_deque_begin_slow_pops(&deque);
    bz_store_release(&thief_may_come, 1);
    push(2);
    pop();
    bz_deque_end_slow_pops(&deque);
    push(3);
}
static void comes_and_steals(void) {
    while (!bz_load_acquire(&thief_may_come))
        bz_cpu_relax();
    expose_and_steal();
    steal();
}
static const struct check_test tests[] = {
    {"last_one", begin_with_one, {pop_one, steal}, end, -1, 0},
    {"first", begin, {push_first, steal}, end, -1, 0},
    {"bound", begin_private, {push_second, steal}, end, -1, 0},
    {"last_one_two_thieves", begin_with_one, {pop_one, steal, steal}, end, 3, 0},
    {"two_pops", begin_with_two, {pops, steal_twice}, end, -1, 0},
    {"two_pops_two_thieves", begin_with_two, {pops, steal, steal}, end, 2, 0},
    {"push", begin, {pushes, steal_twice}, end, 4, 0},
    {"push_public", begin_with_one, {push_public_twice, steal_twice}, end, 3, 0},
    {"push_public_private", begin_private, {push_public_second, steal}, end, 3, 0},
    {"requested", begin_with_one, {requested, steal_twice}, end, 3, 0},
    {"grow", begin_with_two, {grows, steal_twice}, end, 3, 0},
    {"grow_twice", begin_with_two, {grows_twice, steal, steal}, end, 2, 0},
    {"expose_for", begin_private, {pops, expose_and_steal}, end, 3, 0},
    {"expose_for_two_thieves", begin_private, {pop_one, expose_and_steal, steal}, end, 2, 0},
    {"expose_for_push", begin_private, {pop_and_push, expose_and_steal}, end, 3, 0},
    {"expose_for_requested", begin_private, {pop_and_push_requested, expose_and_steal}, end, 3, 0},
    {"expose_for_another", begin_private, {pop_and_push, expose, steal_twice}, end, 2, 0},
    {"expose_all", begin_private, {expose_all, expose_and_steal}, end, 3, 0},
    {"pick", begin_with_three, {picks_first, steal_twice}, end, 3, 0},
    {"alone_ends", begin_alone_empty, {ends_alone, comes_and_steals}, end, 2, 0},
    {"alone_slow_pops", begin_alone, {begins_slow_pops, comes_and_steals}, end, 2, 0},
    {"two_exposers", begin_private, {pop_one, expose_and_steal, expose_and_steal}, end, 2, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
