/* stress_reducer.c: random programs of spawns, forks, joins, loops and calls, synced in random orders. They append to a
 * text and count through reducers. Each word must be where the serial program puts it. */
#include "blitz/cilk.h"
#include "blitz/reducer.h"
#include "stress.h"

/* The seed determines the program: each node writes words between its parallel calls. */
struct node {
    uint64_t seed;
    unsigned depth;
    struct sinks *sinks;
};

struct sinks {
    bool serial; /* reducers are not used */
    blitz_text text;
    uint64_t count;
    blitz_reducer text_reducer, count_reducer;
};

enum { CHILDREN = 4, MANNERS = 7, LOOP = 40 };

static uint64_t mix(uint64_t x) {
    return stress_random(&(struct stress_rng){x}, UINT32_MAX);
}

static void write_word(struct sinks *sinks, uint64_t word) {
    char buffer[16];
    int size = snprintf(buffer, sizeof buffer, "%x ", (unsigned)word);
    stress_check(!blitz_text_write(
        sinks->serial ? &sinks->text : BLITZ_VIEW(blitz_text, &sinks->text_reducer), buffer, (size_t)size));
    if (word % 3 == 0)
        ++*(sinks->serial ? &sinks->count : BLITZ_VIEW(uint64_t, &sinks->count_reducer));
}

/* Writes a word, or often nothing, between two parallel calls. */
static void between(const struct node *node, unsigned place) {
    uint64_t word = mix(node->seed * 31 + place);
    if (word % 4 == 0)
        sched_yield(); /* let thieves in, with more threads than CPUs */
    if (word % 3)
        write_word(node->sinks, word);
}

static struct node child_of(const struct node *node, unsigned i) {
    return (struct node){mix(node->seed + i + 1), node->depth - 1, node->sinks};
}

/* ---- the serial program ---- */

static void run_serially(const struct node *node) {
    between(node, 0);
    if (node->depth == 0)
        return;
    unsigned manner = (unsigned)(mix(node->seed ^ 99) % MANNERS);
    unsigned n = manner == 6 ? LOOP : manner == 3 ? 2 : CHILDREN;
    for (unsigned i = 0; i < n; i++) {
        struct node child = child_of(node, i);
        if (manner == 6 && i % 8)
            child.depth = 0;
        run_serially(&child);
        if (manner < 3)
            between(node, i + 1);
    }
    between(node, 100);
}

/* ---- ways to run children ---- */

static void run(const struct node *node);

static void run_node(void *arg) {
    run(arg);
}

BLITZ_VOID_TASK_1(run_task, struct node, node) {
    run(&node);
}

/* Chooses the frame to sync next: mostly last in first out, or first in first out, or any. */
static unsigned pick(const struct node *node, unsigned *left, unsigned n) {
    unsigned how = (unsigned)(mix(node->seed ^ 7) % 4);
    unsigned at = how < 2 ? n - 1 : how == 2 ? 0 : (unsigned)(mix(node->seed + n) % n);
    unsigned chosen = left[at];
    for (; at + 1 < n; at++)
        left[at] = left[at + 1];
    return chosen;
}

BLITZ_VOID_TASK_1(by_spawns, struct node, node) {
    BLITZ_TASK_FRAME(run_task) frames[CHILDREN];
    unsigned left[CHILDREN];
    for (unsigned i = 0; i < CHILDREN; i++) {
        BLITZ_FORK_AT(run_task, &frames[i], child_of(&node, i));
        between(&node, i + 1);
        left[i] = i;
    }
    for (unsigned n = CHILDREN; n > 0; n--)
        BLITZ_SYNC_AT(run_task, &frames[pick(&node, left, n)]);
}

static void by_forks(const struct node *node) {
    struct node children[CHILDREN];
    blitz_frame frames[CHILDREN];
    unsigned left[CHILDREN];
    for (unsigned i = 0; i < CHILDREN; i++) {
        children[i] = child_of(node, i);
        blitz_fork(&frames[i], run_node, &children[i]);
        between(node, i + 1);
        left[i] = i;
    }
    for (unsigned n = CHILDREN; n > 0; n--)
        blitz_sync(&frames[pick(node, left, n)]);
}

/* Synced one by one; a word is written after each. */
BLITZ_VOID_TASK_1(by_turns, struct node, node) {
    for (unsigned i = 0; i < CHILDREN; i++) {
        BLITZ_FORK(x, run_task, child_of(&node, i));
        BLITZ_SYNC(x, run_task);
        between(&node, i + 1);
    }
}

static void by_join(const struct node *node) {
    struct node children[2] = {child_of(node, 0), child_of(node, 1)};
    blitz_join(run_node, &children[0], run_node, &children[1]);
}

static void by_calls(const struct node *node) {
    for (unsigned i = 0; i < CHILDREN; i++) {
        struct node child = child_of(node, i);
        stress_check(blitz_call(NULL, run_node, &child) == 0);
    }
}

/* A scope may come between, if its tasks use no reducer. */
static void nothing(void *arg) {
    (void)arg;
}

static void by_scope(const struct node *node) {
    blitz_scope scope;
    blitz_scope_begin(&scope);
    for (unsigned i = 0; i < CHILDREN; i++) {
        struct node child = child_of(node, i);
        blitz_scope_spawn(&scope, nothing, NULL);
        run(&child);
    }
    blitz_scope_wait(&scope);
}

static int run_range(size_t lo, size_t hi, void *ctx) {
    for (size_t i = lo; i < hi; i++) {
        struct node child = child_of(ctx, (unsigned)i);
        if (i % 8)
            child.depth = 0;
        run(&child);
    }
    return 0;
}

static void run(const struct node *node) {
    between(node, 0);
    if (node->depth == 0)
        return;
    switch (mix(node->seed ^ 99) % MANNERS) {
    case 0:
        by_spawns(*node);
        break;
    case 1:
        by_forks(node);
        break;
    case 2:
        by_turns(*node);
        break;
    case 3:
        by_join(node);
        break;
    case 4:
        by_calls(node);
        break;
    case 5:
        by_scope(node);
        break;
    default:
        stress_check(blitz_for(0, LOOP, 0, run_range, (void *)node) == 0);
    }
    between(node, 100);
}

/* ---- rounds ---- */

static void compare(struct sinks *got, struct sinks *expected) {
    stress_check(got->text.error == 0 && got->count == expected->count);
    stress_check(got->text.size == expected->text.size);
    stress_check(memcmp(got->text.data, expected->text.data, got->text.size) == 0);
    blitz_text_free(&got->text);
}

static void begin_and_run(void *arg) {
    struct node *node = arg;
    struct sinks *sinks = node->sinks;
    stress_check(!blitz_reducer_begin(&sinks->text_reducer, &blitz_text_op, NULL, &sinks->text));
    stress_check(!blitz_reducer_begin(&sinks->count_reducer, &blitz_sum_uint64_op, NULL, &sinks->count));
    run(node);
    stress_check(!blitz_reducer_end(&sinks->count_reducer));
    stress_check(!blitz_reducer_end(&sinks->text_reducer));
}

/* Started outside of the pool, inside it, and inside many concurrent scope tasks. */
static void run_programs(unsigned thread, void *arg) {
    struct stress_rng rng = stress_rng(thread);
    (void)arg;
    for (unsigned i = 0; i < stress_scaled(40); i++) {
        struct sinks serial = {.serial = true, .text = BLITZ_TEXT_EMPTY},
                     sinks[CHILDREN] = {{.serial = false}};
        struct node root = {stress_random(&rng, UINT32_MAX), 5, &serial}, nodes[CHILDREN];
        run_serially(&root);
        for (unsigned j = 0; j < CHILDREN; j++)
            nodes[j] = (struct node){root.seed, root.depth, &sinks[j]};
        begin_and_run(&nodes[0]);
        compare(&sinks[0], &serial);
        stress_check(blitz_call(NULL, begin_and_run, &nodes[1]) == 0);
        compare(&sinks[1], &serial);
        blitz_scope scope;
        blitz_scope_begin(&scope);
        for (unsigned j = 2; j < CHILDREN; j++)
            blitz_scope_spawn(&scope, begin_and_run, &nodes[j]);
        blitz_scope_wait(&scope);
        for (unsigned j = 2; j < CHILDREN; j++)
            compare(&sinks[j], &serial);
        blitz_text_free(&serial.text);
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        blitz_config config = {.workers = i % 2 ? 2 : stress.threads};
        stress_check(blitz_configure(&config) == 0);
        stress_part("one outside thread");
        run_programs(0, NULL);
        stress_part("some outside threads");
        stress_run(3, run_programs, NULL);
        char line[256];
        blitz_stats_line(NULL, line, sizeof line);
        puts(line);
        stress_part("shutdown");
        stress_check(blitz_shutdown() == 0);
    }
    puts("done");
}
