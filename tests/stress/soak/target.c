/* target.c: target regions on the host, deferred and not, and leagues of teams. */
#include "soak.h"

/* The scene of an initial thread of its own. */
static struct scene initial(struct scene s) {
    s.level++;
#ifndef __clang__ /* clang calls a target region like any function: it stays in a final task around it */
    s.final = 0;
#endif
    s.outside = 0;
    return s;
}

void target_plain(struct scene s, struct node n) {
    struct scene in = initial(s);
    uint64_t word = 0;
#pragma omp target firstprivate(in, n) map(tofrom : word)
    {
        for (unsigned i = 0; i < node_count(n); i++)
            solo(in, node_child(n, i));
#pragma omp taskwait
        word = n.seed;
    }
    soak_check(word == n.seed, n);
}

/* Each region adds to the result of the one before it. */
void target_tasks(struct scene s, struct node n) {
    struct scene in = initial(s);
    uint64_t word = 0, want = 0;
    for (unsigned i = 0; i < node_count(n); i++) {
        struct node c = node_child(n, i);
        want = want * 3 + node_value(c);
#pragma omp target nowait firstprivate(in, c) map(tofrom : word) depend(inout : word)
        {
            solo(in, c);
            word = word * 3 + node_value(c);
        }
    }
#pragma omp taskwait
    soak_check(word == want, n);
}

void teams_league(struct scene s, struct node n) {
    int teams = 1 + (int)pick(n, PICK_SIZE, 4), count = (int)node_count(n), size = 1 + (int)(s.width / 2);
    uint64_t sum = 0, want = 0;
    struct scene in = initial(s);
    in.width = 1;
    for (int i = 0; i < count; i++)
        want += node_value(node_child(n, (unsigned)i));
    if (pick(n, PICK_VARIANT, 2)) {
#pragma omp teams num_teams(teams) firstprivate(in, n, count) reduction(+ : sum)
        {
#pragma omp distribute dist_schedule(static, 1)
            for (int i = 0; i < count; i++) {
                solo(in, node_child(n, (unsigned)i));
                sum += node_value(node_child(n, (unsigned)i));
            }
        }
    } else {
#pragma omp teams distribute parallel for num_teams(teams) num_threads(size) firstprivate(in, n) reduction(+ : sum)   \
    schedule(dynamic)
        for (int i = 0; i < count; i++) {
            solo(in, node_child(n, (unsigned)i));
            sum += node_value(node_child(n, (unsigned)i));
        }
    }
    soak_check(sum == want, n);
}
