/* The verbs of blitz.h. A wait orders the awaited work before the code after it; submitted work is ordered after the
 * code before the call. */
#include <blitz.h>

#include "cases.h"

static int x, y, meeting;

/* Each case has a function of its own that runs concurrently with others. */
#define ADD(name)                                                                                            \
    static void name(void *arg) {                                                                            \
        meet(&meeting, 2);                                                                                   \
        *(int *)arg += 1;                                                                                    \
    }
ADD(join_add)
ADD(fork_sync_add)
ADD(recursion_add)
ADD(scope_add)
ADD(submit_add)
ADD(submit_two_add)
ADD(call_add)
ADD(many_add)

static void begin(void) {
    x = y = meeting = 0;
}

static void join(void) {
    begin();
    blitz_join(join_add, &x, join_add, racy ? &x : &y);
    EXPECT(x == 1 && y == 1);
}

static void fork_sync(void) {
    blitz_frame frame;
    begin();
    x = 1;
    blitz_fork(&frame, fork_sync_add, &x);
    meet(&meeting, 2);
    if (racy)
        x = 5;
    blitz_sync(&frame);
    EXPECT(x == 2);
}

static void fib(void *arg) {
    long *n = arg, a = *n - 1, b = *n - 2;
    if (*n < 2)
        return;
    blitz_join(fib, &a, fib, &b);
    *n = a + b;
}

static void recursion(void) {
    long n = 15;
    begin();
    fib(&n);
    EXPECT(n == 610);
    blitz_join(recursion_add, racy ? &x : &y, recursion_add, &x);
}

static int loop_fill(size_t lo, size_t hi, void *ctx) {
    int *all = ctx;
    if (lo == 0)
        meet(&meeting, 2);
    if (hi == 1000)
        meet(&meeting, 2);
    for (size_t i = lo; i < hi; i++)
        all[racy ? 0 : i] = 1;
    return 0;
}

static void loop(void) {
    static int all[1000];
    begin();
    blitz_for(0, 1000, 1, loop_fill, all);
    for (int i = 0; i < 1000; i++)
        EXPECT(all[i] == 1);
}

static int reduce_map(size_t lo, size_t hi, void *value, void *ctx) {
    if (lo == 0)
        meet(&meeting, 2);
    if (hi == 1000)
        meet(&meeting, 2);
    for (size_t i = lo; i < hi; i++) {
        *(long *)value += (long)i;
        if (racy)
            *(int *)ctx = 1;
    }
    return 0;
}

static void plus(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(long *)left += *(const long *)right;
}

static void reduce(void) {
    static const long zero;
    const blitz_reduce_op op = {sizeof(long), &zero, reduce_map, plus};
    long sum = 0;
    begin();
    blitz_reduce(0, 1000, 1, &op, &x, &sum);
    EXPECT(sum == 999 * 500 && x == 0);
}

static void scope(void) {
    blitz_scope tasks;
    begin();
    blitz_scope_begin(&tasks);
    x = 1;
    blitz_scope_spawn(&tasks, scope_add, &x);
    meet(&meeting, 2);
    if (racy)
        x = 2;
    blitz_scope_wait(&tasks);
    EXPECT(x == 2);
}

static void submit(void) {
    begin();
    blitz_submit(NULL, submit_add, &x);
    if (!racy)
        blitz_wait_idle(NULL);
    meet(&meeting, 2);
    EXPECT(x == 1);
    blitz_wait_idle(NULL);
}

static void submit_two(void) {
    begin();
    blitz_submit(NULL, submit_two_add, &x);
    blitz_submit(NULL, submit_two_add, racy ? &x : &y);
    blitz_wait_idle(NULL);
    EXPECT(x == 1 && y == 1);
}

static void many(void) {
    const blitz_task tasks[2] = {{many_add, &x}, {many_add, racy ? &x : &y}};
    begin();
    blitz_join_n(tasks, 2);
    EXPECT(x == 1 && y == 1);
}

static intptr_t future_add(void *arg) {
    meet(&meeting, 2);
    *(int *)arg += 1;
    return 7;
}

static void future(void) {
    blitz_future *job;
    intptr_t value = 0;
    begin();
    x = 1;
    blitz_future_submit(NULL, future_add, &x, NULL, &job);
    meet(&meeting, 2);
    if (racy)
        x = 5;
    blitz_future_wait_for(job, BLITZ_FOREVER, &value);
    EXPECT(x == 2 && value == 7);
    blitz_future_drop(job);
}

static intptr_t inner_add(void *arg) {
    meet(&meeting, 2);
    *(int *)arg += 1;
    return 0;
}

/* The waiting thread may run one of them itself. */
static void inner_there(void *arg) {
    blitz_future *jobs[2];
    (void)arg;
    begin();
    for (int i = 0; i < 2; i++)
        blitz_future_submit(NULL, inner_add, i && !racy ? &y : &x, NULL, &jobs[i]);
    for (int i = 0; i < 2; i++) {
        blitz_future_wait(jobs[i], NULL);
        blitz_future_drop(jobs[i]);
    }
    EXPECT(x == 1 && y == 1);
}

static void inner(void) {
    blitz_call(NULL, inner_there, NULL);
}

static void token_read(void *arg) {
    while (!racy && !blitz_token_is_cancelled(arg))
        sched_yield();
    meet(&meeting, 2);
    y = x;
}

static void token(void) {
    blitz_token cancelled;
    begin();
    blitz_token_init(&cancelled, NULL);
    blitz_submit(NULL, token_read, &cancelled);
    meet(&meeting, 2);
    x = 3;
    blitz_token_cancel(&cancelled);
    blitz_wait_idle(NULL);
    EXPECT(y == 3);
}

static void call_there(void *arg) {
    (void)arg;
    begin();
    blitz_join(call_add, &x, call_add, racy ? &x : &y);
    EXPECT(x == 1 && y == 1);
}

static void call(void) {
    blitz_pool *pool;
    begin();
    blitz_pool_create(&(blitz_config){.workers = 2}, &pool);
    blitz_call(pool, call_there, NULL);
    blitz_pool_destroy(pool);
}

static void broadcast_each(unsigned index, void *arg) {
    int *all = arg;
    all[racy ? 0 : index]++;
}

static void broadcast(void) {
    blitz_pool *pool;
    int all[2] = {0};
    blitz_pool_create(&(blitz_config){.workers = 2}, &pool);
    blitz_broadcast(pool, broadcast_each, all);
    EXPECT(all[0] == 1 && all[1] == 1);
    blitz_pool_destroy(pool);
}

static const struct tsan_case cases[] = {
    CASE(join),       CASE(fork_sync), CASE(recursion), CASE(loop), CASE(reduce), CASE(scope), CASE(submit),
    CASE(submit_two), CASE(call),      CASE(broadcast), CASE(many), CASE(future), CASE(inner), CASE(token),
};

int main(int argc, char **argv) {
    return RUN_CASES(cases, argc, argv);
}
