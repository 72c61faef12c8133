// beyond libomp: it combines along a tree, and several at a time
// A combiner that opens a region with a reduction of its own, which has one thread: that has no part in the lock that the
// combiner runs under.
// env: BLITZ_DETERMINISTIC=0
// env: BLITZ_DETERMINISTIC=1
#include "calls.h"

#include <unistd.h>

enum { ROUNDS = 100 };

struct value {
    long sum, filler[8];
};

static int inside, most;

static void add_plain(struct value *to, const struct value *from) {
    to->sum += from->sum;
}
#pragma omp declare reduction(plain                                                                          \
                              : struct value                                                                 \
                              : add_plain(&omp_out, &omp_in)) initializer(omp_priv = (struct value){0})

static void add(struct value *to, const struct value *from) {
    struct value inner = {from->sum};
    int now = __atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED);
    if (now > most)
        most = now;
#pragma omp parallel reduction(plain : inner)
    {
        CHECK_EQ(omp_get_num_threads(), 1);
        inner.sum++;
    }
    usleep(50); /* whoever may come in does */
    to->sum += inner.sum - 1;
    __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
}
#pragma omp declare reduction(nested                                                                         \
                              : struct value                                                                 \
                              : add(&omp_out, &omp_in)) initializer(omp_priv = (struct value){0})

int main(void) {
    omp_set_max_active_levels(1);
    for (int i = 0; i < ROUNDS; i++) {
        struct value value = {1};
        int size = 0;
#pragma omp parallel reduction(nested : value) reduction(max : size)
        {
            value.sum += omp_get_thread_num();
            size = omp_get_num_threads();
#pragma omp barrier
        }
        CHECK_EQ(value.sum, 1 + size * (size - 1) / 2);
    }
    CHECK_EQ(most, 1);
    return check_done("reduce_nested");
}
