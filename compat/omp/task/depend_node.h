/* A task in the graph of dependences: depend.md. A node lives until its task is complete and no table (depend_table.h)
 * holds it. */
#ifndef BOMP_DEPEND_NODE_H
#define BOMP_DEPEND_NODE_H

#include "omp/base/tuning.h"
#include "omp/task/depend_mutex.h"
#include "omp/task/task.h"

/* From a predecessor to a successor: part of the successor, which stays until its edges have been followed. */
struct bomp_edge {
    struct bomp_edge *next;  /* of the same predecessor; the thread that closes it */
    struct bomp_node *to;    /* constant */
    struct bomp_edge *other; /* of the same successor; constant */
    /* The predecessor; NULL: complete. Written by the creator, then at that completion; read in a team of one. */
    struct bomp_node *from;
};

/* Edges that do not fit into their node. */
struct bomp_edges {
    struct bomp_edges *next;
    struct bomp_edge edges[];
};

/* `successors` of a complete node. */
#define BOMP_NODE_CLOSED ((struct bomp_edge *)(uintptr_t)1)

enum bomp_node_kind {
    BOMP_NODE_TASK, /* ready: the task is queued */
    BOMP_NODE_JOIN, /* no task: complete when it is ready */
    BOMP_NODE_WAIT  /* on the stack of a worker that waits for it, without successors; never complete */
};

struct bomp_node {
    char of_task[offsetof(struct bomp_task, refs)]; /* never written */
    struct bz_a32 refs;  /* until it is complete, and while it is held; lowered by any thread */
    struct bz_a32 unmet; /* incomplete predecessors; lowered by its creator and by those that complete them */
    uint32_t held;       /* places of the table that hold it; the parent's thread */
    union {              /* constant */
        struct bomp_task *task;
        struct bz_worker *waiter;
        struct bomp_node *owed; /* after its end: see bomp_node_release */
    };
    struct {
        struct bomp_edge *v;
    } successors;                 /* a stack: the parent's thread pushes, the completing one closes */
    struct bomp_mutexes *mutexes; /* or NULL. Written at creation */
    struct bomp_edge *edges;      /* from its predecessors; creator only, then bomp_node_blocker */
    struct bomp_edge *free;       /* room for `room` more edges; creator only, as the next two */
    uint32_t room, used;
    struct bomp_edges *blocks; /* creator, then the completing thread */
    struct bz_aflag ready;     /* WAIT: written by the thread that makes it so, read by the waiter */
    uint8_t kind;              /* enum bomp_node_kind; constant */
    struct bomp_edge inside[BOMP_NODE_EDGES]; /* the first edges */
    struct bomp_node *parked;                 /* below it in a mutex's stack; the mutex's holder */
    struct bomp_node *asks;                   /* its successor in a walk of depend_wait.c */
};

/* One that its creator holds open. No memory is fatal, here and below. */
struct bomp_node *bomp_node_new(struct bz_worker *self, enum bomp_node_kind kind);
/* The same for one that waits, on the stack. */
void bomp_node_init_wait(struct bomp_node *node, struct bz_worker *self);

void bomp_node_unref(struct bomp_node *node, struct bz_worker *self);

/* One more, or one less, place of the parent's table holds the node. Together they are one reference. */
static inline void bomp_node_hold(struct bomp_node *node) {
    node->held++;
}
static inline void bomp_node_drop(struct bomp_node *node, struct bz_worker *self) {
    if (--node->held == 0)
        bomp_node_unref(node, self);
}

/* Whether its task is complete; then the effects are visible. */
static inline bool bomp_node_is_complete(const struct bomp_node *node) {
    return bz_load_acquire(&node->successors) == BOMP_NODE_CLOSED; /* P1: pairs with P2 (all that it did) */
}

/* Creator: `node` waits for `predecessor`, unless that is complete. */
void bomp_node_link(struct bomp_node *node, struct bomp_node *predecessor);

/* Creator: all edges are there. True: the node is ready, and the caller continues with it. False: another thread will,
 * and the node may be gone. */
bool bomp_node_start(struct bomp_node *node);

/* In a team of one: an incomplete predecessor of an incomplete node. NULL: all are complete. */
struct bomp_node *bomp_node_blocker(struct bomp_node *node);

/* It is complete: releases its mutexes, makes nodes ready that waited for it alone, and drops its own reference. */
void bomp_node_complete(struct bomp_node *node, struct bz_worker *self);

/* The waiter no longer needs its node. */
void bomp_node_end_wait(struct bomp_node *node, struct bz_worker *self);

/* By a thread that has entered the domain as an external one: ready tasks go to the priority queue or to helper
 * threads. The references of the node and of JOINs remain: a worker drops the returned list by bomp_node_unref_owed. */
struct bomp_node *bomp_node_release(struct bomp_node *node, struct bz_domain *domain,
                                    struct bomp_member *self);
void bomp_node_unref_owed(struct bomp_node *owed, struct bz_worker *self);

#endif
