/* scene.h: a snapshot, taken while nothing moves, of the waits of threads and tasks. Only the monitor uses it. */
#ifndef BOMP_WATCHDOG_SCENE_H
#define BOMP_WATCHDOG_SCENE_H

#include "tools/watchdog/record.h"

/* Limits of items, and of tasks whose reasons are searched. */
#define BOMP_HANG_ITEMS_MOST 100000
#define BOMP_HANG_NODES_MOST 500

/* Limit of reasons of one wait. */
#define BOMP_HANG_REASONS 64

enum bomp_hang_standing {
    BOMP_HANG_IDLE,   /* in no task, or at the end of a region that is over */
    BOMP_HANG_WAITS,  /* in OpenMP */
    BOMP_HANG_OUTSIDE /* in the program's code, or what that has called */
};

enum bomp_hang_standing bomp_hang_standing(const struct bomp_hang_thread *thread);

/* Events on all threads so far. */
uint64_t bomp_hang_moves(void);

struct bomp_hang_scene {
    struct bomp_hang_item **items; /* tasks and teams */
    size_t count, room;
    bool is_cut;                       /* there are more items */
    struct bomp_hang_thread **threads; /* by their numbers */
    size_t thread_count;
};

/* False: no memory, or no items. The caller frees it in any case. */
bool bomp_hang_scene_take(struct bomp_hang_scene *scene);
void bomp_hang_scene_free(struct bomp_hang_scene *scene);

/* Why a task cannot go on before another one does. */
enum bomp_hang_why {
    BOMP_HANG_MISSING,    /* the other one has not come to the barrier */
    BOMP_HANG_ELSEWHERE,  /* it is at another kind of barrier */
    BOMP_HANG_INCOMPLETE, /* it is a task that must be complete */
    BOMP_HANG_HOLDS,      /* it holds the lock */
    BOMP_HANG_TURN,    /* it may have the turn in the ordered loop, or the iteration of the doacross loop */
    BOMP_HANG_DEPENDS, /* its dependences come first */
    BOMP_HANG_ABOVE    /* it runs on the same thread, on top of this one */
};

struct bomp_hang_reason {
    enum bomp_hang_why why;
    const struct bomp_hang_item *other; /* NULL: its holder is gone */
    unsigned depend;                    /* of DEPENDS: which one of the task's */
};

/* Writes why the task cannot go on; returns the number of reasons, at most `room`. */
size_t bomp_hang_reasons(const struct bomp_hang_scene *scene, const struct bomp_hang_item *task,
                         struct bomp_hang_reason *reasons, size_t room);

/* The record of a held lock and its holder; NULL: free. */
const struct bomp_hang_held *bomp_hang_holder(uint64_t object, const struct bomp_hang_thread **holder);

/* Whether it waits at a barrier of either kind. */
bool bomp_hang_is_at_barrier(const struct bomp_hang_item *task);

/* A cycle of tasks that wait for each other in turn. */
struct bomp_hang_cycle {
    struct {
        const struct bomp_hang_item *task;
        struct bomp_hang_reason reason; /* why it waits for the next one */
    } steps[BOMP_HANG_NODES_MOST];
    size_t count; /* 0: none */
};

/* Searches from each waiting thread. */
void bomp_hang_find_cycle(const struct bomp_hang_scene *scene, struct bomp_hang_cycle *cycle);

#endif
