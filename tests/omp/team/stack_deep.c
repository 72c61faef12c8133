// beyond libomp: it crashes
// threads: 1 2
// env: OMP_STACKSIZE=8M
// beyond libgomp: its stack overflows
// Tasks of each kind nest as deeply as plain calls could on one stack: each level waits for the next.
#include "../../sanitized.h"
#include "../check.h"

#define NAIVE __attribute__((noinline))

typedef long kind(long depth);

static NAIVE long tied(long depth) {
    long below = -1;
    if (depth == 0)
        return 0;
#pragma omp task shared(below)
    below = tied(depth - 1);
#pragma omp taskwait
    return below + 1;
}

static NAIVE long untied(long depth) {
    long below = -1;
    if (depth == 0)
        return 0;
#pragma omp task shared(below) untied
    below = untied(depth - 1);
#pragma omp taskwait
    return below + 1;
}

static NAIVE long undeferred(long depth) {
    long below = -1;
    if (depth == 0)
        return 0;
#pragma omp task shared(below) if (0)
    below = undeferred(depth - 1);
    return below + 1;
}

/* With a firstprivate copy. */
static NAIVE long final(long depth) {
    long below = -1;
#ifdef __clang__ /* it copies no variable-length arrays */
    int copied[7];
#else
    int copied[1 + depth % 7];
#endif
    if (depth == 0)
        return 0;
    copied[0] = 1;
#pragma omp task shared(below) firstprivate(copied) final(1)
    below = final(depth - 1) + copied[0];
#pragma omp taskwait
    return below;
}

static NAIVE long grouped(long depth) {
    long below = -1;
    if (depth == 0)
        return 0;
#pragma omp taskgroup
    {
#pragma omp task shared(below)
        below = grouped(depth - 1);
    }
    return below + 1;
}

static NAIVE long dependent(long depth) {
    long below = -1;
    if (depth == 0)
        return 0;
#pragma omp task shared(below) depend(out : below)
    below = dependent(depth - 1);
#pragma omp task shared(below) depend(inout : below)
    below++;
#pragma omp taskwait depend(in : below)
    return below;
}

static NAIVE long looped(long depth) {
    long below = -1;
    if (depth == 0)
        return 0;
#pragma omp taskloop shared(below) num_tasks(2)
    for (int i = 0; i < 2; i++)
        if (i == 0)
            below = looped(depth - 1);
    return below + 1;
}

static NAIVE long mixed(long depth) {
    static kind *const kinds[] = {tied, untied, undeferred, final, grouped, dependent, looped};
    long below = -1;
    if (depth == 0)
        return 0;
#pragma omp task shared(below)
    below = mixed(depth - 1);
#pragma omp taskwait
    return below + 1 + (depth % 1000 ? 0 : kinds[depth / 1000 % 7](10) - 10);
}

/* When the queue is full tasks run at once, detached ones as well. */
static NAIVE void detached(long depth, long *begun) {
    omp_event_handle_t event;
    if (depth == 0)
        return;
#pragma omp task firstprivate(depth, begun) detach(event)
    {
        ++*begun;
        detached(depth - 1, begun);
        omp_fulfill_event(event);
    }
}

static void with_a_full_queue(long depth) {
    long begun = 0;
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < 100; i++) {
#pragma omp task
            __asm__ volatile("");
        }
        detached(depth, &begun);
    }
    CHECK_EQ(begun, depth);
}

static void try(const char *name, kind *fn, long depth) {
    long inside = 0, outside = fn(depth / 10);
#pragma omp parallel
#pragma omp single
    inside = fn(depth);
    CHECK_EQ(outside, depth / 10);
    CHECK_EQ(inside, depth);
    printf("%s %ld\n", name, inside);
}

int main(int argc, char **argv) {
    /* ThreadSanitizer has room for 65536 calls. */
    long depth = check_arg(argc, argv, 1, UNDER_TSAN ? 3000 : SANITIZED ? 20000 : 100000);
    try("tied", tied, depth);
    try("untied", untied, depth);
#ifndef __clang__ /* clang calls the body itself, on that stack */
    try("undeferred", undeferred, depth);
#endif
    try("final", final, depth);
    try("grouped", grouped, depth);
    try("dependent", dependent, depth);
    try("looped", looped, depth);
    try("mixed", mixed, depth);
    with_a_full_queue(depth);
    return check_done("stack_deep");
}
