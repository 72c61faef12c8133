/* A series: tasks of a taskloop that run one after the other on their thread's stack. */
#ifndef BOMP_TASKLOOP_SERIES_H
#define BOMP_TASKLOOP_SERIES_H

#include "omp/base/tuning.h"
#include "omp/task/taskloop.h"
#include "omp/team/team_data.h"

/* One descriptor and one block of arguments for all tasks of a series. */
struct bomp_stage {
    struct bomp_task task;
    char args[BOMP_TASKLOOP_BYTES] __attribute__((aligned(BOMP_TASKLOOP_ALIGN)));
};

struct bomp_series {
    struct bomp_member *self;
    struct bomp_stage *stage;
    struct bomp_task *outer;      /* waits meanwhile */
    struct bomp_task *parent;     /* of the tasks, perhaps of another thread */
    const struct bomp_task *like; /* has their group and control variables; constant */
    uint32_t flags;
    const struct bomp_taskloop *loop;
    const struct bomp_cut *cut;
    uint64_t number,  /* of the next task, or of the one behind those that run */
        first,        /* the next task's first iteration as a value of the variable */
        stride;       /* from that to its end, and for each that is like it */
    const char *args; /* of each but for the bounds, in whole words; or what its arguments are made from */
    unsigned what;    /* BOMP_TASKLOOP_AGAIN: a task has run; BOMP_TASKLOOP_LAST: the next one is the last */
};

/* From this task of the loop on. */
void bomp_series_begin(struct bomp_series *series, uint64_t number);
void bomp_series_end(const struct bomp_series *series);

/* How many tasks before number `last`, from the next one on, have as many iterations. */
uint64_t bomp_series_alike(struct bomp_series *series, uint64_t last);

/* Runs 1 to `left` like tasks, until one has changed its descriptor, or `feeder` (or NULL) has nothing queued for
 * thieves. Returns how many are left. */
uint64_t bomp_series_run(struct bomp_series *series, uint64_t left, const struct bz_worker *feeder);

/* The program's arguments in whole words, the last one filled up with zeros. */
const char *bomp_series_words(char *words, const struct bomp_taskloop *loop);

/* Whether thieves would find no job here, so that the running range is split. */
static inline bool bomp_feeds_thieves(const struct bz_worker *self) {
    return bz_worker_queued(self) == 0;
}

#endif
