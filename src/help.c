#include "help.h"

#include "pool.h"

bool bz_help_once(struct bz_worker *self) {
    struct bz_filter others = {.floor = self->deque.bottom};
    struct bz_job *job =
        bz_worker_take_injected(self, 1); /* the rest of a batch would lie among its own jobs */
    if (!job && !(job = bz_worker_find(self, &others)))
        return false;
    bz_worker_run(self, job);
    return true;
}

static void help(void *arg) {
    *(bool *)arg = bz_help_once(bz_self);
}

int blitz_help(blitz_pool *pool) {
    bool helped = false;
    if (!(pool = bz_pool_or_global(pool)) || bz_pool_run(pool, help, &helped))
        return 0;
    return helped;
}
