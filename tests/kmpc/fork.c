// Regions: their argument words, the numbers of their threads, and clauses that apply to the next region.
#include "calls.h"

enum { TEAM = 4, WORDS = 40 };

static int entered;

/* ---- words ---- */

static int64_t expected(int i) {
    return i * 0x0123456789abcdefLL + 1;
}

static void words_0(int32_t *gtid, int32_t *btid) {
    CHECK_EQ(*btid, omp_get_thread_num());
    CHECK_EQ(*gtid, ME);
    count_up(&entered);
}

static void words_1(int32_t *gtid, int32_t *btid, int64_t a) {
    CHECK_EQ(a, expected(0));
    words_0(gtid, btid);
}

static void words_5(int32_t *gtid, int32_t *btid, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
    CHECK(a == expected(0) && b == expected(1) && c == expected(2) && d == expected(3) && e == expected(4));
    words_0(gtid, btid);
}

static void words_9(int32_t *gtid, int32_t *btid, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e,
                    int64_t f, int64_t g, int64_t h, int64_t i) {
    CHECK(a == expected(0) && b == expected(1) && c == expected(2) && d == expected(3) && e == expected(4));
    CHECK(f == expected(5) && g == expected(6) && h == expected(7) && i == expected(8));
    words_0(gtid, btid);
}

#define PARAMETERS_8(n)                                                                                      \
    int64_t n##0, int64_t n##1, int64_t n##2, int64_t n##3, int64_t n##4, int64_t n##5, int64_t n##6,        \
        int64_t n##7
#define NAMES_8(n) n##0, n##1, n##2, n##3, n##4, n##5, n##6, n##7
#define EXPECTED_8(i)                                                                                        \
    expected(i), expected(i + 1), expected(i + 2), expected(i + 3), expected(i + 4), expected(i + 5),        \
        expected(i + 6), expected(i + 7)

static void words_40(int32_t *gtid, int32_t *btid, PARAMETERS_8(a), PARAMETERS_8(b), PARAMETERS_8(c),
                     PARAMETERS_8(d), PARAMETERS_8(e)) {
    int64_t all[] = {NAMES_8(a), NAMES_8(b), NAMES_8(c), NAMES_8(d), NAMES_8(e)};
    for (int i = 0; i < 40; i++)
        CHECK_EQ(all[i], expected(i));
    words_0(gtid, btid);
}

static void words_17(int32_t *gtid, int32_t *btid, PARAMETERS_8(a), PARAMETERS_8(b), int64_t c) {
    int64_t all[] = {NAMES_8(a), NAMES_8(b), c};
    for (int i = 0; i < 17; i++)
        CHECK_EQ(all[i], expected(i));
    words_0(gtid, btid);
}

static void all_words(void) {
    int want = 0;
    for (int round = 0; round < 3; round++) {
        REGION(TEAM, words_0, 0);
        REGION(TEAM, words_1, 1, EXPECTED_8(0));
        REGION(TEAM, words_5, 5, EXPECTED_8(0));
        REGION(TEAM, words_9, 9, EXPECTED_8(0), expected(8));
        REGION(TEAM, words_17, 17, EXPECTED_8(0), EXPECTED_8(8), expected(16));
        REGION(TEAM, words_40, 40, EXPECTED_8(0), EXPECTED_8(8), EXPECTED_8(16), EXPECTED_8(24),
               EXPECTED_8(32));
        REGION(1, words_40, 40, EXPECTED_8(0), EXPECTED_8(8), EXPECTED_8(16), EXPECTED_8(24), EXPECTED_8(32));
        want += 6 * TEAM + 1;
    }
    CHECK_EQ(entered, want);
}

/* A region's arguments are words: floating-point values are passed as their bits, whatever the caller's floating-point
 * registers hold. */
static void typed(void) {
    float f = 1.5f;
    double d = -2.25;
    char c = -3;
    _Bool b = 1;
    __int128 wide = (__int128)7 << 70;
    struct {
        int a[5];
    } s = {{1, 2, 3, 4, 5}};
    int seen = 0;
#pragma omp parallel num_threads(TEAM) firstprivate(f, d, c, b, wide, s) shared(seen)
    {
        CHECK(f == 1.5f && d == -2.25 && c == -3 && b && wide == (__int128)7 << 70);
        CHECK(s.a[0] == 1 && s.a[4] == 5);
        f += 1, d += 1, c++, wide++, s.a[0]++;
        count_up(&seen);
    }
    CHECK_EQ(seen, TEAM);
}

/* ---- numbers ---- */

static int32_t outside;
static int numbers[64];

/* Each thread keeps one number, and no two live threads have the same. */
static void inner(int32_t *gtid, int32_t *btid, int32_t outer) {
    CHECK_EQ(*gtid, ME);
    CHECK_EQ(*btid, omp_get_thread_num());
    if (*btid == 0)
        CHECK_EQ(*gtid, outer);
    else
        CHECK(*gtid != outer);
    __kmpc_barrier(&here, *gtid);
    CHECK_EQ(*gtid, ME);
}

static void numbered(int32_t *gtid, int32_t *btid) {
    int32_t me = *gtid;
    CHECK_EQ(me, ME);
    CHECK_EQ(__kmpc_bound_thread_num(&here), *btid);
    CHECK_EQ(__kmpc_bound_num_threads(&here), TEAM);
    CHECK_EQ(*btid == 0, me == outside);
    CHECK(me >= 0);
    numbers[*btid] = me;
    REGION(2, inner, 1, (int64_t)me);
    CHECK_EQ(me, ME);
    __kmpc_serialized_parallel(&here, me);
    CHECK_EQ(me, ME);
    CHECK_EQ(omp_get_thread_num(), 0);
    __kmpc_end_serialized_parallel(&here, me);
    CHECK_EQ(omp_get_thread_num(), *btid);
    __kmpc_barrier(&here, me);
    CHECK_EQ(me, ME);
}

static void all_numbers(void) {
    omp_set_max_active_levels(2);
    outside = ME;
    CHECK_EQ(outside, 0);
    CHECK_EQ(__kmpc_bound_thread_num(&here), 0);
    CHECK_EQ(__kmpc_bound_num_threads(&here), 1);
    CHECK_EQ(__kmpc_in_parallel(&here), 0);
    CHECK_EQ(__kmpc_ok_to_fork(&here), 1);
    for (int round = 0; round < 20; round++) {
        REGION(TEAM, numbered, 0);
        for (int i = 0; i < TEAM; i++)
            for (int k = 0; k < i; k++)
                CHECK(numbers[i] != numbers[k]);
        CHECK_EQ(ME, outside);
    }
    omp_set_max_active_levels(1);
}

/* ---- serialised regions ---- */

static void serialized(void) {
    __kmpc_serialized_parallel(&here, ME);
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(__kmpc_in_parallel(&here), 0);
    __kmpc_serialized_parallel(&here, ME);
    CHECK_EQ(omp_get_level(), 2);
    CHECK_EQ(omp_get_team_size(1), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(1), 0);
    omp_set_num_threads(3);
    CHECK_EQ(omp_get_max_threads(), 3);
    __kmpc_end_serialized_parallel(&here, ME);
    CHECK_EQ(omp_get_level(), 1);
    __kmpc_end_serialized_parallel(&here, ME);
    CHECK_EQ(omp_get_level(), 0);
}

static void size_seen(int32_t *gtid, int32_t *btid, int *size) {
    (void)gtid;
    if (*btid == 0)
        *size = omp_get_num_threads();
}

static int next_size(void) {
    int size = 0;
    __kmpc_fork_call(&here, 1, (microtask *)size_seen, &size);
    return size;
}

/* A clause applies to the next region only, and a serialised one counts. */
static void consumed(void) {
    omp_set_num_threads(2);
    __kmpc_push_num_threads(&here, ME, 3);
    CHECK_EQ(next_size(), 3);
    CHECK_EQ(next_size(), 2);
    __kmpc_push_num_threads(&here, ME, 3);
    __kmpc_serialized_parallel(&here, ME);
    __kmpc_end_serialized_parallel(&here, ME);
    CHECK_EQ(next_size(), 2);
    __kmpc_push_num_threads(&here, ME, 3);
    __kmpc_push_num_threads(&here, ME, 4);
    CHECK_EQ(next_size(), 4);
    CHECK_EQ(next_size(), 2);
    __kmpc_push_proc_bind(&here, ME, 4);
    CHECK_EQ(next_size(), 2);
}

/* ... of this thread. */
static void push_only(int32_t *gtid, int32_t *btid) {
    if (*btid == 1)
        __kmpc_push_num_threads(&here, *gtid, 3);
    __kmpc_barrier(&here, *gtid);
    int size = next_size();
    CHECK_EQ(size, *btid == 1 ? 3 : 2);
    CHECK_EQ(next_size(), 2);
}

static void consumed_nested(void) {
    omp_set_num_threads(2);
    omp_set_max_active_levels(2);
    REGION(3, push_only, 0);
    omp_set_max_active_levels(1);
}

/* ---- a condition ---- */

static void conditional(int32_t *gtid, int32_t *btid, int *sum) {
    CHECK_EQ(*gtid, ME);
    CHECK_EQ(*btid, omp_get_thread_num());
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_active_level(), omp_get_num_threads() > 1);
    __atomic_fetch_add(sum, omp_get_num_threads(), __ATOMIC_RELAXED);
}

static void conditions(void) {
    int sum = 0;
    omp_set_num_threads(3);
    __kmpc_fork_call_if(&here, 1, (microtask *)conditional, 1, &sum);
    CHECK_EQ(sum, 9);
    sum = 0;
    __kmpc_fork_call_if(&here, 1, (microtask *)conditional, 0, &sum);
    CHECK_EQ(sum, 1);
    __kmpc_push_num_threads(&here, ME, 2);
    __kmpc_fork_call_if(&here, 1, (microtask *)conditional, 0, &sum);
    sum = 0;
    __kmpc_fork_call_if(&here, 1, (microtask *)conditional, 1, &sum);
    CHECK_EQ(sum, 9);
}

int main(void) {
    __kmpc_begin(&here, 0);
    omp_set_dynamic(0);
    all_words();
    typed();
    all_numbers();
    serialized();
    consumed();
    consumed_nested();
    conditions();
    __kmpc_end(&here);
    return check_done("fork");
}
