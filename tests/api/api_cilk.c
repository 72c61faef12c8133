/* api_cilk.c: the guarantees of blitz/cilk.h, beyond its examples. Also compiled as serial code (api_serial.c) and as
 * C++ (api_cplusplus.cpp), with the same results. */
#include <blitz/cilk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "../asserts.h"
#ifdef __cplusplus
}
#endif

/* ---- arguments of all kinds, and all numbers of them ---- */

struct triple {
    double x, y, z;
};

BLITZ_TASK_1(double, one, struct triple, t) {
    return t.x * t.y * t.z;
}
BLITZ_TASK_2(char, two, char, a, short, b) {
    return (char)(a + b);
}
BLITZ_TASK_3(const char *, three, const char *, text, size_t, at, int, more) {
    return text + at + more;
}
BLITZ_TASK_4(struct triple, four, float, x, double, y, long, z, int, times) {
    struct triple t = {(double)x * times, y * times, (double)z * times};
    return t;
}
BLITZ_TASK_5(uint64_t, five, uint8_t, a, uint16_t, b, uint32_t, c, uint64_t, d, int8_t, e) {
    return a + b + c + d + (uint64_t)e;
}
BLITZ_VOID_TASK_6(six, int *, out, int, a, int, b, int, c, int, d, int, e) {
    *out = a + 10 * b + 100 * c + 1000 * d + 10000 * e;
}

BLITZ_TASK_1(int, use_all, int, times) {
    int wrong = 0;
    for (int i = 0; i < times; i++) {
        struct triple t = {2, 3, 4};
        int out = 0;
        BLITZ_FORK(s1, one, t);
        BLITZ_FORK(s2, two, 'a', 3);
        BLITZ_FORK(s3, three, "abcdef", 2, 1);
        BLITZ_FORK(s4, four, 1.5f, 2.5, 3, 2);
        BLITZ_FORK(s5, five, 1, 2, 3, 4, 5);
        BLITZ_FORK(s6, six, &out, 1, 2, 3, 4, 5);
        BLITZ_SYNC(s6, six);
        wrong += out != 54321;
        wrong += BLITZ_SYNC(s5, five) != 15;
        struct triple t4 = BLITZ_SYNC(s4, four);
        wrong += t4.x != 3 || t4.y != 5 || t4.z != 6;
        wrong += strcmp(BLITZ_SYNC(s3, three), "def") != 0;
        wrong += BLITZ_SYNC(s2, two) != 'd';
        wrong += BLITZ_SYNC(s1, one) != 24;
    }
    return wrong;
}

static void arguments_and_results_arrive(void **state) {
    (void)state;
    assert_int_equal(use_all(2000), 0);
}

/* ---- no arguments at all ---- */

static unsigned calls;

BLITZ_DECLARE_TASK_0(int, call_five_times)
BLITZ_VOID_TASK_0(call) {
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}
BLITZ_BODY_0(int, call_five_times) {
    BLITZ_TASK_FRAME(call) frames[3];
    for (int i = 0; i < 3; i++)
        BLITZ_FORK_AT_0(call, &frames[i]);
    CILK_SPAWN_0(named, call);
    BLITZ_CALL_0(call);
    CILK_SYNC(named, call);
    for (int i = 3; i-- > 0;)
        BLITZ_SYNC_AT(call, &frames[i]);
    return 7;
}
BLITZ_TASK_0(int, twice) {
    CILK_SPAWN_0(x, call_five_times);
    int y = BLITZ_CALL_0(call_five_times);
    return y + BLITZ_SYNC(x, call_five_times);
}
BLITZ_LOOP_0(call_odd, i) {
    if (i % 2 == 1)
        call();
}

static void tasks_and_loops_need_no_arguments(void **state) {
    (void)state;
    calls = 0;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(twice(), 14);
    assert_int_equal(calls, 10000);
    BLITZ_FOR_0(call_odd, 10, 1000);
    CILK_FOR_0(call_odd, 0, 10);
    assert_int_equal(calls, 10500);
}

/* ---- syncs in other orders, or none ---- */

BLITZ_VOID_TASK_2(set, int *, out, int, value) {
    *out = value;
}

BLITZ_TASK_1(int, sync_oldest_first, int, times) {
    int wrong = 0;
    for (int i = 0; i < times; i++) {
        int out[3] = {0, 0, 0};
        BLITZ_FORK(a, set, &out[0], 1);
        BLITZ_FORK(b, set, &out[1], 2);
        BLITZ_FORK(c, set, &out[2], 3);
        BLITZ_SYNC(a, set);
        wrong += out[0] != 1;
        BLITZ_SYNC(b, set);
        wrong += out[1] != 2;
        BLITZ_SYNC(c, set);
        wrong += out[2] != 3;
    }
    return wrong;
}

/* Spawns come into the place of one that has run before its own sync. */
BLITZ_TASK_1(int, sync_between_spawns, int, times) {
    int wrong = 0;
    for (int i = 0; i < times; i++) {
        int out[6] = {0, 0, 0, 0, 0, 0};
        BLITZ_FORK(a, set, &out[0], 1);
        BLITZ_FORK(b, set, &out[1], 2);
        BLITZ_FORK(c, set, &out[2], 3);
        BLITZ_FORK(d, set, &out[3], 4);
        BLITZ_SYNC(c, set);
        BLITZ_FORK(e, set, &out[4], 5);
        BLITZ_FORK(f, set, &out[5], 6);
        BLITZ_SYNC(d, set);
        wrong += out[2] != 3 || out[3] != 4;
        BLITZ_SYNC(e, set);
        BLITZ_SYNC(f, set);
        wrong += out[4] != 5 || out[5] != 6;
        BLITZ_SYNC(a, set);
        BLITZ_SYNC(b, set);
        wrong += out[0] != 1 || out[1] != 2;
    }
    return wrong;
}

/* Remaining frames are synced when their block ends. */
BLITZ_TASK_2(int, leave_early, int *, out, int, how) {
    BLITZ_FORK(a, set, &out[0], 1);
    if (how == 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        BLITZ_FORK(b, set, &out[1], 2);
        if (how == 1)
            break;
    }
    CILK_SCOPE {
        CILK_SPAWN(c, set, &out[2], 3);
    }
    return out[2];
}

BLITZ_TASK_1(int, leave_in_all_ways, int, times) {
    int wrong = 0;
    for (int i = 0; i < times; i++)
        for (int how = 0; how < 3; how++) {
            int out[3] = {0, 0, 0};
            int result = BLITZ_CALL(leave_early, out, how);
            wrong += out[0] != 1 || out[1] != (how ? 2 : 0) || out[2] != (how ? 3 : 0) || result != out[2];
        }
    return wrong;
}

static void spawns_are_synced_in_any_order(void **state) {
    (void)state;
    assert_int_equal(sync_oldest_first(2000), 0);
    assert_int_equal(sync_between_spawns(2000), 0);
    assert_int_equal(leave_in_all_ways(2000), 0);
}

/* ---- tasks that spawn each other, and plain calls of tasks in tasks ---- */

BLITZ_DECLARE_TASK_1(int, is_odd, int, n)
BLITZ_DECLARE_TASK_1(int, is_even, int, n)

BLITZ_BODY_1(int, is_even, int, n) {
    if (n == 0)
        return 1;
    BLITZ_FORK(x, is_odd, n - 1);
    return BLITZ_SYNC(x, is_odd);
}

BLITZ_BODY_1(int, is_odd, int, n) {
    return n == 0 ? 0 : is_even(n - 1); /* not by BLITZ_CALL: as from any function */
}

static void tasks_may_spawn_each_other(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(is_even(i), i % 2 == 0);
        assert_int_equal(is_odd(i), i % 2);
    }
}

/* ---- more at once than a new deque has room for ---- */

enum { MANY = 5000 };

BLITZ_TASK_2(long, add_up, long, first, long, count) {
    long sum = 0;
    if (count == 1)
        return first;
    BLITZ_TASK_FRAME(add_up) *frames = (BLITZ_TASK_FRAME(add_up) *)malloc((size_t)count * sizeof *frames);
    if (!frames)
        abort();
    for (long i = 0; i < count; i++)
        BLITZ_FORK_AT(add_up, &frames[i], first + i, 1);
    for (long i = count; i-- > 0;)
        sum += BLITZ_SYNC_AT(add_up, &frames[i]);
    free(frames);
    return sum;
}

static void there_may_be_many_at_once(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++)
        assert_int_equal(add_up(1, MANY), (long)MANY * (MANY + 1) / 2);
}

/* ---- loops ---- */

BLITZ_LOOP_1(count_up, i, int *, counts) {
    counts[i]++;
}
BLITZ_LOOP_3(weigh, k, long *, out, const int *, counts, int, factor) {
    out[k] = (long)k * counts[k] * factor;
}

static void loops_run_each_index_once(void **state) {
    static int counts[MANY];
    static long out[MANY];
    (void)state;
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < 100; i++)
        BLITZ_FOR(count_up, 10, MANY, counts);
    CILK_FOR(weigh, 0, MANY, out, counts, 3);
    BLITZ_FOR(count_up, 5, 5, counts);
    BLITZ_FOR(count_up, 6, 5, counts);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(counts[i], i < 10 ? 0 : 100);
        assert_int_equal(out[i], (long)i * counts[i] * 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_and_results_arrive),   cmocka_unit_test(tasks_and_loops_need_no_arguments),
        cmocka_unit_test(spawns_are_synced_in_any_order), cmocka_unit_test(tasks_may_spawn_each_other),
        cmocka_unit_test(there_may_be_many_at_once),      cmocka_unit_test(loops_run_each_index_once),
    };
#ifndef BLITZ_SERIAL
    static blitz_config config; /* all zero, in C and in C++ */
    config.workers = 4;
    if (blitz_configure(&config))
        return 1;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
