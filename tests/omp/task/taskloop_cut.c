// not clang 14: it lacks strict
// threads: 1 2 3 8
// repeat: 3
// How taskloops divide their iterations into tasks: each iteration runs once, in the expected task.
#include <string.h>

#include "../check.h"

#define SIZE 200

static int hits[SIZE], starts[SIZE];
static unsigned digest;

static void finish(const char *what, int count) {
    int tasks = 0;

    for (int i = 0; i < SIZE; i++) {
        CHECK_EQ(hits[i], i < count);
        tasks += starts[i];
        digest = scramble(digest + (unsigned)(i * 2 + starts[i]));
    }
    if (what)
        printf("%s of %d: %d tasks\n", what, count, tasks);
    memset(hits, 0, sizeof hits);
    memset(starts, 0, sizeof starts);
}

/* In each task its own `seen` counts from 0. */
#define CUT(what, count, clauses)                                                                            \
    do {                                                                                                     \
        int seen = 0;                                                                                        \
        _Pragma(clauses) for (int i = 0; i < (count); i++) {                                                 \
            count_up(&hits[i]);                                                                              \
            starts[i] = seen++ == 0;                                                                         \
        }                                                                                                    \
        finish(what, count);                                                                                 \
    } while (0)

static void all(int quiet) {
    static const int counts[] = {0, 1, 2, 5, 16, 97, 200};

    for (int k = 0; k < 7; k++) {
        int n = counts[k];

        CUT(quiet ? NULL : "default", n, "omp taskloop firstprivate(seen)");
        CUT(quiet ? NULL : "num_tasks(1)", n, "omp taskloop firstprivate(seen) num_tasks(1)");
        CUT(quiet ? NULL : "num_tasks(7)", n, "omp taskloop firstprivate(seen) num_tasks(7)");
        CUT(quiet ? NULL : "num_tasks(500)", n, "omp taskloop firstprivate(seen) num_tasks(500)");
        CUT(quiet ? NULL : "grainsize(1)", n, "omp taskloop firstprivate(seen) grainsize(1)");
        CUT(quiet ? NULL : "grainsize(6)", n, "omp taskloop firstprivate(seen) grainsize(6)");
        CUT(quiet ? NULL : "grainsize(300)", n, "omp taskloop firstprivate(seen) grainsize(300)");
        CUT(quiet ? NULL : "grainsize(strict: 6)", n, "omp taskloop firstprivate(seen) grainsize(strict: 6)");
        CUT(quiet ? NULL : "num_tasks(strict: 6)", n, "omp taskloop firstprivate(seen) num_tasks(strict: 6)");
        CUT(quiet ? NULL : "if(0)", n, "omp taskloop firstprivate(seen) if (0) num_tasks(3)");
        CUT(quiet ? NULL : "final", n, "omp taskloop firstprivate(seen) final(1) num_tasks(3)");
        CUT(quiet ? NULL : "priority", n, "omp taskloop firstprivate(seen) priority(3) num_tasks(9)");
    }
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < rounds; i++)
        all(i > 0);
    all(1); /* outside of all regions */
    printf("digest %u\n", digest);
    return check_done("taskloop_cut");
}
