/* combined.c: combined constructs, for which compilers emit calls of their own. */
#include "soak.h"

/* Constant bounds: compilers start region and loop with one call. */
static void parallel_loop(struct scene in, struct node n, int size) {
    int count = (int)node_count(n);
    switch (pick(n, PICK_VARIANT, 3)) {
    case 0:
#pragma omp parallel for num_threads(size) schedule(dynamic) firstprivate(in, n, count)
        for (int i = 0; i < MOST_CHILDREN; i++)
            if (i < count)
                solo(in, node_child(n, (unsigned)i));
        break;
    case 1:
#pragma omp parallel for num_threads(size) schedule(guided, 3) firstprivate(in, n, count)
        for (int i = MOST_CHILDREN - 1; i >= 0; i--)
            if (i < count)
                solo(in, node_child(n, (unsigned)i));
        break;
    default:
        omp_set_schedule(omp_sched_static, 1 + (int)pick(n, PICK_CHUNK, 9));
#pragma omp parallel for num_threads(size) schedule(runtime) firstprivate(in, n, count)
        for (int i = 0; i < MOST_CHILDREN; i++)
            if (i < count)
                solo(in, node_child(n, (unsigned)i));
    }
}

void combined_loop(struct scene s, struct node n) {
    scene_region(s, n, "parallel for", parallel_loop);
}

static void parallel_sections(struct scene in, struct node n, int size) {
    unsigned count = node_count(n);
#pragma omp parallel sections num_threads(size) firstprivate(in, n, count)
    {
        for (unsigned i = 0; i < count; i += 3)
            solo(in, node_child(n, i));
#pragma omp section
        for (unsigned i = 1; i < count; i += 3)
            solo(in, node_child(n, i));
#pragma omp section
        for (unsigned i = 2; i < count; i += 3)
            solo(in, node_child(n, i));
    }
}

void combined_sections(struct scene s, struct node n) {
    scene_region(s, n, "parallel sections", parallel_sections);
}

static void parallel_taskloop(struct scene in, struct node n, int size) {
    int count = (int)node_count(n), grain = 1 + (int)pick(n, PICK_CHUNK, 5);
    uint64_t sum = 0, want = 0;
    for (int i = 0; i < count; i++)
        want += node_value(node_child(n, (unsigned)i));
    if (pick(n, PICK_VARIANT, 2)) {
#pragma omp parallel master taskloop num_threads(size) grainsize(grain) reduction(+ : sum) firstprivate(in, n)
        for (int i = 0; i < count; i++) {
            sum += node_value(node_child(n, (unsigned)i));
            solo(in, node_child(n, (unsigned)i));
        }
    } else {
#ifdef __clang__ /* its masked form loses the sum */
#    pragma omp parallel master taskloop num_threads(size) num_tasks(grain) reduction(+ : sum) firstprivate(in, n)
#else
#    pragma omp parallel masked taskloop num_threads(size) num_tasks(grain) reduction(+ : sum) firstprivate(in, n)
#endif
        for (int i = 0; i < count; i++) {
            sum += node_value(node_child(n, (unsigned)i));
            solo(in, node_child(n, (unsigned)i));
        }
    }
    soak_check(sum == want, n);
}

void combined_taskloop(struct scene s, struct node n) {
    scene_region(s, n, "parallel taskloop", parallel_taskloop);
}

/* Vectorized loops of threads and of tasks. Their iterations call nothing, so the children run outside of them. */
static void with_simd(struct scene in, struct node n, int size) {
    enum { LONG = 3000 };
    static const unsigned steps[] = {1, 3, 7};
    unsigned words[LONG], step = steps[pick(n, PICK_CHUNK, 3)], sum = 0, want = 0;
#pragma omp parallel for simd num_threads(size) schedule(simd : dynamic, 64)
    for (unsigned i = 0; i < LONG; i++)
        words[i] = i * step;
#pragma omp parallel num_threads(size) firstprivate(in, n)
    {
#pragma omp single nowait
        for (unsigned i = 0; i < node_count(n); i++)
            solo(in, node_child(n, i));
#pragma omp single
        {
#pragma omp taskloop simd grainsize(100) reduction(+ : sum)
            for (unsigned i = 0; i < LONG; i++)
                sum += words[i];
        }
#pragma omp loop bind(parallel)
        for (unsigned i = 0; i < LONG / 2; i++)
            words[i] += i;
    }
    for (unsigned i = 0; i < LONG; i++)
        want += i * step;
    soak_check(sum == want, n);
    soak_check(words[10] == 10 * step + 10 && words[LONG - 1] == (LONG - 1) * step, n);
}

void combined_simd(struct scene s, struct node n) {
    scene_region(s, n, "parallel for simd", with_simd);
}
