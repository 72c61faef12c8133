// Plain locks: exclusion, test, unlock by another thread, many locks, locks at odd addresses.
#include "../check.h"

static void exclusion(int rounds) {
    omp_lock_t lock;
    struct gauge inside = {0, 0, 0};
    int arrived = 0;
    long count = 0, tried = 0;

    omp_init_lock(&lock);
#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
        if (r == 0)
            start_together(&arrived);
        if (r % 3 == 0) {
            while (!omp_test_lock(&lock))
                sched_yield();
            tried++;
        } else {
            omp_set_lock(&lock);
        }
        gauge_enter(&inside);
        count++;
        gauge_leave(&inside);
        omp_unset_lock(&lock);
    }
    CHECK_EQ(inside.most, 1);
    CHECK_EQ(count, (long)rounds * omp_get_max_threads());
    CHECK_EQ(tried, (long)(rounds + 2) / 3 * omp_get_max_threads());
    omp_destroy_lock(&lock);
}

static void test_answers(void) {
    omp_lock_t lock;

    omp_init_lock(&lock);
    CHECK_EQ(omp_test_lock(&lock), 1);
    CHECK_EQ(omp_test_lock(&lock), 0);
#pragma omp parallel num_threads(3)
    CHECK_EQ(omp_test_lock(&lock), 0);
    omp_unset_lock(&lock);
    omp_set_lock(&lock);
    CHECK_EQ(omp_test_lock(&lock), 0);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

/* One thread locks, the next one unlocks: used as a signal between threads. */
static void handed_over(int rounds) {
    omp_lock_t ping, pong;
    int value = 0, seen = 0;

    omp_init_lock(&ping);
    omp_init_lock(&pong);
    omp_set_lock(&ping);
    omp_set_lock(&pong);
#pragma omp parallel num_threads(2)
    for (int r = 1; r <= rounds; r++) {
        if (omp_get_thread_num() == 0) {
            value = r;
            omp_unset_lock(&ping);
            omp_set_lock(&pong);
            CHECK_EQ(value, -r);
        } else {
            omp_set_lock(&ping);
            CHECK_EQ(value, r);
            value = -r;
            seen++;
            omp_unset_lock(&pong);
        }
    }
    CHECK_EQ(seen, rounds);
    omp_destroy_lock(&ping);
    omp_destroy_lock(&pong);
}

/* Dining philosophers: each thread takes two of many neighbouring locks, the lower one first. */
static void many(int rounds) {
    enum { LOCKS = 64 };
    struct {
        char before;
        omp_lock_t lock;
        char after;
    } plates[LOCKS];
    int eaten[LOCKS] = {0}, total = 0;

    for (int i = 0; i < LOCKS; i++) {
        plates[i].before = plates[i].after = (char)i;
        omp_init_lock(&plates[i].lock);
    }
#pragma omp parallel for schedule(dynamic)
    for (int r = 0; r < rounds; r++) {
        int i = r % (LOCKS - 1);

        omp_set_lock(&plates[i].lock);
        omp_set_lock(&plates[i + 1].lock);
        eaten[i]++;
        eaten[i + 1]++;
        omp_unset_lock(&plates[i].lock);
        omp_unset_lock(&plates[i + 1].lock);
    }
    for (int i = 0; i < LOCKS; i++) {
        CHECK(plates[i].before == (char)i && plates[i].after == (char)i);
        total += eaten[i];
        omp_destroy_lock(&plates[i].lock);
    }
    CHECK_EQ(total, 2 * rounds);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 2000);

    exclusion(rounds);
    test_answers();
    handed_over(rounds / 10);
    many(rounds);
    printf("size %d align %d\n", (int)sizeof(omp_lock_t), (int)_Alignof(omp_lock_t));
    return check_done("api_locks");
}
