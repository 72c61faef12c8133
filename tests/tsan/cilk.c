/* blitz/cilk.h, whose hot path is in the program's own, instrumented code. */
#include <blitz/cilk.h>

#include "cases.h"

static int x, y, meeting;

BLITZ_VOID_TASK_1(spawned_add, int *, to) {
    meet(&meeting, 2);
    *to += 1;
}

BLITZ_VOID_TASK_1(recursion_add, int *, to) {
    meet(&meeting, 2);
    *to += 1;
}

BLITZ_TASK_1(long, fib, int, n) {
    if (n < 2)
        return n;
    BLITZ_FORK(a, fib, n - 1);
    long b = BLITZ_CALL(fib, n - 2);
    return b + BLITZ_SYNC(a, fib);
}

BLITZ_TASK_1(int, spawned_first, int, start) {
    x = start;
    BLITZ_FORK(a, spawned_add, &x);
    meet(&meeting, 2);
    if (racy)
        x = 5;
    BLITZ_SYNC(a, spawned_add);
    return x;
}

static void spawned(void) {
    meeting = 0;
    EXPECT(spawned_first(1) == 2);
}

BLITZ_VOID_TASK_1(recursion_two, int *, to) {
    BLITZ_FORK(a, recursion_add, to);
    BLITZ_CALL(recursion_add, racy ? to : &y);
    BLITZ_SYNC(a, recursion_add);
}

static void recursion(void) {
    meeting = 0;
    EXPECT(fib(15) == 610);
    recursion_two(&x);
}

BLITZ_LOOP_1(loop_fill, i, int *, all) {
    if (i == 0 || i == 999)
        meet(&meeting, 2);
    all[racy ? 0 : i] = 1;
}

static void loop(void) {
    static int all[1000];
    meeting = 0;
    BLITZ_FOR(loop_fill, 0, 1000, all);
    for (int i = 0; i < 1000; i++)
        EXPECT(all[i] == 1);
}

static const struct tsan_case cases[] = {
    CASE(spawned),
    CASE(recursion),
    CASE(loop),
};

int main(int argc, char **argv) {
    return RUN_CASES(cases, argc, argv);
}
