// Unnamed and named critical sections: one thread inside each, different names at the same time.
#include "../check.h"

static struct gauge in_unnamed, in_left, in_right;
static long unnamed, left, right;

/* The unnamed section is the same one in every function. */
static void elsewhere(void) {
#pragma omp critical
    {
        gauge_enter(&in_unnamed);
        unnamed++;
        gauge_leave(&in_unnamed);
    }
}

static void count_all(int rounds) {
    int arrived = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
        if (r == 0)
            start_together(&arrived);
#pragma omp critical
        {
            gauge_enter(&in_unnamed);
            unnamed++;
            gauge_leave(&in_unnamed);
        }
        elsewhere();
#pragma omp critical(left)
        {
            gauge_enter(&in_left);
            left += 2;
            /* A different name may be taken inside. */
#pragma omp critical(right) hint(omp_sync_hint_contended)
            {
                gauge_enter(&in_right);
                right++;
                gauge_leave(&in_right);
            }
            gauge_leave(&in_left);
        }
#pragma omp critical(right) hint(omp_sync_hint_contended)
        {
            gauge_enter(&in_right);
            right++;
            gauge_leave(&in_right);
        }
    }
}

/* Two threads, each in its own section, wait for each other: names must not exclude each other. */
static int meet_inside(void) {
    int inside = 0;

#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp critical(left)
        {
            signal_count(&inside);
            wait_for_count(&inside, 2);
        }
    } else {
#pragma omp critical
        {
            signal_count(&inside);
            wait_for_count(&inside, 2);
        }
    }
    return inside;
}

int main(void) {
    enum { ROUNDS = 2000 };
    int threads = omp_get_max_threads();

    count_all(ROUNDS);
    CHECK_EQ(in_unnamed.most, 1);
    CHECK_EQ(in_left.most, 1);
    CHECK_EQ(in_right.most, 1);
    CHECK_EQ(unnamed, 2L * ROUNDS * threads);
    CHECK_EQ(left, 2L * ROUNDS * threads);
    CHECK_EQ(right, 2L * ROUNDS * threads);
    CHECK_EQ(meet_inside(), 2);
    printf("unnamed %ld left %ld right %ld\n", unnamed, left, right);
    return check_done("critical");
}
