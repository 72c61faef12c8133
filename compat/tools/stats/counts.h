/* counts.h: the counts of statistics. Each kind has a table of places in the program (places.h), with these counts for each
 * place. The names are the keys of the JSON form. */
#ifndef BOMP_STATS_COUNTS_H
#define BOMP_STATS_COUNTS_H

#include "tools/common/base.h"

/* How a thread spends its time. The order is that of the counts of a region below. */
enum bomp_stats_state {
    BOMP_STATS_BUSY, /* the program's code, and what the runtime does in it */
    BOMP_STATS_BARRIER,
    BOMP_STATS_TASKWAIT,
    BOMP_STATS_TASKGROUP,
    BOMP_STATS_CRITICAL, /* and atomic constructs that use a lock */
    BOMP_STATS_LOCK,
    BOMP_STATS_ORDERED,
    BOMP_STATS_DEPEND,  /* a task waits for the dependences of an undeferred task or of a taskwait */
    BOMP_STATS_OPENING, /* a thread opens a region, or closes it */
    BOMP_STATS_STATES
};

/* X(COUNT, key, how, unit): SUM or MAX over threads; NUMBER, or TIME in ticks.
 *
 * Of a parallel region, by the construct's place. From BUSY on in the order of enum bomp_stats_state. */
#define BOMP_STATS_OF_REGION(X)                                                                              \
    X(BUSY, "busy", SUM, TIME)                                                                               \
    X(BARRIER, "barrier", SUM, TIME)                                                                         \
    X(TASKWAIT, "taskwait", SUM, TIME)                                                                       \
    X(TASKGROUP, "taskgroup", SUM, TIME)                                                                     \
    X(CRITICAL, "critical", SUM, TIME)                                                                       \
    X(LOCK, "lock", SUM, TIME)                                                                               \
    X(ORDERED, "ordered", SUM, TIME)                                                                         \
    X(DEPEND, "depend", SUM, TIME)                                                                           \
    X(OPENING, "opening", SUM, TIME)                                                                         \
    X(CALLS, "calls", SUM, NUMBER)                                                                           \
    X(THREADS, "threads", SUM, NUMBER)       /* over calls */                                                \
    X(TASKS, "tasks", SUM, NUMBER)           /* explicit ones that its members created */                    \
    X(WALL, "wall", SUM, TIME)               /* from its begin to its end */                                 \
    X(THREAD_TIME, "thread_time", SUM, TIME) /* WALL times its threads */                                    \
    X(BUSIEST, "busiest", SUM, TIME)         /* sum over calls, of the busiest member */                     \
    X(MEAN, "mean", SUM, TIME)               /* sum over calls, the mean of its members */                   \
    X(LONGEST, "longest", MAX, TIME)         /* call */                                                      \
    X(TEAM, "largest_team", MAX, NUMBER)

/* Of explicit tasks, by the place of their construct. */
#define BOMP_STATS_OF_TASK(X)                                                                                \
    X(CREATED, "created", SUM, NUMBER)                                                                       \
    X(AT_ONCE, "at_once", SUM, NUMBER)     /* run where they were created, before anything else */           \
    X(STOLEN, "stolen", SUM, NUMBER)       /* begun by another thread than their creator */                  \
    X(SUSPENDED, "suspended", SUM, NUMBER) /* times that one was left for another, in a wait or a yield */   \
    X(ENDED, "ended", SUM, NUMBER)         /* bodies that ended */                                           \
    X(CANCELLED, "cancelled", SUM, NUMBER)                                                                   \
    X(BODY, "body", SUM, TIME)           /* without waits, and other tasks meanwhile */                      \
    X(INCLUSIVE, "inclusive", SUM, TIME) /* from begin to end */                                             \
    X(LONGEST, "longest_body", MAX, TIME)

/* Of loops, sections, singles and other worksharing, by place and kind. */
#define BOMP_STATS_OF_WORK(X)                                                                                \
    X(ENTERED, "entered", SUM, NUMBER) /* by members */                                                      \
    X(CHUNKS, "chunks", SUM, NUMBER)   /* reported ones, sections included */                                \
    X(BUSY, "busy", SUM, TIME)         /* of members between its begin and its end */                        \
    X(WAITED, "waited", SUM, TIME)     /* of members at the barrier that directly follows */                 \
    X(LONGEST, "longest", MAX, TIME)   /* busy time of a member in one of them */

/* Of critical constructs and locks, by their own address. */
#define BOMP_STATS_OF_MUTEX(X)                                                                               \
    X(ACQUIRED, "acquired", SUM, NUMBER)                                                                     \
    X(WAITED, "waited", SUM, TIME)                                                                           \
    X(LONGEST, "longest_wait", MAX, TIME)

/* Of each state that is a wait. */
#define BOMP_STATS_OF_WAIT(X)                                                                                \
    X(COUNT, "count", SUM, NUMBER)                                                                           \
    X(TOTAL, "total", SUM, TIME)                                                                             \
    X(LONGEST, "longest", MAX, TIME)

/* BOMP_REGION_CALLS and so on, and BOMP_REGION_COUNTS, how many. */
#define BOMP_STATS_ENUM(name, key, how, unit) BOMP_STATS_PREFIX(name),
enum bomp_stats_of_region {
#define BOMP_STATS_PREFIX(name) BOMP_REGION_##name
    BOMP_STATS_OF_REGION(BOMP_STATS_ENUM) BOMP_REGION_COUNTS
#undef BOMP_STATS_PREFIX
};
enum bomp_stats_of_task {
#define BOMP_STATS_PREFIX(name) BOMP_TASK_##name
    BOMP_STATS_OF_TASK(BOMP_STATS_ENUM) BOMP_TASK_COUNTS
#undef BOMP_STATS_PREFIX
};
enum bomp_stats_of_work {
#define BOMP_STATS_PREFIX(name) BOMP_WORK_##name
    BOMP_STATS_OF_WORK(BOMP_STATS_ENUM) BOMP_WORK_COUNTS
#undef BOMP_STATS_PREFIX
};
enum bomp_stats_of_mutex {
#define BOMP_STATS_PREFIX(name) BOMP_MUTEX_##name
    BOMP_STATS_OF_MUTEX(BOMP_STATS_ENUM) BOMP_MUTEX_COUNTS
#undef BOMP_STATS_PREFIX
};
enum bomp_stats_of_wait {
#define BOMP_STATS_PREFIX(name) BOMP_WAIT_##name
    BOMP_STATS_OF_WAIT(BOMP_STATS_ENUM) BOMP_WAIT_COUNTS
#undef BOMP_STATS_PREFIX
};
_Static_assert((int)BOMP_REGION_BUSY == BOMP_STATS_BUSY && (int)BOMP_REGION_OPENING == BOMP_STATS_OPENING,
               "a region's times are in the order of the states");

/* How the counts of several threads make one, and its unit. */
struct bomp_stats_count {
    const char *key;
    enum { BOMP_STATS_SUM, BOMP_STATS_MAX } how;
    enum { BOMP_STATS_NUMBER, BOMP_STATS_TIME } unit;
};

/* Kinds of tables. */
enum bomp_stats_kind {
    BOMP_STATS_REGIONS,
    BOMP_STATS_TASKS,
    BOMP_STATS_WORKS,
    BOMP_STATS_MUTEXES,
    BOMP_STATS_WAITS,
    BOMP_STATS_KINDS
};

/* The counts of a kind, and how many. Constants. */
struct bomp_stats_counts {
    const struct bomp_stats_count *of;
    unsigned count;
};
extern const struct bomp_stats_counts bomp_stats_counts[BOMP_STATS_KINDS];

/* Written by its thread, read by the thread that makes the report. relaxed: each count stands alone. */
static inline void bomp_stats_add(struct bz_a64 *count, uint64_t more) {
    bz_store_relaxed(count, count->v + more);
}

static inline void bomp_stats_raise(struct bz_a64 *count, uint64_t to) {
    if (to > count->v)
        bz_store_relaxed(count, to); /* relaxed: as above */
}

#endif
