/* stress_inject.c: many producers, some takers. Each push is taken exactly once, and a taker receives the pushes of one
 * producer in order. Nodes are reused at once at the same address, which breaks a stack that is popped one node at a
 * time. */
#include "stress.h"

#include "sched/inject.h"

enum { PER_PRODUCER = 4, MAX_PRODUCERS = 64 };

struct numbered {
    struct bz_inject_node node; /* first */
    struct bz_a32 away;         /* pushed and not taken: set by the producer, cleared by the taker */
    unsigned producer, number;
};

static struct {
    struct bz_injector injector;
    unsigned producers, takers, pushes;
    struct numbered nodes[MAX_PRODUCERS][PER_PRODUCER];
    struct bz_a32 producing;
    struct bz_a64 taken, sum;
} world;

static void produce(unsigned index) {
    struct stress_rng rng = stress_rng(index);
    for (unsigned n = 1; n <= world.pushes; n++) {
        struct numbered *node = &world.nodes[index][n % PER_PRODUCER];
        while (bz_load_acquire(&node->away))
            sched_yield();
        node->producer = index;
        node->number = n;
        node->node.priority =
            index % BZ_INJECT_PRIORITIES; /* first-in, first-out order holds within one priority */
        bz_store_relaxed(&node->away, 1);
        bz_injector_push(&world.injector, &node->node);
        if (stress_random(&rng, 64) == 0)
            sched_yield();
    }
    bz_fetch_sub_release(&world.producing, 1);
}

static void take(void) {
    unsigned last[MAX_PRODUCERS] = {0};
    uint64_t taken = 0, sum = 0;
    for (;;) {
        bool over = bz_load_acquire(&world.producing) == 0;
        struct bz_inject_node *node = bz_injector_take(&world.injector);
        if (!node && over && !bz_injector_has_jobs(&world.injector) && !bz_load_relaxed(&world.injector.busy))
            break;
        if (!node) {
            sched_yield();
            continue;
        }
        struct numbered *numbered = (struct numbered *)node;
        stress_check(bz_load_relaxed(&numbered->away) == 1);
        stress_check(numbered->number > last[numbered->producer]);
        if (world.takers == 1)
            stress_check(numbered->number == last[numbered->producer] + 1);
        last[numbered->producer] = numbered->number;
        taken++;
        sum += numbered->number;
        bz_store_release(&numbered->away, 0);
    }
    bz_fetch_add_relaxed(&world.taken, taken);
    bz_fetch_add_relaxed(&world.sum, sum);
}

static void body(unsigned index, void *arg) {
    (void)arg;
    if (index < world.producers)
        produce(index);
    else
        take();
}

static void run(const char *what, unsigned takers, unsigned pushes) {
    stress_part(what);
    world.injector = (struct bz_injector){.takes = 0};
    world.takers = takers;
    world.producers = stress.threads > MAX_PRODUCERS ? MAX_PRODUCERS : stress.threads;
    world.pushes = stress_scaled(pushes);
    bz_store_relaxed(&world.producing, world.producers);
    bz_store_relaxed(&world.taken, 0);
    bz_store_relaxed(&world.sum, 0);
    stress_run(world.producers + takers, body, NULL);
    uint64_t n = world.pushes;
    stress_check(world.taken.v == n * world.producers);
    stress_check(world.sum.v == n * (n + 1) / 2 * world.producers);
    stress_check(!bz_injector_has_jobs(&world.injector));
    printf("  %s: %u times %u jobs\n", what, world.producers, world.pushes);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        run("one taker", 1, 40000);
        run("two takers", 2, 40000);
        run("many takers", stress.threads, 20000);
    }
    return 0;
}
