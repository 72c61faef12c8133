/* Mutual exclusion of the tasks of a mutexinoutset. A node that does not get the mutex is parked in it, and the holder
 * hands the mutex over to a parked node when it ends.
 *
 * The word is NULL (free), HELD, or the newest parked node while another node holds the mutex. Only the holder takes
 * nodes out, so the top node cannot leave and return. Check: tests/check/depend.c. */
#ifndef BOMP_DEPEND_MUTEX_H
#define BOMP_DEPEND_MUTEX_H

#include "runtime.h"

struct bomp_node;

struct bomp_mutex {
    struct bz_a32 refs; /* the set that is being filled, and each member that may want it */
    struct {
        struct bomp_node *v;
    } word; /* see above; changed by any thread */
};

/* The mutexes of a node, by address, so that no cycle of nodes waits. Written by one thread at a time: its creator, the
 * one that completes its last predecessor, the one that hands a mutex over to it. */
struct bomp_mutexes {
    struct bomp_node *parked; /* the next node, where it is parked */
    uint32_t count;
    uint32_t got; /* it holds the first ones */
    struct bomp_mutex *items[];
};

/* A mutex with one reference. No memory is fatal, here and below. */
struct bomp_mutex *bomp_mutex_new(void);
void bomp_mutex_unref(struct bomp_mutex *mutex);

/* Adds the mutex, with a reference, unless it is there. NULL becomes a list with room for `most`. */
void bomp_mutexes_add(struct bomp_mutexes **mutexes, struct bomp_mutex *mutex, size_t most);
/* Drops all references. The node holds none of them. */
void bomp_mutexes_free(struct bomp_mutexes *mutexes);

/* Continues to acquire for a node. False: the node is parked, and the holder of that mutex continues with it. */
bool bomp_mutexes_acquire(struct bomp_mutexes *mutexes, struct bomp_node *node);

/* Releases all of them. Calls ready(node, arg) for each node that thereby holds all its mutexes. */
void bomp_mutexes_release(struct bomp_mutexes *mutexes, void (*ready)(struct bomp_node *, void *), void *arg);

#endif
