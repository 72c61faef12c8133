// What depends on a task, asked for by hand: each successor once, whatever ways lead to it, the same node each time, nodes
// that lead to others, lists that grow while others ask. Nothing is asked of a team of one, which may run a task at once.
#include "calls.h"

struct list;
struct node {
    struct list *successors;
};
struct list {
    struct node *node;
    struct list *next;
};
struct node *__kmpc_task_get_depnode(task *);
struct list *__kmpc_task_get_successors(task *);

enum { MOST = 16, WIDE = 200, ASKERS = 2 };

static int ran, arrived, over;

static int32_t once(int32_t gtid, void *arg) {
    (void)gtid, (void)arg;
    count_up(&ran);
    return 0;
}

/* Tasks by name, 'a' first. */
struct graph {
    int32_t gtid;
    int count;
    task *tasks[MOST];
    struct node *nodes[MOST];
};

static dependence on(const char *address, int flags) {
    dependence made = {(intptr_t)address, 1, (uint8_t)flags};
    return made;
}

/* At each letter of `where` a dependence of that kind. */
static void create(struct graph *graph, int kind, const char *where) {
    static const char places[26];
    dependence list[8];
    int count = 0;
    for (; where[count]; count++)
        list[count] = on(&places[where[count] - 'a'], kind);
    task *made = __kmpc_omp_task_alloc(&here, graph->gtid, TIED, sizeof *made, 0, once);
    __kmpc_omp_task_with_deps(&here, graph->gtid, made, count, list, 0, NULL);
    graph->tasks[graph->count] = made;
    graph->nodes[graph->count++] = __kmpc_task_get_depnode(made);
}

static int index_of(const struct graph *graph, const struct node *node) {
    int i = 0;
    while (i < graph->count && graph->nodes[i] != node)
        i++;
    CHECK(i < graph->count);
    return i;
}

static void say(const struct graph *graph, const char *what) {
    printf("%s:", what);
    for (int i = 0; i < graph->count; i++) {
        int found[MOST + 1] = {0};
        struct list *item = __kmpc_task_get_successors(graph->tasks[i]);
        CHECK(__kmpc_task_get_depnode(graph->tasks[i]) == graph->nodes[i]);
        CHECK(graph->nodes[i]->successors == item);
        for (; item; item = item->next)
            found[index_of(graph, item->node)]++;
        printf(" %c>", 'a' + i);
        for (int k = 0; k < graph->count; k++)
            for (int n = 0; n < found[k]; n++)
                putchar('a' + k);
    }
    printf("\n");
}

static void graphs(int32_t gtid) {
    struct graph chain = {.gtid = gtid}, sets = {.gtid = gtid}, doubled = {.gtid = gtid};
    create(&chain, OUT, "a");
    say(&chain, "alone");
    create(&chain, IN, "a");
    create(&chain, IN, "a");
    say(&chain, "two");
    create(&chain, OUT, "ab");
    create(&chain, OUT, "b");
    say(&chain, "chain");

    create(&sets, INOUTSET, "c");
    create(&sets, INOUTSET, "cd");
    create(&sets, INOUTSET, "d");
    create(&sets, IN, "c");
    create(&sets, IN, "cd");
    create(&sets, IN, "d");
    create(&sets, MUTEX, "c");
    create(&sets, MUTEX, "c");
    create(&sets, OUT, "dc");
    say(&sets, "sets");

    create(&doubled, OUT, "efgh");
    create(&doubled, IN, "eeffg");
    create(&doubled, IN, "he");
    create(&doubled, OUT, "hgfe");
    say(&doubled, "doubled");
    CHECK(sets.nodes[0] != chain.nodes[0]);
}

/* From one task along the nodes alone. */
static int reached(const struct node *node, int depth) {
    int most = depth;
    for (const struct list *item = node->successors; item; item = item->next) {
        int far = reached(item->node, depth + 1);
        most = far > most ? far : most;
    }
    return most;
}

static void from_the_first(int32_t gtid) {
    struct graph graph = {.gtid = gtid};
    for (int i = 0; i < MOST; i++) {
        static const char *const where[] = {"i", "ij", "j"};
        create(&graph, OUT, where[i % 3]);
    }
    printf("depth %d\n", reached(__kmpc_task_get_depnode(graph.tasks[0]), 0));
}

static int length(const struct list *item) {
    int n = 0;
    for (; item; item = item->next)
        n++;
    return n;
}

static void none(int32_t gtid) {
    task *made = __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof *made, 0, once);
    CHECK(!__kmpc_task_get_depnode(made));
    __kmpc_omp_task(&here, gtid, made);
    CHECK(!__kmpc_task_get_depnode(made));
}

/* Others ask about one that runs, and has more and more behind it. */
static task *held;
static int let_go, asked;

static int32_t hold(int32_t gtid, void *arg) {
    (void)gtid, (void)arg;
    wait_for_count(&let_go, 1);
    CHECK_EQ(length(__kmpc_task_get_successors(held)), WIDE);
    return 0;
}

static void ask(void) {
    struct node *node = __kmpc_task_get_depnode(held);
    for (int seen = 0, now; seen < WIDE; seen = now) {
        now = length(__kmpc_task_get_successors(held));
        CHECK(now >= seen);
        CHECK(__kmpc_task_get_depnode(held) == node);
    }
    signal_count(&asked);
}

static void widen(int32_t gtid, int askers) {
    static char place;
    dependence out = on(&place, OUT), in = on(&place, IN);
    held = __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof *held, 0, hold);
    __kmpc_omp_task_with_deps(&here, gtid, held, 1, &out, 0, NULL);
    signal_count(&arrived);
    for (int i = 0; i < WIDE; i++) {
        task *made = __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof *made, 0, once);
        __kmpc_omp_task_with_deps(&here, gtid, made, 1, &in, 0, NULL);
    }
    wait_for_count(&asked, askers);
    signal_count(&let_go);
    __kmpc_omp_taskwait(&here, gtid);
}

static void region(int32_t *gtid, int32_t *btid) {
    int threads = omp_get_num_threads(), askers = threads > ASKERS ? ASKERS : threads - 1;
    start_together(&arrived);
    if (threads == 1)
        return;
    if (*btid == 0) {
        graphs(*gtid);
        from_the_first(*gtid);
        none(*gtid);
        __kmpc_omp_taskwait(&here, *gtid);
        widen(*gtid, askers);
        signal_count(&over);
        return;
    }
    if (*btid <= askers) {
        wait_for_count(&arrived, threads + 1);
        ask();
    }
    wait_for_count(&over, 1);
}

int main(void) {
    REGION(omp_get_max_threads(), region, 0);
    return check_done("task_successors");
}
