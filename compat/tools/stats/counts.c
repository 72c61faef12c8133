/* counts.c: see counts.h. */
#include "tools/stats/counts.h"

#define DESCRIBED(name, key, how, unit) {key, BOMP_STATS_##how, BOMP_STATS_##unit},

static const struct bomp_stats_count of_region[] = {BOMP_STATS_OF_REGION(DESCRIBED)};
static const struct bomp_stats_count of_task[] = {BOMP_STATS_OF_TASK(DESCRIBED)};
static const struct bomp_stats_count of_work[] = {BOMP_STATS_OF_WORK(DESCRIBED)};
static const struct bomp_stats_count of_mutex[] = {BOMP_STATS_OF_MUTEX(DESCRIBED)};
static const struct bomp_stats_count of_wait[] = {BOMP_STATS_OF_WAIT(DESCRIBED)};

const struct bomp_stats_counts bomp_stats_counts[BOMP_STATS_KINDS] = {
    [BOMP_STATS_REGIONS] = {of_region, BOMP_REGION_COUNTS},
    [BOMP_STATS_TASKS] = {of_task, BOMP_TASK_COUNTS},
    [BOMP_STATS_WORKS] = {of_work, BOMP_WORK_COUNTS},
    [BOMP_STATS_MUTEXES] = {of_mutex, BOMP_MUTEX_COUNTS},
    [BOMP_STATS_WAITS] = {of_wait, BOMP_WAIT_COUNTS},
};
