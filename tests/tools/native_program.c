/* A program of blitz.h and blitz/cilk.h, for native.sh: native_program CASE. That script has the expected spawns and
 * counts. */
#include <blitz.h>
#include <blitz/cilk.h>

#include <pthread.h>
#include <semaphore.h>
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

/* In an OpenMP program: calls from a region, and a region in a call. */
static void open_region(void *arg) {
#pragma omp parallel num_threads(2)
#pragma omp critical
    ++*(int *)arg; /* inner */
}

static void use_openmp(void) {
    int members = 0;
    for (int i = 0; i < 3; i++)
        blitz_call(NULL, open_region, &members); /* outer */
#pragma omp parallel num_threads(2)
    {
        blitz_call(NULL, job, NULL); /* region */
#pragma omp critical
        members++;
    }
    printf("%d\n", members);
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
    blitz_future_wait(future, &got);
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

static int piece(size_t lo, size_t hi, void *ctx) {
    (void)lo, (void)hi, (void)ctx;
    return 0;
}

static int map(size_t lo, size_t hi, void *value, void *ctx) {
    (void)ctx;
    *(size_t *)value += hi - lo;
    return 0;
}

static void combine(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(size_t *)left += *(const size_t *)right;
}

static void each(unsigned index, void *arg) {
    (void)index, (void)arg;
}

/* Loops with a known number of pieces, and a call on each thread of a pool. */
static void use_loops(void) {
    static const size_t zero = 0;
    static const blitz_reduce_op op = {sizeof zero, &zero, map, combine};
    blitz_config config = {.workers = 3};
    blitz_task tasks[5];
    size_t sum = 0;
    blitz_configure(&config);
    for (int i = 0; i < 100; i++)
        blitz_for(0, 64, 64, piece, NULL);        /* for */
    blitz_for(0, 8, 1, piece, NULL);              /* fine */
    blitz_reduce(0, 1000, 1000, &op, NULL, &sum); /* reduce */
    for (int i = 0; i < 5; i++)
        tasks[i] = (blitz_task){job, NULL};
    blitz_join_n(tasks, 5);            /* join_n */
    blitz_broadcast(NULL, each, NULL); /* broadcast */
    printf("%zu\n", sum);
}

/* A job waits outside of blitz.h for this thread, which sleeps there after its lease to the pool; this is no hang. */
static sem_t woken;
static int has_begun;

static void wait_outside(void *arg) {
    (void)arg;
    __atomic_store_n(&has_begun, 1, __ATOMIC_RELEASE); /* else this thread may take it */
    while (sem_wait(&woken) != 0)
        continue;
}

static void *wait_idle(void *arg) {
    (void)arg;
    blitz_wait_idle(NULL);
    return NULL;
}

static void use_lent(void) {
    pthread_t thread;
    blitz_config config = {.workers = 1};
    sem_init(&woken, 0, 0);
    blitz_configure(&config);
    blitz_submit(NULL, wait_outside, NULL);
    pthread_create(&thread, NULL, wait_idle, NULL);
    while (!__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE))
        usleep(1000);
    blitz_pool_lend(NULL, 100000000);
    usleep(1500000);
    sem_post(&woken);
    pthread_join(thread, NULL);
}

/* Functions that return with an unsynced fork; the message that ends the process has this address. */
static blitz_frame open_frame;

static void forget(void *arg) {
    (void)arg;
    blitz_fork(&open_frame, job, NULL);
}

static intptr_t forget_value(void *arg) {
    forget(arg);
    return 0;
}

static void misuse(int by_future) {
    blitz_future *future;
    printf("%p\n", by_future ? (void *)(uintptr_t)forget_value : (void *)(uintptr_t)forget);
    fflush(stdout);
    if (by_future)
        blitz_future_submit(NULL, forget_value, NULL, NULL, &future);
    else
        blitz_submit(NULL, forget, NULL);
    blitz_wait_idle(NULL);
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

/* Two futures wait for each other, one of them for `limit` nanoseconds, and main for one of them. */
static blitz_future *one, *other;
static uint64_t limit = BLITZ_FOREVER;
static int ring_begun; /* of both: a future that has not begun would be run by its waiter */

static intptr_t wait_for_other(void *arg) {
    intptr_t got = 0;
    (void)arg;
    __atomic_add_fetch(&ring_begun, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&other, __ATOMIC_ACQUIRE))
        usleep(1000);
    blitz_future_wait(__atomic_load_n(&other, __ATOMIC_ACQUIRE), &got); /* other */
    return got;
}

static intptr_t wait_for_one(void *arg) {
    intptr_t got = 0;
    (void)arg;
    __atomic_add_fetch(&ring_begun, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&ring_begun, __ATOMIC_ACQUIRE) < 2)
        usleep(1000);
    blitz_future_wait_for(one, limit, &got); /* one */
    return got;
}

static void wait_in_ring(void) {
    blitz_config config = {.workers = 3};
    blitz_configure(&config);
    blitz_future *second;
    blitz_future_submit(NULL, wait_for_other, NULL, NULL, &one);  /* first */
    blitz_future_submit(NULL, wait_for_one, NULL, NULL, &second); /* second */
    while (__atomic_load_n(&ring_begun, __ATOMIC_ACQUIRE) < 2)
        usleep(1000);
    __atomic_store_n(&other, second, __ATOMIC_RELEASE);
    blitz_future_wait(one, NULL); /* main */
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "all";
    int status = 0;
    if (strcmp(what, "openmp") == 0)
        use_openmp(), argc > 2 ? wait_in_ring() : use_all();
    else if (strcmp(what, "all") == 0)
        use_all();
    else if (strcmp(what, "pool") == 0)
        use_pool();
    else if (strcmp(what, "child") == 0)
        status = use_in_child();
    else if (strcmp(what, "outside") == 0)
        blitz_join(job, NULL, job, NULL); /* outside */
    else if (strcmp(what, "loops") == 0)
        use_loops();
    else if (strcmp(what, "lent") == 0)
        use_lent();
    else if (strcmp(what, "misuse") == 0)
        misuse(argc > 2);
    else if (strcmp(what, "limit") == 0)
        limit = 1500000000, wait_in_ring();
    else if (strcmp(what, "ring") == 0)
        wait_in_ring();
    else
        puts("nothing");
    return status;
}
