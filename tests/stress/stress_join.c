/* stress_join.c: random trees of forks, joins, loops and scopes, by several external threads in one pool, compared with
 * the sum of a serial walk. */
#include "blitz.h"
#include "blitz/cilk.h"
#include "stress.h"

/* The seed determines the tree: each node has a random number of children and runs each in a random way. */
struct node {
    uint64_t seed;
    unsigned depth;
    uint64_t sum; /* written by the walker */
};

enum { MOST_CHILDREN = 5, MANNERS = 6, LOOP = 300 };

static uint64_t mix(uint64_t x) {
    return stress_random(&(struct stress_rng){x}, UINT32_MAX);
}

static unsigned children_of(const struct node *node, struct node *children) {
    unsigned n = node->depth == 0 ? 0 : (unsigned)(mix(node->seed) % (MOST_CHILDREN + 1));
    for (unsigned i = 0; i < n; i++)
        children[i] = (struct node){mix(node->seed + i + 1), node->depth - 1, 0};
    return n;
}

static uint64_t own_value(const struct node *node) {
    return mix(node->seed ^ 77);
}

static uint64_t loop_value(const struct node *node, size_t i) {
    return mix(node->seed + i) % 1000;
}

static void walk_serially(struct node *node) {
    struct node children[MOST_CHILDREN];
    unsigned n = children_of(node, children);
    node->sum = own_value(node);
    for (unsigned i = 0; i < n; i++) {
        walk_serially(&children[i]);
        node->sum += children[i].sum * (i + 1);
    }
    if (mix(node->seed) % MANNERS == 5)
        for (size_t i = 0; i < LOOP; i++)
            node->sum += loop_value(node, i);
}

static void walk(void *arg);

/* ---- ways to run children ---- */

static void by_join(struct node *children, unsigned n) {
    unsigned i = 0;
    for (; i + 1 < n; i += 2)
        blitz_join(walk, &children[i], walk, &children[i + 1]);
    if (i < n)
        walk(&children[i]);
}

static void by_forks(struct node *children, unsigned n, bool in_order) {
    blitz_frame frames[MOST_CHILDREN];
    for (unsigned i = 0; i < n; i++)
        blitz_fork(&frames[i], walk, &children[i]);
    for (unsigned i = 0; i < n; i++)
        blitz_sync(&frames[in_order ? i : n - 1 - i]);
}

static void by_scope(struct node *children, unsigned n) {
    blitz_scope scope;
    blitz_scope_begin(&scope);
    for (unsigned i = 0; i < n; i++)
        blitz_scope_spawn(&scope, walk, &children[i]);
    blitz_scope_wait(&scope);
}

/* A task of a scope that spawns its right neighbour before it works itself. */
struct link {
    blitz_scope *scope;
    struct node *children;
    unsigned at, n;
    struct link *links;
};

static void walk_link(void *arg) {
    struct link *link = arg;
    if (link->at + 1 < link->n)
        blitz_scope_spawn(link->scope, walk_link, &link->links[link->at + 1]);
    walk(&link->children[link->at]);
}

static void by_chain(struct node *children, unsigned n) {
    blitz_scope scope;
    struct link links[MOST_CHILDREN];
    for (unsigned i = 0; i < n; i++)
        links[i] = (struct link){&scope, children, i, n, links};
    blitz_scope_begin(&scope);
    if (n > 0)
        blitz_scope_spawn(&scope, walk_link, &links[0]);
    blitz_scope_wait(&scope);
}

BLITZ_VOID_TASK_1(walk_task, struct node *, node) {
    struct node children[MOST_CHILDREN];
    unsigned n = children_of(node, children);
    node->sum = own_value(node);
    BLITZ_TASK_FRAME(walk_task) frames[MOST_CHILDREN];
    for (unsigned i = 0; i < n; i++)
        BLITZ_FORK_AT(walk_task, &frames[i], &children[i]);
    for (unsigned i = n; i-- > 0;) {
        BLITZ_SYNC_AT(walk_task, &frames[i]);
        node->sum += children[i].sum * (i + 1);
    }
    if (mix(node->seed) % MANNERS == 5)
        for (size_t i = 0; i < LOOP; i++)
            node->sum += loop_value(node, i);
}

static int walk_range(size_t lo, size_t hi, void *ctx) {
    for (size_t i = lo; i < hi; i++)
        walk(&((struct node *)ctx)[i]);
    return 0;
}

static int add_values(size_t lo, size_t hi, void *value, void *ctx) {
    for (size_t i = lo; i < hi; i++)
        *(uint64_t *)value += loop_value(ctx, i);
    return 0;
}

static void add_sums(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(uint64_t *)left += *(const uint64_t *)right;
}

static void walk(void *arg) {
    static const uint64_t zero;
    static const blitz_reduce_op op = {sizeof zero, &zero, add_values, add_sums};
    struct node *node = arg, children[MOST_CHILDREN];
    unsigned n = children_of(node, children);
    uint64_t looped = 0;
    if (mix(node->seed ^ 33) % 16 == 0)
        sched_yield(); /* let thieves in, with more threads than CPUs */
    switch (mix(node->seed ^ 99) % MANNERS) {
    case 0:
        by_join(children, n);
        break;
    case 1:
        by_forks(children, n, false);
        break;
    case 2:
        by_forks(children, n, true);
        break;
    case 3:
        by_scope(children, n);
        break;
    case 4:
        by_chain(children, n);
        break;
    default:
        if (n > 0 && mix(node->seed ^ 55) % 2) {
            walk_task(node);
            return;
        }
        stress_check(blitz_for(0, n, 0, walk_range, children) == 0);
    }
    if (mix(node->seed) % MANNERS == 5)
        stress_check(blitz_reduce(0, LOOP, 0, &op, node, &looped) == 0);
    node->sum = own_value(node) + looped;
    for (unsigned i = 0; i < n; i++)
        node->sum += children[i].sum * (i + 1);
}

/* ---- rounds ---- */

static void walk_trees(unsigned thread, void *arg) {
    struct stress_rng rng = stress_rng(thread);
    (void)arg;
    for (unsigned i = 0; i < stress_scaled(60); i++) {
        struct node serial = {stress_random(&rng, UINT32_MAX), 9, 0}, parallel = serial;
        walk_serially(&serial);
        walk(&parallel);
        stress_check(parallel.sum == serial.sum);
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    blitz_config config = {.workers = stress.threads};
    stress_check(blitz_configure(&config) == 0);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        stress_part("one outside thread");
        walk_trees(0, NULL);
        stress_part("some outside threads");
        stress_run(3, walk_trees, NULL);
        char line[256];
        blitz_stats_line(NULL, line, sizeof line);
        puts(line);
        stress_part("shutdown");
        stress_check(blitz_shutdown() == 0);
    }
    puts("done");
}
