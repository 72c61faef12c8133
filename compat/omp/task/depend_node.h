/* A node: what a task is to those that depend on it and that it depends on. The protocol is in depend.md.
 *
 *   unmet       predecessors that are not complete; while the node is set up, far above that, so that it cannot be
 *               zero. Zero: met; then the mutexes of its mutexinoutsets are acquired one by one, then it is ready.
 *               No thread reads the zero: it is not stored
 *   successors  a stack of edges that the parent of the tasks adds to until the node is complete and closes it
 *
 * A node lives as long as its task is not complete or a table (depend_table.h) knows it. */
#ifndef BOMP_DEPEND_NODE_H
#define BOMP_DEPEND_NODE_H

#include "omp/base/tuning.h"
#include "omp/task/depend_mutex.h"
#include "omp/task/task.h"

/* From a predecessor to a successor. Lies in the successor, which cannot go before it has been followed. */
struct bomp_edge {
    struct bomp_edge *next; /* of the same predecessor; whoever closes it */
    struct bomp_node *to;   /* constant */
    /* The predecessor; NULL: it is complete. Written by the creator, then with that completion; read in a team of one. */
    struct bomp_node *from;
};

enum bomp_node_kind {
    BOMP_NODE_TASK, /* ready: the task is queued */
    BOMP_NODE_JOIN, /* no task: complete when it is ready */
    BOMP_NODE_WAIT, /* on the stack of a worker that waits for it, without successors */
    BOMP_NODE_SHOWN /* a TASK that the program looks at (depend_shown.h) */
};

struct bomp_node {
    char of_task[offsetof(struct bomp_task, refs)]; /* of a task's slab object; never written */
    struct bz_a32 refs;  /* until it is complete, and while it is held; lowered by whoever drops one */
    struct bz_a32 unmet; /* see above; lowered by its creator and by whoever completes a predecessor */
    uint32_t held;       /* places of the parent's table that know it; whoever has the table */
    union {              /* constant */
        struct bomp_task *task;
        struct bz_worker *waiter;
        struct bomp_node *owed; /* when that is over: see bomp_node_release */
    };
    struct {
        struct bomp_edge *v;
    } successors;                 /* pushed by the parent's thread, closed by whoever completes it */
    struct bomp_mutexes *mutexes; /* NULL: none. Written at creation */
    struct bomp_node *parked;     /* below it in a mutex's stack; the mutex's holder */
    struct bomp_edge *edges;      /* from its predecessors; creator only */
    uint32_t used;                /* of these; creator only, then bomp_node_blocker */
    struct bz_aflag ready;        /* WAIT: written by whoever makes it ready, read by the waiter */
    uint8_t kind; /* enum bomp_node_kind; constant, but that depend_shown.c makes a TASK a SHOWN */
    struct bomp_shown_node *shown; /* of a SHOWN; whoever shows it, then whoever completes it */
    struct bomp_node *asks;        /* what waits for it, in a team of one: see run_needed in task_special.c */
    struct bomp_edge few[BOMP_NODE_EDGES];
};

/* A node that a table will hold, held open by its creator, with room for `edges` edges to it. NULL: no memory. */
struct bomp_node *bomp_node_new(struct bz_worker *self, enum bomp_node_kind kind, size_t edges);
/* It is not used after all. */
void bomp_node_discard(struct bomp_node *node, struct bz_worker *self);
/* The same as bomp_node_new for one that waits, on the stack. False: no memory. */
bool bomp_node_init_wait(struct bomp_node *node, struct bz_worker *self, size_t edges);
void bomp_node_free_wait(struct bomp_node *node);

void bomp_node_unref(struct bomp_node *node, struct bz_worker *self);

/* The parent's table knows the node in one more place, in one less. All of them are one reference: one thread at a time has
 * the table. */
static inline void bomp_node_hold(struct bomp_node *node) {
    node->held++;
}
static inline void bomp_node_drop(struct bomp_node *node, struct bz_worker *self) {
    if (--node->held == 0)
        bomp_node_unref(node, self);
}

/* Whether all that it stands for has been done; then it is visible to the caller. */
bool bomp_node_is_complete(const struct bomp_node *node);

/* Creator: `node` has to wait for `predecessor`, unless that is complete. One of the edges that it was made with. */
void bomp_node_link(struct bomp_node *node, struct bomp_node *predecessor);

/* Creator: all edges are there. True: it is ready now, which is the caller's to see to; nobody else will. False: it will
 * be, by somebody else, and may be gone. */
bool bomp_node_start(struct bomp_node *node);

/* In a team of one, of a node that is not complete: one of its predecessors that is not either. NULL: there is none. */
struct bomp_node *bomp_node_blocker(struct bomp_node *node);

/* It is complete: lets its mutexes go, makes those ready that waited for it alone, and drops the reference of its own. */
void bomp_node_complete(struct bomp_node *node, struct bz_worker *self);

/* By a thread that is no worker of the domain, but inside it as an external one: it is complete. What is ready then is put
 * into the domain's priority queue, or goes to helpers. The references that it and JOINs have of their own are left: in the
 * list that is returned, for bomp_node_unref_owed, by a worker. */
struct bomp_node *bomp_node_release(struct bomp_node *node, struct bz_domain *domain,
                                    struct bomp_member *self);
void bomp_node_unref_owed(struct bomp_node *owed, struct bz_worker *self);

#endif
