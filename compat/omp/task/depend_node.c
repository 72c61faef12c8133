#include "omp/task/depend_node.h"

#include "omp/task/hidden_helper.h"
#include "omp/task/task_inner.h"
#include "omp/tool/hooks.h"

/* In `unmet` while the node is set up: more than there are edges. */
#define OPEN (UINT32_C(1) << 31)

_Static_assert(sizeof(struct bomp_task_extra) <= 312,
               "an extra part shall fit into a slab object of 320 bytes");

void bomp_node_init(struct bomp_node *node, enum bomp_node_kind kind, void *of) {
    bz_store_relaxed(&node->refs, 2); /* relaxed, all: published with an edge */
    bz_store_relaxed(&node->unmet, OPEN);
    bz_store_relaxed(&node->successors, NULL);
    bz_store_relaxed(&node->ready, false);
    node->waiter = of;
    node->mutexes = NULL;
    node->edges = NULL;
    node->free = node->inside;
    node->blocks = NULL;
    node->room = BOMP_NODE_EDGES;
    node->used = node->held = 0;
    node->kind = (uint8_t)kind;
}

struct bomp_node *bomp_node_new_join(struct bz_worker *self) {
    struct bomp_task_extra *extra = bz_worker_alloc(self, sizeof *extra);
    if (bz_unlikely(!extra))
        bomp_no_memory("the dependences of a task");
    extra->tool = NULL;
    bomp_node_init(&extra->node, BOMP_NODE_JOIN, NULL);
    return &extra->node;
}

void bomp_node_unref(struct bomp_node *node, struct bz_worker *self) {
    if (bz_load_acquire(&node->refs) != 1 && /* P4: pairs with P4. The last one need not lower the count */
        bz_fetch_sub_acq_rel(&node->refs, 1) != 1) /* P4: pairs with P4 (what others did with it) */
        return;
    bz_worker_free(self, bz_container_of(node, struct bomp_task_extra, node));
}

BZ_COLD static void add_room(struct bomp_node *node) {
    uint32_t room = 4 * node->used;
    struct bomp_edges *block =
        bomp_scratch(sizeof *block + room * sizeof block->edges[0], "the dependences of a task");
    block->next = node->blocks;
    node->blocks = block;
    node->free = block->edges;
    node->room = room;
}

void bomp_node_link(struct bomp_node *node, struct bomp_node *predecessor) {
    struct bomp_edge *head = bz_load_acquire(&predecessor->successors); /* P1: pairs with P2 */
    /* Nodes are linked one at a time, so if it has an edge from there already, this is the newest. */
    bool again = (uintptr_t)head - (uintptr_t)node < sizeof *node;
    if (head == BOMP_NODE_CLOSED || again)
        return;
    if (bz_unlikely(node->room == 0))
        add_room(node);
    struct bomp_edge *edge = node->free;
    edge->to = node;
    edge->from = predecessor;
    edge->other = node->edges;
    do {
        if (head == BOMP_NODE_CLOSED)
            return;
        edge->next = head;
    } while (!bz_cas_acq_rel(&predecessor->successors, &head, edge)); /* P1: pairs with P2 */
    node->edges = edge;
    node->free++;
    node->room--;
    node->used++;
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->task->depend(predecessor);
}

/* Lowers `unmet`. True: the node is ready, and the caller continues with it. */
BZ_INLINE bool lower(struct bomp_node *node, uint32_t by) {
    if (bz_load_acquire(&node->unmet) != by && /* P3: pairs with P3. The last one need not lower the count */
        bz_fetch_sub_acq_rel(&node->unmet, by) != by) /* P3: pairs with P3 (what all predecessors did) */
        return false;
    return !node->mutexes || bomp_mutexes_acquire(node->mutexes, node);
}

bool bomp_node_start(struct bomp_node *node) {
    return lower(node, OPEN - node->used);
}

struct bomp_node *bomp_node_blocker(struct bomp_node *node) {
    while (node->edges && !node->edges->from)
        node->edges = node->edges->other;
    return node->edges ? node->edges->from : NULL;
}

static void wake(struct bomp_node *node) {
    struct bz_worker *waiter = node->waiter; /* read first: it may go on, and take the node with it */
    bz_store_release(&node->ready, true);    /* P5: pairs with P6 */
    bz_worker_wake(waiter);
}

static void ready(struct bomp_node *node, void *self) {
    if (bz_likely(node->kind == BOMP_NODE_TASK))
        bomp_task_queue(self, node->task);
    else if (node->kind == BOMP_NODE_WAIT)
        wake(node);
    else
        bomp_node_complete(node, self);
}

/* A table may hold it for long, but its incoming edges have been followed. */
BZ_INLINE void release(struct bomp_node *node, void (*ready_)(struct bomp_node *, void *), void *arg) {
    if (bz_unlikely(node->mutexes)) {
        bomp_mutexes_release(node->mutexes, ready_, arg);
        bomp_mutexes_free(node->mutexes);
    }
    node->mutexes = NULL;
    while (bz_unlikely(node->blocks)) {
        struct bomp_edges *block = node->blocks;
        node->blocks = block->next;
        bz_free(block);
    }
}

BZ_INLINE void follow(struct bomp_node *node, void (*ready_)(struct bomp_node *, void *), void *arg) {
    release(node, ready_, arg);
    struct bomp_edge *edge = bz_exchange_acq_rel(&node->successors, BOMP_NODE_CLOSED); /* P2: pairs with P1 */
    while (edge) {
        struct bomp_edge *next = edge->next; /* read first: the edge goes with the successor */
        struct bomp_node *to = edge->to;
        edge->from = NULL;
        if (lower(to, 1))
            ready_(to, arg);
        edge = next;
    }
}

void bomp_node_complete(struct bomp_node *node, struct bz_worker *self) {
    follow(node, ready, self);
    if (node->kind != BOMP_NODE_TASK)
        bomp_node_unref(node, self);
}

void bomp_node_end_wait(struct bomp_node *node, struct bz_worker *self) {
    release(node, ready, self);
}

/* ---- by a thread of another team ---- */

struct apart {
    struct bz_domain *domain;
    struct bomp_member *self;
    struct bomp_node *owed; /* the last one first */
};

static void ready_apart(struct bomp_node *node, void *arg) {
    struct apart *apart = arg;
    if (node->kind == BOMP_NODE_TASK) {
        struct bomp_task_extra *extra = bomp_task_extra(node->task, NULL);
        extra->item.job = &node->task->job;
        if (extra->helped)
            bomp_hidden_helpers_submit(apart->self, node->task);
        else
            bz_domain_put_from_outside(apart->domain, &extra->item);
    } else if (node->kind == BOMP_NODE_WAIT) {
        wake(node);
    } else {
        follow(node, ready_apart, apart);
        node->owed = apart->owed;
        apart->owed = node;
    }
}

void bomp_node_release(struct bomp_node *node, struct bz_domain *domain, struct bomp_member *self) {
    struct apart apart = {domain, self, NULL};
    follow(node, ready_apart, &apart);
    node->owed = apart.owed;
}

void bomp_node_unref_owed(struct bomp_node *owed, struct bz_worker *self) {
    while (owed) {
        struct bomp_node *next = owed->owed;
        bomp_node_unref(owed, self);
        owed = next;
    }
}
