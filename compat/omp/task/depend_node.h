/* A task in the graph of dependences: depend.md. A node lives until its task is freed and no table (depend_table.h) holds
 * it. */
#ifndef BOMP_DEPEND_NODE_H
#define BOMP_DEPEND_NODE_H

#include "omp/base/tuning.h"
#include "omp/task/depend_mutex.h"

struct bomp_task;
struct bomp_member;

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

/* But for a WAIT, part of a struct bomp_task_extra. */
struct bomp_node {
    struct bz_a32 refs; /* its task's, or until a JOIN is complete; while it is held. Lowered by any thread */
    struct bz_a32 unmet; /* incomplete predecessors; lowered by its creator and by those that complete them */
    uint32_t held;       /* places of the table that hold it; the parent's thread */
    uint32_t room, used; /* edges behind `free`, and those in use; creator only */
    struct bz_aflag ready; /* WAIT: written by the thread that makes it so, read by the waiter */
    uint8_t kind;          /* enum bomp_node_kind; constant */
    union {                /* constant */
        struct bomp_task *task;
        struct bz_worker *waiter;
        struct bomp_node *owed; /* after its end: see bomp_node_release */
    };
    struct {
        struct bomp_edge *v;
    } successors;                 /* a stack: the parent's thread pushes, the completing one closes */
    struct bomp_mutexes *mutexes; /* or NULL. Written at creation */
    struct bomp_edge *edges;      /* from its predecessors; creator only, then bomp_node_blocker */
    struct bomp_edge *free;       /* room for more edges; creator only */
    struct bomp_edges *blocks;    /* creator, then the completing thread */
    struct bomp_node *asks;       /* its successor in a walk of depend_wait.c */
    struct bomp_edge inside[BOMP_NODE_EDGES]; /* the first edges */
};

/* Its creator holds it open. `of`: its task or waiter. */
void bomp_node_init(struct bomp_node *node, enum bomp_node_kind kind, void *of);
struct bomp_node *bomp_node_new_join(struct bz_worker *self); /* no memory is fatal, here and below */

/* The last one frees the extra part that it is in. */
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

/* It is complete: releases its mutexes, and makes nodes ready that waited for it alone. A task's reference remains. */
void bomp_node_complete(struct bomp_node *node, struct bz_worker *self);

/* The waiter no longer needs its node. */
void bomp_node_end_wait(struct bomp_node *node, struct bz_worker *self);

/* By a thread that has entered the domain as an external one: ready tasks go to the priority queue or to helper
 * threads. The references of JOINs remain: a worker drops the list `owed` by bomp_node_unref_owed. */
void bomp_node_release(struct bomp_node *node, struct bz_domain *domain, struct bomp_member *self);
void bomp_node_unref_owed(struct bomp_node *owed, struct bz_worker *self);

#endif
