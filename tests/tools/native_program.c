/* A program of blitz.h and blitz/cilk.h, for native.sh: native_program CASE. What is spawned where, and how often, is in
 * that script. */
#include <blitz.h>
#include <blitz/cilk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 12 /* fib(N) is 144, and spawns 232 times */

BLITZ_TASK_1(long, cilk_fib, int, n) {
    if (n < 2)
        return n;
    BLITZ_FORK(x, cilk_fib, n - 1); /* cilk */
    long y = BLITZ_CALL(cilk_fib, n - 2);
    return y + BLITZ_SYNC(x, cilk_fib);
}

struct number {
    int n;
    long fib;
};

static void fork_fib(void *arg) {
    struct number *number = arg, a = {number->n - 1, 0}, b = {number->n - 2, 0};
    blitz_frame frame;
    if (number->n < 2) {
        number->fib = number->n;
        return;
    }
    blitz_fork(&frame, fork_fib, &a); /* fork */
    fork_fib(&b);
    blitz_sync(&frame);
    number->fib = a.fib + b.fib;
}

static void join_fib(void *arg) {
    struct number *number = arg, a = {number->n - 1, 0}, b = {number->n - 2, 0};
    if (number->n < 2) {
        number->fib = number->n;
        return;
    }
    blitz_join(join_fib, &b, join_fib, &a); /* join */
    number->fib = a.fib + b.fib;
}

static void job(void *arg) {
    (void)arg;
}

static intptr_t value(void *arg) {
    return (intptr_t)arg + 1;
}

static void use_all(void) {
    struct number forked = {N, 0}, joined = {N, 0};
    blitz_scope scope;
    blitz_future *future;
    intptr_t got = 0;
    long fib = cilk_fib(N);
    blitz_call(NULL, fork_fib, &forked); /* call */
    blitz_call(NULL, join_fib, &joined);
    for (int i = 0; i < 10; i++)
        blitz_submit(NULL, job, NULL); /* submit */
    blitz_wait_idle(NULL);
    blitz_scope_begin(&scope);
    for (int i = 0; i < 7; i++)
        blitz_scope_spawn(&scope, job, NULL); /* spawn */
    blitz_scope_wait(&scope);
    blitz_future_submit(NULL, value, (void *)41, NULL, &future); /* future */
    blitz_future_wait(future, &got);                             /* get */
    blitz_future_drop(future);
    printf("%ld %ld %ld %ld\n", fib, forked.fib, joined.fib, (long)got);
}

/* A pool that ends, with a job of low priority that a token cancels. */
static void use_pool(void) {
    blitz_config config = {.workers = 2};
    blitz_token token;
    blitz_pool *pool;
    blitz_options options = {.token = &token};
    blitz_future *future;
    blitz_token_init(&token, NULL);
    blitz_token_cancel(&token);
    blitz_pool_create(&config, &pool);
    blitz_submit_with(pool, job, NULL, &options);
    blitz_future_submit(pool, value, NULL, &options, &future);
    printf("%d\n", blitz_future_wait(future, NULL) != 0);
    blitz_future_drop(future);
    blitz_pool_destroy(pool);
}

static int use_in_child(void) {
    int status = 1;
    use_all();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        use_all();
        exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

/* Two futures that wait for each other, and main for one of them. */
static blitz_future *one, *other;
static int has_begun;

static intptr_t wait_for_other(void *arg) {
    intptr_t got = 0;
    (void)arg;
    while (!__atomic_load_n(&other, __ATOMIC_ACQUIRE))
        usleep(1000);
    blitz_future_wait(__atomic_load_n(&other, __ATOMIC_ACQUIRE), &got); /* other */
    return got;
}

static intptr_t wait_for_one(void *arg) {
    intptr_t got = 0;
    (void)arg;
    __atomic_store_n(&has_begun, 1, __ATOMIC_RELEASE); /* else whoever waits for it would run it */
    blitz_future_wait(one, &got);                      /* one */
    return got;
}

static void wait_in_ring(void) {
    blitz_config config = {.workers = 3};
    blitz_configure(&config);
    blitz_future *second;
    blitz_future_submit(NULL, wait_for_other, NULL, NULL, &one);  /* first */
    blitz_future_submit(NULL, wait_for_one, NULL, NULL, &second); /* second */
    while (!__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE))
        usleep(1000);
    __atomic_store_n(&other, second, __ATOMIC_RELEASE);
    blitz_future_wait(one, NULL); /* main */
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "all";
    int status = 0;
    if (strcmp(what, "all") == 0)
        use_all();
    else if (strcmp(what, "pool") == 0)
        use_pool();
    else if (strcmp(what, "child") == 0)
        status = use_in_child();
    else if (strcmp(what, "ring") == 0)
        wait_in_ring();
    else
        puts("nothing");
    return status;
}
