/*
 * Generated programs: trees of constructs, made up from a seed, which are run with all that lies below them. Each
 * construct counts how often the nodes below it must run, and each node how often it did. Other guarantees of a
 * construct are checked at its end: after a taskwait the children are complete, after a taskgroup all descendants; all
 * threads pass a barrier together; dependences order writers and readers; criticals exclude each other; orders and sums
 * are correct.
 *
 *   program [FIRST [COUNT]]     the seeds FIRST, FIRST + 1, ... of COUNT programs
 *
 * A program that fails prints its seed. Tasks yield only with RANDOM_YIELDS, since that changes how all of them run.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <string.h>

#include "check.h"

enum kind {
    LEAF,
    SEQUENCE,
    TASK,
    WAIT, /* runs the node below it, and waits for the children of the current task */
    GROUP,
    TASKLOOP,
    DEPENDENCES,
    TASK_SUM,
    PARALLEL,
    PARALLEL_SUM,
    CRITICAL,
    KINDS_IN_TASK,
    /* By all threads of a team. */
    FOR = KINDS_IN_TASK,
    ORDERED,
    SINGLE,
    COPYPRIVATE,
    SECTIONS,
    BARRIER,
    KINDS
};

enum { NODES = 4000, FRAMES = 400000, BELOW = 4, CELLS = 3, THREADS_MOST = 4, LEVELS_MOST = 2, WORK = 3000 };

struct node {
    enum kind kind;
    int a, b; /* meaning depends on the kind */
    int size; /* of below */
    struct node *below[BELOW];
    int promised, entered;
};

/* State of a running task, or of the implicit task of a thread. */
struct frame {
    int children;        /* explicit ones that are not complete */
    struct frame *group; /* the frame that counts the members of the innermost taskgroup */
    int barriers;        /* passed in this region */
    struct team *team;
    struct cell {                    /* dependences of its children */
        int writes, reads;           /* created so far */
        int writes_done, reads_done; /* reads since the last write */
    } cells[CELLS];
};

struct team {
    int arrived, ordered;
};

static struct node nodes[NODES];
static struct frame frames[FRAMES];
static int nodes_used, frames_used, inside_critical;
static unsigned seed_now, state;

static void fail(const char *what) {
    if (__atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) < 10)
        fprintf(stderr, "seed %u: %s\n", seed_now, what);
}

static inline int add(int *word, int n) {
    return __atomic_add_fetch(word, n, __ATOMIC_ACQ_REL);
}
static inline int get(const int *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static void want(const int *word, int value, const char *what) {
    if (get(word) != value)
        fail(what);
}

static struct frame *new_frame(struct frame *group, struct team *team) {
    int at = __atomic_fetch_add(&frames_used, 1, __ATOMIC_RELAXED);
    if (at >= FRAMES) {
        fprintf(stderr, "seed %u: too many frames\n", seed_now);
        exit(2);
    }
    frames[at] = (struct frame){.group = group, .team = team};
    return &frames[at];
}

/* ---- generating a program ---- */

static int any(int n) {
    state = scramble(state);
    return (int)(state % (unsigned)n);
}

static int times_of(enum kind kind, int a) {
    switch (kind) {
    case TASKLOOP:
    case PARALLEL_SUM:
    case DEPENDENCES:
    case TASK_SUM:
    case FOR:
    case ORDERED:
        return a;
    case PARALLEL:
        return THREADS_MOST;
    default:
        return 1;
    }
}

/* The kind of a node that runs `times` times: a leaf where little more fits below it. */
static enum kind choose(int depth, int levels, int in_team, int times) {
    if (depth == 0 || times > WORK / 4)
        return LEAF;
    enum kind kind = (enum kind)(1 + any(in_team ? KINDS - 1 : KINDS_IN_TASK - 1));
    return (kind == PARALLEL || kind == PARALLEL_SUM) && levels == 0 ? TASK : kind;
}

static int choose_size(enum kind kind) {
    switch (kind) {
    case LEAF:
    case BARRIER:
    case CRITICAL:
        return 0;
    case SECTIONS:
        return 2;
    case SEQUENCE:
    case PARALLEL:
    case WAIT:
    case GROUP:
        return 1 + any(BELOW);
    default:
        return 1;
    }
}

/* A node that runs `times` times, with at most `levels` nested regions below it; nodes below it run at most WORK
 * times. */
static struct node *make(int depth, int levels, int in_team, int times) {
    if (nodes_used == NODES)
        return NULL;
    struct node *node = &nodes[nodes_used++];
    *node = (struct node){
        .kind = choose(depth, levels, in_team, times), .a = 1 + any(any(4) ? 6 : 40), .b = any(1 << 16)};
    if (times > WORK / times_of(node->kind, node->a))
        node->kind = SEQUENCE;
    enum kind kind = node->kind;
    int all = kind == PARALLEL || (in_team && kind == SEQUENCE);
    int parallel = kind == PARALLEL || kind == PARALLEL_SUM;
    for (int size = choose_size(kind); node->size < size; node->size++)
        if (!(node->below[node->size] =
                  make(depth - 1, levels - parallel, all, times * times_of(kind, node->a)))) {
            node->kind = LEAF;
            break;
        }
    return node;
}

/* ---- running a program ---- */

static void run(struct node *node, struct frame *frame);

static void promise(struct node *node, int n) {
    add(&node->promised, n);
}

static void run_below(struct node *node, struct frame *frame) {
    for (int i = 0; i < node->size; i++) {
        promise(node->below[i], 1);
        run(node->below[i], frame);
    }
}

/* Registers `n` new children of `frame`: they belong to the returned group, and those around it. */
static struct frame *begin(struct frame *frame, int n) {
    add(&frame->children, n);
    for (struct frame *group = frame->group; group; group = group->group)
        add(&group->children, n);
    return frame->group;
}
/* One of them is complete. */
static void end(struct frame *frame, struct frame *group) {
    for (; group; group = group->group)
        add(&group->children, -1);
    add(&frame->children, -1);
}

static void body(struct node *node, struct frame *parent, struct frame *group) {
    run(node, new_frame(group, parent->team));
    end(parent, group);
}

static void run_task(struct node *node, struct frame *frame) {
    struct node *child = node->below[0];
    char block[200];
    memset(block, node->a, sizeof block);
    promise(child, 1);
    struct frame *group = begin(frame, 1);
    switch (node->b % 8) {
    case 0:
#pragma omp task if (node->a % 2)
        body(child, frame, group);
        break;
    case 1:
#pragma omp task untied
        body(child, frame, group);
        break;
    case 2:
#pragma omp task final(node->a % 3 == 0) mergeable
        body(child, frame, group);
        break;
    case 3:
#pragma omp task priority(node->a % 4)
        body(child, frame, group);
        break;
    case 4:
#pragma omp task firstprivate(block)
    {
        if (block[0] != (char)node->a || block[199] != (char)node->a)
            fail("a firstprivate block has changed");
        body(child, frame, group);
    } break;
    default:
#pragma omp task
        body(child, frame, group);
    }
#ifdef RANDOM_YIELDS
    if (node->a == 1) {
#    pragma omp taskyield
    }
#endif
}

static void run_wait(struct node *node, struct frame *frame) {
    run_below(node, frame);
#pragma omp taskwait
    want(&frame->children, 0, "a child is left after a taskwait");
}

/* A frame for the group, which counts the tasks that begin in it. */
static struct frame *open_group(struct frame *frame) {
    struct frame *group = new_frame(frame->group, frame->team);
    frame->group = group;
    return group;
}
static void close_group(struct frame *frame, struct frame *group) {
    frame->group = group->group;
    want(&group->children, 0, "a member is left after a taskgroup");
}

static void run_group(struct node *node, struct frame *frame) {
    struct frame *group = open_group(frame);
#pragma omp taskgroup
    run_below(node, frame);
    close_group(frame, group);
}

static void run_taskloop(struct node *node, struct frame *frame) {
    struct node *child = node->below[0];
    int n = node->a, alone = node->b % 3 == 0;
    promise(child, n);
    struct frame *opened = alone ? NULL : open_group(frame);
    struct frame *group = begin(frame, n);
    if (alone) {
#pragma omp taskloop nogroup num_tasks(1 + node->b % 7)
        for (int i = 0; i < n; i++)
            body(child, frame, group);
        return;
    }
    if (node->b % 3 == 1) {
#pragma omp taskloop grainsize(1 + node->b % 5)
        for (int i = 0; i < n; i++)
            body(child, frame, group);
    } else {
#pragma omp taskloop untied
        for (int i = n; i > 0; i--)
            body(child, frame, group);
    }
    close_group(frame, opened);
}

/* A task that reads or writes a cell, after the earlier tasks whose accesses conflict. */
static void dependent(struct node *child, struct frame *frame, struct frame *group, struct cell *cell,
                      int writes, int reads) {
    want(&cell->writes_done, writes, "a dependent task does not come after the writers before it");
    if (reads >= 0)
        want(&cell->reads_done, reads, "a writer does not come after the readers before it");
    run(child, new_frame(group, frame->team));
    want(&cell->writes_done, writes, "a writer runs together with a task that depends on it");
    if (reads >= 0)
        __atomic_store_n(&cell->reads_done, 0, __ATOMIC_RELEASE);
    add(reads >= 0 ? &cell->writes_done : &cell->reads_done, 1);
    end(frame, group);
}

static void run_dependences(struct node *node, struct frame *frame) {
    struct node *child = node->below[0];
    promise(child, node->a);
    for (int i = 0; i < node->a; i++) {
        unsigned dice = scramble((unsigned)(node->b + i));
        struct cell *cell = &frame->cells[dice % CELLS];
        int writes = cell->writes, reads = cell->reads;
        struct frame *group = begin(frame, 1);
        if (dice % 7 < 3) {
            cell->writes++;
            cell->reads = 0;
#pragma omp task depend(inout : *cell) if (dice % 11)
            dependent(child, frame, group, cell, writes, reads);
        } else {
            cell->reads++;
#pragma omp task depend(in : *cell)
            dependent(child, frame, group, cell, writes, -1);
        }
    }
    if (node->b % 4 == 0) {
        struct cell *cell = &frame->cells[0];
#pragma omp taskwait depend(inout : *cell)
        want(&cell->writes_done, cell->writes, "a writer is left after a taskwait for it");
        want(&cell->reads_done, cell->reads, "a reader is left after a taskwait for it");
    }
}

static void run_task_sum(struct node *node, struct frame *frame) {
    struct node *child = node->below[0];
    int sum = 0;
    promise(child, node->a);
    struct frame *group = open_group(frame);
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < node->a; i++) {
        (void)begin(frame, 1);
#pragma omp task in_reduction(+ : sum)
        {
            sum += i;
            body(child, frame, group);
        }
    }
    close_group(frame, group);
    if (sum != node->a * (node->a - 1) / 2)
        fail("a task reduction has another sum");
}

static void run_parallel(struct node *node, struct frame *frame) {
    struct team team = {0};
    (void)frame;
#pragma omp parallel num_threads(1 + node->b % THREADS_MOST)
    run_below(node, new_frame(NULL, &team));
}

static void run_parallel_sum(struct node *node, struct frame *frame) {
    struct node *child = node->below[0];
    int sum = 0, n = node->a;
    (void)frame;
    promise(child, n);
#pragma omp parallel for reduction(+ : sum) num_threads(1 + node->b % THREADS_MOST) schedule(guided)
    for (int i = 0; i < n; i++) {
        sum += i;
        run(child, new_frame(NULL, NULL));
    }
    if (sum != n * (n - 1) / 2)
        fail("a loop's reduction has another sum");
}

static void run_critical(struct node *node, struct frame *frame) {
    (void)frame;
#pragma omp critical(random)
    {
        if (add(&inside_critical, 1) != 1)
            fail("two are inside a critical");
        busy_work((unsigned)node->b, 20);
        add(&inside_critical, -1);
    }
}

/* ---- by all threads of a team ---- */

/* A promise of the construct, made once for the team. */
static void promise_once(struct node *node, int n) {
    if (omp_get_thread_num() == 0)
        promise(node, n);
}

static void run_for(struct node *node, struct frame *frame) {
    struct node *child = node->below[0];
    int n = node->a;
    promise_once(child, n);
    switch (node->b % 6) {
    case 0:
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < n; i++)
            run(child, frame);
        break;
    case 1:
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < n; i++)
            run(child, frame);
        break;
    case 2:
#pragma omp for schedule(guided) nowait
        for (int i = n; i > 0; i--)
            run(child, frame);
        break;
    case 3:
#pragma omp for schedule(static, 2) nowait
        for (int i = 0; i < n; i++)
            run(child, frame);
        break;
    case 4:
#pragma omp for schedule(monotonic : dynamic, 2)
        for (int i = 0; i < n; i++)
            run(child, frame);
        break;
    default:
#pragma omp for schedule(runtime)
        for (int i = 0; i < n; i++)
            run(child, frame);
    }
}

static void run_ordered(struct node *node, struct frame *frame) {
    struct node *child = node->below[0];
    struct team *team = frame->team;
    int n = node->a;
    promise_once(child, n);
#pragma omp single
    team->ordered = 0;
    if (node->b % 2) {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < n; i++) {
            run(child, frame);
#pragma omp ordered
            if (team->ordered++ != i)
                fail("an ordered region is out of order");
        }
    } else {
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < n; i++) {
#pragma omp ordered
            if (team->ordered++ != i)
                fail("an ordered region is out of order");
            run(child, frame);
        }
    }
}

static void run_single(struct node *node, struct frame *frame) {
    promise_once(node->below[0], 1);
    if (node->b % 2) {
#pragma omp single nowait
        run(node->below[0], frame);
    } else {
#pragma omp single
        run(node->below[0], frame);
    }
}

static void run_copyprivate(struct node *node, struct frame *frame) {
    int value = omp_get_thread_num();
    promise_once(node->below[0], 1);
#pragma omp single copyprivate(value)
    {
        value = node->b;
        run(node->below[0], frame);
    }
    if (value != node->b)
        fail("a copyprivate value has not come");
}

static void run_sections(struct node *node, struct frame *frame) {
    promise_once(node->below[0], 1);
    promise_once(node->below[1], 1);
#pragma omp sections
    {
        run(node->below[0], frame);
#pragma omp section
        run(node->below[1], frame);
    }
}

static void run_barrier(struct node *node, struct frame *frame) {
    (void)node;
    int before = ++frame->barriers * omp_get_num_threads();
    add(&frame->team->arrived, 1);
#pragma omp barrier
    if (get(&frame->team->arrived) < before)
        fail("a thread has passed a barrier too early");
}

static void run_leaf(struct node *node, struct frame *frame) {
    (void)frame;
    busy_work((unsigned)node->b, node->b % 16 ? node->a : 50 * node->a);
}

static void run(struct node *node, struct frame *frame) {
    static void (*const how[KINDS])(struct node *, struct frame *) = {
        [LEAF] = run_leaf,
        [SEQUENCE] = run_below,
        [TASK] = run_task,
        [WAIT] = run_wait,
        [GROUP] = run_group,
        [TASKLOOP] = run_taskloop,
        [DEPENDENCES] = run_dependences,
        [TASK_SUM] = run_task_sum,
        [PARALLEL] = run_parallel,
        [PARALLEL_SUM] = run_parallel_sum,
        [CRITICAL] = run_critical,
        [FOR] = run_for,
        [ORDERED] = run_ordered,
        [SINGLE] = run_single,
        [COPYPRIVATE] = run_copyprivate,
        [SECTIONS] = run_sections,
        [BARRIER] = run_barrier,
    };
    add(&node->entered, 1);
    how[node->kind](node, frame);
}

static void run_program(unsigned seed) {
    seed_now = state = seed;
    nodes_used = frames_used = 0;
    struct node root = {.kind = PARALLEL, .b = THREADS_MOST - 1};
    while (root.size < BELOW && (root.below[root.size] = make(7, LEVELS_MOST - 1, 1, THREADS_MOST)))
        root.size++;
    run(&root, NULL);
    for (int i = 0; i < nodes_used; i++)
        want(&nodes[i].entered, nodes[i].promised, "a node has run more or less often than it was to");
    for (int i = 0; i < frames_used; i++)
        want(&frames[i].children, 0, "a task is not complete");
}

#ifdef __SANITIZE_THREAD__
#    define PROGRAMS 30 /* each takes ten times as long */
#else
#    define PROGRAMS 100
#endif

int main(int argc, char **argv) {
    unsigned first = (unsigned)check_arg(argc, argv, 1, 1);
    long count = check_arg(argc, argv, 2, PROGRAMS);
    omp_set_max_active_levels(LEVELS_MOST);
    for (long i = 0; i < count; i++)
        run_program(first + (unsigned)i);
    return check_done("random");
}

#endif
