#include "omp/task/depend_shown.h"

#include "omp/bomp.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_reserve.h"

struct bomp_shown_node {
    struct bomp_shown seen; /* first: the program reads it */
    struct bomp_node *node;
    /* With the lock held: */
    struct bomp_shown_node *next; /* in the queue of nodes to update */
    uint64_t queued;              /* the last time that it was in this queue */
    uint64_t listed;              /* the last time that it was found in a list, or put there */
};

static struct bz_a32 lock; /* held while nodes and lists are made */
static uint64_t serial;    /* of queues and lists; under the lock */

/* One request: all nodes reached from one. */
struct round {
    uint64_t serial;
    struct bomp_shown_node *first, *last; /* reached nodes; those before `first` are done */
};

static void *need(size_t size) {
    void *made = bz_alloc_zero(1, size);
    if (!made)
        bomp_no_memory("the successors of a task");
    return made;
}

static struct bomp_shown_node *of_node(struct bomp_node *node) {
    if (node->kind != BOMP_NODE_SHOWN) {
        node->shown = need(sizeof *node->shown);
        node->shown->node = node;
        bz_signal_fence(); /* the child of a fork may read both */
        node->kind = BOMP_NODE_SHOWN;
    }
    return node->shown;
}

static void reach(struct round *round, struct bomp_shown_node *shown) {
    if (shown->queued == round->serial)
        return;
    shown->queued = round->serial;
    shown->next = NULL;
    if (round->last)
        round->last->next = shown;
    else
        round->first = shown;
    round->last = shown;
}

/* New items of a list, which come before its old ones. */
struct fresh {
    struct bomp_shown_list *first, **end;
    uint64_t list;
};

static void add(struct fresh *fresh, struct bomp_node *node, struct round *round) {
    struct bomp_shown_node *shown = of_node(node);
    reach(round, shown);
    if (shown->listed == fresh->list)
        return;
    shown->listed = fresh->list;
    struct bomp_shown_list *item = need(sizeof *item);
    item->task = &shown->seen;
    *fresh->end = item;
    fresh->end = &item->next;
}

/* The tasks at the other ends of a node's edges, the newest first. Behind a join there are no more joins. */
static void add_successors(struct fresh *fresh, const struct bomp_node *node, struct round *round) {
    /* P1: pairs with P1 (the edges; by their creator) */
    for (const struct bomp_edge *edge = bz_load_acquire(&node->successors); edge; edge = edge->next)
        switch ((enum bomp_node_kind)edge->to->kind) {
        case BOMP_NODE_JOIN:
            add_successors(fresh, edge->to, round);
            break;
        case BOMP_NODE_TASK:
        case BOMP_NODE_SHOWN:
            add(fresh, edge->to, round);
            break;
        case BOMP_NODE_WAIT:
            break;
        }
}

/* The program may be reading the list: new items come before the old ones, which stay as they are. */
static void update(struct bomp_shown_node *shown, struct round *round) {
    struct bomp_shown_list *old = bz_load_relaxed(&shown->seen); /* relaxed: under the lock */
    struct fresh fresh = {.end = &fresh.first, .list = ++serial};
    for (struct bomp_shown_list *item = old; item; item = item->next) {
        struct bomp_shown_node *known = bz_container_of(item->task, struct bomp_shown_node, seen);
        known->listed = fresh.list;
        reach(round, known);
    }
    add_successors(&fresh, shown->node, round);
    *fresh.end = old;
    bz_store_release(&shown->seen, fresh.first); /* P7: pairs with P8 (the list) */
}

const struct bomp_shown *bomp_task_shown(void *args) {
    const struct bomp_task_extra *extra = bomp_task_has_extra(bomp_task_of_reserved(args));
    if (!extra || !extra->node)
        return NULL;
    bz_mutex_lock(&lock);
    struct round round = {.serial = ++serial};
    struct bomp_shown_node *shown = of_node(extra->node);
    reach(&round, shown);
    for (; round.first; round.first = round.first->next)
        update(round.first, &round);
    bz_mutex_unlock(&lock);
    return &shown->seen;
}

struct bomp_shown_list *bomp_task_successors(void *args) {
    const struct bomp_shown *shown = bomp_task_shown(args);
    return shown ? bz_load_acquire(shown) : NULL; /* P8: pairs with P7; so does the program's */
}

void bomp_shown_free(struct bomp_shown_node *shown) {
    struct bomp_shown_list *item = bz_load_relaxed(&shown->seen); /* relaxed: the program is done with it */
    while (item) {
        struct bomp_shown_list *next = item->next;
        bz_free(item);
        item = next;
    }
    bz_free(shown);
}

/* ---- fork ---- */

static void child_of_fork(void) {
    bz_store_relaxed(&lock, BZ_MUTEX_FREE); /* relaxed: the only thread */
}

__attribute__((constructor)) static void follow_forks(void) {
    bz_os_at_fork(NULL, NULL, child_of_fork);
}
