/* blitz_help: a thread runs a job of another origin. */
#include "pool/pool.h"

#include "sched/stack.h"

/* A waiter for a job of this worker steals what that job made, so no other job may stay in the deque. */
static bool help_here(struct bz_worker *self) {
    struct bz_filter others = {.floor = bz_deque_bottom(&self->deque)};
    struct bz_filter left = {.floor = bz_deque_bottom(&self->deque), .own_only = true};
    uint32_t outer = bz_load_relaxed(&self->running.helping); /* relaxed: own store */
    bz_store_relaxed(&self->running.helping, 1); /* relaxed: published with F1 and later pushes */
    struct bz_job *job = bz_worker_take_injected(self);
    if (!job)
        job = bz_worker_find(self, &others);
    bool found = job;
    for (; job; job = bz_worker_find(self, &left))
        bz_worker_run(self, job);
    bz_store_release(&self->running.helping, outer); /* F4: pairs with F5: what it ran is done */
    return found;
}

static void help_there(void *found) {
    *(bool *)found = help_here(bz_self);
}

/* The job may help in turn, to any depth. */
bool bz_help_once(struct bz_worker *self) {
    bool found = false;
    if (bz_likely(bz_stack_is_left(self)))
        return help_here(self);
    return bz_stack_try_more(self, help_there, &found) && found;
}

static void help(void *arg) {
    *(bool *)arg = bz_help_once(bz_self);
}

int blitz_help(blitz_pool *pool) {
    bool helped = false;
    if (!(pool = bz_pool_or_global(pool, "blitz_help")) ||
        bz_pool_run(pool, help, &helped, "blitz_help", (uintptr_t)help))
        return 0;
    return helped;
}
