/* hints: locks with each hint exclude, and nestable ones count. GCC's omp.h declares the functions, but libgomp lacks
 * them: see hints.sh. */
#include <omp.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 2000 };

/* Any combination that OpenMP allows. */
static const int hints[] = {
    omp_sync_hint_none,        omp_sync_hint_uncontended,
    omp_sync_hint_contended,   omp_sync_hint_nonspeculative,
    omp_sync_hint_speculative, omp_sync_hint_contended | omp_sync_hint_speculative,
};

static int plain(omp_sync_hint_t hint) {
    omp_lock_t lock;
    long count = 0;

    omp_init_lock_with_hint(&lock, hint);
#pragma omp parallel for num_threads(THREADS)
    for (int i = 0; i < ROUNDS; i++) {
        omp_set_lock(&lock);
        count++;
        omp_unset_lock(&lock);
    }
    int good = omp_test_lock(&lock) && !omp_test_lock(&lock);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    return good && count == ROUNDS;
}

static int nestable(omp_sync_hint_t hint) {
    omp_nest_lock_t lock;
    long count = 0;

    omp_init_nest_lock_with_hint(&lock, hint);
#pragma omp parallel for num_threads(THREADS)
    for (int i = 0; i < ROUNDS; i++) {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        count++;
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    int good = omp_test_nest_lock(&lock) == 1 && omp_test_nest_lock(&lock) == 2;
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
    return good && count == ROUNDS;
}

int main(void) {
    for (unsigned i = 0; i < sizeof hints / sizeof hints[0]; i++)
        printf("hint %d: %d %d\n", hints[i], plain(hints[i]), nestable(hints[i]));
    return 0;
}
