/* taskloops.c: taskloops, and the distribution of their iterations. */
#include "soak.h"

/* The iterations are the children. */
void taskloop_plain(struct scene s, struct node n) {
    int count = (int)node_count(n), grain = 1 + (int)pick(n, PICK_CHUNK, 9);
    int deferred = pick(n, PICK_IF, 8) != 0;
    struct scene in = s;
    in.outside = 0;
    switch (pick(n, PICK_VARIANT, 6)) {
    case 0:
#pragma omp taskloop firstprivate(in, n) if (deferred)
        for (int i = 0; i < count; i++)
            solo(in, node_child(n, (unsigned)i));
        break;
    case 1:
#pragma omp taskloop grainsize(grain) firstprivate(in, n) untied
        for (int i = count; i > 0; i--)
            solo(in, node_child(n, (unsigned)i - 1));
        break;
    case 2:
#pragma omp taskloop num_tasks(grain) firstprivate(in, n) nogroup priority(grain)
        for (int i = 0; i < count; i++)
            solo(in, node_child(n, (unsigned)i));
        break;
    case 3:
#pragma omp taskloop grainsize(strict : grain) firstprivate(in, n) nogroup mergeable
        for (unsigned long long i = 0; i < (unsigned long long)count; i++)
            solo(in, node_child(n, (unsigned)i));
        break;
    case 4:
#pragma omp taskloop num_tasks(grain) collapse(2) firstprivate(in, n, grain)
        for (int i = 0; i < (count + grain - 1) / grain; i++)
            for (int j = 0; j < grain; j++)
                if (i * grain + j < count)
                    solo(in, node_child(n, (unsigned)(i * grain + j)));
        break;
    default:
        in.final = 1;
#pragma omp taskloop final(1) grainsize(grain) firstprivate(in, n)
        for (long i = 0; i < count; i++)
            solo(in, node_child(n, (unsigned)i));
    }
}

/* Tasks have the requested sizes and together cover the loop. Each task recognizes itself by its firstprivate copy,
 * which starts at 0. */
static void play_ranges(struct scene s, struct node n) {
    long count = node_count(n), grain = 1 + (long)pick(n, PICK_CHUNK, 9), last = -1;
    unsigned seen[MOST_CHILDREN] = {0};
    long mark = 0;
#pragma omp taskloop grainsize(strict : grain) firstprivate(s, n, mark) shared(seen) lastprivate(last)
    for (long i = 0; i < count; i++) {
        soak_check(mark == 0 || mark == i, n);
#ifndef __clang__ /* 19 drops strict */
        soak_check(mark != 0 || i % grain == 0, n);
#endif
        mark = i + 1;
        seen[i]++;
        last = i;
        solo(s, node_child(n, (unsigned)i));
    }
    for (long i = 0; i < count; i++)
        soak_check(seen[i] == 1, n);
    soak_check(last == count - 1, n);
}

void taskloop_ranges(struct scene s, struct node n) {
    struct scene in = s;
    in.outside = 0;
    scene_within(in, n, "taskloop", play_ranges);
}

void taskloop_reduction(struct scene s, struct node n) {
    int count = (int)node_count(n), grain = 1 + (int)pick(n, PICK_CHUNK, 9);
    struct scene in = s;
    uint64_t sum = 1, all = 1, most = 0, want_most = 0;
    in.outside = 0;
    for (int i = 0; i < count; i++) {
        uint64_t value = node_value(node_child(n, (unsigned)i));
        all += value;
        want_most = value > want_most ? value : want_most;
    }
    if (pick(n, PICK_VARIANT, 2)) {
#pragma omp taskloop reduction(+ : sum) reduction(max : most) grainsize(grain) firstprivate(in, n)
        for (int i = 0; i < count; i++) {
            struct node c = node_child(n, (unsigned)i);
            uint64_t value = node_value(c);
            solo(in, c);
            sum += value;
            most = value > most ? value : most;
        }
    } else {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(max : most)
        {
#pragma omp taskloop in_reduction(+ : sum) in_reduction(max : most) num_tasks(grain) firstprivate(in, n) nogroup
            for (int i = 0; i < count; i++) {
                struct node c = node_child(n, (unsigned)i);
                uint64_t value = node_value(c);
                solo(in, c);
                sum += value;
                most = value > most ? value : most;
            }
        }
    }
    soak_check(sum == all, n);
    soak_check(most == want_most, n);
}
