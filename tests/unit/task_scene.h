/* task_scene.h: tasks in a region of two. Thread 0 is the test. Thread 1 takes a task on request and otherwise does
 * nothing, so that the test knows which thread runs each task, and when. */
#ifndef TASK_SCENE_H
#define TASK_SCENE_H

#include <sched.h>
#include <string.h>

#include "../asserts.h"
#include "omp/task/task.h"
#include "omp/task/task_policy.h"
#include "omp/team/caller.h"

enum order { ABSENT, IDLE, TAKE, LEAVE };

static struct bz_a32 order; /* thread 0 writes it, thread 1 resets it */

static inline struct bomp_member *self(void) {
    return bz_self->context;
}

static inline struct bomp_task *current(void) {
    return self()->current;
}

static inline void obey(void) {
    const struct bz_filter any = {.floor = 0};
    uint32_t what;
    bz_store_release(&order, IDLE);
    while ((what = bz_load_acquire(&order)) != LEAVE) {
        struct bz_job *job = what == TAKE ? bz_worker_find(bz_self, &any) : NULL;
        if (job)
            bz_worker_run(bz_self, job);
        if (job)
            bz_store_release(&order, IDLE);
        else
            sched_yield();
    }
}

static inline void wait_for_other(void) {
    while (bz_load_acquire(&order) != IDLE)
        sched_yield();
}

/* Thread 1 takes one task, its own newest or our oldest, and has run it when this returns. */
static inline void other_takes_one(void) {
    bz_store_release(&order, TAKE);
    wait_for_other();
}

static inline void implicit(void *data) {
    if (bomp_thread_num() == 1) {
        obey();
        return;
    }
    wait_for_other();              /* until then it searches for work, still in the last region */
    self()->queue_private = false; /* it has no steal request */
    (*(void (**)(void))data)();
    /* Each test leaves nothing behind. */
    bomp_taskwait();
    while (!bz_domain_quiet(bz_self->domain))
        other_takes_one();
    assert_ptr_equal(current(), &self()->implicit);
    assert_true(bz_tally_none(&current()->children));
    assert_int_equal(current()->refs.v, 0);
    assert_null(current()->group);
    bz_store_release(&order, LEAVE);
}

static inline void play(void (*scene)(void)) {
    bz_store_release(&order, ABSENT);
    bomp_parallel(implicit, &scene, 2);
}

/* Bounds of the queue's length: always full, never full. */
#define NONE (INT64_MIN / 2)
#define ENDLESS (INT64_MAX / 2)
static inline void set_most(int64_t most) {
    self()->queue_most = most;
    self()->queue_full = INT64_MIN;
}
static inline void set_usual(void) {
    set_most(bomp_task_queue_most(self()->team));
}

/* Queues a task, whatever the queue's length. */
static inline void queue(void (*fn)(void *), void *data) {
    int64_t before = bz_deque_size(&bz_self->deque), most = self()->queue_most;
    set_most(ENDLESS);
    bomp_task_create(&(struct bomp_task_spec){.fn = fn, .data = data, .align = 1});
    set_most(most);
    assert_int_equal(bz_deque_size(&bz_self->deque), before + 1);
}

static inline void run_now(void (*fn)(void *), void *data) {
    bomp_task_create(&(struct bomp_task_spec){.fn = fn, .data = data, .align = 1, .undeferred = true});
}

static unsigned runs; /* of the functions below; one thread at a time */

static inline void count(void *data) {
    (void)data;
    runs++;
}

static inline void queue_count(void *data) {
    (void)data;
    runs++;
    queue(count, NULL);
}

static inline int set_up(void **state) {
    (void)state;
    runs = 0;
    return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

#endif
