// beyond libomp: it combines along a tree, and several at a time
// A combiner opens a region with a reduction of its own, of one or more threads, or a league with such a region. That
// reduction must not need the lock that the combiner runs under, ours or the one in clang's code. In the deterministic
// mode one combiner runs at a time.
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
    usleep(50); /* lets another combiner enter if it can */
    to->sum += inner.sum - 1;
    __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
}
#pragma omp declare reduction(nested                                                                         \
                              : struct value                                                                 \
                              : add(&omp_out, &omp_in)) initializer(omp_priv = (struct value){0})

/* ---- of several threads ---- */

static void add_active(struct value *to, const struct value *from) {
    struct value inner = {from->sum};
    int now = __atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED);
    if (now > most)
        most = now;
#pragma omp parallel for num_threads(2) reduction(plain : inner)
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(omp_get_num_threads(), 2);
        inner.sum++;
    }
    to->sum += inner.sum - 4;
    __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
}
#pragma omp declare reduction(active                                                                         \
                              : struct value                                                                 \
                              : add_active(&omp_out, &omp_in)) initializer(omp_priv = (struct value){0})

/* ---- in a league ---- */

static void add_league(struct value *to, const struct value *from) {
    struct value inner = {from->sum};
#pragma omp target teams num_teams(1) map(tofrom : inner)
#pragma omp parallel num_threads(2) reduction(plain : inner)
    inner.sum++;
    to->sum += inner.sum - 2;
}
#pragma omp declare reduction(league                                                                         \
                              : struct value                                                                 \
                              : add_league(&omp_out, &omp_in)) initializer(omp_priv = (struct value){0})

static void combine_by_leagues(int threads) {
    struct value value = {1};
#pragma omp parallel num_threads(threads) reduction(league : value)
    value.sum += omp_get_thread_num();
    CHECK_EQ(value.sum, 1 + threads * (threads - 1) / 2);
}

/* One variable, and too many for atomic instructions. */
static void combine_by_regions(int threads) {
    struct value value = {1}, other = {2};
    int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
#pragma omp parallel num_threads(threads) reduction(active : value)
    value.sum += omp_get_thread_num();
    CHECK_EQ(value.sum, 1 + threads * (threads - 1) / 2);
#pragma omp parallel num_threads(threads) reduction(active : other) reduction(+ : a, b, c, d, e, f)
    {
        other.sum++;
        a += 1, b += 2, c += 3, d += 4, e += 5, f += 6;
    }
    CHECK_EQ(other.sum, 2 + threads);
    CHECK_EQ(a + b + c + d + e + f, 21 * threads);
}

int main(void) {
    alarm(250);
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    for (int i = 0; i < ROUNDS / 5; i++)
        for (int threads = 1; threads <= 8; threads *= 2)
            combine_by_regions(threads);
    for (int threads = 1; threads <= 8; threads *= 2)
        combine_by_leagues(threads);
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
    const char *order = getenv("BLITZ_DETERMINISTIC");
    CHECK(most == 1 || !order || strcmp(order, "1") != 0);
    return check_done("reduce_nested");
}
