/* An idle thread is lent to a pool, whose hooks print who works in it. */
#include <blitz.h>
#include <stdio.h>

static unsigned started, stopped, done;

static void on_start(unsigned index, void *arg) {
    (void)index, (void)arg;
    __atomic_fetch_add(&started, 1, __ATOMIC_RELAXED);
}

static void on_stop(unsigned index, void *arg) {
    (void)index, (void)arg;
    __atomic_fetch_add(&stopped, 1, __ATOMIC_RELAXED);
}

static void job(void *arg) {
    if (__atomic_add_fetch(&done, 1, __ATOMIC_RELAXED) == 100)
        blitz_pool_recall(arg); /* or let the time pass */
}

int main(void) {
    blitz_config config = {.workers = 1, .name = "lent", .on_start = on_start, .on_stop = on_stop};
    blitz_pool *pool;
    if (blitz_pool_create(&config, &pool))
        return 2;
    for (int i = 0; i < 100; i++)
        if (blitz_submit(pool, job, pool))
            return 2;
    blitz_pool_lend(pool, 50 * UINT64_C(1000000)); /* works here for 50 ms at most */
    blitz_pool_destroy(pool);
    printf("%u jobs done, %u workers came and %u went\n", done, started, stopped);
    return done != 100 || started != stopped;
}
