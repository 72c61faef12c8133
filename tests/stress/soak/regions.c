/* regions.c: nested parallel regions whose sizes change all the time. */
#include "soak.h"

uint64_t region_token;

/* The threads that the region of a node requests: a few, all that its scene has left, or, when none are left, sometimes
 * two. */
static int region_size(struct scene s, struct node n) {
    unsigned width = s.width > 1 ? s.width : s.level < 3 && pick(n, PICK_WAY, 4) == 0 ? 2 : 1;
    switch (pick(n, PICK_SIZE, 4)) {
    case 0:
        return (int)width;
    case 1:
        return width > 1 ? 2 : 1;
    default:
        return 1 + (int)pick(n, PICK_THREAD, width);
    }
}

void scene_region(struct scene s, struct node n, const char *name, region_fn *play) {
    int size = region_size(s, n);
    struct ledger ledger;
    struct team team = {.size = (unsigned)size};
    struct scene inner = s;
    inner.ledger = &ledger;
    inner.team = &team;
    inner.width = s.width > (unsigned)size ? s.width / (unsigned)size : 1;
    inner.level = s.level + 1;
    inner.outside = inner.final = 0;
    ledger_open(&ledger);
    play(inner, n, size);
    ledger_close(&ledger, n, name);
    ledger_put(s.ledger, n, node_sum(n));
}

static void begin_member(struct node n, int level, int size, uint64_t token) {
    soak_check(region_token == token, n);
    soak_check(omp_get_num_threads() == size, n);
    soak_check(omp_get_level() == level + 1, n);
    soak_check(omp_get_team_size(level + 1) == size, n);
    soak_check(!omp_in_final(), n);
}

/* All threads play the node together. */
static void plain(struct scene in, struct node n, int size) {
    int level = omp_get_level();
    region_token = n.seed;
#pragma omp parallel num_threads(size) copyin(region_token) firstprivate(in, n, level, size)
    {
        begin_member(n, level, size, n.seed);
        together(in, n);
    }
}

void region_plain(struct scene s, struct node n) {
    scene_region(s, n, "parallel", plain);
}

/* The size comes from the control variable, or the region has one thread only; the binding is one that OpenMP permits
 * here. Each member plays its share of the children, or one makes tasks of them. */
static void clauses(struct scene in, struct node n, int size) {
    int level = omp_get_level(), alone = pick(n, PICK_IF, 4) == 0;
    unsigned count = node_count(n);
    in.team->size = alone ? 1 : (unsigned)size;
    region_token = n.seed + 1;
    omp_set_num_threads(size);
    if (pick(n, PICK_VARIANT, 2)) {
#pragma omp parallel if (!alone) copyin(region_token) proc_bind(spread) firstprivate(in, n, level)
        {
            begin_member(n, level, (int)in.team->size, n.seed + 1);
            for (unsigned i = (unsigned)omp_get_thread_num(); i < count; i += in.team->size)
                solo(in, node_child(n, i));
        }
    } else {
#pragma omp parallel if (!alone) copyin(region_token) firstprivate(in, n, level)
        {
            begin_member(n, level, (int)in.team->size, n.seed + 1);
#pragma omp single
            for (unsigned i = 0; i < count; i++) {
                struct node c = node_child(n, i);
#pragma omp task firstprivate(in, c)
                solo(in, c);
            }
        }
    }
}

void region_clauses(struct scene s, struct node n) {
    scene_region(s, n, "parallel clauses", clauses);
}

/* Reductions of the region, and of tasks in it. */
static void reduction(struct scene in, struct node n, int size) {
    int count = (int)node_count(n);
    uint64_t sum = 5, odd = 0, all = 5, want_odd = 0;
    for (int i = 0; i < count; i++) {
        all += node_value(node_child(n, (unsigned)i));
        want_odd ^= node_value(node_child(n, (unsigned)i));
    }
    if (pick(n, PICK_VARIANT, 2)) {
#pragma omp parallel for num_threads(size) reduction(+ : sum) reduction(^ : odd) schedule(dynamic, 2) firstprivate(in)
        for (int i = 0; i < count; i++) {
            struct node c = node_child(n, (unsigned)i);
            solo(in, c);
            sum += node_value(c);
            odd ^= node_value(c);
        }
    } else {
#pragma omp parallel num_threads(size) reduction(task, + : sum) reduction(^ : odd) firstprivate(in)
        {
#pragma omp for schedule(static, 1) nowait
            for (int i = 0; i < count; i++) {
                struct node c = node_child(n, (unsigned)i);
                odd ^= node_value(c);
#pragma omp task in_reduction(+ : sum) firstprivate(in, c)
                {
                    solo(in, c);
                    sum += node_value(c);
                }
            }
        }
    }
    soak_check(sum == all && odd == want_odd, n);
}

void region_reduction(struct scene s, struct node n) {
    scene_region(s, n, "parallel reduction", reduction);
}

/* ---- a region with loops of its own, through which threads pass at different times ---- */

/* Data-sharing clauses of loops. Only the first loop plays the children. */
static void loops(struct scene in, struct node n, int size) {
    int count = (int)node_count(n), chunk = 1 + (int)pick(n, PICK_CHUNK, 7);
    int last = -1, scanned = 0, line = 0, when = -1;
    unsigned turns[3] = {0};
    uint64_t sum = 0, all = 0, sums[MOST_CHILDREN];
    for (int i = 0; i < count; i++)
        all += node_value(node_child(n, (unsigned)i));
    omp_set_schedule((omp_sched_t)(1 + pick(n, PICK_VARIANT, 4)), chunk);
#pragma omp parallel num_threads(size) firstprivate(in, n, count, chunk)
    {
#pragma omp for schedule(runtime) lastprivate(last) nowait
        for (int i = 0; i < count; i++) {
            solo(in, node_child(n, (unsigned)i));
            last = i;
        }
#pragma omp for schedule(guided, chunk) reduction(+ : sum) nowait
        for (int i = count - 1; i >= 0; i--)
            sum += node_value(node_child(n, (unsigned)i));
#pragma omp for schedule(dynamic, chunk) linear(line : 3) nowait
        for (int i = 0; i < count; i++) {
            soak_check(line == 3 * i, n);
            line += 3;
        }
#pragma omp for ordered schedule(dynamic, chunk)
        for (int i = 0; i < count; i++) {
#pragma omp ordered
            soak_check(turns[0]++ == (unsigned)i, n);
        }
#pragma omp for ordered schedule(static, chunk)
        for (long i = 0; i < count; i++) {
#pragma omp ordered
            soak_check(turns[1]++ == (unsigned)i, n);
        }
#pragma omp for schedule(dynamic) lastprivate(conditional : when) nowait
        for (int i = 0; i < count; i++)
            if (i % 3 == 0)
                when = i;
#ifdef __clang__ /* it compiles scans correctly in combined constructs only */
#    pragma omp single
        for (int i = 0; i < count; i++)
            sums[i] = (uint64_t)(scanned += i + 1);
#else
#    pragma omp for reduction(inscan, + : scanned)
        for (int i = 0; i < count; i++) {
            scanned += i + 1;
#    pragma omp scan inclusive(scanned)
            sums[i] = (uint64_t)scanned;
        }
#endif
#pragma omp for collapse(3)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < 2; j++)
                for (int k = i; k < i + 2; k++)
                    __atomic_fetch_add(&turns[2], 1, __ATOMIC_RELAXED);
    }
    soak_check(last == count - 1 && sum == all && line == 3 * count, n);
    soak_check(turns[0] == (unsigned)count && turns[1] == (unsigned)count && turns[2] == 4u * (unsigned)count,
               n);
#ifndef __clang__ /* it miscompiles conditional ones */
    soak_check(when == (count - 1) / 3 * 3, n);
#endif
    for (int i = 0; i < count; i++)
        soak_check(sums[i] == (uint64_t)(i + 1) * (uint64_t)(i + 2) / 2, n);
}

void region_loops(struct scene s, struct node n) {
    scene_region(s, n, "parallel loops", loops);
}
