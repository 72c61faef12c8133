// beyond libomp: it hangs
// beyond libgomp: a member that has skipped a construct is one construct behind the others until the region ends
//
// Programs that break a rule: some threads skip a worksharing construct that others enter, before a barrier or at the
// end of a region. After that point all threads are in step again: nothing hangs, and each iteration runs once.
#include "../check.h"

enum { N = 50, KINDS = 8 };

static int hits[N];

// One construct of a kind, without a barrier.
static void meet(int kind) {
    switch (kind) {
    case 0:
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < N; i++)
            busy_work((unsigned)i, 10);
        break;
    case 1:
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < N; i++)
            busy_work((unsigned)i, 10);
        break;
    case 2:
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            busy_work((unsigned)i, 10);
        break;
    case 3:
#pragma omp for schedule(dynamic, 3) ordered nowait
        for (int i = 0; i < N; i++) {
#pragma omp ordered
            busy_work((unsigned)i, 10);
        }
        break;
    case 4:
#pragma omp for schedule(dynamic) ordered(1) nowait
        for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            busy_work((unsigned)i, 10);
#pragma omp ordered depend(source)
        }
        break;
    case 5:
#pragma omp sections nowait
    {
        busy_work(1, 10);
#pragma omp section
        busy_work(2, 10);
    } break;
    case 6:
#pragma omp single nowait
        busy_work(3, 10);
        break;
    default:
        meet(0);
        meet(5);
        meet(1);
    }
}

// Constructs that all threads enter, and that need all of them at the same one.
static void together(int *sections) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
#pragma omp for schedule(static, 1) ordered
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        count_up(&hits[i]);
    }
#pragma omp for schedule(static, 1) ordered(1)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        count_up(&hits[i]);
#pragma omp ordered depend(source)
    }
#pragma omp sections
    {
        count_up(&hits[0]);
#pragma omp section
        count_up(sections);
    }
}

static void check_hits(int sections) {
    for (int i = 0; i < N; i++) {
        CHECK_EQ(hits[i], 3);
        hits[i] = 0;
    }
    CHECK_EQ(sections, 1);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 10);

    for (int r = 0; r < rounds; r++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int skip = 0; skip < 3; skip++) {
                int sections = 0;

#pragma omp parallel
                {
                    if (omp_get_thread_num() % 3 != skip)
                        meet(kind);
#pragma omp barrier
                    together(&sections);
                }
                check_hits(sections);
#pragma omp parallel
                if (omp_get_thread_num() % 3 == skip)
                    meet(kind);
                sections = 0;
#pragma omp parallel
                together(&sections);
                check_hits(sections);
            }
    return check_done("skipped_constructs");
}
