/*
 * blitz.h: parallel work in plain C, and in C++.
 *
 * A pool of n workers runs jobs by work stealing. Nothing has to be started: the first call starts the global pool, and
 * threads come as work does. A thread that calls in from outside takes part while its call lasts, so that a pool of n
 * has n - 1 threads of its own then; a pool of one runs everything on the caller. Threads without work sleep.
 *
 *   blitz_join, blitz_join_n           two functions at once, or any number
 *   blitz_fork, blitz_sync             one function beside the caller, on a frame that the caller has
 *   blitz_for, blitz_reduce            loops over a range of indices
 *   blitz_sum_f64, blitz_max_i32 ...   sums, extremes, counts and dot products of arrays: blitz/algo.h
 *   blitz_scope_begin, _spawn, _wait   any number of tasks, which may spawn more
 *   blitz_submit, blitz_wait_idle      jobs that nobody waits for one by one
 *   blitz_future_submit, _wait...      the same with a value, which can be waited for
 *   blitz_call, blitz_broadcast        one call inside a given pool; one on each of its workers
 *   blitz/cilk.h                       typed tasks by macros: the fastest way to fork
 *
 * A thread is inside a pool while it is one of the pool's own, is lent to it, or is in a call into it: blitz_call, any of
 * the verbs above, and from a fork to its sync and from a scope's beginning to its wait. A job may call into another
 * pool; then its thread is inside both, and the one that it came into last is its current pool (blitz_pool_current).
 *
 * Verbs that take no pool use the current one, or outside of all pools the global one; those that take a pool accept NULL
 * for the global one. All may be nested freely, but for what is said at each of them. Waiting never runs unrelated work:
 * a thread that waits for a job runs that job or jobs that it made, or sleeps. So a lock may be held across a wait, but
 * not where the program asks for more (blitz_help, blitz_future_help).
 *
 * Memory: what a thread wrote before it gave work away is visible to the work, and what the work wrote is visible to
 * whoever waited for it.
 *
 * Errors: functions that return int return 0 or a positive errno value. Verbs that return nothing cannot fail: without
 * memory or threads they run the work where they are. A NULL function in such a verb is reported once and skipped.
 *
 * Wrong use: as far as it can be seen at no cost the process ends by abort() after one line on standard error, "blitz: ",
 * then the call, the object with its address, and the rule. Seen are
 *   - NULL in the place of a frame or scope
 *   - a frame that is synced twice, or was never forked, or not by the thread that syncs it, in the same pool
 *   - a scope that is waited for twice or spawned in after that, or was never begun, or not by the thread that waits; a
 *     spawn by a thread outside of all pools that has not begun it
 *   - a function given to a verb that has returned with a fork not synced or a scope not waited for: of blitz_call,
 *     submitted jobs, with a future or without, broadcasts, loops, and of other verbs where they were called from outside
 *   - a function that was left by longjmp or an exception, by the next verb that enters a pool, in most cases
 *   - a pool that was destroyed, of the last 64, or is none; one that is destroyed while threads are inside
 *   - a future that was dropped, as long as its memory is not used again; a token that was never initialised
 *   - a reducer that ends, or is used, where it must not (blitz/reducer.h)
 *   - a sync for which there is no job, as the second one of a spawn of blitz/cilk.h: after a tenth of a second
 * A library that was built with BLITZ_DEBUG=1 or more sees also a frame or scope that is used again before it is over,
 * what every other function leaves open, with the object's address, and a function that was left, in each verb. The rest may
 * crash. Errors that a program may want to go on after are returned.
 *
 * A thread must not end (pthread_exit, cancellation) inside a job, or between a fork and its sync or a scope's beginning and
 * its wait: the process ends with a line. No function here is a cancellation point. A job must not be left by longjmp or by
 * an exception. After fork() the child may use everything again, with threads of its own; jobs that were submitted but not
 * done, and work that was under way on other threads, stay with the parent. A future of such a job has
 * no value in the child: a wait for it says so at once. A job that forks goes on in the child; where it waits for what
 * another thread had taken from it, and the process has no other thread any more, it ends with a line that says so. The
 * memory of what stayed with the parent is lost in the child.
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

/* What the library exports. */
#define BLITZ_API __attribute__((visibility("default")))

/* The version of the library that runs, as "0.1.0". */
BLITZ_API const char *blitz_version(void);

/* A pool of workers. */
typedef struct blitz_pool blitz_pool;

/* A piece of work. */
typedef void blitz_fn(void *arg);

/* A piece of a loop: the indices lo to hi - 1, lo < hi. Not 0: an error, or just enough: the loop ends early. */
typedef int blitz_range_fn(size_t lo, size_t hi, void *ctx);

/* ---- Pools ---- */

/* The most workers that a pool can have; more are cut to this, with a warning. */
#define BLITZ_WORKERS_MAX 4096u

/* Every blitz_worker_index is below this. */
#define BLITZ_WORKER_INDEX_END (2 * BLITZ_WORKERS_MAX)

/* For blitz_config.spin_us. */
#define BLITZ_SPIN_NEVER 0xfffffffeu
#define BLITZ_SPIN_FOREVER 0xffffffffu

/* How a pool shall be. All zero is the default. */
typedef struct blitz_config {
    unsigned workers; /* 0: BLITZ_WORKERS if that is not 0, or as many as the process may use CPUs */
    unsigned
        spin_us; /* how long an idle worker looks for work before it sleeps; 0: BLITZ_SPIN, or what suits */
    size_t
        stack_size; /* bytes, for all threads of the process started from now on; 0: BLITZ_STACKSIZE or as it is */
    /* Threads are called name-i, with i their blitz_worker_index; at most 9 bytes of it are used. NULL or "": "blitz". */
    const char *name;
    unsigned flags; /* BLITZ_POOL_... or 0 */

    /* Called on each thread that becomes a worker of the pool, before its first job, and after its last one: the pool's own
     * threads, which may come and go more than once, and lent ones, not those that are inside for a call. index is
     * blitz_worker_index; no other thread has it in between. NULL: not called. A process that exits does not stop its
     * threads. The hooks may use other pools, also to wait there, and OpenMP, but not this pool, in which nobody is to run
     * what they would make; and on_stop must not fork. A thread of the pool's own that is in on_stop is no worker any
     * more: broadcasts do not reach it, and after one that returned 0 it runs nothing that is submitted then. A serial
     * pool has no threads, and never calls them. */
    void (*on_start)(unsigned index, void *arg);
    void (*on_stop)(unsigned index, void *arg); /* as on_start */
    void *hook_arg;                             /* what both get */
} blitz_config;

/* For blitz_config.flags.
 *
 * A serial pool has no threads: everything runs on the caller and in program order, so that each run is like the one
 * before. A fork or a spawn runs at once, where it stands, those of blitz/cilk.h too, and so does what is submitted;
 * blitz_join runs fa, then fb; a loop is run in pieces of its grain, the last of which may be up to twice as long, and
 * without a grain as one piece, or some 32 if it is bound to a token. Results are those of any other
 * pool, as far as they do not depend on how operands are bracketed. blitz_pool_resize leaves it as it is. A job that
 * spawns or submits its successor calls it: a long chain of these needs a stack as deep. BLITZ_WORKERS=0 in the environment
 * makes all pools serial, whatever their configuration says. */
#define BLITZ_POOL_SERIAL 1u

/* Each of the pool's own threads is pinned to one CPU of those that the process may use: the worker of index i to the one of
 * number i, counted round. They are those that the process had when the first such pool was made, or configured. A process
 * that a worker starts begins on its CPU, too. Where the system refuses, a line says so and threads run anywhere. */
#define BLITZ_POOL_PINNED 2u

/* For times in nanoseconds. */
#define BLITZ_FOREVER UINT64_MAX

/* How the global pool shall be. EBUSY: it is in use already. EINVAL: config is NULL, or has a flag that
 * there is not. */
BLITZ_API int blitz_configure(const blitz_config *config);

/* A pool of one's own. config NULL: the default. 0, ENOMEM or EINVAL (pool is NULL, or an unknown flag). */
BLITZ_API int blitz_pool_create(const blitz_config *config, blitz_pool **pool);

/* Changes the number of workers, also while they work; 0: the default. Returns at once: workers that are too many go
 * when they have finished what they run. 0 or ENOMEM (no global pool). */
BLITZ_API int blitz_pool_resize(blitz_pool *pool, unsigned workers);

/* Waits for submitted jobs and ends the pool. Nobody may be inside it, or use it afterwards: whoever still is gets a
 * second to leave, then the process ends with a line. EDEADLK: the caller is inside. NULL does nothing. */
BLITZ_API int blitz_pool_destroy(blitz_pool *pool);

/* The same for the global pool; the next use makes it anew. Programs need not call it: idle threads end with the
 * process. */
BLITZ_API int blitz_shutdown(void);

/* The number of workers that the pool is to have; 1 for a serial one. 0: no memory for the global pool. */
BLITZ_API unsigned blitz_pool_workers(blitz_pool *pool);

/* The calling thread's current pool: the one that it is inside, or came into last; NULL outside of all. */
BLITZ_API blitz_pool *blitz_pool_current(void);

/* The place of the calling thread in its current pool: no other thread has it at the same time, and it stays the same
 * within a job. Small: below the number of workers plus the most threads that ever were at once inside from outside, waiting
 * for futures, inside another pool or in on_stop; and always below BLITZ_WORKER_INDEX_END. 0 outside. */
BLITZ_API unsigned blitz_worker_index(void);

/* Runs fn(arg) inside the pool and returns when it is done: on this thread, which takes part as a worker meanwhile.
 * When thousands of threads do so already, on a thread of the pool. 0, EINVAL (fn is NULL) or ENOMEM (no global
 * pool). */
BLITZ_API int blitz_call(blitz_pool *pool, blitz_fn *fn, void *arg);

/* Runs fn(index, arg) once on each of the pool's workers, between two jobs, and returns when all have done so; index is
 * the worker's blitz_worker_index. Starts those that have not started yet. Threads that are lent are left out. When the
 * pool was made smaller before, threads that are too many but have not left yet run fn as well; when it was made larger,
 * fn runs on as many as there are to be, whether or not others are still on their way out. 0, EINVAL, EDEADLK (the caller
 * is inside the pool), EAGAIN or ENOMEM (not all workers can be started; those that could have run fn). */
BLITZ_API int blitz_broadcast(blitz_pool *pool, void (*fn)(unsigned index, void *arg), void *arg);

/* Lends the calling thread to the pool for timeout_ns nanoseconds, or BLITZ_FOREVER: it is one worker more than the pool's
 * size, runs its jobs, and sleeps when there are none. Returns when the time is over or blitz_pool_recall is called,
 * once the job that it runs then, and what it has taken over with it, are over. It keeps its name and its CPUs. 0;
 * EDEADLK: the caller is inside the pool. EAGAIN: thousands of threads are. ENOMEM: no memory for one more worker, and the
 * thread was not lent. In a serial pool nothing is ever queued: it returns at once. */
BLITZ_API int blitz_pool_lend(blitz_pool *pool, uint64_t timeout_ns);

/* Tells all threads that are lent to the pool to return; does not wait for them. So does blitz_pool_destroy, which waits.
 * 0 or ENOMEM. */
BLITZ_API int blitz_pool_recall(blitz_pool *pool);

/* ---- Cancellation ---- */

/* A word that says: what has not begun need not run any more. Loops, scopes and submitted jobs can be bound to one when
 * they are made; what runs already goes on, and may ask now and then. The caller provides the memory, which must stay
 * until all that was bound to it is over; there is nothing to give back. */
typedef struct blitz_token {
    void *opaque[2];
} blitz_token;

/* Not cancelled yet. With a parent, which must live as long, it is cancelled also when the parent is. A token of zero bytes
 * is as one without a parent. */
BLITZ_API void blitz_token_init(blitz_token *token, const blitz_token *parent);

/* Any thread, any time, also more than once. What was written before it is visible to those who find it cancelled. NULL
 * does nothing. */
BLITZ_API void blitz_token_cancel(blitz_token *token);

/* 1 or 0. Any thread. NULL is never cancelled. Cost: a load, and one more for each parent. */
BLITZ_API int blitz_token_is_cancelled(const blitz_token *token);

/* ---- Fork and join ---- */

/* Runs fa(a) and fb(b), perhaps at once; returns when both are done. fa runs on this thread. */
BLITZ_API void blitz_join(blitz_fn *fa, void *a, blitz_fn *fb, void *b);

/* A function and what to call it with. */
typedef struct blitz_task {
    blitz_fn *fn; /* not NULL */
    void *arg;    /* what it gets */
} blitz_task;

/* Runs n tasks, perhaps at once; returns when all are done. Those of low index begin first, the first one on this thread.
 * Takes no memory; cost: a loop's. A NULL function among them is reported once and skipped. */
BLITZ_API void blitz_join_n(const blitz_task *tasks, size_t n);

/* The frame of a forked function: memory that the caller provides, on its stack or elsewhere, from the fork to the sync. */
typedef struct blitz_frame {
    void *opaque[8];
} blitz_frame;

/* Lets fn(arg) run beside the caller, or at blitz_sync at the latest. The frame must be synced, once, by the thread
 * that forked on it, in the same pool, before the function or job that did so returns; then it may be used again. Frames
 * synced last come first cost least. A job with a value, that any thread may wait for: blitz_future_submit. */
BLITZ_API void blitz_fork(blitz_frame *frame, blitz_fn *fn, void *arg);

/* Returns when the forked function is done; runs it here if nobody has begun it. */
BLITZ_API void blitz_sync(blitz_frame *frame);

/* ---- Loops ---- */

/* Calls body over [lo, hi), cut into pieces, and returns when all are done. Nothing if lo >= hi.
 *
 * grain is the least number of indices in a piece that shall be given away; 0 lets the loop decide. Either way a
 * range is split only when a worker wants something to do, and a piece may be up to 1/32 of what its worker was given,
 * or 1/16 where that takes no time. A range of less than twice the grain is one piece, which the calling
 * thread runs itself.
 *
 * Returns the first value other than 0 that a body returned; pieces that have not begun by then are not run. EINVAL:
 * body is NULL. */
BLITZ_API int blitz_for(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx);

/* The same, bound to a token (NULL: to none). ECANCELED: it was cancelled before all was done. */
BLITZ_API int blitz_for_until(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx,
                              const blitz_token *token);

/* How to reduce a range to one value of `size` bytes. */
typedef struct blitz_reduce_op {
    size_t size;          /* of a value, in bytes */
    const void *identity; /* a value e with combine(e, x) = x = combine(x, e) */
    /* value = value + the elements lo to hi - 1, for whatever + is. As for blitz_range_fn, not 0 ends early. */
    int (*map)(size_t lo, size_t hi, void *value, void *ctx);
    /* left = left + right, where right's elements come right after left's. */
    void (*combine)(void *left, const void *right, void *ctx);
} blitz_reduce_op;

/* Reduces [lo, hi) into *out. + must be associative; it need not commute: operands keep their order, only where they
 * are bracketed is left open. Values are moved by memcpy and aligned for any type of at most 64 bytes' alignment.
 *
 * Sums, extremes, counts and dot products of arrays of numbers are typed functions of blitz/algo.h, faster than what is
 * written here: blitz_sum_f64, blitz_max_i32, blitz_dot_f32 and so on.
 *
 * Returns as blitz_for; *out is written only when that is 0. EINVAL: op, a member of it or out is missing, or size is
 * 0. ENOMEM: size is above 64 and there is no memory for one value. */
BLITZ_API int blitz_reduce(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, void *ctx,
                           void *out);

/* The same, bound to a token (NULL: to none). ECANCELED: as for blitz_for_until. */
BLITZ_API int blitz_reduce_until(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, void *ctx,
                                 void *out, const blitz_token *token);

/* ---- Scopes ---- */

/* A group of tasks that is waited for as a whole. */
typedef struct blitz_scope {
    void *opaque[8];
} blitz_scope;

/* Opens a scope. The same function or job must end it by blitz_scope_wait, on the same thread and in the same pool. */
BLITZ_API void blitz_scope_begin(blitz_scope *scope);

/* The same, bound to a token (NULL: to none): its tasks that have not begun when that is cancelled are skipped. */
BLITZ_API void blitz_scope_begin_until(blitz_scope *scope, const blitz_token *token);

/* Lets fn(arg) run, some time before blitz_scope_wait returns. Called by whoever began the scope, or within a task of
 * it. */
BLITZ_API void blitz_scope_spawn(blitz_scope *scope, blitz_fn *fn, void *arg);

/* Returns when all tasks of the scope are done, also those that tasks have spawned, and ends it, once; then it may be begun
 * again. */
BLITZ_API void blitz_scope_wait(blitz_scope *scope);

/* ---- Jobs that nobody waits for ---- */

/* Lets fn(arg) run in the pool: first come, first served. A worker may take some 16 jobs at a time, so that of several
 * workers, or within blitz_help, one may begin a job before some that came earlier. Where no thread can be had the caller
 * runs it. Any thread. 0, EINVAL or ENOMEM, and then it never runs. */
BLITZ_API int blitz_submit(blitz_pool *pool, blitz_fn *fn, void *arg);

/* For blitz_job_options.priority. */
#define BLITZ_PRIORITY_HIGH 1
#define BLITZ_PRIORITY_NORMAL 0
#define BLITZ_PRIORITY_LOW (-1)

/* How a job shall be submitted. All zero is the default. */
typedef struct blitz_job_options {
    /* Who comes first when a worker takes a job that was submitted: jobs of a higher priority, and first come, first served
     * in one. But none waits forever: of 16 times that workers take one, at least one goes to each priority that has any.
     * Only where all are normal does a worker take several at once, which it runs before others, but for high ones. A
     * worker that has jobs of its own queued takes a high one before these, and others now and then. */
    int priority;
    const blitz_token *token; /* the job is skipped if this is cancelled before it begins; NULL: none */
} blitz_job_options;

/* blitz_submit, with options (NULL: the defaults). EINVAL also: no such priority. */
BLITZ_API int blitz_submit_with(blitz_pool *pool, const blitz_job_options *options, blitz_fn *fn, void *arg);

/* Waits until every submitted job is done, also those submitted meanwhile. 0, EDEADLK (the caller is inside the pool) or
 * ENOMEM (no global pool). */
BLITZ_API int blitz_wait_idle(blitz_pool *pool);

/* ---- Futures: jobs with a value, that somebody may wait for ---- */

/* What a submitted job will return: as a future of C++, but any number of threads may wait for it. */
typedef struct blitz_future blitz_future;

/* A job with a value: a number, or a pointer as a number. */
typedef intptr_t blitz_value_fn(void *arg);

/* Lets fn(arg) run in the pool as blitz_submit_with does, and gives its future, which whoever has it must drop once; it
 * is in *future before the job begins. Any thread may use it, several at once too, also after the pool has ended. 0,
 * EINVAL or ENOMEM. Cost: an allocation. */
BLITZ_API int blitz_future_submit(blitz_pool *pool, const blitz_job_options *options, blitz_value_fn *fn,
                                  void *arg, blitz_future **future);

/* 1 if the job is done or was skipped, or stayed with the parent of a fork: then a wait returns at once; else 0. Any
 * thread. Cost: a load or two. */
BLITZ_API int blitz_future_is_done(const blitz_future *future);

/* Returns when the job is done, with its value in *value (NULL: not wanted). A thread whose current pool is the job's runs
 * the job itself if nobody has begun it, and no other; else it sleeps, and another thread works in its current pool in its
 * stead.
 *
 * 0. ECANCELED: the job was skipped, or this is the child of a fork and the job stayed with the parent. EDEADLK: the job
 * is under way on this very thread, which waits inside it. EINVAL: future is NULL. *value is written only with 0. */
BLITZ_API int blitz_future_wait(blitz_future *future, intptr_t *value);

/* The same for timeout_ns nanoseconds at most; with BLITZ_FOREVER it is blitz_future_wait. Within a time it never runs the
 * job here, since a job that has begun cannot be stopped when the time is over: a job that nobody has begun is left to
 * another thread, which works in the stead of this one, and where none can be had the time will be over. ETIMEDOUT: not
 * done yet. 0 nanoseconds: a look. */
BLITZ_API int blitz_future_wait_for(blitz_future *future, uint64_t timeout_ns, intptr_t *value);

/* blitz_future_wait of a thread that helps meanwhile (blitz_help) if its current pool is the job's: unrelated jobs run in
 * the wait. It sleeps when there are none. Other threads only wait. */
BLITZ_API int blitz_future_help(blitz_future *future, intptr_t *value);

/* The caller does not need the future any more; its job runs or goes on all the same. NULL does nothing. */
BLITZ_API void blitz_future_drop(blitz_future *future);

/* Runs one pending job of the pool on this thread, if there is any that it can get: one that was submitted, or else one
 * that another worker has queued. What the calling job itself has forked or spawned stays for its own waits. Returns 1 if it
 * ran one, else 0; 0 also without memory.
 *
 * The job may be anything, and runs within the calling one: no lock may be held that jobs of the pool take. It may help as
 * well, and so on: where the thread's stack is nearly used up the next one runs on another stack, so that memory is the
 * limit and not the stack. */
BLITZ_API int blitz_help(blitz_pool *pool);

/* ---- Statistics ---- */

/* Counted since the pool was made. What was forked and not stolen costs no count: it is a call. Whoever takes jobs that were
 * handed in may leave some to others, which run them. In a serial pool, where nothing is queued, all are 0. */
typedef struct blitz_stats {
    uint64_t jobs;     /* jobs taken from a queue and run */
    uint64_t stolen;   /* of these, taken from another worker */
    uint64_t injected; /* of these, handed in: submitted, with a future or without, called */
    uint64_t tries;    /* looks at other workers for something to steal */
    uint64_t parks;    /* times that a worker went to sleep */
    uint64_t wakes;    /* times that a worker woke another one */
} blitz_stats;

/* All workers together; worker `index` alone (ENOENT: there was none). Any thread, also while they work: then about right.
 * 0; EINVAL: stats is NULL; ENOMEM: no global pool. Cost: a look at each worker. */
BLITZ_API int blitz_stats_get(blitz_pool *pool, blitz_stats *stats);
BLITZ_API int blitz_stats_worker(blitz_pool *pool, unsigned index, blitz_stats *stats);

/* The pool's number of workers (blitz_pool_workers) and the totals as one line of text without newline, as snprintf does
 * it: returns the length it has, or would have. With BLITZ_STATS=1 in the environment the process prints it when it exits:
 * for each pool, behind a table, or without libblitz-tools.so for the global one. */
BLITZ_API int blitz_stats_line(blitz_pool *pool, char *line, size_t size);

#ifdef __cplusplus
}
#endif

#endif
