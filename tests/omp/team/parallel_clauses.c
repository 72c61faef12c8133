// parallel with num_threads, if, proc_bind and the data-sharing clauses.
#include "../check.h"

static int calls;

static void count_one_call(void) {
    count_up(&calls);
}

/* Checks that threads 0..size-1 each ran once. */
static void check_seen(const int *seen, int size) {
    for (int i = 0; i < CHECK_MAX_THREADS; i++)
        CHECK_EQ(seen[i], i < size);
}

static void team_sizes(int threads) {
    int seen[CHECK_MAX_THREADS] = {0};

#pragma omp parallel
    seen[omp_get_thread_num()]++;
    check_seen(seen, threads);

    for (int want = 1; want <= 8; want++) {
        int exact[CHECK_MAX_THREADS] = {0};

#pragma omp parallel num_threads(want)
        {
            CHECK_EQ(omp_get_num_threads(), want);
            CHECK_EQ(omp_in_parallel(), want > 1);
            exact[omp_get_thread_num()]++;
        }
        check_seen(exact, want);
    }
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK(!omp_in_parallel());
}

static void if_clause(int threads) {
    for (int yes = 0; yes < 2; yes++) {
        int size = 0;

#pragma omp parallel if (yes) reduction(+ : size)
        size++;
        CHECK_EQ(size, yes ? threads : 1);
#pragma omp parallel if (parallel : yes) num_threads(3)
        {
            CHECK_EQ(omp_get_num_threads(), yes ? 3 : 1);
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_active_level(), yes);
        }
    }
}

static void binding(int threads) {
    int sizes[3] = {0, 0, 0};

#pragma omp parallel proc_bind(close)
    count_up(&sizes[0]);
#pragma omp parallel proc_bind(spread)
    count_up(&sizes[1]);
#pragma omp parallel proc_bind(primary)
    count_up(&sizes[2]);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(sizes[i], threads);
}

struct block {
    int words[5000];
};

static void sharing(int threads) {
    static struct block big;
    int kept = 7, out = 0;
    long sum = 0;

    for (int i = 0; i < 5000; i++)
        big.words[i] = i;
#pragma omp parallel default(none) shared(sum, threads) firstprivate(kept, big) private(out)
    {
        out = omp_get_thread_num() + kept;
        kept = out;
        for (int i = 0; i < 5000; i++)
            big.words[i] += kept;
#pragma omp barrier
        CHECK_EQ(kept, omp_get_thread_num() + 7);
        CHECK_EQ(big.words[4999], 4999 + kept);
#pragma omp atomic
        sum += out;
    }
    CHECK_EQ(kept, 7);
    CHECK_EQ(out, 0);
    CHECK_EQ(big.words[4999], 4999);
    CHECK_EQ(sum, 7L * threads + threads * (threads - 1) / 2);
}

int main(void) {
    int threads = omp_get_max_threads();

    team_sizes(threads);
    if_clause(threads);
    binding(threads);
    sharing(threads);

    /* Nothing to pass: the region's data pointer is null. */
#pragma omp parallel
    count_one_call();
    CHECK_EQ(calls, threads);
    printf("threads %d calls %d\n", threads, calls);
    return check_done("parallel_clauses");
}
