/*
 * constructs.h: a program that uses each construct, including those for which the runtime needs memory.
 */
#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H

#include <stdint.h>
#include <string.h>

#include "check.h"

enum { SIZE = 64, LARGE = 3000 };

static void regions(void) {
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        sum += omp_get_num_threads() >= 1;
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
        }
    }
    CHECK(sum >= 1 && sum <= 3);
#pragma omp parallel num_threads(9)
    {}
}

static void loops(void) {
    long sum = 0, last = -1;
    static int order;
    order = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
        for (int i = 0; i < SIZE; i++)
            sum += i;
#pragma omp for schedule(guided) reduction(+ : sum) nowait
        for (int i = 0; i < SIZE; i++)
            sum += i;
#pragma omp for schedule(static, 2) ordered
        for (int i = 0; i < SIZE; i++) {
#pragma omp ordered
            CHECK_EQ(order++, i);
        }
#pragma omp for schedule(dynamic) lastprivate(conditional : last)
        for (int i = 0; i < SIZE; i++)
            if (i % 7 == 0)
                last = i;
#pragma omp sections reduction(+ : sum)
        {
#pragma omp section
            sum++;
#pragma omp section
            sum++;
        }
    }
    CHECK_EQ(sum, SIZE * (SIZE - 1) + 2);
    CHECK_EQ(last, (SIZE - 1) / 7 * 7);
}

static void doacross(void) {
    static int seen[SIZE][4];
#pragma omp parallel for schedule(dynamic) ordered(2) num_threads(3)
    for (int i = 1; i < SIZE; i++)
        for (int j = 1; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            seen[i][j] = seen[i - 1][j] + seen[i][j - 1] + 1;
#pragma omp ordered depend(source)
        }
    CHECK(seen[SIZE - 1][3] > 0);
}

static void single(void) {
    int copied = 0, sum = 0;
#pragma omp parallel num_threads(3) firstprivate(copied) reduction(+ : sum)
    {
#pragma omp single copyprivate(copied)
        copied = 7;
        sum += copied == 7;
#pragma omp critical(named)
        sum += 0;
    }
    CHECK(sum >= 1);
}

struct large {
    char bytes[LARGE];
};

static void tasks(void) {
    int done = 0;
    struct large large;
    memset(&large, 1, sizeof large);
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        for (int i = 0; i < 40; i++) {
#pragma omp task
            count_up(&done);
#pragma omp task firstprivate(large)
            CHECK_EQ(large.bytes[i], 1);
#ifdef __clang__ /* it copies no variable-length arrays */
            int variable[SIZE];
#else
            int variable[i + 1];
#endif
            variable[i] = i;
#pragma omp task firstprivate(variable) priority(i % 3)
            CHECK_EQ(variable[i], i);
#pragma omp task untied
            {
#pragma omp task if (0)
                {
#pragma omp task
                    count_up(&done);
                }
#pragma omp taskyield
            }
        }
#pragma omp taskwait
#pragma omp task
        {
            omp_set_num_threads(2);
            CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp task
            omp_set_num_threads(3);
        }
    }
    CHECK_EQ(done, 80);
}

static void depend(void) {
    int at[SIZE] = {0}, exclusive = 0;
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : at[0])
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        for (int i = 0; i + 1 < SIZE; i++) {
#pragma omp task depend(in : at[i]) depend(out : at[i + 1])
            at[i + 1] = at[i] + 1;
#pragma omp task depend(mutexinoutset : exclusive)
            exclusive++;
        }
#pragma omp task depend(iterator(int k = 0 : SIZE), in : at[k])
        CHECK_EQ(at[SIZE - 1], SIZE - 1);
#pragma omp task depend(depobj : object) if (0)
        at[0] = 0;
#pragma omp taskwait depend(in : exclusive)
        CHECK_EQ(exclusive, SIZE - 1);
    }
#pragma omp depobj(object) destroy
}

static void groups(void) {
    long sum = 0, total = 0;
#pragma omp parallel num_threads(3) reduction(task, + : total)
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum)
            {
                for (int i = 0; i < SIZE; i++) {
#pragma omp task in_reduction(+ : sum)
                    sum += i;
                }
            }
#pragma omp taskloop reduction(+ : sum) grainsize(2)
            for (int i = 0; i < SIZE; i++)
                sum += i;
            struct large large;
            memset(&large, 1, sizeof large);
#pragma omp taskloop num_tasks(5) firstprivate(large)
            for (int i = 0; i < SIZE; i++)
                CHECK_EQ(large.bytes[i], 1);
#pragma omp task in_reduction(+ : total)
            total++;
        }
    }
    CHECK_EQ(sum, SIZE * (SIZE - 1));
    CHECK_EQ(total, 1);
}

static void detached(void) {
    int done = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : done)
        done = 1;
#pragma omp task depend(in : done)
        CHECK_EQ(done, 1);
        omp_fulfill_event(event);
    }
}

static void cancelled(void) {
    int done = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < SIZE; i++) {
            if (i == SIZE / 2) {
#pragma omp cancel for
            }
            count_up(&done);
        }
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < SIZE; i++) {
#pragma omp task
            {
#pragma omp cancel taskgroup
            }
        }
    }
    CHECK(done <= SIZE);
}

static void others(void) {
    int here = 0, leagues = 0;
#pragma omp target map(tofrom : here) firstprivate(leagues)
    here = 1 + leagues;
#pragma omp target map(tofrom : here) nowait
    here++;
#pragma omp taskwait
    CHECK_EQ(here, 2);
#pragma omp teams num_teams(2) reduction(+ : leagues)
    leagues++;
    CHECK(leagues >= 1);
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
    char text[80];
    CHECK(omp_capture_affinity(text, sizeof text, "%n %A") > 0);
}

static inline void allocators(void) {
    omp_alloctrait_t trait = {omp_atk_fallback, omp_atv_null_fb};
    omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, &trait);
    omp_free(omp_alloc(100, allocator), allocator);
    omp_destroy_allocator(allocator);
}

/* Except allocators. */
static inline void everything(void) {
    regions();
    loops();
    doacross();
    single();
    tasks();
    depend();
    groups();
    detached();
    cancelled();
    others();
    for (int i = 0; i < 3; i++)
        regions();
}

#endif
