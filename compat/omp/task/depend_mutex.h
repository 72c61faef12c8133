/* What the members of a mutexinoutset share: mutual exclusion for tasks, in which nobody ever blocks. A node that does not
 * get the mutex is parked in it, and whoever ends hands the mutex over to a parked one.
 *
 * The word is NULL (free), HELD, or the newest of the nodes that are parked while somebody holds it. Only the holder takes
 * nodes out, so a node at the top cannot have gone and come back meanwhile. Check: tests/check/depend.c. */
#ifndef BOMP_DEPEND_MUTEX_H
#define BOMP_DEPEND_MUTEX_H

#include "runtime.h"

struct bomp_node;

struct bomp_mutex {
    struct bz_a32 refs; /* the set that is being filled, and every member that may still want it */
    struct {
        struct bomp_node *v;
    } word; /* see above. Changed by all: whoever takes it, whoever parks in it, whoever lets it go */
};

/* All mutexes that a node wants, in the order of their addresses: nobody waits for another one in a circle. Written by
 * whoever has the node at that time: its creator, who meets its last predecessor, who hands a mutex over to it. */
struct bomp_mutexes {
    uint32_t count;
    uint32_t got; /* the first ones, which it holds */
    struct bomp_mutex *items[];
};

/* A mutex with one reference. NULL: no memory. */
struct bomp_mutex *bomp_mutex_new(void);
void bomp_mutex_ref(struct bomp_mutex *mutex);
void bomp_mutex_unref(struct bomp_mutex *mutex);

/* Room for `count` mutexes; each that is added comes with a reference. NULL: no memory. */
struct bomp_mutexes *bomp_mutexes_new(uint32_t count);
/* When all are added: in their order. */
void bomp_mutexes_sort(struct bomp_mutexes *mutexes);
/* Drops all references. None of them is held. */
void bomp_mutexes_free(struct bomp_mutexes *mutexes);

/* Goes on acquiring for a node. False: the node is parked, and whoever holds that mutex goes on with it. */
bool bomp_mutexes_acquire(struct bomp_mutexes *mutexes, struct bomp_node *node);

/* Lets all of them go. Each node that got one from this and now has all it wants is given to ready(node, arg). */
void bomp_mutexes_release(struct bomp_mutexes *mutexes, void (*ready)(struct bomp_node *, void *), void *arg);

#endif
