#include "omp/task/depend_node.h"

#include <string.h>

#include "omp/task/hidden_helper.h"
#include "omp/task/task_inner.h"
#include "omp/tool/hooks.h"

#define CLOSED ((struct bomp_edge *)(uintptr_t)1)

/* In `unmet` while the node is set up: more than there are edges. */
#define OPEN (UINT32_C(1) << 31)

_Static_assert(sizeof(struct bomp_node) <= 312, "a node shall fit into a slab object of 320 bytes");

static bool init(struct bomp_node *node, enum bomp_node_kind kind, size_t edges) {
    node->edges = node->inside;
    if (edges > BOMP_NODE_EDGES && !(node->edges = bz_alloc_zero(edges, sizeof *node->edges)))
        return false;
    bz_store_relaxed(&node->refs, kind == BOMP_NODE_WAIT ? 1 : 2); /* relaxed, all: published with an edge */
    bz_store_relaxed(&node->unmet, OPEN);
    bz_store_relaxed(&node->successors, NULL);
    bz_store_relaxed(&node->ready, false);
    node->kind = (uint8_t)kind;
    node->task = NULL;
    node->mutexes = NULL;
    node->used = 0;
    node->held = 0;
    return true;
}

static void free_parts(struct bomp_node *node) {
    if (node->mutexes)
        bomp_mutexes_free(node->mutexes);
    if (node->edges != node->inside)
        bz_free(node->edges);
    node->mutexes = NULL;
    node->edges = node->inside;
}

/* Behind it lies a copy of the tools' data of its task: successors may come after the task is complete. */
BZ_COLD static struct bomp_node *node_alloc_observed(struct bz_worker *self) {
    struct bomp_node *node = bz_worker_alloc(self, sizeof *node + sizeof(struct bomp_tool_words));
    const struct bomp_member *member = bz_worker_context(self);
    if (node && member && member->tool.creates)
        memcpy(node + 1, &member->tool.creates->words, sizeof(struct bomp_tool_words));
    return node;
}

struct bomp_node *bomp_node_new(struct bz_worker *self, enum bomp_node_kind kind, size_t edges) {
    struct bomp_node *node =
        bz_unlikely(bomp_hooks) ? node_alloc_observed(self) : bz_worker_alloc(self, sizeof *node);
    if (!node || init(node, kind, edges))
        return node;
    bz_worker_free(self, node);
    return NULL;
}

bool bomp_node_init_wait(struct bomp_node *node, struct bz_worker *self, size_t edges) {
    if (!init(node, BOMP_NODE_WAIT, edges))
        return false;
    node->waiter = self;
    return true;
}

void bomp_node_free_wait(struct bomp_node *node) {
    free_parts(node);
}

void bomp_node_discard(struct bomp_node *node, struct bz_worker *self) {
    free_parts(node);
    bz_worker_free(self, node);
}

void bomp_node_unref(struct bomp_node *node, struct bz_worker *self) {
    if (bz_load_acquire(&node->refs) != 1 && /* P4: pairs with P4. The last one need not lower the count */
        bz_fetch_sub_acq_rel(&node->refs, 1) != 1) /* P4: pairs with P4 (what others did with it) */
        return;
    bomp_node_discard(node, self);
}

bool bomp_node_is_complete(const struct bomp_node *node) {
    return bz_load_acquire(&node->successors) == CLOSED; /* P1: pairs with P2 (all that it did) */
}

void bomp_node_link(struct bomp_node *node, struct bomp_node *predecessor) {
    struct bomp_edge *edge = &node->edges[node->used];
    struct bomp_edge *head = bz_load_acquire(&predecessor->successors); /* P1: pairs with P2 */
    edge->to = node;
    edge->from = predecessor;
    do {
        if (head == CLOSED)
            return;
        edge->next = head;
    } while (!bz_cas_acq_rel(&predecessor->successors, &head, edge)); /* P1: pairs with P2 */
    node->used++;
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->task->depend(predecessor);
}

/* Lowers `unmet`. True: it is ready, and the caller handles it. */
static bool lower(struct bomp_node *node, uint32_t by) {
    if (bz_load_acquire(&node->unmet) != by && /* P3: pairs with P3. The last one need not lower the count */
        bz_fetch_sub_acq_rel(&node->unmet, by) != by) /* P3: pairs with P3 (what all predecessors did) */
        return false;
    return !node->mutexes || bomp_mutexes_acquire(node->mutexes, node);
}

bool bomp_node_start(struct bomp_node *node) {
    return lower(node, OPEN - node->used);
}

struct bomp_node *bomp_node_blocker(struct bomp_node *node) {
    while (node->used > 0 && !node->edges[node->used - 1].from)
        node->used--;
    return node->used > 0 ? node->edges[node->used - 1].from : NULL;
}

static void wake(struct bomp_node *node) {
    struct bz_worker *waiter = node->waiter; /* read first: it may go on, and take the node with it */
    bz_store_release(&node->ready, true);    /* P5: pairs with P6 */
    bz_worker_wake(waiter);
}

static void ready(struct bomp_node *node, void *self) {
    switch ((enum bomp_node_kind)node->kind) {
    case BOMP_NODE_TASK:
        bomp_task_queue(self, node->task);
        break;
    case BOMP_NODE_JOIN:
        bomp_node_complete(node, self);
        break;
    case BOMP_NODE_WAIT:
        wake(node);
        break;
    }
}

BZ_INLINE void follow(struct bomp_node *node, void (*ready_)(struct bomp_node *, void *), void *arg) {
    if (node->mutexes)
        bomp_mutexes_release(node->mutexes, ready_, arg);
    free_parts(node); /* a table may hold it for long; all of its incoming edges have been followed */
    struct bomp_edge *edge = bz_exchange_acq_rel(&node->successors, CLOSED); /* P2: pairs with P1 */
    while (edge) {
        struct bomp_edge *next = edge->next; /* read first: the edge goes with the successor */
        struct bomp_node *to = edge->to;
        edge->from = NULL;
        if (lower(to, 1))
            ready_(to, arg);
        edge = next;
    }
}

/* A node on a stack belongs to its waiter. */
BZ_INLINE void end(struct bomp_node *node, struct bz_worker *self) {
    if (bz_likely(node->kind != BOMP_NODE_WAIT))
        bomp_node_unref(node, self);
}

void bomp_node_complete(struct bomp_node *node, struct bz_worker *self) {
    follow(node, ready, self);
    end(node, self);
}

/* ---- by a thread of another team ---- */

struct release {
    struct bz_domain *domain;
    struct bomp_member *self;
    struct bomp_node *owed; /* the last one first */
};

static void ready_apart(struct bomp_node *node, void *arg) {
    struct release *release = arg;
    switch ((enum bomp_node_kind)node->kind) {
    case BOMP_NODE_TASK:
        node->task->extra->item.job = &node->task->job; /* it has an extra part: it had to wait */
        if (node->task->extra->helped)
            bomp_hidden_helpers_submit(release->self, node->task);
        else
            bz_domain_put_from_outside(release->domain, &node->task->extra->item);
        break;
    case BOMP_NODE_JOIN:
        follow(node, ready_apart, release);
        node->owed = release->owed;
        release->owed = node;
        break;
    case BOMP_NODE_WAIT:
        wake(node);
        break;
    }
}

struct bomp_node *bomp_node_release(struct bomp_node *node, struct bz_domain *domain,
                                    struct bomp_member *self) {
    struct release release = {domain, self, NULL};
    follow(node, ready_apart, &release);
    node->owed = release.owed;
    return node;
}

void bomp_node_unref_owed(struct bomp_node *owed, struct bz_worker *self) {
    while (owed) {
        struct bomp_node *next = owed->owed;
        end(owed, self);
        owed = next;
    }
}
