/* Probes of the native verbs, on a pool of one worker, where nothing is stolen: a fork and its sync (fork.sync), a
 * join of two empty functions (fork.join), and both on a pool of two, whose other worker steals what it can. */
#include "blitz.h"

#include "probe.h"

static blitz_pool *pool;

static void nothing(void *arg) {
    (void)arg;
}

static void open_pool(unsigned workers) {
    blitz_config config = {.workers = workers};
    if (blitz_pool_create(&config, &pool))
        probe_fail("no pool");
}
static void open_one(void) {
    open_pool(1);
}
static void open_two(void) {
    open_pool(2);
}
static void close_pool(void) {
    blitz_pool_destroy(pool);
}

static void forks(void *arg) {
    for (uint64_t i = *(uint64_t *)arg; i > 0; i--) {
        blitz_frame frame;
        blitz_fork(&frame, nothing, NULL);
        blitz_sync(&frame);
    }
}
static void joins(void *arg) {
    for (uint64_t i = *(uint64_t *)arg; i > 0; i--)
        blitz_join(nothing, NULL, nothing, NULL);
}

static void run_forks(uint64_t times) {
    blitz_call(pool, forks, &times);
}
static void run_joins(uint64_t times) {
    blitz_call(pool, joins, &times);
}

static const struct probe probes[] = {
    {"fork.sync", open_one, run_forks, close_pool},
    {"fork.join", open_one, run_joins, close_pool},
    {"fork.sync_2", open_two, run_forks, close_pool},
    {"fork.join_2", open_two, run_joins, close_pool},
};
const struct probe_list probe_fork = {probes, sizeof probes / sizeof *probes};
