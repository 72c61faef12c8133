// Reductions at the end of a construct: whichever method the runtime returns, the program follows its contract.
#include "calls.h"

enum { ROUNDS = 60, ARRAY = 50 };

static critical_name lock, other_lock;

struct values {
    long sum, product;
    double longest;
    int array[ARRAY];
};
static struct values total;
static int combining; /* threads that combine and must exclude each other */

static void combine(void *into, void *from) {
    void **left = into, **right = from;
    *(long *)left[0] += *(long *)right[0];
    *(long *)left[1] = *(long *)left[1] * *(long *)right[1] % 1000003;
    if (*(double *)right[2] > *(double *)left[2])
        *(double *)left[2] = *(double *)right[2];
    for (int i = 0; i < ARRAY; i++)
        ((int *)left[3])[i] += ((int *)right[3])[i];
}

static void fill(struct values *mine, int who, int round) {
    mine->sum = who + round;
    mine->product = who + 2;
    mine->longest = who * 10 + round;
    for (int i = 0; i < ARRAY; i++)
        mine->array[i] = who * i + round;
}

static void combine_alone(void **list) {
    void *totals[4] = {&total.sum, &total.product, &total.longest, total.array};
    CHECK_EQ(__atomic_fetch_add(&combining, 1, __ATOMIC_RELAXED), 0);
    combine(totals, list);
    __atomic_fetch_sub(&combining, 1, __ATOMIC_RELAXED);
}

static void combine_atomically(void **list) {
    static int word;
    while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE))
        sched_yield();
    void *totals[4] = {&total.sum, &total.product, &total.longest, total.array};
    combine(totals, list);
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
}

static void expect(int threads, int round) {
    struct values want = {.sum = 0, .product = 1};
    for (int who = 0; who < threads; who++) {
        struct values mine;
        fill(&mine, who, round);
        void *left[4] = {&want.sum, &want.product, &want.longest, want.array};
        void *right[4] = {&mine.sum, &mine.product, &mine.longest, mine.array};
        combine(left, right);
    }
    CHECK_EQ(total.sum, want.sum);
    CHECK_EQ(total.product, want.product);
    CHECK_EQ(total.longest, want.longest);
    CHECK_EQ(memcmp(total.array, want.array, sizeof total.array), 0);
}

static void clear(void) {
    memset(&total, 0, sizeof total);
    total.product = 1;
}

/* nowait: 0, 1; source: with or without atomic code. */
static void reduce(int32_t *gtid, int32_t *btid, int64_t nowait, ident_t *source) {
    int threads = omp_get_num_threads();
    for (int r = 0; r < ROUNDS; r++) {
        struct values mine;
        if (*btid == 0)
            clear();
        __kmpc_barrier(&here, *gtid);
        fill(&mine, *btid, r);
        if ((*btid + r) % 5 == 0)
            busy_work(1, 200);
        void *list[4] = {&mine.sum, &mine.product, &mine.longest, mine.array};
        int32_t way = nowait ? __kmpc_reduce_nowait(source, *gtid, 4, sizeof list, list, combine, &lock)
                             : __kmpc_reduce(source, *gtid, 4, sizeof list, list, combine, &lock);
        CHECK(way >= 0 && way <= 2);
        if (way == 1) {
            combine_alone(list);
            if (nowait)
                __kmpc_end_reduce_nowait(source, *gtid, &lock);
            else
                __kmpc_end_reduce(source, *gtid, &lock);
        } else if (way == 2) {
            CHECK(source->flags & IDENT_ATOMIC);
            combine_atomically(list);
            if (!nowait)
                __kmpc_end_reduce(source, *gtid, &lock);
        }
        memset(&mine, 0x77, sizeof mine); /* no thread reads it any more */
        if (nowait)
            __kmpc_barrier(&here, *gtid);
        expect(threads, r);
        __kmpc_barrier(&here, *gtid);
    }
}

static void add(void *into, void *from) {
    **(long **)into += **(long **)from;
}

/* Two in sequence without a barrier, with two locks and with one. */
static void in_a_row(int32_t *gtid, int32_t *btid, long *sums) {
    for (int r = 0; r < ROUNDS; r++)
        for (int k = 0; k < 2; k++) {
            long mine = *btid + k;
            void *list[1] = {&mine};
            critical_name *which = k && r % 2 ? &other_lock : &lock;
            int32_t way = __kmpc_reduce_nowait(&here, *gtid, 1, sizeof list, list, add, which);
            if (way == 1) {
                __atomic_fetch_add(&sums[k], mine, __ATOMIC_RELAXED);
                __kmpc_end_reduce_nowait(&here, *gtid, which);
            } else if (way == 2)
                __atomic_fetch_add(&sums[k], mine, __ATOMIC_RELAXED);
        }
}

/* In compiled code, where each thread of a region opens a nested one. */
static void nested(void) {
    long sum = 0;
    double most = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3) reduction(+ : sum) reduction(max : most)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel for num_threads(6) reduction(+ : sum) reduction(max : most)
        for (int i = 0; i < 100; i++) {
            sum += i;
            most = most > i + outer ? most : i + outer;
        }
    }
    omp_set_max_active_levels(1);
    CHECK_EQ(sum, 3 * 4950);
    CHECK_EQ(most, 101);
}

/* Larger than a cache line, and a type of the program. */
struct own {
    int parts[3];
};

static void add_own(struct own *into, const struct own *from) {
    into->parts[0] += from->parts[0];
    into->parts[2] ^= from->parts[2];
}
#pragma omp declare reduction(own                                                                            \
                              : struct own                                                                   \
                              : add_own(&omp_out, &omp_in)) initializer(omp_priv = {{0, 0, 0}})

static void of_clang(void) {
    static long wide[300];
    struct own mine = {{0, 0, 0}};
    _Bool all = 1, any = 0;
    float f = 0;
    short bits = 0;
#pragma omp parallel for num_threads(7) reduction(+ : wide, f) reduction(own : mine) reduction(&& : all) \
    reduction(|| : any) reduction(| : bits)
    for (int i = 0; i < 300; i++) {
        wide[i] += i;
        wide[299 - i] += 1;
        f += 0.5f;
        mine.parts[0] += i;
        mine.parts[2] ^= i;
        all = all && i < 300;
        any = any || i == 299;
        bits |= (short)(1 << (i % 15));
    }
    int x = 0;
    for (int i = 0; i < 300; i++) {
        CHECK_EQ(wide[i], i + 1);
        x ^= i;
    }
    CHECK_EQ(f * 2, 300);
    CHECK_EQ(mine.parts[0], 44850);
    CHECK_EQ(mine.parts[2], x);
    CHECK(all && any && bits == 0x7fff);
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 9; threads++) {
        for (int64_t nowait = 0; nowait < 2; nowait++) {
            REGION(threads, reduce, 2, nowait, &here);
            REGION(threads, reduce, 2, nowait, &atomic_here);
        }
        long sums[2] = {0, 0};
        REGION(threads, in_a_row, 1, sums);
        CHECK_EQ(sums[0], ROUNDS * (threads * (threads - 1) / 2));
        CHECK_EQ(sums[1], ROUNDS * (threads * (threads + 1) / 2));
    }
    nested();
    of_clang();
    return check_done("reduce");
}
