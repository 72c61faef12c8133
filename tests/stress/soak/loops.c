/* loops.c: worksharing loops that a whole team meets, of every schedule and type. */
#include "soak.h"

static void child(struct scene s, struct node n, unsigned i) {
    solo(s, node_child(n, i));
}

/* Blocks of `chunk` iterations, round robin: OpenMP prescribes the thread of each. */
static void loop_static(struct scene s, struct node n, int count, int chunk) {
#pragma omp for schedule(static, chunk) nowait
    for (int i = 0; i < count; i++) {
        soak_check(omp_get_thread_num() == i / chunk % omp_get_num_threads(), n);
        child(s, n, (unsigned)i);
    }
}

static void loop_block(struct scene s, struct node n, int count) {
    int before = -1;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < count; i++) {
        soak_check(before == -1 || i == before + 1, n);
        before = i;
        child(s, n, (unsigned)i);
    }
}

static void loop_dynamic(struct scene s, struct node n, int count, int chunk) {
#pragma omp for schedule(dynamic, chunk) nowait
    for (int i = 0; i < count; i++)
        child(s, n, (unsigned)i);
}

static void loop_monotonic(struct scene s, struct node n, int count, int chunk) {
    int before = -1;
#pragma omp for schedule(monotonic : dynamic, chunk) nowait
    for (int i = 0; i < count; i++) {
        soak_check(i > before, n);
        before = i;
        child(s, n, (unsigned)i);
    }
}

static void loop_guided(struct scene s, struct node n, int count, int chunk) {
#pragma omp for schedule(nonmonotonic : guided, chunk) nowait
    for (long i = 7 * (long)count; i > 0; i -= 7)
        child(s, n, (unsigned)(i / 7 - 1));
}

static void loop_runtime(struct scene s, struct node n, int count, int chunk) {
    omp_set_schedule((omp_sched_t)(1 + pick(n, PICK_WAY, 4)), chunk);
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < count; i++)
        child(s, n, (unsigned)i);
}

static void loop_unsigned(struct scene s, struct node n, int count, int chunk) {
    const unsigned long long top = ~0ull - 10;
#pragma omp for schedule(dynamic, chunk) nowait
    for (unsigned long long i = top; i > top - (unsigned long long)count; i--)
        child(s, n, (unsigned)(top - i));
}

static void loop_collapsed(struct scene s, struct node n, int count, int chunk) {
#pragma omp for collapse(2) schedule(guided) nowait
    for (int i = 0; i < (count + chunk - 1) / chunk; i++)
        for (int j = 0; j < chunk; j++)
            if (i * chunk + j < count)
                child(s, n, (unsigned)(i * chunk + j));
}

void team_loop(struct scene s, struct node n) {
    int count = (int)node_count(n), chunk = 1 + (int)pick(n, PICK_CHUNK, 9);
    switch (pick(n, PICK_VARIANT, 8)) {
    case 0:
        loop_static(s, n, count, chunk);
        break;
    case 1:
        loop_block(s, n, count);
        break;
    case 2:
        loop_dynamic(s, n, count, chunk);
        break;
    case 3:
        loop_monotonic(s, n, count, chunk);
        break;
    case 4:
        loop_guided(s, n, count, chunk);
        break;
    case 5:
        loop_runtime(s, n, count, chunk);
        break;
    case 6:
        loop_unsigned(s, n, count, chunk);
        break;
    default:
        loop_collapsed(s, n, count, chunk);
    }
    if (pick(n, PICK_NOWAIT, 2)) {
#pragma omp barrier
    }
}
