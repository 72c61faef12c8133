/* thread.h: the records of statistics: of a thread, of a running region, of a live task. A thread allocates them in chunks
 * that it keeps. When it ends, the next thread takes over its table and adds to the counts. */
#ifndef BOMP_STATS_THREAD_H
#define BOMP_STATS_THREAD_H

#include "tools/stats/places.h"

/* A task: the tool data of each points to one. Used by the thread that runs it. */
struct bomp_stats_task {
    struct bomp_stats_cell {
        struct bomp_stats_cell *next;    /* among free ones */
        struct bomp_stats_thread *owner; /* whose memory it is: of an explicit task, its creator */
    } cell;
    uintptr_t place;     /* of an explicit one, its construct's address */
    uint64_t began;      /* in ticks */
    uint64_t spent[2];   /* busy; and waiting, since the wait that it is in began */
    struct bz_a32 state; /* enum bomp_stats_state */
    uint16_t waits;      /* that it is in, one in the other: the outermost one counts */
    bool is_explicit, has_begun, is_undeferred;
    bool is_awaited; /* by its creator, who can run it only when its dependences allow it */
};

/* A parallel region that runs. Its members have it in common. */
struct bomp_stats_region {
    struct bomp_stats_cell cell; /* owner: who opened it */
    uintptr_t place;
    uint64_t began;
    struct bz_a64 ended;         /* 0: not yet; written by who opened it */
    struct bz_a32 threads;       /* written by each member */
    struct bz_a32 left;          /* members that have ended, and one for the end of the region */
    struct bz_a64 busy, busiest; /* of those that have ended: the sum, the greatest */
};

/* A thread's part in a region, or in the part of the program that is in none: its implicit task. */
struct bomp_stats_member {
    struct bomp_stats_task task; /* first */
    struct {
        struct bomp_stats_member *v;
    } outer; /* written by the thread, as are region, index and time; read by the reporting one */
    struct bomp_stats_task *resumed; /* what the thread goes on with */
    struct {
        struct bomp_stats_region *v;
    } region;            /* NULL: none */
    struct bz_a32 index; /* thread number */
    struct bz_a64 time[BOMP_STATS_STATES];
    struct bz_a64 tasks;              /* explicit ones that the thread has created meanwhile */
    struct bomp_stats_place *work;    /* the worksharing construct that it is in, or has just left */
    uint64_t work_busy;               /* its busy time when that began */
    uint64_t work_ended;              /* when; 0: it has not */
    struct bomp_stats_place *charged; /* whose barrier it waits at */
};

/* Free cells of one size. */
struct bomp_stats_store {
    struct bomp_stats_cell *free;
    struct {
        struct bomp_stats_cell *v;
    } returned; /* by other threads */
    size_t size;
};

struct bomp_stats_thread {
    struct bz_a64 since; /* until when its time is counted */
    struct {
        struct bomp_stats_task *v;
    } current; /* written by the thread; NULL: none */
    struct {
        struct bomp_stats_member *v;
    } member;                       /* the innermost; NULL with current */
    struct bomp_stats_task *fresh;  /* what it has just created, and nothing since */
    struct bomp_stats_place *mutex; /* that it waits for */
    struct bomp_stats_store tasks, regions, members;
    struct bz_aflag is_used;        /* by a thread that has not ended */
    struct bz_aflag was_used;       /* since the process began, or was forked; written by that thread */
    bool is_main;                   /* the process's initial thread */
    struct bomp_stats_thread *next; /* in the list of all; constant */
    struct bz_a64 waits[BOMP_STATS_STATES][BOMP_WAIT_COUNTS];
    struct bomp_stats_places places[BOMP_STATS_WAITS]; /* of each kind before that */
};

/* A table for the calling thread, one that an ended thread has left or a new one. NULL: no memory. */
struct bomp_stats_thread *bomp_stats_thread_begin(void);
void bomp_stats_thread_end(struct bomp_stats_thread *thread);

/* All tables, of ended threads as well. */
struct bomp_stats_thread *bomp_stats_threads(void);

/* In the child of a fork, on its only thread, which has this table or NULL: all counts begin anew, and so do the times of
 * what is under way. */
void bomp_stats_threads_forked(struct bomp_stats_thread *self, uint64_t now);

/* For tests: frees all. */
void bomp_stats_threads_free(void);

void *bomp_stats_new_slow(struct bomp_stats_thread *thread, struct bomp_stats_store *store);

/* A cell of one of the thread's stores, as its last user left it, but for its owner; NULL: no memory. */
static inline void *bomp_stats_new(struct bomp_stats_thread *thread, struct bomp_stats_store *store) {
    struct bomp_stats_cell *cell = store->free;
    if (bz_unlikely(!cell))
        return bomp_stats_new_slow(thread, store);
    store->free = cell->next;
    return cell;
}

/* Gives it back on that thread, to its owner. `offset` is the store's in a thread. */
void bomp_stats_give_back(struct bomp_stats_cell *cell, size_t offset);
static inline void bomp_stats_give(struct bomp_stats_thread *thread, struct bomp_stats_cell *cell,
                                   size_t offset) {
    struct bomp_stats_store *store = (void *)((char *)thread + offset);
    if (bz_unlikely(cell->owner != thread)) {
        bomp_stats_give_back(cell, offset);
        return;
    }
    cell->next = store->free;
    store->free = cell;
}

#endif
