/* stress_taskloop.c: random taskloops, concurrent and nested, with tasks inside, with and without groups, some of them
 * cancelled. Each task of a loop runs once with arguments of its own, and each wait for them lasts long enough. */
#include <string.h>

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/team/caller.h"
#include "runtime.h"
#include "stress.h"

#define COUNT 512 /* iterations at most */

struct work {
    struct bz_a32 hits[COUNT];
    struct bz_a32 inner; /* ended tasks that iterations have created */
    struct bz_a32 begun; /* iterations that have created a task */
    uint32_t cancel;     /* the iteration that cancels; COUNT: none */
    bool whole;          /* neither this loop nor one around it is cancelled */
    unsigned depth;
};

struct arguments {
    uint64_t first, end;
    struct work *work;
    uint32_t guard[20]; /* every task has its own */
};

static void count_inner(void *data) {
    struct work *work = *(struct work **)data;
    bz_fetch_add_relaxed(&work->inner, 1);
}

static void run_loop(unsigned depth, struct stress_rng *rng, bool cancels, bool whole);

static void body(void *data) {
    struct arguments *arguments = data;
    struct work *work = arguments->work;
    for (unsigned i = 0; i < 20; i++)
        stress_check(arguments->guard[i]++ == i);
    for (uint64_t i = arguments->first; i < arguments->end; i++) {
        stress_check(bz_fetch_add_relaxed(&work->hits[i], 1) == 0);
        if (i == work->cancel) {
            bomp_cancel(BOMP_CANCEL_TASKGROUP);
            return;
        }
        if (i % 5 == 0) {
            bz_fetch_add_relaxed(&work->begun, 1);
            bomp_task_plain(count_inner, &work, NULL, sizeof work, 8, false);
        }
        if (i % 64 == 9 && work->depth > 0) {
            struct stress_rng rng = stress_rng((unsigned)i);
            run_loop(work->depth - 1, &rng, false, work->whole);
        }
        if (i % 64 == 10)
            bomp_taskwait();
    }
}

/* The group also waits for the tasks that the loop's tasks create. */
static void run_loop(unsigned depth, struct stress_rng *rng, bool cancels, bool whole) {
    struct work *work = calloc(1, sizeof *work);
    stress_check(work);
    uint32_t count = stress_random(rng, depth ? COUNT : 64);
    struct arguments arguments = {.work = work};
    struct bomp_taskloop loop = {
        .task = {.fn = body, .data = &arguments, .size = sizeof arguments, .align = 8},
        .number = stress_random(rng, 10),
        .by_grain = stress_random(rng, 2),
        .strict = stress_random(rng, 2),
    };
    for (unsigned i = 0; i < 20; i++)
        arguments.guard[i] = i;
    work->depth = depth;
    work->cancel = cancels && count ? stress_random(rng, count) : COUNT;
    work->whole = whole && !cancels;
    bomp_loop_signed(&loop.loop, 0, count, 1);
    bomp_taskgroup_start();
    bomp_taskloop(&loop);
    memset(&arguments, 0, sizeof arguments); /* the loop has its own copy */
    bomp_taskgroup_end();
    for (uint32_t i = 0; i < COUNT; i++)
        stress_check(bz_load_relaxed(&work->hits[i]) <= 1);
    for (uint32_t i = 0; i < COUNT && work->whole; i++)
        stress_check(bz_load_relaxed(&work->hits[i]) == (i < count));
    if (work->whole)
        stress_check(bz_load_relaxed(&work->inner) == bz_load_relaxed(&work->begun));
    free(work);
}

static void member_main(void *arg) {
    unsigned index = (unsigned)bomp_thread_num();
    struct stress_rng rng = stress_rng(index);
    unsigned loops = *(unsigned *)arg;
    for (unsigned i = 0; i < loops; i++) {
        run_loop(2, &rng, i % 4 == 3, true);
        if (i % 8 == 7)
            bomp_barrier();
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    bomp_global()->cancellation = true;
    unsigned loops = stress_scaled(80) / 8 * 8 + 8;
    for (unsigned round = 0; round < stress.iter; round++, stress.seed++) {
        stress_part("taskloops everywhere");
        bomp_parallel(member_main, &loops, stress.threads);
        stress_part("one taskloop at a time");
        for (unsigned size = 1; size <= stress.threads; size++)
            bomp_parallel(member_main, &loops, size == 2 ? 2 : 1 + size / 2);
    }
    puts("ok");
    return 0;
}
