/* thread.h: the records of statistics: of a thread, a running region, a live task. When a thread ends, another thread
 * takes its table and adds to the counts. */
#ifndef BOMP_STATS_THREAD_H
#define BOMP_STATS_THREAD_H

#include "tools/common/cells.h"
#include "tools/stats/places.h"

/* A task: the tool data of each points to one. Used by the thread that runs it. */
struct bomp_stats_task {
    struct bomp_cell cell; /* of an explicit one, its creator's */
    uintptr_t place;       /* of an explicit one, its construct's address */
    uint64_t began;        /* in ticks */
    uint64_t spent[2];     /* busy; waiting, since the current wait began */
    struct bz_a32 state;   /* enum bomp_stats_state */
    uint16_t waits;        /* nested waits: the outermost one counts */
    bool is_explicit, has_begun, is_undeferred;
    bool is_awaited; /* its creator waits until it may run it */
};

/* A running parallel region, shared by its members. */
struct bomp_stats_region {
    struct bomp_cell cell; /* of the thread that opened it */
    uintptr_t place;
    uint64_t began;
    struct bz_a64 ended;         /* 0: not yet; written by the thread that opened it */
    struct bz_a32 threads;       /* written by each member */
    struct bz_a32 left;          /* members that have ended, plus one for the region's end */
    struct bz_a64 busy, busiest; /* of ended members: sum, greatest */
};

/* A thread's implicit task, in a region or outside of all. */
struct bomp_stats_member {
    struct bomp_stats_task task; /* first */
    struct {
        struct bomp_stats_member *v;
    } outer; /* written by the thread, as are region, index and time; read by the reporting one */
    struct bomp_stats_task *resumed; /* the task that the thread resumes */
    struct {
        struct bomp_stats_region *v;
    } region;            /* NULL: none */
    struct bz_a32 index; /* thread number */
    struct bz_a64 time[BOMP_STATS_STATES];
    struct bz_a64 tasks;              /* explicit ones that the thread created */
    struct bomp_stats_place *work;    /* the current worksharing construct, or the last one */
    uint64_t work_busy;               /* its busy time when that began */
    uint64_t work_ended;              /* when; 0: it has not */
    struct bomp_stats_place *charged; /* the work whose barrier it waits at */
};

struct bomp_stats_thread {
    struct bomp_cells tasks; /* first, as its address is compared whenever a task begins */
    struct bz_a64 since;     /* its time is counted up to here */
    struct {
        struct bomp_stats_task *v;
    } current; /* written by the thread; NULL: none */
    struct {
        struct bomp_stats_member *v;
    } member;                       /* the innermost; NULL with current */
    struct bomp_stats_task *fresh;  /* the task that its last event created */
    struct bomp_stats_place *mutex; /* the one that it waits for */
    struct bomp_cells regions, members;
    struct bz_aflag is_used;        /* by a thread that has not ended */
    struct bz_aflag was_used;       /* since the process began, or was forked; written by that thread */
    bool is_main;                   /* the process's initial thread */
    struct bomp_stats_thread *next; /* in the list of all; constant */
    struct bz_a64 waits[BOMP_STATS_STATES][BOMP_WAIT_COUNTS];
    struct bomp_stats_places places[BOMP_STATS_WAITS]; /* one table of each kind */
};

/* A table for the calling thread, of an ended thread or new. NULL: no memory. */
struct bomp_stats_thread *bomp_stats_thread_begin(void);
void bomp_stats_thread_end(struct bomp_stats_thread *thread);

/* All tables, of ended threads as well. */
struct bomp_stats_thread *bomp_stats_threads(void);

/* On the only thread of a fork's child, which has this table or NULL: restarts all counts, and the times of open regions and
 * waits. */
void bomp_stats_threads_forked(struct bomp_stats_thread *self, uint64_t now);

/* For tests: frees all. */
void bomp_stats_threads_free(void);

#endif
