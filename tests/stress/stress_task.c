/* stress_task.c: random trees of tasks in random teams. A tree is a number of nodes. Each node is a task that divides
 * the remaining nodes among its children, then waits for them in some way or not at all. A node knows what it must
 * find:
 *
 *   numbers     a subtree has consecutive numbers: the nodes of each taskgroup and region are counted at its end
 *   tied tasks  a thread that waits in a node runs only that node's subtree: its range is in a thread-local.
 *               No task yields: tasks that yield would go on in between (soak has these)
 *   arguments   of random size and alignment, every byte, copied or not; whether it is final
 *   ICVs        those of its creator at its creation
 *   identity    and thread number, the same from start to end
 *   results     written without atomics by children, read by their parent after a taskwait */
#include "stress.h"

#include "omp/task/task.h"
#include "omp/team/caller.h"
#include "omp/team/team.h"

#define NODES 20000
#define CHILDREN 8
#define PRODUCER 600 /* children of a node with very many */

/* Counts the nodes of a taskgroup or region. */
struct sink {
    struct bz_a32 nodes;
};

struct range {
    uint32_t first, end;
};

/* A node, at the start of its arguments; `size` bytes of pattern follow. */
struct node {
    uint64_t seed;
    struct range range; /* numbers of its subtree, its own first */
    struct sink *sink;
    uint32_t *result; /* for its parent, or NULL */
    uint32_t size, align;
    uint32_t threads; /* an ICV */
    bool final;
    unsigned char pattern[];
};

static _Thread_local struct range may_run = {0, UINT32_MAX};

static void run_node(const struct node *node);

static unsigned char pattern_of(const struct node *node, uint32_t i) {
    return (unsigned char)(node->range.first * 7 + i * 13);
}

/* ---- arguments ---- */

static struct node *node_new(uint32_t size, uint32_t align) {
    struct node *node = aligned_alloc(128, (sizeof *node + size + 127) / 128 * 128);
    stress_check(node);
    node->size = size;
    node->align = align;
    return node;
}

static void fill(struct node *node) {
    for (uint32_t i = 0; i < node->size; i++)
        node->pattern[i] = pattern_of(node, i);
}

static void copy_node(void *to, void *from) {
    const struct node *node = *(struct node **)from; /* another layout: a pointer to the original */
    memcpy(to, node, sizeof *node);
    fill(to);
    stress_check(bomp_in_final() == node->final);
    stress_check(bomp_icv()->threads == node->threads);
}

static void body(void *data) {
    const struct node *node = data;
    stress_check((uintptr_t)node % node->align == 0);
    for (uint32_t i = 0; i < node->size; i++)
        stress_check(node->pattern[i] == pattern_of(node, i));
    run_node(node);
}

/* ---- a node's children ---- */

struct family {
    const struct node *node;
    struct stress_rng rng;
    struct range left; /* numbers of further children */
    uint32_t threads;  /* the current value of the ICV */
    struct sink *sink;
    uint32_t results[CHILDREN];
};

static void maybe_change_icv(struct family *family) {
    if (stress_random(&family->rng, 8) == 0)
        bomp_icv_own()->threads = family->threads = 1 + stress_random(&family->rng, 100);
}

static void create_child(struct family *family, uint32_t nodes, uint32_t *result) {
    static const uint32_t sizes[] = {0, 0, 0, 30, 200, 850, 3000};
    static const uint32_t aligns[] = {8, 8, 16, 64, 128};
    struct stress_rng *rng = &family->rng;
    struct node *child = node_new(sizes[stress_random(rng, 7)], aligns[stress_random(rng, 5)]);
    struct bomp_task_spec spec = {.fn = body, .data = child, .size = sizeof *child + child->size};
    spec.align = child->align;
    spec.undeferred = stress_random(rng, 4) == 0;
    spec.final = stress_random(rng, 20) == 0;
    child->seed = family->rng.state ^ (uint64_t)family->left.first << 32;
    child->range = (struct range){family->left.first, family->left.first + nodes};
    family->left.first += nodes;
    child->sink = family->sink;
    child->result = result;
    child->threads = family->threads;
    child->final = spec.final || family->node->final;
    if (stress_random(rng, 5) == 0) {
        spec.copy = copy_node;
        spec.data = &child;
    } else {
        fill(child);
    }
    if (!spec.copy && !spec.undeferred && !spec.final)
        bomp_task_plain(body, child, NULL, spec.size, spec.align, false);
    else
        bomp_task_create(&spec);
    free(child);
}

/* Creates children for some of the remaining nodes, at least one. */
static void create_children(struct family *family, bool results) {
    uint32_t nodes = family->left.end - family->left.first;
    bool many = !results && nodes > PRODUCER && stress_random(&family->rng, 40) == 0;
    uint32_t count = many ? PRODUCER : 2 + stress_random(&family->rng, CHILDREN - 2);
    for (uint32_t i = 0; i < count && nodes > 0; i++) {
        uint32_t part = i + 1 == count ? nodes : 1 + stress_random(&family->rng, 1 + 2 * nodes / (count - i));
        part = part < nodes ? part : nodes;
        maybe_change_icv(family);
        create_child(family, part, results ? &family->results[i] : NULL);
        nodes -= part;
    }
}

/* ---- waiting ---- */

static void wait_in(const struct node *node, void (*wait)(void)) {
    struct range outer = may_run;
    may_run = node->range;
    wait();
    stress_check(may_run.first == node->range.first);
    may_run = outer;
}

static void children_and_taskwait(struct family *family) {
    uint32_t first = family->left.first;
    memset(family->results, 0, sizeof family->results);
    create_children(family, true);
    wait_in(family->node, bomp_taskwait);
    uint32_t sum = 0;
    for (unsigned i = 0; i < CHILDREN; i++)
        sum += family->results[i];
    stress_check(sum == family->left.first - first);
}

static void children_in_taskgroup(struct family *family) {
    struct sink sink = {{0}}, *outer = family->sink;
    uint32_t first = family->left.first;
    family->sink = &sink;
    bomp_taskgroup_start();
    create_children(family, false);
    wait_in(family->node, bomp_taskgroup_end);
    family->sink = outer;
    stress_check(bz_load_relaxed(&sink.nodes) == family->left.first - first);
    bz_fetch_add_relaxed(&outer->nodes, family->left.first - first);
}

/* ---- nested regions ---- */

struct region {
    struct sink sink;
    uint64_t seed;
    struct range range;
    uint32_t threads; /* an ICV */
};

/* Runs half of the nodes, a barrier, and the other half in a taskgroup. */
static void two_halves(struct region *region, struct node node) {
    uint32_t end = node.range.end;
    uint32_t half = node.range.first + (end - node.range.first) / 2;
    struct sink sink = {{0}};
    node.range.end = half;
    run_node(&node);
    bomp_barrier();
    node = (struct node){.seed = ~node.seed, .range = {half, end}, .sink = &sink};
    node.threads = bomp_icv()->threads;
    bomp_taskgroup_start();
    run_node(&node);
    bomp_taskgroup_end();
    stress_check(bz_load_relaxed(&sink.nodes) == end - half);
    bz_fetch_add_relaxed(&region->sink.nodes, end - half);
}

static void implicit(void *data) {
    struct region *region = data;
    struct range outer = may_run;
    uint64_t nodes = region->range.end - region->range.first;
    uint32_t size = (uint32_t)bomp_num_threads(), num = (uint32_t)bomp_thread_num();
    struct node node = {.seed = region->seed + num, .sink = &region->sink, .threads = region->threads};
    node.range.first = region->range.first + (uint32_t)(nodes * num / size);
    node.range.end = region->range.first + (uint32_t)(nodes * (num + 1) / size);
    may_run = region->range; /* where it does not wait in the node */
    if (region->seed % 3 == 0)
        two_halves(region, node);
    else
        run_node(&node);
    may_run = outer;
}

/* There are at least two nodes for every member. */
static void run_region(struct range range, uint64_t seed, uint32_t threads, unsigned size,
                       struct sink *sink) {
    struct region region = {.seed = seed, .range = range, .threads = threads};
    struct range outer = may_run;
    bomp_parallel(implicit, &region, size);
    stress_check(may_run.first == outer.first && may_run.end == outer.end);
    stress_check(bz_load_relaxed(&region.sink.nodes) == range.end - range.first);
    if (sink)
        bz_fetch_add_relaxed(&sink->nodes, range.end - range.first);
}

static void nested_region(struct family *family) {
    struct range range = family->left;
    unsigned size = 1 + stress_random(&family->rng, 3);
    if (range.end - range.first > 400)
        range.end = range.first + 400;
    if (range.end - range.first < 2 * size)
        return;
    family->left.first = range.end;
    run_region(range, family->rng.state, family->threads, size, family->sink);
}

static void run_node(const struct node *node) {
    uint32_t first = node->range.first;
    struct family family = {.node = node, .rng = {node->seed}, .left = {first + 1, node->range.end}};
    uintptr_t id = bomp_task_number();
    int num = bomp_thread_num();
    family.threads = node->threads;
    family.sink = node->sink;
    stress_check(first >= may_run.first && node->range.end <= may_run.end);
    stress_check(bomp_icv()->threads == node->threads);
    stress_check(bomp_in_final() == node->final);
    while (family.left.first < family.left.end) {
        uint32_t kind = stress_random(&family.rng, 64);
        if (kind == 0)
            nested_region(&family);
        else if (kind < 20)
            children_and_taskwait(&family);
        else if (kind < 30)
            children_in_taskgroup(&family);
        else
            create_children(&family, false);
        stress_check(bomp_task_number() == id && bomp_thread_num() == num);
        stress_check(bomp_icv()->threads == family.threads);
    }
    bz_fetch_add_relaxed(&node->sink->nodes, 1);
    if (node->result)
        *node->result = node->range.end - first;
}

/* ---- rounds ---- */

static void regions(unsigned host, void *arg) {
    struct stress_rng rng = stress_rng(host);
    (void)arg;
    bomp_icv_set_max_active_levels(bomp_icv_own(), 4);
    for (unsigned i = 0; i < 10; i++) {
        uint32_t threads = bomp_icv_own()->threads = 1 + stress_random(&rng, 50);
        unsigned size = 1 + stress_random(&rng, stress.threads);
        struct range range = {0, 2 * size + stress_random(&rng, stress_scaled(NODES))};
        run_region(range, rng.state, threads, size, NULL);
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned round = 0; round < stress.iter; round++, stress.seed++) {
        stress_part("one host thread");
        regions(0, NULL);
        stress_part("three host threads");
        stress_run(3, regions, NULL);
    }
    return 0;
}
