/*
 * blitz.h: parallel work in C and C++.
 *
 *     static void work(void *arg) { ... }
 *     ...
 *     blitz_join(work, &left, work, &right);        // two tasks in parallel; both are done when it returns
 *
 * A task is a function with its argument. A pool of workers runs tasks by work stealing. The global pool starts by itself
 * at the first call, adds threads as work comes, and lets idle threads sleep.
 *
 *   a number of tasks, known at the call            blitz_join, blitz_join_n
 *   a task in parallel with the caller's next lines blitz_fork, blitz_sync
 *   a loop over a range of indices                  blitz_for, blitz_reduce
 *   any number of tasks, which may spawn more       blitz_scope_begin, blitz_scope_spawn, blitz_scope_wait
 *   a task in the background                        blitz_submit, blitz_wait_idle
 *   a task in the background, with a result         blitz_future_submit, blitz_future_wait, blitz_future_drop
 *   a priority, or cancellation                     blitz_options, blitz_token: for the verbs that end in _with
 *   workers, threads and names of one's own         blitz_pool_create, blitz_call
 *   sums, searches, scans, sorts of arrays          blitz/algo.h, blitz/sort.h
 *   forks for a few instructions                    blitz/cilk.h
 *   lambdas, values and exceptions                  blitz.hpp
 *
 * Errors: verbs that return int return 0 or a positive errno value. Verbs that return void cannot fail: without memory or
 * threads they run the task on the caller. They report a NULL function once, and skip it. Wrong use ends the process with
 * one line; the rules are at the end of this file. All times are in nanoseconds.
 *
 * Pools: verbs without a pool use the caller's current pool, or outside of all pools the global one. Verbs with a pool take
 * NULL for the global one. All verbs nest freely, from any thread, except where their comment says otherwise.
 *
 * Waiting never runs unrelated work: a waiting thread runs the task that it waits for, or tasks which that made, or sleeps.
 * So a lock may be held across a wait, except in blitz_help and blitz_future_help.
 *
 * Memory: a task sees all writes that its creator made before, and its waiter sees all writes of the task.
 */
#ifndef BLITZ_H
#define BLITZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. */
#define BLITZ_VERSION_MAJOR 0
#define BLITZ_VERSION_MINOR 1
#define BLITZ_VERSION_PATCH 0

/* Marks what the library exports. */
#define BLITZ_API __attribute__((visibility("default")))

/* Returns the version of the loaded library, as "0.1.0". Any thread. */
BLITZ_API const char *blitz_version(void);

/* A pool of workers. */
typedef struct blitz_pool blitz_pool;

/* The function of a task. */
typedef void blitz_fn(void *arg);

/* A piece of a loop: the indices lo to hi - 1, lo < hi. A value other than 0 ends the loop early. */
typedef int blitz_range_fn(size_t lo, size_t hi, void *ctx);

/* For times: no limit. */
#define BLITZ_FOREVER UINT64_MAX

/* ---- Fork and join ---- */

/* Runs fa(a) and fb(b), possibly in parallel, and returns when both are done. fa runs on this thread. Cost: tens
 * of nanoseconds, and no memory, if no thief takes fb. */
BLITZ_API void blitz_join(blitz_fn *fa, void *a, blitz_fn *fb, void *b);

/* A task: a function and its argument. */
typedef struct blitz_task {
    /* Not NULL. */
    blitz_fn *fn;
    /* Passed to fn. */
    void *arg;
} blitz_task;

/* Runs n tasks, possibly in parallel, and returns when all are done. Tasks of low index begin first, the first one on this
 * thread. A task with a NULL function is reported once and skipped. Cost: that of a loop; no memory. */
BLITZ_API void blitz_join_n(const blitz_task *tasks, size_t n);

/* The frame of a forked task. The caller provides the memory, on its stack or elsewhere, from the fork to the sync. */
typedef struct blitz_frame {
    void *opaque[8];
} blitz_frame;

/* Forks the task fn(arg): it may run from here on, on any worker, and at the latest in blitz_sync. The thread that forked
 * must sync the frame, once, in the same pool, before its function or task returns; then the frame may be used again. Sync
 * the last fork first: other orders are correct but cost more. */
BLITZ_API void blitz_fork(blitz_frame *frame, blitz_fn *fn, void *arg);

/* Returns when the forked task is done. Runs it here if no worker has begun it. */
BLITZ_API void blitz_sync(blitz_frame *frame);

/* ---- Loops ---- */

/* Calls body over [lo, hi), cut into pieces, and returns when all are done. Does nothing if lo >= hi.
 *
 * grain is the least number of indices in a piece for another worker; 0 lets the loop decide. A range splits only when a
 * worker is idle, and a range below twice the grain is one piece, on this thread. A piece is at most 1/32 of the range that
 * its worker received, or 1/16 where pieces take no time.
 *
 * Returns the first value other than 0 that a body returned; pieces that have not begun by then do not run. EINVAL: body is
 * NULL. */
BLITZ_API int blitz_for(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx);

/* How to reduce a range to one value. + stands for the operation. */
typedef struct blitz_reduce_op {
    /* Bytes of a value. */
    size_t size;
    /* A value e with combine(e, x) = x = combine(x, e). */
    const void *identity;
    /* value = value + the elements lo to hi - 1. A value other than 0 ends the loop early. */
    int (*map)(size_t lo, size_t hi, void *value, void *ctx);
    /* left = left + right. right's elements follow left's. */
    void (*combine)(void *left, const void *right, void *ctx);
} blitz_reduce_op;

/* Reduces [lo, hi) into *out; grain as for blitz_for. + must be associative; it need not commute: operands keep their order,
 * and only their bracketing varies. memcpy moves values; they are aligned for types of up to 64 bytes' alignment.
 *
 * blitz/algo.h has faster, typed functions for arrays of numbers: blitz_sum_f64, blitz_max_i32, blitz_dot_f32 and others.
 *
 * Returns as blitz_for, and writes *out only with 0. EINVAL also: op, a member of it or out is NULL, or size is 0. ENOMEM:
 * no memory for one value of more than 64 bytes. */
BLITZ_API int blitz_reduce(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, void *ctx,
                           void *out);

/* ---- Scopes ---- */

/* A group of tasks with one wait for all. The caller provides the memory. */
typedef struct blitz_scope {
    void *opaque[8];
} blitz_scope;

/* Opens a scope. The same function or task must end it by blitz_scope_wait, on the same thread and in the same pool. */
BLITZ_API void blitz_scope_begin(blitz_scope *scope);

/* Spawns the task fn(arg) into the scope: it runs before blitz_scope_wait returns. Called by the thread that began the
 * scope, or within a task of it. Cost: tens of nanoseconds, and a block of the worker's memory. */
BLITZ_API void blitz_scope_spawn(blitz_scope *scope, blitz_fn *fn, void *arg);

/* Returns when all tasks of the scope are done, including those that tasks have spawned. Ends the scope, once; then it may
 * be begun again. */
BLITZ_API void blitz_scope_wait(blitz_scope *scope);

/* ---- Submitted tasks ---- */

/* Submits the task fn(arg): it runs in the pool some time, in order of submission. A worker may take up to 16 submitted
 * tasks at a time, so that with several workers, or within blitz_help, a task may begin before an earlier one. If the pool
 * can have no thread, the caller runs it. Any thread. 0, EINVAL or ENOMEM; with an error the task never runs. Cost:
 * hundreds of nanoseconds, and more if it must wake a sleeping worker. */
BLITZ_API int blitz_submit(blitz_pool *pool, blitz_fn *fn, void *arg);

/* Waits until every submitted task is done, including those submitted meanwhile. 0, EDEADLK (the caller is inside the pool)
 * or ENOMEM (no global pool). */
BLITZ_API int blitz_wait_idle(blitz_pool *pool);

/* ---- Futures ---- */

/* The result of a submitted task. Any number of threads may wait for it. */
typedef struct blitz_future blitz_future;

/* The function of a task with a result: a number, or a pointer as a number. */
typedef intptr_t blitz_value_fn(void *arg);

/* Priority and cancellation: declared below. NULL stands for the defaults. */
typedef struct blitz_options blitz_options;

/* Submits the task fn(arg), as blitz_submit_with does, and stores its future in *future before the task begins. The holder
 * must drop the future once. Any thread may use it, several at the same time, also after the pool has ended. 0, EINVAL (fn
 * or future is NULL, or options has no such priority) or ENOMEM. Cost: that of blitz_submit, and an allocation. */
BLITZ_API int blitz_future_submit(blitz_pool *pool, blitz_value_fn *fn, void *arg,
                                  const blitz_options *options, blitz_future **future);

/* Returns when the task is done, with its result in *value (NULL: not wanted). If the task has not begun and the thread's
 * current pool is the task's, the thread runs the task, and no other one. Else it sleeps, and another thread takes its place
 * in its current pool.
 *
 * 0. ECANCELED: the task was skipped, or this is the child of a fork() and the task stayed in the parent. EDEADLK: this
 * thread is running the task. EINVAL: future is NULL. Writes *value only with 0. */
BLITZ_API int blitz_future_wait(blitz_future *future, intptr_t *value);

/* blitz_future_wait with a limit of timeout_ns nanoseconds (BLITZ_FOREVER: none; 0: does not wait). With a limit it never
 * runs the task here, since a task cannot be stopped when the time is over: another thread runs it. If the pool can have no
 * other thread, the time runs out. ETIMEDOUT: the task is not done. */
BLITZ_API int blitz_future_wait_for(blitz_future *future, uint64_t timeout_ns, intptr_t *value);

/* blitz_future_wait that runs unrelated tasks meanwhile, as blitz_help does, if the current pool is the task's. It sleeps
 * while it finds no task. */
BLITZ_API int blitz_future_help(blitz_future *future, intptr_t *value);

/* Returns 1 if a wait would return at once (the task is done, was skipped, or stayed in the parent of a fork()), else 0. Any
 * thread. Cost: one or two loads. */
BLITZ_API int blitz_future_is_done(const blitz_future *future);

/* Gives the future back. Its task runs or goes on all the same. NULL does nothing. */
BLITZ_API void blitz_future_drop(blitz_future *future);

/* Runs one pending task of the pool on this thread, if there is one: a submitted task, or else one that another worker has
 * queued. It leaves tasks that the calling task itself has forked or spawned. Returns 1 if it ran a task, else 0; 0 also
 * without memory.
 *
 * The task may be any, and runs within the calling one: hold no lock that tasks of the pool take. Such tasks may help in
 * turn; when the thread's stack is nearly full the next one runs on another stack, so that only memory limits the depth. */
BLITZ_API int blitz_help(blitz_pool *pool);

/* ---- Priority and cancellation ---- */

/* For blitz_options.priority. */
#define BLITZ_PRIORITY_HIGH 1
#define BLITZ_PRIORITY_NORMAL 0
#define BLITZ_PRIORITY_LOW (-1)

/* A flag that cancels work which has not begun. Loops, scopes and submitted tasks can be bound to one. A running task goes
 * on, and may ask for the flag. The caller provides the memory, which must stay until all that is bound to it is over. It
 * needs no destruction. */
typedef struct blitz_token {
    void *opaque[2];
} blitz_token;

/* Makes a token that is not cancelled. With a parent, which must live as long, it counts as cancelled when the parent is. A
 * token of zero bytes is one without a parent. */
BLITZ_API void blitz_token_init(blitz_token *token, const blitz_token *parent);

/* Cancels. Any thread, any time, repeatedly. A thread that finds the token cancelled sees all earlier writes of the
 * canceller. NULL does nothing. */
BLITZ_API void blitz_token_cancel(blitz_token *token);

/* Returns 1 or 0; 0 for NULL. Any thread. Cost: one load, and one for each parent. */
BLITZ_API int blitz_token_is_cancelled(const blitz_token *token);

/* Options of a loop, a scope or a submitted task. All zero is the default. They are read during the call. */
struct blitz_options {
    /* Order among submitted tasks; loops and scopes, which never queue there, ignore it. Higher priorities run first, and
     * tasks of one priority in order of submission. No priority starves: of 16 times that workers take a submitted task, at
     * least one goes to each priority that has any. A worker with tasks of its own queued takes high ones before these, and
     * others now and then. */
    int priority;
    /* Cancellation: what has not begun when this is cancelled is skipped. NULL: none. */
    const blitz_token *token;
};

/* blitz_submit with options. EINVAL also: no such priority. */
BLITZ_API int blitz_submit_with(blitz_pool *pool, blitz_fn *fn, void *arg, const blitz_options *options);

/* blitz_for with options. ECANCELED: the token was cancelled before all was done. */
BLITZ_API int blitz_for_with(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx,
                             const blitz_options *options);

/* blitz_reduce with options. ECANCELED: the token was cancelled before all was done. */
BLITZ_API int blitz_reduce_with(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, void *ctx,
                                const blitz_options *options, void *out);

/* blitz_scope_begin with options: tasks that have not begun when the token is cancelled are skipped. */
BLITZ_API void blitz_scope_begin_with(blitz_scope *scope, const blitz_options *options);

/* ---- Pools ---- */

/* The largest number of workers of a pool. A larger one is cut to this, with a warning. */
#define BLITZ_WORKERS_MAX 4096u

/* Every blitz_worker_index is below this. */
#define BLITZ_WORKER_INDEX_END (2 * BLITZ_WORKERS_MAX)

/* For blitz_config.spin_ns: idle workers sleep at once. BLITZ_FOREVER: they never sleep. */
#define BLITZ_SPIN_NEVER (UINT64_MAX - 1)

/* Configuration of a pool. All zero is the default. */
typedef struct blitz_config {
    /* Number of workers. 0: BLITZ_WORKERS from the environment, or the number of CPUs that the process may use, by its mask
     * and its quota. The pool follows this number: a call from outside 100 ms after a change resizes it. */
    unsigned workers;
    /* BLITZ_POOL_... or 0. */
    unsigned flags;
    /* Nanoseconds that an idle worker polls for work before it sleeps, BLITZ_SPIN_NEVER or BLITZ_FOREVER. 0: BLITZ_SPIN from
     * the environment (in microseconds there), or a default that suits the machine. */
    uint64_t spin_ns;
    /* Stack size in bytes, for all threads that the process starts from now on. 0: BLITZ_STACKSIZE, or unchanged. */
    size_t stack_size;
    /* Threads are called name-i, where i is their blitz_worker_index. Uses at most 9 bytes. NULL or "": "blitz". */
    const char *name;

    /* Called on each thread that becomes a worker of the pool, before its first task; NULL: not called. index is its
     * blitz_worker_index, which no other thread has until on_stop returns. Covers the pool's own threads, which may come and
     * go repeatedly, and lent ones, but no threads that are inside for a call. A serial pool never calls it.
     *
     * It may use other pools, also to wait there, and OpenMP, but not this pool. */
    void (*on_start)(unsigned index, void *arg);
    /* Called on such a thread after its last task; not when the process exits. As on_start, and it must not fork. The pool's
     * own thread is no longer a worker by then: broadcasts do not reach it, and it runs no task that is submitted after it
     * returned 0. */
    void (*on_stop)(unsigned index, void *arg);
    /* Passed to both. */
    void *hook_arg;
} blitz_config;

/* For blitz_config.flags: a serial pool. It has no threads, and runs everything on the caller in program order, so that all
 * runs are alike. Forked, spawned and submitted tasks run at once, in the call, also those of blitz/cilk.h; blitz_join runs
 * fa, then fb. A loop runs in pieces of its grain, the last one up to twice as long; without a grain in one piece, or in
 * about 32 with a token. Results are those of any other pool, except for the bracketing of operands. blitz_pool_resize has
 * no effect. A task that spawns or submits its successor calls it: long chains need a deep stack. BLITZ_WORKERS=0 in the
 * environment makes all pools serial. */
#define BLITZ_POOL_SERIAL 1u

/* For blitz_config.flags: each of the pool's own threads is pinned to one CPU of the process, by its index, round robin.
 * These are the CPUs that the process had when it made or configured the first such pool. A process that a worker starts
 * inherits the CPU. If the system refuses, a line reports that and threads run anywhere. */
#define BLITZ_POOL_PINNED 2u

/* Configures the global pool, before its first use. EBUSY: it is in use already. EINVAL: config is NULL, or has an unknown
 * flag. */
BLITZ_API int blitz_configure(const blitz_config *config);

/* Makes a pool. config NULL: the default. 0, ENOMEM, or EINVAL (pool is NULL, or an unknown flag). Threads start when work
 * comes. */
BLITZ_API int blitz_pool_create(const blitz_config *config, blitz_pool **pool);

/* Waits for submitted tasks, then ends the pool. No thread may be inside it or use it afterwards: the call waits a second
 * for one that is inside, then ends the process with a line. EDEADLK: the caller is inside. NULL does nothing. */
BLITZ_API int blitz_pool_destroy(blitz_pool *pool);

/* blitz_pool_destroy for the global pool; its next use makes it anew. Optional: idle threads end with the process. */
BLITZ_API int blitz_shutdown(void);

/* Changes the number of workers, also while they work. 0: the default. Returns at once: excess workers leave after their
 * current task. 0 or ENOMEM (no global pool). */
BLITZ_API int blitz_pool_resize(blitz_pool *pool, unsigned workers);

/* Returns the pool's configured number of workers; 1 for a serial pool; 0 without memory for the global pool. A pool that
 * follows the CPUs of the process never has more than this returned last. */
BLITZ_API unsigned blitz_pool_workers(blitz_pool *pool);

/* Returns the calling thread's current pool: of the pools that it is inside, the one that it entered last. NULL outside. */
BLITZ_API blitz_pool *blitz_pool_current(void);

/* Returns the number of the calling thread in its current pool, for storage per worker: no other thread has it at the same
 * time, and it does not change within a task. It is below BLITZ_WORKER_INDEX_END, and below the number of workers plus the
 * largest number of threads that were ever lent, inside for a call, waiting for futures, inside another pool or in on_stop
 * at the same time. 0 outside of all pools. Cost: a few loads. */
BLITZ_API unsigned blitz_worker_index(void);

/* Runs fn(arg) inside the pool, on this thread, which takes part as a worker meanwhile, and returns when it is done. 0, or
 * fn has not run: EINVAL (fn is NULL), EAGAIN (thousands of threads are inside already) or ENOMEM. */
BLITZ_API int blitz_call(blitz_pool *pool, blitz_fn *fn, void *arg);

/* Runs fn(index, arg) once on each of the pool's workers, between two tasks, and returns when all have done so. index is the
 * worker's blitz_worker_index. Starts workers that have not started, and leaves out lent threads. After a resize to fewer
 * workers, excess threads that have not left yet run fn as well; after one to more, fn runs on as many as configured.
 * 0, EINVAL, EDEADLK (the caller is inside the pool), EAGAIN or ENOMEM (some workers could not start; the others ran fn). */
BLITZ_API int blitz_broadcast(blitz_pool *pool, void (*fn)(unsigned index, void *arg), void *arg);

/* Lends the calling thread to the pool for timeout_ns nanoseconds, or BLITZ_FOREVER, as one worker more than the pool's
 * size. It runs tasks, and sleeps while it finds no task. Returns when the time is over or blitz_pool_recall is called,
 * after the current task and what that has taken over. The thread keeps its name and CPUs. 0. EDEADLK: the caller is
 * inside the pool. EAGAIN: thousands of threads are. ENOMEM: no memory for a worker. A serial pool, which never queues,
 * returns at once. */
BLITZ_API int blitz_pool_lend(blitz_pool *pool, uint64_t timeout_ns);

/* Asks all lent threads of the pool to return; does not wait. blitz_pool_destroy does the same, and waits. 0 or ENOMEM. */
BLITZ_API int blitz_pool_recall(blitz_pool *pool);

/* ---- Statistics ---- */

/* Counts since the pool was made. A forked task that no thief takes is a call, and not counted. A thread that takes several
 * submitted tasks may leave some to others. In a serial pool, which never queues, all are 0. */
typedef struct blitz_stats {
    /* Tasks taken from a queue and run. */
    uint64_t tasks;
    /* Of these, taken from another worker. */
    uint64_t stolen;
    /* Of these, from outside: submitted, or called. */
    uint64_t injected;
    /* Polls of other workers' queues. */
    uint64_t tries;
    /* Times that a worker went to sleep. */
    uint64_t parks;
    /* Times that a worker woke another one. */
    uint64_t wakes;
} blitz_stats;

/* Counts of all workers together. Any thread; approximate while workers run. 0, EINVAL (stats is NULL) or ENOMEM (no global
 * pool). Cost: a few loads for each worker. */
BLITZ_API int blitz_stats_get(blitz_pool *pool, blitz_stats *stats);

/* Counts of the worker with this index. As blitz_stats_get; ENOENT: there was never one. */
BLITZ_API int blitz_stats_worker(blitz_pool *pool, unsigned index, blitz_stats *stats);

/* Writes the number of workers and the totals as one line of text without a newline. Returns the length of the whole line,
 * as snprintf does. With BLITZ_STATS=1 in the environment the process prints it at exit: for each pool, below a table; or,
 * without libblitz-tools.so, for the global one. */
BLITZ_API int blitz_stats_line(blitz_pool *pool, char *line, size_t size);

/* ---- Rules ----
 *
 * Inside: a thread is inside a pool while it is one of its own threads, is lent to it, or is in a call into it: in a verb
 * that takes tasks, from a fork to its sync, and from a scope's begin to its wait. A task may call into another pool: its
 * thread is then inside both, and the pool that it entered last is its current one. A thread from outside that calls in
 * counts as a worker: a pool of n then uses n - 1 threads of its own, and a pool of one runs everything on the caller.
 *
 * Threads must not end (pthread_exit, cancellation) inside a task, between a fork and its sync, or between a scope's begin
 * and its wait: the process ends with a line. No function here is a cancellation point. A task must not be left by longjmp
 * or by an exception.
 *
 * fork(): the child may use everything again, with threads of its own. Submitted tasks that are not done, and work on other
 * threads, stay in the parent; a wait for the future of such a task returns ECANCELED in the child. A task that calls fork()
 * goes on in the child; if it waits there for a task that another thread had taken, and no other thread is left, the process
 * ends with a line. The memory of what stayed in the parent is lost in the child.
 *
 * Wrong use ends the process by abort() after one line on standard error that names the call, the object with its address,
 * and the rule. A release checks what costs nothing:
 *   - NULL for a frame or scope
 *   - a frame synced twice, never forked, or synced by another thread or in another pool
 *   - a scope waited for twice, never begun, waited for by another thread, or used for a spawn after its wait
 *   - a spawn into another thread's scope by a thread outside of all pools
 *   - a function that returned with an open fork or scope: in blitz_call, submitted tasks, broadcasts and loops, and in the
 *     other verbs if they were called from outside
 *   - a function that was left by longjmp or an exception, by the next verb that enters a pool, in most cases
 *   - a pool that does not exist or was destroyed (the last 64), or is destroyed while threads are inside
 *   - a future that was dropped, until its memory is used again; a token that was never initialised
 *   - a reducer that ends, or is used, in the wrong place (blitz/reducer.h)
 *   - a sync without a fork of blitz/cilk.h, while no other worker has started
 * A library built with BLITZ_DEBUG=1 also sees a frame or scope that is used again while open, an open fork or scope
 * of every function, with its address, and a function that was left, in each verb. */

#ifdef __cplusplus
}
#endif

#endif
