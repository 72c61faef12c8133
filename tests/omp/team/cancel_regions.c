// beyond libomp: it hangs
// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=false
// threads: 1 2 3 8
// repeat: 30
// cancel parallel: waiting at barriers, in loops, in nested regions; regions in a row, cancelled and not, with constructs.
#include "../check.h"

static int on; /* omp_get_cancellation() */

/* One thread cancels; threads at the barrier and at a cancellation point go to the end. */
static void leave_a_barrier(int who) {
    int before = 0, after = 0, threads = 0;

#pragma omp parallel shared(before, after, threads)
    {
#pragma omp atomic write
        threads = omp_get_num_threads();
        count_up(&before);
        if (omp_get_thread_num() == who % omp_get_num_threads()) {
#pragma omp cancel parallel
        }
#pragma omp barrier
        count_up(&after);
#pragma omp cancellation point parallel
    }
    CHECK_EQ(before, threads);
    CHECK_EQ(after, on ? 0 : threads);
}

/* No thread waits for one that checks only cancellation points. */
static void leave_a_loop(void) {
    int rounds = 0, stop = 0;

#pragma omp parallel shared(rounds, stop)
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            wait_for_count(&rounds, omp_get_num_threads() > 1 ? 3 : 0);
#pragma omp cancel parallel
            signal_count(&stop);
        } else {
            for (;;) {
                signal_count(&rounds);
#pragma omp cancellation point parallel
                if (count_read(&stop) > 0)
                    break;
                sched_yield();
            }
        }
#pragma omp barrier
        count_up(&stop);
    }
    CHECK(on ? stop == 0 : stop > 1);
}

/* Whichever thread cancels, wherever: the next region is complete. */
static void constructs_afterwards(unsigned round) {
    int loops[3] = {0}, sections = 0, singles = 0;
    unsigned where = scramble(round) % 8;

#pragma omp parallel shared(loops, sections, singles)
    {
        int me = omp_get_thread_num() == (int)(scramble(round + 77) % (unsigned)omp_get_num_threads());

        if (where == 1 && me) {
#pragma omp cancel parallel
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 40; i++)
            count_up(&loops[0]);
        if (where == 2 && me) {
#pragma omp cancel parallel
        }
#pragma omp sections nowait
        {
#pragma omp section
            count_up(&sections);
#pragma omp section
            count_up(&sections);
#pragma omp section
            count_up(&sections);
        }
        if (where == 3 && me) {
#pragma omp cancel parallel
        }
#pragma omp barrier
#pragma omp for schedule(guided)
        for (int i = 0; i < 40; i++)
            count_up(&loops[1]);
        if (where == 4 && me) {
#pragma omp cancel parallel
        }
#pragma omp single
        count_up(&singles);
#pragma omp for schedule(static, 3) nowait
        for (int i = 0; i < 40; i++)
            count_up(&loops[2]);
        if (where == 5 && me) {
#pragma omp cancel parallel
        }
    }
    CHECK(loops[0] <= 40 && loops[1] <= 40 && loops[2] <= 40 && sections <= 3 && singles <= 1);
    if (!on || where == 0 || where > 5) {
        CHECK_EQ(loops[0] + loops[1] + loops[2], 120);
        CHECK_EQ(sections, 3);
        CHECK_EQ(singles, 1);
    }
    if (on && where == 1) {
        CHECK_EQ(loops[1], 0);
        CHECK_EQ(singles, 0);
    }
}

/* Threads wait for their turn in an ordered loop, behind one that never arrives. */
static void leave_an_ordered_loop(void) {
    int past = 0;

#pragma omp parallel shared(past)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 100; i++)
                sched_yield();
#pragma omp cancel parallel
        }
#pragma omp for schedule(dynamic) ordered
        for (int i = 0; i < 20; i++) {
#pragma omp ordered
            past++;
        }
    }
    CHECK(past <= 20);
    if (!on)
        CHECK_EQ(past, 20);
}

/* Nested regions inside a cancelled region run to their end. */
static void nested_regions(void) {
    int inner = 0, outer = 0;

    omp_set_max_active_levels(2);
#pragma omp parallel shared(inner, outer) num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
        count_up(&outer);
#pragma omp parallel num_threads(2) shared(inner)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++)
                count_up(&inner);
        }
#pragma omp cancellation point parallel
    }
    CHECK_EQ(inner, outer * 10);
    omp_set_max_active_levels(1);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 400);

    on = omp_get_cancellation();
    for (int i = 0; i < rounds; i++) {
        leave_a_barrier(i);
        constructs_afterwards((unsigned)i);
        if (i % 4 == 0) {
            leave_a_loop();
            leave_an_ordered_loop();
            nested_regions();
        }
    }
    printf("cancellation %d\n", on);
    return check_done("cancel_regions");
}
