// beyond libomp: it aborts by an assertion in a cancelled dynamic loop
// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=false
// threads: 1 2 3 8
// repeat: 20
// flags: -w
// cancel for and cancel sections: every schedule, early and late, in a row, combined with the region (gcc warns there).
#include "../check.h"

static int on;

#define SIZE 1000

/* Counts all iterations that begin; the canceller's is the last one of its thread. */
#define CANCEL_LOOP(name, clause)                                                                            \
    static void name(int at) {                                                                               \
        int begun = 0, ended = 0, cancels = 0, after = 0, threads = 1;                                       \
        _Pragma("omp parallel shared(begun, ended, cancels, after, threads)") {                              \
            _Pragma("omp atomic write") threads = omp_get_num_threads();                                     \
            _Pragma(clause) for (int i = 0; i < SIZE; i++) {                                                 \
                count_up(&begun);                                                                            \
                if (i == at) {                                                                               \
                    count_up(&cancels);                                                                      \
                    _Pragma("omp cancel for")                                                                \
                }                                                                                            \
                _Pragma("omp cancellation point for") count_up(&ended);                                      \
            }                                                                                                \
            count_up(&after);                                                                                \
        }                                                                                                    \
        CHECK_EQ(after, threads);                                                                            \
        CHECK(cancels <= 1);                                                                                 \
        CHECK(begun - ended <= (on ? threads : 0));                                                          \
        if (!on)                                                                                             \
            CHECK_EQ(ended, SIZE);                                                                           \
        if (on && at < SIZE)                                                                                 \
            CHECK(cancels == 0 || ended < SIZE);                                                             \
        if (at >= SIZE)                                                                                      \
            CHECK_EQ(ended, SIZE);                                                                           \
    }

CANCEL_LOOP(of_static, "omp for")
CANCEL_LOOP(of_static_chunks, "omp for schedule(static, 7)")
CANCEL_LOOP(of_dynamic, "omp for schedule(dynamic)")
CANCEL_LOOP(of_monotonic, "omp for schedule(monotonic: dynamic, 3)")
CANCEL_LOOP(of_guided, "omp for schedule(guided)")
CANCEL_LOOP(of_runtime, "omp for schedule(runtime)")

/* A cancelled loop does not affect the loops before and after it. */
static void loops_in_a_row(int at) {
    int first = 0, second = 0, third = 0, cancelled = 0;

#pragma omp parallel shared(first, second, third, cancelled)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < SIZE; i++)
            count_up(&first);
#pragma omp for
        for (int i = 0; i < SIZE; i++) {
            if (i >= at) {
                count_up(&cancelled);
#pragma omp cancel for
            }
            count_up(&second);
        }
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < SIZE; i++)
            count_up(&third);
    }
    CHECK_EQ(first, SIZE);
    CHECK(on && at < SIZE ? second <= at && cancelled > 0 : second == SIZE);
    CHECK_EQ(third, SIZE);
}

static void sections_and_loops(void) {
    int begun = 0, ended = 0, later = 0, looped = 0;

#pragma omp parallel shared(begun, ended, later, looped)
    {
#pragma omp sections
        {
#pragma omp section
            {count_up(&begun);
#pragma omp cancel sections
        count_up(&ended);
    }
#pragma omp section
    {
        count_up(&begun);
#pragma omp cancellation point sections
        count_up(&ended);
    }
#pragma omp section
    {
        count_up(&begun);
#pragma omp cancel sections if (0)
        count_up(&ended);
    }
}
#pragma omp sections
{
#pragma omp section
    count_up(&later);
#pragma omp section
    count_up(&later);
}
#pragma omp for schedule(dynamic, 5)
for (int i = 0; i < 100; i++)
    count_up(&looped);
}
CHECK(on ? begun > ended : ended == 3);
CHECK_EQ(later, 2);
CHECK_EQ(looped, 100);
}

/* Combined constructs, where the region ends with the loop; and cancelling the region from within a loop. */
static void combined(void) {
    int n = 0, m = 0, k = 0;

#pragma omp parallel for schedule(dynamic) shared(n)
    for (int i = 0; i < SIZE; i++) {
        if (i == 10) {
#pragma omp cancel for
        }
        count_up(&n);
    }
    CHECK(on ? n < SIZE : n == SIZE);
#pragma omp parallel for shared(m)
    for (int i = 0; i < SIZE; i++) {
#pragma omp cancel for if (i % 10 == 9)
        count_up(&m);
    }
    CHECK(on ? m <= 9 * omp_get_max_threads() : m == SIZE);
#pragma omp parallel sections shared(k)
    {
#pragma omp section
        {
#pragma omp cancel sections
            count_up(&k);
        }
#pragma omp section
        count_up(&k);
    }
    CHECK(on ? k <= 1 : k == 2);
}

static int orphaned(int at) {
    int done = 0;

#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < SIZE; i++) {
        if (i == at) {
#pragma omp cancel for
        }
        done++;
    }
    return done;
}

/* A target region begins with a new team of one each time. */
static int in_target(int at) {
    int done = 0;

#pragma omp target map(tofrom : done)
    done = orphaned(at);
    return done;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 60), sum = 0;

    on = omp_get_cancellation();
    for (int i = 0; i < rounds; i++) {
        int at = i % 3 == 0 ? SIZE : (int)(scramble((unsigned)i) % SIZE);

        of_static(at);
        of_static_chunks(at);
        of_dynamic(at);
        of_monotonic(at);
        of_guided(at);
        of_runtime(at);
        loops_in_a_row(at);
        sections_and_loops();
        combined();
#pragma omp parallel reduction(+ : sum)
        sum += orphaned(SIZE);
    }
    CHECK_EQ(sum, rounds * SIZE);
    /* Outside of all regions. */
    CHECK_EQ(orphaned(500), on ? 500 : SIZE);
    CHECK_EQ(orphaned(SIZE), SIZE);
    CHECK_EQ(in_target(500), on ? 500 : SIZE);
    CHECK_EQ(in_target(SIZE), SIZE);
    printf("cancellation %d\n", on);
    return check_done("cancel_loops");
}
