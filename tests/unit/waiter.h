/* waiter.h: jobs that show what a thread runs while it waits for a job that another thread runs. */
#ifndef WAITER_H
#define WAITER_H

#include "../rig.h"
#include "pool/pool.h"

struct waiter {
    blitz_pool *pool;
    struct bz_worker *owner; /* the thread that waits */
    uint64_t parks;          /* of the owner, before it waits; written before the job begins */
    struct bz_a32 began;     /* the job runs, on another worker */
    struct bz_a32 may_end;
    struct bz_a32 child; /* runs of the job's child */
    pthread_t ran_child;
    struct bz_a32 stranger_began, stranger_child; /* the same for an unrelated job */
    pthread_t ran_stranger_child;
};

static void waiter_run_child(void *arg) {
    struct waiter *play = arg;
    play->ran_child = pthread_self();
    bz_fetch_add_release(&play->child, 1);
}

/* A job whose child only another thread can run. */
static inline void waiter_need_help(void *arg) {
    struct waiter *play = arg;
    blitz_frame child;
    bz_store_release(&play->began, 1);
    blitz_fork(&child, waiter_run_child, play);
    rig_until(bz_load_acquire(&play->child) == 1);
    blitz_sync(&child);
}

static void waiter_run_stranger_child(void *arg) {
    struct waiter *play = arg;
    play->ran_stranger_child = pthread_self();
    bz_fetch_add_release(&play->stranger_child, 1);
}

/* Queues a job that any thread may steal, and keeps its own thread busy. */
static inline void waiter_stay_strange(void *arg) {
    struct waiter *play = arg;
    blitz_frame child;
    blitz_fork(&child, waiter_run_stranger_child, play);
    bz_store_release(&play->stranger_began, 1);
    rig_until(bz_load_acquire(&play->may_end) == 1);
    blitz_sync(&child);
}

static inline uint64_t waiter_parks_of(const struct bz_worker *worker) {
    return bz_load_relaxed(&worker->stats.parks);
}

/* A job that ends when its owner sleeps instead of running the stranger's child. */
static inline void waiter_end_when_the_owner_sleeps(void *arg) {
    struct waiter *play = arg;
    bz_store_release(&play->began, 1);
    rig_until(bz_load_acquire(&play->stranger_began) == 1);
    rig_until(waiter_parks_of(play->owner) > play->parks || bz_load_acquire(&play->stranger_child) > 0);
    bz_store_release(&play->may_end, 1);
}

#endif
