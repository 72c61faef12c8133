/* stress_depend.c: random graphs of tasks over a few cells. A task reads and writes the cells that it names, without
 * atomics. It knows from its creation, which was in order, which values it must find:
 *
 *   out       all earlier changes, by tasks of any kind
 *   in        all but those of other readers
 *   mutex     as out, except those of the other members of its set, which exclude each other
 *   set       the same, but the members run at once and use atomics
 *   all       as out of every cell, without naming their addresses
 *
 * The cells of a detached task are changed where its event is fulfilled: in its body, in a child, or on an external
 * thread. Tasks are deferred or not, and have priorities, copy functions, children with graphs of their own, and
 * groups. */
#include "stress.h"

#include <pthread.h>

#include "omp/team/caller.h"
#include "omp/team/team.h"

#define CELLS 6
#define ITEMS CELLS

struct totals {
    uint32_t outs, mutexed; /* plain: the dependences protect them */
    struct bz_a32 shared, reads;
};

struct graph {
    struct totals cell[CELLS];
    struct totals expected[CELLS]; /* once all tasks created so far are complete */
    enum bomp_depend_kind last[CELLS];
    struct bz_a32 inside[CELLS]; /* running members of a mutexinoutset */
    struct bz_a32 complete;
    uint32_t created;
    uint32_t all; /* one in `all` tasks depends on all memory */
    bool flat;    /* without priorities: ready tasks are queued, not in the priority queue */
    struct stress_rng rng;
    unsigned depth;
};

enum fulfiller { NOBODY, BODY, CHILD, OUTSIDE };

/* A task, as its arguments. */
struct op {
    void *event; /* first: receives the handle */
    struct graph *graph;
    uint32_t count;
    uint32_t cell[ITEMS];
    enum bomp_depend_kind kind[ITEMS];
    struct totals before[ITEMS];
    enum fulfiller fulfiller;
    uint64_t seed;
    unsigned depth;
};

/* ---- what tasks do ---- */

static void check_cell(const struct op *op, uint32_t i) {
    struct graph *graph = op->graph;
    const struct totals *cell = &graph->cell[op->cell[i]], *before = &op->before[i];
    enum bomp_depend_kind kind = op->kind[i];
    stress_check(cell->outs == before->outs);
    if (kind == BOMP_DEPEND_MUTEX)
        stress_check(bz_fetch_add_relaxed(&graph->inside[op->cell[i]], 1) == 0);
    stress_check(kind == BOMP_DEPEND_MUTEX ? cell->mutexed >= before->mutexed
                                           : cell->mutexed == before->mutexed);
    uint32_t shared = bz_load_relaxed(&cell->shared), reads = bz_load_relaxed(&cell->reads);
    stress_check(kind == BOMP_DEPEND_INOUTSET ? shared >= before->shared.v : shared == before->shared.v);
    stress_check(kind == BOMP_DEPEND_IN ? reads >= before->reads.v : reads == before->reads.v);
}

static void change_cell(const struct op *op, uint32_t i) {
    struct totals *cell = &op->graph->cell[op->cell[i]];
    switch (op->kind[i]) {
    case BOMP_DEPEND_IN:
        bz_fetch_add_relaxed(&cell->reads, 1);
        break;
    case BOMP_DEPEND_OUT:
    case BOMP_DEPEND_ALL:
        cell->outs++;
        break;
    case BOMP_DEPEND_MUTEX:
        cell->mutexed++;
        bz_fetch_sub_relaxed(&op->graph->inside[op->cell[i]], 1);
        break;
    case BOMP_DEPEND_INOUTSET:
        bz_fetch_add_relaxed(&cell->shared, 1);
        break;
    }
}

static void finish(const struct op *op) {
    for (uint32_t i = 0; i < op->count; i++)
        change_cell(op, i);
    bz_fetch_add_relaxed(&op->graph->complete, 1);
}

static void finish_and_fulfill(const struct op *op) {
    void *event = op->event;
    finish(op);
    bomp_event_fulfill(event);
}

/* ---- external threads ---- */

static struct {
    pthread_mutex_t lock;
    struct op *waiting[64];
    unsigned count;
    bool stop;
} outside = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool hand_out(const struct op *op) {
    bool room;
    struct op *copy = malloc(sizeof *copy);
    stress_check(copy);
    *copy = *op;
    pthread_mutex_lock(&outside.lock);
    room = outside.count < 64;
    if (room)
        outside.waiting[outside.count++] = copy;
    pthread_mutex_unlock(&outside.lock);
    if (!room)
        free(copy);
    return room;
}

static void *fulfill_for_others(void *arg) {
    struct stress_rng rng = {(uint64_t)(uintptr_t)arg};
    for (bool stop = false; !stop;) {
        struct op *op = NULL;
        pthread_mutex_lock(&outside.lock);
        if (outside.count > 0) {
            unsigned i = stress_random(&rng, outside.count);
            op = outside.waiting[i];
            outside.waiting[i] = outside.waiting[--outside.count];
        } else {
            stop = outside.stop;
        }
        pthread_mutex_unlock(&outside.lock);
        if (stress_random(&rng, 3) == 0)
            sched_yield();
        if (op)
            finish_and_fulfill(op);
        free(op);
    }
    return NULL;
}

/* ---- bodies ---- */

static void run_graph(struct stress_rng rng, unsigned tasks, unsigned depth);

static void fulfill_later(void *data) {
    finish_and_fulfill(data);
}

static void body(void *data) {
    struct op *op = data;
    struct stress_rng rng = {op->seed};
    for (uint32_t i = 0; i < op->count; i++)
        check_cell(op, i);
    if (op->depth < 2 && stress_random(&rng, 20) == 0)
        run_graph(rng, 1 + stress_random(&rng, 20), op->depth + 1);
    if (stress_random(&rng, 10) == 0)
        bomp_taskyield();
    switch (op->fulfiller) {
    case NOBODY:
        finish(op);
        return;
    case OUTSIDE:
        if (hand_out(op))
            return;
        break;
    case CHILD:
        bomp_task_create(
            &(struct bomp_task_spec){.fn = fulfill_later, .data = op, .size = sizeof *op, .align = 8});
        return;
    case BODY:
        break;
    }
    finish_and_fulfill(op);
}

static void copy_op(void *to, void *from) {
    memcpy(to, from, sizeof(struct op));
}

/* ---- creation ---- */

static enum bomp_depend_kind any_kind(struct stress_rng *rng) {
    static const enum bomp_depend_kind kinds[] = {BOMP_DEPEND_IN,    BOMP_DEPEND_IN,    BOMP_DEPEND_OUT,
                                                  BOMP_DEPEND_MUTEX, BOMP_DEPEND_MUTEX, BOMP_DEPEND_INOUTSET};
    return kinds[stress_random(rng, 6)];
}

/* Records the values that the task must find and those that it will leave. */
static void add_item(struct graph *graph, struct op *op, uint32_t cell, enum bomp_depend_kind kind) {
    struct totals *expected = &graph->expected[cell];
    /* Members of one set do not see each other: the counts of the set's kind are lower bounds for them. */
    op->cell[op->count] = cell;
    op->kind[op->count] = kind;
    op->before[op->count++] = *expected;
    if (graph->last[cell] == kind && kind != BOMP_DEPEND_OUT) {
        /* The same set continues: only what precedes it is certain. */
        struct totals *before = &op->before[op->count - 1];
        if (kind == BOMP_DEPEND_MUTEX)
            before->mutexed = 0;
        if (kind == BOMP_DEPEND_INOUTSET)
            before->shared.v = 0;
        if (kind == BOMP_DEPEND_IN)
            before->reads.v = 0;
    }
    graph->last[cell] = kind;
    expected->outs += kind == BOMP_DEPEND_OUT;
    expected->mutexed += kind == BOMP_DEPEND_MUTEX;
    expected->shared.v += kind == BOMP_DEPEND_INOUTSET;
    expected->reads.v += kind == BOMP_DEPEND_IN;
}

/* A dependence on all memory, perhaps among addresses, which change nothing. */
static size_t fill_all(struct graph *graph, struct op *op, struct bomp_depend *items) {
    struct stress_rng *rng = &graph->rng;
    size_t n = stress_random(rng, 3), at = stress_random(rng, (uint32_t)n + 1);
    for (size_t i = 0; i <= n; i++) {
        struct bomp_depend item = {&graph->cell[stress_random(rng, CELLS)], any_kind(rng)};
        bomp_depend_put(items, i, i == at ? (struct bomp_depend){NULL, BOMP_DEPEND_ALL} : item);
    }
    for (uint32_t cell = 0; cell < CELLS; cell++)
        add_item(graph, op, cell, BOMP_DEPEND_OUT);
    return n + 1;
}

static size_t fill(struct graph *graph, struct op *op, struct bomp_depend *items) {
    struct stress_rng *rng = &graph->rng;
    uint32_t used = 0;
    size_t n = 0;
    if (stress_random(rng, graph->all) == 0)
        return fill_all(graph, op, items);
    for (uint32_t i = 0; i < 1 + stress_random(rng, ITEMS - 1); i++) {
        uint32_t cell = stress_random(rng, CELLS);
        enum bomp_depend_kind kind = any_kind(rng);
        if (used >> cell & 1)
            continue;
        used |= 1u << cell;
        items[n++] = (struct bomp_depend){&graph->cell[cell], kind};
        if (stress_random(rng, 10) == 0) { /* the same address again: with the same kind or as out */
            if (stress_random(rng, 2))
                kind = BOMP_DEPEND_OUT;
            items[n++] = (struct bomp_depend){&graph->cell[cell], kind};
        }
        add_item(graph, op, cell, kind);
    }
    return n;
}

static void create(struct graph *graph) {
    struct stress_rng *rng = &graph->rng;
    struct bomp_depend items[2 * ITEMS];
    struct op op = {.graph = graph, .depth = graph->depth};
    size_t count = fill(graph, &op, items);
    struct bomp_task_spec spec = {.fn = body, .data = &op, .size = sizeof op, .align = 8};
    op.seed = rng->state;
    spec.depend = (struct bomp_depend_list){items, count};
    spec.undeferred = stress_random(rng, 15) == 0;
    spec.final = stress_random(rng, 15) == 0;
    spec.untied = stress_random(rng, 4) == 0;
    spec.priority = graph->flat ? 0 : (int)stress_random(rng, 6);
    if (stress_random(rng, 8) == 0)
        spec.copy = copy_op;
    if (stress_random(rng, 4) == 0) {
        spec.detach = true;
        spec.handles[0] = &op.event;
        op.fulfiller = (enum fulfiller)(1 + stress_random(rng, 3));
    }
    graph->created++;
    bomp_task_create(&spec);
}

static void check_all(const struct graph *graph);

/* Waits for the tasks of some cells, or of all, and checks the cells. */
static void wait_for_some(struct graph *graph) {
    if (stress_random(&graph->rng, 3) == 0) {
        struct bomp_depend all = {NULL, BOMP_DEPEND_ALL};
        bomp_taskwait_depend(&(struct bomp_depend_list){&all, 1});
        check_all(graph);
        return;
    }
    uint32_t cell = stress_random(&graph->rng, CELLS);
    bool in = stress_random(&graph->rng, 2);
    struct bomp_depend item = {&graph->cell[cell], in ? BOMP_DEPEND_IN : BOMP_DEPEND_OUT};
    bomp_taskwait_depend(&(struct bomp_depend_list){&item, 1});
    const struct totals *now = &graph->cell[cell], *expected = &graph->expected[cell];
    stress_check(now->outs == expected->outs && now->mutexed == expected->mutexed);
    stress_check(bz_load_relaxed(&now->shared) == expected->shared.v);
    stress_check(in || bz_load_relaxed(&now->reads) == expected->reads.v);
}

static void check_all(const struct graph *graph) {
    for (uint32_t i = 0; i < CELLS; i++) {
        stress_check(graph->cell[i].outs == graph->expected[i].outs);
        stress_check(graph->cell[i].mutexed == graph->expected[i].mutexed);
        stress_check(bz_load_relaxed(&graph->cell[i].shared) == graph->expected[i].shared.v);
        stress_check(bz_load_relaxed(&graph->cell[i].reads) == graph->expected[i].reads.v);
    }
    stress_check(bz_load_relaxed(&graph->complete) == graph->created);
}

static void run_graph(struct stress_rng rng, unsigned tasks, unsigned depth) {
    struct graph *graph = calloc(1, sizeof *graph);
    stress_check(graph);
    graph->rng = rng;
    graph->depth = depth;
    graph->all = stress_random(&rng, 2) ? 4 : 40;
    graph->flat = stress_random(&rng, 2);
    for (unsigned i = 0; i < CELLS; i++)
        graph->last[i] = BOMP_DEPEND_OUT;
    bool group = stress_random(&rng, 2);
    if (group)
        bomp_taskgroup_start();
    for (unsigned i = 0; i < tasks; i++) {
        create(graph);
        if (stress_random(&graph->rng, 30) == 0)
            wait_for_some(graph);
    }
    if (group)
        bomp_taskgroup_end();
    else
        bomp_taskwait();
    check_all(graph);
    free(graph);
}

/* ---- rounds ---- */

static void implicit(void *data) {
    struct stress_rng rng = {*(uint64_t *)data + (unsigned)bomp_thread_num()};
    for (unsigned i = 0; i < 3; i++)
        run_graph((struct stress_rng){rng.state + i}, stress_random(&rng, stress_scaled(300)), 0);
}

static void host(unsigned number, void *arg) {
    struct stress_rng rng = stress_rng(number);
    (void)arg;
    for (unsigned i = 0; i < 8; i++) {
        unsigned size = 1 + stress_random(&rng, stress.threads);
        uint64_t seed = rng.state;
        run_graph(rng, stress_random(&rng, stress_scaled(200)), 0); /* outside of all regions */
        bomp_parallel(implicit, &seed, size);
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    pthread_t thread[2];
    bomp_global()->max_task_priority = 4;
    for (uintptr_t i = 0; i < 2; i++)
        stress_check(pthread_create(&thread[i], NULL, fulfill_for_others, (void *)(i + 1)) == 0);
    for (unsigned round = 0; round < stress.iter; round++, stress.seed++) {
        stress_part("one host thread");
        host(0, NULL);
        stress_part("three host threads");
        stress_run(3, host, NULL);
    }
    pthread_mutex_lock(&outside.lock);
    outside.stop = true;
    pthread_mutex_unlock(&outside.lock);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
