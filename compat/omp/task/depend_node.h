/* A node represents a task in the graph of dependences. The protocol is in depend.md.
 *
 *   unmet       incomplete predecessors; during set-up a large number more, so that it cannot reach zero. At zero the
 *               node acquires the mutexes of its mutexinoutsets one by one, and then is ready. The zero is not stored
 *   successors  a stack of edges that the parent of the tasks adds to until the node is complete and closes it
 *
 * A node lives as long as its task is not complete or a table (depend_table.h) knows it. */
#ifndef BOMP_DEPEND_NODE_H
#define BOMP_DEPEND_NODE_H

#include "omp/base/tuning.h"
#include "omp/task/depend_mutex.h"
#include "omp/task/task.h"

/* From a predecessor to a successor. Part of the successor, which stays until its edges have been followed. */
struct bomp_edge {
    struct bomp_edge *next; /* of the same predecessor; the thread that closes it */
    struct bomp_node *to;   /* constant */
    /* The predecessor; NULL: it is complete. Written by the creator, then with that completion; read in a team of one. */
    struct bomp_node *from;
};

enum bomp_node_kind {
    BOMP_NODE_TASK, /* ready: the task is queued */
    BOMP_NODE_JOIN, /* no task: complete when it is ready */
    BOMP_NODE_WAIT  /* on the stack of a worker that waits for it, without successors */
};

struct bomp_node {
    char of_task[offsetof(struct bomp_task, refs)]; /* of a task's slab object; never written */
    struct bz_a32 refs;  /* until it is complete, and while it is held; lowered by each dropper */
    struct bz_a32 unmet; /* see above; lowered by its creator and by threads that complete predecessors */
    uint32_t held;       /* places of the parent's table that hold it; the parent's thread */
    union {              /* constant */
        struct bomp_task *task;
        struct bz_worker *waiter;
        struct bomp_node *owed; /* after its end: see bomp_node_release */
    };
    struct {
        struct bomp_edge *v;
    } successors;                 /* pushed by the parent's thread, closed by the completing one */
    struct bomp_mutexes *mutexes; /* NULL: none. Written at creation */
    struct bomp_node *parked;     /* below it in a mutex's stack; the mutex's holder */
    struct bomp_edge *edges;      /* from its predecessors; creator only */
    uint32_t used;                /* of these; creator only, then bomp_node_blocker */
    struct bz_aflag ready;        /* WAIT: written by the thread that makes it ready, read by the waiter */
    uint8_t kind;                 /* enum bomp_node_kind; constant */
    struct bomp_node *asks;       /* its successor in a walk of depend_wait.c, in a team of one */
    struct bomp_edge inside[BOMP_NODE_EDGES]; /* `edges`, if they suffice */
};

/* A node for a table, which its creator holds open, with room for `edges` incoming edges. NULL: no memory. */
struct bomp_node *bomp_node_new(struct bz_worker *self, enum bomp_node_kind kind, size_t edges);
/* Frees an unused one. */
void bomp_node_discard(struct bomp_node *node, struct bz_worker *self);
/* The same as bomp_node_new for one that waits, on the stack. False: no memory. */
bool bomp_node_init_wait(struct bomp_node *node, struct bz_worker *self, size_t edges);
void bomp_node_free_wait(struct bomp_node *node);

void bomp_node_unref(struct bomp_node *node, struct bz_worker *self);

/* The parent's table holds the node in one more place, in one less. Together they are one reference: only the parent's
 * thread has the table. */
static inline void bomp_node_hold(struct bomp_node *node) {
    node->held++;
}
static inline void bomp_node_drop(struct bomp_node *node, struct bz_worker *self) {
    if (--node->held == 0)
        bomp_node_unref(node, self);
}

/* Whether its task is complete; if so, the effects are visible to the caller. */
bool bomp_node_is_complete(const struct bomp_node *node);

/* Creator: `node` waits for `predecessor`, unless that is complete. Uses one of the edges that it was made with. */
void bomp_node_link(struct bomp_node *node, struct bomp_node *predecessor);

/* Creator: all edges are there. True: it is ready, and the caller handles it. False: another thread does, sooner or
 * later, and it may be gone. */
bool bomp_node_start(struct bomp_node *node);

/* In a team of one: an incomplete predecessor of an incomplete node. NULL: all are complete. */
struct bomp_node *bomp_node_blocker(struct bomp_node *node);

/* It is complete: releases its mutexes, makes nodes ready that waited for it alone, and drops its own reference. */
void bomp_node_complete(struct bomp_node *node, struct bz_worker *self);

/* The same by a thread that has entered the domain as an external one. Ready tasks are put into the domain's priority queue
 * or given to helper threads. Its own reference and those of JOINs remain: a worker drops the returned list of them by
 * bomp_node_unref_owed. */
struct bomp_node *bomp_node_release(struct bomp_node *node, struct bz_domain *domain,
                                    struct bomp_member *self);
void bomp_node_unref_owed(struct bomp_node *owed, struct bz_worker *self);

#endif
