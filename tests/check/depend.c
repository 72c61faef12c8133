/* Dependences between tasks (compat/omp/task/depend_node.c, depend_mutex.c): a task becomes ready once, after all its
 * predecessors, and alone in its mutexinoutsets; all tasks become ready; no node is touched after it is gone. */
#include "check.h"
#include "omp/task/depend_node.h"

#include <stdlib.h>
#include <string.h>

#include "omp/task/task_inner.h"

enum { TASKS = 4, NONE = TASKS };

static struct bz_worker workers[3];
static struct bomp_task tasks[TASKS];
static struct bomp_node *nodes[TASKS];
static struct bz_a32 queued[TASKS];
static bool made[TASKS], done[TASKS], after[TASKS][TASKS], excluded[TASKS];
static unsigned inside; /* tasks of a mutexinoutset */

/* ---- functions that the sources call ---- */

void bz_worker_wake(struct bz_worker *worker) {
    check_that(worker == &workers[0]);
}
void bomp_task_queue(struct bz_worker *self, struct bomp_task *task) {
    (void)self;
    check_that(bz_exchange_release(&queued[task - tasks], 1) == 0);
}
const struct bomp_hooks *bomp_hooks;
struct bomp_task_extra *bomp_task_extra(struct bomp_task *task, struct bz_worker *self) {
    (void)self;
    return task->extra;
}
void bomp_hidden_helpers_submit(void) {
}
void bomp_no_memory(const char *what) {
    check_that(!what);
    abort();
}
void *bomp_scratch(size_t bytes, const char *what) {
    void *block = bz_alloc(bytes);
    check_that(block && what);
    return block;
}
void bz_domain_put_from_outside(struct bz_domain *domain, struct bz_pqueue_item *item) {
    (void)domain;
    (void)item;
}

/* ---- the parent ---- */

static void link_to(struct bomp_node *node, unsigned task, unsigned before) {
    if (before == NONE)
        return;
    after[task][before] = true;
    bomp_node_link(node, nodes[before]);
}
static struct bomp_node *new_node(unsigned i, enum bomp_node_kind kind) {
    struct bomp_node *node = nodes[i] = bomp_node_new_join(&workers[0]);
    made[i] = kind == BOMP_NODE_TASK;
    bomp_node_init(node, kind, made[i] ? &tasks[i] : NULL);
    bomp_node_hold(node);
    return node;
}
static void complete(unsigned i, struct bz_worker *self) {
    bomp_node_complete(nodes[i], self);
    if (made[i])
        bomp_node_unref(nodes[i], self);
}
static void start(unsigned i) {
    if (!bomp_node_start(nodes[i]))
        return;
    if (made[i])
        bomp_task_queue(&workers[0], &tasks[i]);
    else
        complete(i, &workers[0]);
}
static void create(unsigned i, unsigned before, unsigned too) {
    struct bomp_node *node = new_node(i, BOMP_NODE_TASK);
    link_to(node, i, before);
    link_to(node, i, too);
    start(i);
}
static void create_excluded(unsigned i, unsigned before, unsigned count, struct bomp_mutex *const *sets) {
    struct bomp_node *node = new_node(i, BOMP_NODE_TASK);
    for (unsigned m = 0; m < count; m++)
        bomp_mutexes_add(&node->mutexes, sets[m], count);
    excluded[i] = true;
    link_to(node, i, before);
    start(i);
}
static void forget(unsigned i) {
    bomp_node_drop(nodes[i], &workers[0]);
}

static void begin_none(void) {
    memset(workers, 0, sizeof workers);
    memset(tasks, 0, sizeof tasks);
    memset(queued, 0, sizeof queued);
    memset(done, 0, sizeof done);
    memset(after, 0, sizeof after);
    memset(excluded, 0, sizeof excluded);
    memset(made, 0, sizeof made);
    inside = 0;
}
static void begin_one(void) {
    begin_none();
    create(0, NONE, NONE);
}
static void begin_two(void) {
    begin_one();
    create(1, NONE, NONE);
}
/* 2 and 3 after 0 and 1, by a join. */
static void begin_join(void) {
    begin_two();
    struct bomp_node *join = new_node(2, BOMP_NODE_JOIN);
    bomp_node_link(join, nodes[0]);
    bomp_node_link(join, nodes[1]);
    start(2);
    struct bomp_node *last = new_node(3, BOMP_NODE_TASK);
    bomp_node_link(last, join);
    after[3][0] = after[3][1] = true;
    start(3);
}
static void begin_set(void) {
    begin_none();
    struct bomp_mutex *set = bomp_mutex_new();
    for (unsigned i = 0; i < 3; i++)
        create_excluded(i, NONE, 1, &set);
    bomp_mutex_unref(set);
}
/* 2 after 0, 3 after 1, both in two sets, named in different orders. */
static void begin_sets(void) {
    begin_two();
    struct bomp_mutex *a = bomp_mutex_new(), *b = bomp_mutex_new();
    create_excluded(2, 0, 2, (struct bomp_mutex *[]){a, b});
    create_excluded(3, 1, 2, (struct bomp_mutex *[]){b, a});
    bomp_mutex_unref(a);
    bomp_mutex_unref(b);
}

/* ---- the threads ---- */

static void run(unsigned i, struct bz_worker *self) {
    while (!bz_load_acquire(&queued[i]))
        bz_cpu_relax();
    for (unsigned p = 0; p < TASKS; p++)
        check_that(!after[i][p] || done[p]);
    if (excluded[i])
        check_that(inside++ == 0);
    done[i] = true;
    if (excluded[i])
        inside--;
    complete(i, self);
}
static void runs_0(void) {
    run(0, &workers[1]);
}
static void runs_1(void) {
    run(1, &workers[2]);
}
static void runs_2(void) {
    run(2, &workers[0]);
}
static void runs_0_and_1(void) {
    runs_0();
    run(1, &workers[1]);
}
static void runs_0_and_2(void) {
    runs_0();
    run(2, &workers[1]);
}
static void runs_1_and_3(void) {
    runs_1();
    run(3, &workers[2]);
}
static void creates_one(void) {
    create(1, 0, NONE);
    forget(0);
    forget(1);
}
/* A dependence on all memory has an edge for each address. */
static void creates_one_twice(void) {
    create(1, 0, 0);
    forget(0);
    forget(1);
}
static void creates_one_of_two(void) {
    create(2, 0, 1);
    forget(0);
}
static void creates_two(void) {
    create(1, 0, NONE);
    create(2, 0, NONE);
    forget(0);
}
static void waits(void) {
    struct bomp_node *node = check_new(sizeof *node);
    bomp_node_init(node, BOMP_NODE_WAIT, &workers[0]);
    bomp_node_link(node, nodes[0]);
    bomp_node_link(node, nodes[1]);
    if (!bomp_node_start(node))
        while (!bz_load_acquire(&node->ready))
            bz_cpu_relax();
    check_that(done[0] && done[1]);
    check_gone(node);
}
static void asks(void) {
    if (bomp_node_is_complete(nodes[0]))
        check_that(done[0]);
    forget(0);
}

static void end(void) {
    for (unsigned i = 0; i < TASKS; i++)
        check_that(!made[i] || done[i]);
}

static const struct check_test tests[] = {
    {"link", begin_one, {creates_one, runs_0_and_1}, end, -1, 0},
    {"link_twice", begin_one, {creates_one_twice, runs_0_and_1}, end, -1, 0},
    {"two_successors", begin_one, {creates_two, runs_0_and_2, runs_1}, end, 2, 0},
    {"two_predecessors", begin_two, {creates_one_of_two, runs_0_and_2, runs_1}, end, 2, 0},
    {"join", begin_join, {runs_0, runs_1_and_3}, end, -1, 0},
    {"wait", begin_two, {waits, runs_0, runs_1}, end, 2, 0},
    {"asks", begin_one, {asks, runs_0}, end, -1, 0},
    {"set", begin_set, {runs_0, runs_1, runs_2}, end, 3, 0},
    {"sets", begin_sets, {runs_0_and_2, runs_1_and_3}, end, -1, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
