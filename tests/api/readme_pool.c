#include <blitz.h>
#include <stdio.h>

static void count_worker(unsigned index, void *arg) {
    (void)index;
    __atomic_fetch_add((unsigned *)arg, 1, __ATOMIC_RELAXED);
}

static int add(size_t lo, size_t hi, void *sum) {
    __atomic_fetch_add((size_t *)sum, hi - lo, __ATOMIC_RELAXED);
    return 0;
}

static void run_loop(void *sum) {
    blitz_for(0, 1000, 1, add, sum); /* in the pool that it is called in */
}

int main(void) {
    blitz_config config = {.workers = 2, .name = "render"}; /* shown by top and gdb */
    blitz_pool *pool;
    unsigned workers = 0;
    size_t sum = 0;
    char line[200];
    if (blitz_pool_create(&config, &pool) || blitz_call(pool, run_loop, &sum) || blitz_pool_resize(pool, 3) ||
        blitz_broadcast(pool, count_worker, &workers)) /* once on each worker */
        return 1;
    blitz_stats_line(pool, line, sizeof line);
    puts(line);
    blitz_pool_destroy(pool);
    return sum != 1000 || workers != 3;
}
