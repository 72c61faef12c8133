/* slices.h: makes slices for a timeline from the records of threads. Those of a lane nest strictly. A task that a taskyield
 * leaves for one that does not run inside it has several slices. */
#ifndef BOMP_TRACE_SLICES_H
#define BOMP_TRACE_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/trace/lane.h"
#include "tools/trace/types.h"

/* Flags of slices. */
enum {
    BOMP_TRACE_GOES_ON = 1,    /* in a later slice */
    BOMP_TRACE_WENT_ON = 2,    /* from an earlier one */
    BOMP_TRACE_UNFINISHED = 4, /* when the trace ended */
    BOMP_TRACE_AT_ONCE = 8     /* a task that ran where it was created */
};

struct bomp_trace_slice {
    uint64_t begin, end; /* nanoseconds since the trace began */
    unsigned type, depth, flags;
    uint32_t id; /* of tasks and regions */
    /* Of a member: its number, and how many there are. Of a region, and of work: its count. Of a chunk: its iterations, and
     * the first of them. */
    uint32_t number, count;
    /* Of a chunk: how many share the slice; 0: as in its previous part. */
    uint32_t chunks;
};

/* A task, by its id. Times are ticks; 0: not known. `ended`: it was discarded, or its lane has been reported. */
struct bomp_trace_task {
    uint64_t created, started, ended;
    uint32_t parked;          /* slices.c's */
    uint16_t creator, runner; /* numbers of lanes */
    uint16_t ended_in;        /* the same */
    uint16_t parked_in;       /* the same; slices.c's */
    uint16_t site;
    uint8_t detail; /* BOMP_TRACE_IS_... */
    uint8_t state;  /* slices.c's */
};

/* Ids: the second task waited for the first one, by a dependence. */
struct bomp_trace_edge {
    uint32_t first, second;
};

/* The records of all lanes. */
struct bomp_trace_story {
    uint64_t origin, end; /* ticks */
    double ns_per_tick;
    struct bomp_trace_lane *lanes[UINT16_MAX]; /* by number; NULL: none */
    struct bomp_trace_walk walks[UINT16_MAX];  /* how much of a lane is reported */
    unsigned lane_count;
    struct bomp_trace_task *tasks;
    size_t task_count;             /* ids are below it */
    struct bomp_trace_edge *edges; /* NULL: out of memory, or no edges */
    size_t edge_count, edge_room;
    uint64_t records, dropped;
    struct bomp_trace_types types;
};

/* Reads all lanes as they are now. NULL: no memory. */
struct bomp_trace_story *bomp_trace_story_new(void);
void bomp_trace_story_free(struct bomp_trace_story *story);

static inline uint64_t bomp_trace_ns(const struct bomp_trace_story *story, uint64_t ticks) {
    return ticks > story->origin ? (uint64_t)((double)(ticks - story->origin) * story->ns_per_tick) : 0;
}

/* The task with this id; for an impossible id of a record (lane.h: walks) the unused task 0. */
static inline struct bomp_trace_task *bomp_trace_task_of(const struct bomp_trace_story *story, uint32_t id) {
    return &story->tasks[id < story->task_count ? id : 0];
}

/* Receives the timeline of a lane, in the order of time; slices come when they end. */
struct bomp_trace_sink {
    void (*slice)(struct bomp_trace_sink *sink, const struct bomp_trace_slice *slice);
    /* A task that does not run at once; `by` another one. */
    void (*create)(struct bomp_trace_sink *sink, uint64_t when, uint32_t id, uint32_t by);
    /* BOMP_TRACE_CANCEL or BOMP_TRACE_FULFILL. */
    void (*moment)(struct bomp_trace_sink *sink, uint64_t when, enum bomp_trace_kind kind, uint32_t id);
    /* A thread begins in the lane. */
    void (*thread)(struct bomp_trace_sink *sink, uint64_t when, uint32_t system_id, unsigned type);
};

/* Reports one lane. */
void bomp_trace_slices(struct bomp_trace_story *story, unsigned lane, struct bomp_trace_sink *sink);

#endif
