/* record.h: what the watchdog knows of threads, tasks and teams: records that callbacks write and the monitor reads.
 *
 * All shared fields are relaxed: each is written by one thread at a time, the one that the event happens on. The monitor
 * trusts only records that have not changed for the time of a hang, and checks again that nothing has moved after it has
 * read them all. Records are reused but never unmapped; a reference to a task or a team includes its number, which shows
 * reuse. */
#ifndef BOMP_WATCHDOG_RECORD_H
#define BOMP_WATCHDOG_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/common/cells.h"

/* Dependences of a task, and locks that a thread holds: recorded ones; the rest is only counted. */
#define BOMP_HANG_DEPENDS_KEPT 8
#define BOMP_HANG_HELD 16

/* Numbers of items: each thread has its own range, and numbers ascend in it. */
#define BOMP_HANG_NUMBERS_SHIFT 40

struct bomp_hang_word { /* an address of the program's */
    const void *v;
};

/* What a task waits for. */
enum bomp_hang_wait_kind {
    BOMP_HANG_NO_WAIT,
    BOMP_HANG_BARRIER,    /* any within a region */
    BOMP_HANG_REGION_END, /* the barrier at its end */
    BOMP_HANG_LEAVE,      /* as BOMP_HANG_REGION_END, in the primary member: its region has not ended */
    BOMP_HANG_TASKWAIT,
    BOMP_HANG_TASKGROUP,
    BOMP_HANG_UNDEFERRED, /* for the dependences of an undeferred task, or of a taskwait */
    BOMP_HANG_TASK,       /* for the end of one task */
    BOMP_HANG_LOCK,
    BOMP_HANG_NEST_LOCK,
    BOMP_HANG_CRITICAL,
    BOMP_HANG_ATOMIC,
    BOMP_HANG_ORDERED,
    BOMP_HANG_ITERATION, /* of a doacross loop, which another member runs */
    BOMP_HANG_OTHER
};

struct bomp_hang_wait {
    struct bz_a32 kind;
    struct bomp_hang_word where; /* the program's return address; NULL: not known */
    struct bz_a64 since;         /* bz_os_tick_ns() */
    struct bz_a64 object;        /* the lock, or the task */
};

enum bomp_hang_state {
    BOMP_HANG_FREE,
    BOMP_HANG_TEAM,     /* no task: a parallel region */
    BOMP_HANG_IMPLICIT, /* the task of a member */
    BOMP_HANG_CREATED,  /* not begun */
    BOMP_HANG_BEGUN,    /* runs, or is suspended */
    BOMP_HANG_DETACHED  /* its body has ended, its event is not fulfilled */
};

struct bomp_hang_thread;
struct bomp_hang_item;

/* A reference to an item, whose record may be another one's by now. */
struct bomp_hang_ref {
    struct {
        struct bomp_hang_item *v;
    } item;
    struct bz_a64 number;
};

/* A task or a team. */
struct bomp_hang_item {
    struct bomp_cell cell; /* of the thread that created it */
    struct bz_a32 state;
    struct bz_a64 number;        /* another one whenever the record is used again */
    struct bomp_hang_word where; /* its construct; NULL: not known */
    struct bz_a64 since;         /* when it was created */
    struct bz_a64 group_after;   /* its thread's last_number when the last taskgroup in it began; 0: none */
    struct bz_a32 index;         /* of a member in its team */
    struct bz_a32 size;          /* of a team; 0: not known yet */
    struct bomp_hang_ref parent, team; /* of a task */
    struct {
        struct bomp_hang_thread *v;
    } thread;                        /* the one that began it; NULL: none */
    struct bomp_hang_word last_site; /* of the synchronisation region that it is in */
    struct bomp_hang_wait wait;
    struct bz_a32 depend_count;
    struct {
        struct bomp_hang_word address;
        struct bz_a32 kind; /* ompt_dependence_type_t */
    } depends[BOMP_HANG_DEPENDS_KEPT];
    struct bomp_hang_item *outer; /* its thread's alone: the task that it resumes after an implicit task */
};

struct bomp_hang_held {
    struct bz_a64 object; /* 0: the place is free */
    struct bz_a32 kind;   /* enum bomp_hang_wait_kind */
    struct bomp_hang_word where;
    struct bz_a64 since;
};

struct bomp_hang_thread {
    struct bomp_hang_thread *next; /* registered earlier; constant */
    struct bz_aflag is_alive;      /* set by the thread that claims the record, cleared at its end */
    unsigned number;               /* in the order of registration; constant */
    struct bz_a32 system_id;
    struct bz_a64 moves; /* events on this thread */
    struct bz_a64 last;  /* when the last one was */
    struct {
        struct bomp_hang_item *v;
    } current;          /* the task that it is in; NULL: none */
    struct bz_a32 work; /* ompt_work_t of the construct that it is in; 0: none */
    struct bomp_hang_word work_where;
    struct bomp_hang_held held[BOMP_HANG_HELD];
    struct bz_a32 held_more; /* locks beyond those */
    struct bomp_cells items;
    struct bz_a64 last_number; /* of its items; written by the thread */
    uint64_t seen_cpu_ns;      /* the monitor's own */
};

/* All records of threads, the newest first. */
struct bomp_hang_thread *bomp_hang_threads(void);

/* A record for the calling thread; NULL: no memory. */
struct bomp_hang_thread *bomp_hang_thread_new(void);
void bomp_hang_thread_end(struct bomp_hang_thread *thread);

/* Threads that have begun and not ended. */
unsigned bomp_hang_alive(void);

/* In the child of a fork: ends all threads but the survivor; NULL: all. */
void bomp_hang_threads_lost(const struct bomp_hang_thread *survivor);

/* A record of a task or a team, by the thread itself; NULL: no memory. */
struct bomp_hang_item *bomp_hang_item_new(struct bomp_hang_thread *self, enum bomp_hang_state state);

/* From any thread. NULL does nothing. */
void bomp_hang_item_free(struct bomp_hang_item *item);

/* NULL: to none. */
static inline void bomp_hang_refer(struct bomp_hang_ref *ref, struct bomp_hang_item *item) {
    bz_store_relaxed(&ref->item, item);
    bz_store_relaxed(&ref->number, item ? bz_load_relaxed(&item->number) : 0);
}

static inline bool bomp_hang_refers(const struct bomp_hang_ref *ref, const struct bomp_hang_item *item) {
    return bz_load_relaxed(&ref->item) == item &&
           bz_load_relaxed(&ref->number) == bz_load_relaxed(&item->number);
}

/* The item, if it still exists. */
static inline struct bomp_hang_item *bomp_hang_referred(const struct bomp_hang_ref *ref) {
    struct bomp_hang_item *item = bz_load_relaxed(&ref->item);
    bool is_there = item && bz_load_relaxed(&item->state) != BOMP_HANG_FREE && bomp_hang_refers(ref, item);
    return is_there ? item : NULL;
}

/* Calls fn with each record of a task or team, also with free ones, until it returns false. */
void bomp_hang_each_item(bool (*fn)(void *item, void *arg), void *arg);

#endif
