/* api_wrong_use.c: wrong use of frames, scopes and tasks, and functions that do not return. */
#include <blitz.h>
#include <blitz/cilk.h>
#include <blitz/sort.h>

#include <pthread.h>
#include <setjmp.h>

#include "../asserts.h"
#include "wrong_use.h"

static void run(void *arg) {
    (void)arg;
}

static int run_range(size_t lo, size_t hi, void *ctx) {
    (void)lo, (void)hi, (void)ctx;
    return 0;
}

/* use(arg) on a thread of its own. */
static void elsewhere(void *(*use)(void *), void *arg) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, use, arg) == 0)
        (void)pthread_join(thread, NULL);
}

static void inside(blitz_fn *use) {
    (void)blitz_call(NULL, use, NULL);
}

/* The global pool has one worker: with thieves, the effects on a job that is left behind, or that has run before a
 * second sync, depend on chance. */
static void alone(void) {
    blitz_config config = {.workers = 1};
    (void)blitz_configure(&config);
}

/* ---- frames ---- */

static blitz_frame frame, zero_frame, odd_frame;

static void sync_twice(void *arg) {
    blitz_fork(&frame, run, arg);
    blitz_sync(&frame);
    blitz_sync(&frame);
}
static void sync_twice_inside(void *arg) {
    (void)arg;
    inside(sync_twice);
}
static void *sync_there(void *arg) {
    blitz_sync(arg);
    return NULL;
}
static void sync_elsewhere(void *arg) {
    blitz_fork(&frame, run, arg);
    elsewhere(sync_there, &frame);
}
static intptr_t sync_in_job(void *arg) {
    blitz_sync(arg);
    return 0;
}
/* The future's job runs on another worker: during a timed wait it does not run here. */
static void fork_and_wait_for_sync(void *arg) {
    blitz_future *future;
    blitz_fork(&frame, run, arg);
    if (blitz_future_submit(NULL, sync_in_job, &frame, NULL, &future) == 0)
        (void)blitz_future_wait_for(future, UINT64_C(10000000000), NULL);
}
static void sync_on_another_worker(void *arg) {
    (void)arg;
    inside(fork_and_wait_for_sync);
}
static void sync_it(void *arg) {
    blitz_sync(arg);
}
static void sync_in_another_pool(void *arg) {
    blitz_pool *pool;
    blitz_fork(&frame, run, arg);
    if (blitz_pool_create(NULL, &pool) == 0)
        (void)blitz_call(pool, sync_it, &frame);
}
static void sync_own(void *arg) {
    blitz_fork(&frame, sync_it, &frame);
    blitz_sync(&frame);
    (void)arg;
}
static void fork_nothing(void *arg) {
    blitz_fork(NULL, run, arg);
}
static void sync_nothing(void *arg) {
    (void)arg;
    blitz_sync(NULL);
}
static void sync_zero(void *arg) {
    (void)arg;
    blitz_sync(&zero_frame);
}
static void sync_odd(void *arg) {
    (void)arg;
    memset(&odd_frame, 0x5a, sizeof odd_frame);
    blitz_sync(&odd_frame);
}
static void sync_zero_inside(void *arg) {
    (void)arg;
    inside(sync_zero);
}
static void fork_twice(void *arg) {
    alone();
    blitz_fork(&frame, run, arg);
    blitz_fork(&frame, run, arg);
    blitz_sync(&frame);
    blitz_sync(&frame);
}
static void fork_twice_inside(void *arg) {
    (void)arg;
    alone();
    inside(fork_twice);
}
static void fork_only(void *arg) {
    blitz_frame left;
    blitz_fork(&left, run, arg);
}
static void fork_only_inside(void *arg) {
    (void)arg;
    alone();
    inside(fork_only);
}
static void call_and_fork(void *arg) {
    (void)blitz_call(NULL, fork_only, arg);
}
static void fork_only_deep_inside(void *arg) {
    (void)arg;
    alone();
    inside(call_and_fork);
}
static void submit_fork(void *arg) {
    alone();
    if (blitz_submit(NULL, fork_only, arg) == 0)
        (void)blitz_wait_idle(NULL);
}
static intptr_t fork_in_future(void *arg) {
    fork_only(arg);
    return 0;
}
static void future_fork(void *arg) {
    blitz_future *future;
    alone();
    if (blitz_future_submit(NULL, fork_in_future, arg, NULL, &future) == 0)
        (void)blitz_future_wait(future, NULL);
}
static int fork_in_range(size_t lo, size_t hi, void *ctx) {
    (void)lo, (void)hi;
    fork_only(ctx);
    return 0;
}
static void loop_fork(void *arg) {
    alone();
    (void)blitz_for(0, 1000, 1, fork_in_range, arg);
}
static void fork_in_broadcast(unsigned index, void *arg) {
    (void)index;
    fork_only(arg);
}
static void broadcast_fork(void *arg) {
    alone();
    (void)blitz_broadcast(NULL, fork_in_broadcast, arg);
}
static void join_fork(void *arg) {
    alone();
    blitz_join(fork_only, arg, run, arg);
}
static void fork_in_fork(void *arg) {
    blitz_fork(&frame, fork_only, arg);
    blitz_sync(&frame);
}
static void fork_in_fork_inside(void *arg) {
    (void)arg;
    alone();
    inside(fork_in_fork);
}

/* ---- functions that do not return ---- */

static jmp_buf way_out;

static void jump(void *arg) {
    (void)arg;
    longjmp(way_out, 1);
}
static void call_again(void *arg) {
    if (setjmp(way_out) == 0)
        (void)blitz_call(NULL, jump, arg);
    (void)blitz_call(NULL, run, arg);
}
static void destroy_after_a_jump(void *arg) {
    static blitz_pool *pool;
    (void)blitz_pool_create(NULL, &pool);
    if (setjmp(way_out) == 0)
        (void)blitz_call(pool, jump, arg);
    (void)blitz_pool_destroy(pool);
}
static int jump_in_range(size_t lo, size_t hi, void *ctx) {
    (void)lo, (void)hi;
    jump(ctx);
    return 0;
}
static void loop_after_a_jump(void *arg) {
    alone();
    if (setjmp(way_out) == 0)
        (void)blitz_for(0, 1000, 1, jump_in_range, arg);
    (void)blitz_for(0, 1000, 1, run_range, arg);
}
static void fork_after_a_jump(void *arg) {
    if (setjmp(way_out) == 0)
        (void)blitz_call(NULL, jump, arg);
    blitz_fork(&frame, run, arg);
    blitz_sync(&frame);
}
static void sync_by_a_jump(void *arg) {
    blitz_fork(&frame, jump, arg);
    if (setjmp(way_out) == 0)
        blitz_sync(&frame);
}
static void sync_by_a_jump_inside(void *arg) {
    (void)arg;
    alone();
    inside(sync_by_a_jump);
}
static void *fork_and_end(void *arg) {
    blitz_fork(&frame, run, arg);
    return NULL;
}
static void end_in_fork(void *arg) {
    elsewhere(fork_and_end, arg);
}
static void end_thread(void *arg) {
    (void)arg;
    pthread_exit(NULL);
}
static void *call_and_end(void *arg) {
    (void)blitz_call(NULL, end_thread, arg);
    return NULL;
}
static void end_in_call(void *arg) {
    elsewhere(call_and_end, arg);
}

/* ---- scopes ---- */

static blitz_scope scope, zero_scope, odd_scope;

static void begin_nothing(void *arg) {
    (void)arg;
    blitz_scope_begin(NULL);
}
static void spawn_nothing(void *arg) {
    blitz_scope_spawn(NULL, run, arg);
}
static void wait_nothing(void *arg) {
    (void)arg;
    blitz_scope_wait(NULL);
}
static void spawn_late(void *arg) {
    blitz_scope_begin(&scope);
    blitz_scope_wait(&scope);
    blitz_scope_spawn(&scope, run, arg);
}
static void spawn_late_inside(void *arg) {
    (void)arg;
    inside(spawn_late);
}
static void spawn_zero(void *arg) {
    blitz_scope_spawn(&zero_scope, run, arg);
}
static void spawn_zero_inside(void *arg) {
    (void)arg;
    inside(spawn_zero);
}
static void spawn_odd(void *arg) {
    memset(&odd_scope, 0x5a, sizeof odd_scope);
    blitz_scope_spawn(&odd_scope, run, arg);
}
static void *spawn_there(void *arg) {
    blitz_scope_spawn(arg, run, NULL);
    return NULL;
}
static void spawn_elsewhere(void *arg) {
    (void)arg;
    blitz_scope_begin(&scope);
    elsewhere(spawn_there, &scope);
}
static void wait_twice(void *arg) {
    (void)arg;
    blitz_scope_begin(&scope);
    blitz_scope_wait(&scope);
    blitz_scope_wait(&scope);
}
static void wait_twice_inside(void *arg) {
    (void)arg;
    inside(wait_twice);
}
static void *wait_there(void *arg) {
    blitz_scope_wait(arg);
    return NULL;
}
static void wait_elsewhere(void *arg) {
    (void)arg;
    blitz_scope_begin(&scope);
    elsewhere(wait_there, &scope);
}
static void wait_zero(void *arg) {
    (void)arg;
    blitz_scope_wait(&zero_scope);
}
static void wait_odd(void *arg) {
    (void)arg;
    memset(&odd_scope, 0x5a, sizeof odd_scope);
    blitz_scope_wait(&odd_scope);
}
static void begin_twice(void *arg) {
    (void)arg;
    alone();
    blitz_scope_begin(&scope);
    blitz_scope_begin(&scope);
    blitz_scope_wait(&scope);
}
static void begin_twice_inside(void *arg) {
    (void)arg;
    alone();
    inside(begin_twice);
}
static void begin_only(void *arg) {
    blitz_scope left;
    blitz_scope_begin(&left);
    blitz_scope_spawn(&left, run, arg);
}
static void begin_only_inside(void *arg) {
    (void)arg;
    alone();
    inside(begin_only);
}
static void begin_in_task(void *arg) {
    alone();
    blitz_scope_begin(&scope);
    blitz_scope_spawn(&scope, begin_only, arg);
    blitz_scope_wait(&scope);
}

/* ---- tasks of blitz/cilk.h ---- */

BLITZ_VOID_TASK_0(leaf) {
}
BLITZ_VOID_TASK_0(syncs_twice) {
    BLITZ_FORK_0(x, leaf);
    BLITZ_SYNC(x, leaf);
    BLITZ_SYNC(x, leaf);
}
BLITZ_VOID_TASK_0(syncs_a_frame_twice) {
    BLITZ_TASK_FRAME(leaf) own;
    BLITZ_FORK_AT_0(leaf, &own);
    BLITZ_SYNC_AT(leaf, &own);
    BLITZ_SYNC_AT(leaf, &own);
}
BLITZ_VOID_TASK_0(syncs_no_frame) {
    BLITZ_TASK_FRAME(leaf) own;
    memset(&own, 0, sizeof own);
    BLITZ_SYNC_AT(leaf, &own);
}
static void cilk_sync_twice(void *arg) {
    (void)arg;
    alone();
    syncs_twice();
}
static void cilk_sync_frame_twice(void *arg) {
    (void)arg;
    alone();
    syncs_a_frame_twice();
}
static void cilk_sync_no_frame(void *arg) {
    (void)arg;
    alone();
    syncs_no_frame();
}

/* ---- programs that were compiled with other headers ---- */

#undef BLITZ_TASK_LAYOUT
#define BLITZ_TASK_LAYOUT 4u
BLITZ_VOID_TASK_0(of_another_layout) {
}
static void task_of_another_layout(void *arg) {
    (void)arg;
    of_another_layout();
}

#undef BLITZ_SORT_LAYOUT
#define BLITZ_SORT_LAYOUT 1u
#define IS_LESS(a, b) (*(a) < *(b))
BLITZ_DEFINE_SORT(sort_ints, int, IS_LESS);
static void sort_of_another_layout(void *arg) {
    int numbers[] = {2, 1};
    (void)arg;
    sort_ints(numbers, COUNT(numbers));
}
static void stable_sort_of_another_layout(void *arg) {
    int numbers[] = {2, 1};
    (void)arg;
    (void)sort_ints_stable(numbers, COUNT(numbers));
}
static void merge_of_another_layout(void *arg) {
    int numbers[] = {2, 1}, merged[2];
    (void)arg;
    sort_ints_merge(numbers, 1, numbers + 1, 1, merged);
}
struct large {
    int key;
    char rest[100];
};
#define IS_LESS_LARGE(a, b) ((a)->key < (b)->key)
BLITZ_DEFINE_SORT(sort_large, struct large, IS_LESS_LARGE);
static void large_sort_of_another_layout(void *arg) {
    static struct large elements[] = {{2, ""}, {1, ""}};
    (void)arg;
    sort_large(elements, COUNT(elements));
}

/* ---- the lines ---- */

#define FUNCTION_LEFT "was left by longjmp or an exception; it must return"
#define UNSYNCED                                                                                             \
    "returned with an open fork or scope; sync each fork and wait for each scope before it returns"
#define NOT_NULL "must not be NULL"

static const struct wrong wrongs[] = {
    {sync_twice, "blitz_sync: frame", "was already synced", 0},
    {sync_twice_inside, "blitz_sync: frame", "was already synced", 0},
    {sync_elsewhere, "blitz_sync: frame", "was forked by another thread; it must be synced there", 0},
    {sync_on_another_worker, "blitz_sync: frame", "was forked by another thread; it must be synced there", 0},
    {sync_in_another_pool, "blitz_sync: frame",
     "was forked in another pool or region; it must be synced there", 0},
    {sync_own, "blitz_sync: frame", NULL, 0},
    {fork_nothing, "blitz_fork: frame", NOT_NULL, 0},
    {sync_nothing, "blitz_sync: frame", NOT_NULL, 0},
    {sync_zero, "blitz_sync: frame", "was never forked", 0},
    {sync_zero_inside, "blitz_sync: frame", "was never forked", 0},
    {sync_odd, "blitz_sync: frame", "was never forked", 0},
    {fork_twice, NULL, NULL, 0},
    {fork_twice_inside, NULL, NULL, 0},
    {fork_only_inside, "blitz_call: function", UNSYNCED, 0},
    {fork_only_deep_inside, "blitz_call: function", UNSYNCED, 0},
    {submit_fork, "blitz_submit: function", UNSYNCED, 0},
    {future_fork, "blitz_future_submit: function", UNSYNCED, 0},
    {loop_fork, "blitz_for: function", UNSYNCED, 0},
    {broadcast_fork, "blitz_broadcast: function", UNSYNCED, 0},
    {join_fork, NULL, NULL, 0}, /* gcc 16 leaves the frame whole after its function, gcc 12 does not */
    {fork_in_fork_inside, "blitz_call: function", UNSYNCED, 0},
    {call_again, NULL, FUNCTION_LEFT, 0},
    {destroy_after_a_jump, NULL, FUNCTION_LEFT, 0},
    {loop_after_a_jump, NULL, FUNCTION_LEFT, 0},
    {fork_after_a_jump, NULL, FUNCTION_LEFT, 1},
    {sync_by_a_jump_inside, NULL, NULL, 0},
    {begin_nothing, "blitz_scope_begin: scope", NOT_NULL, 0},
    {spawn_nothing, "blitz_scope_spawn: scope", NOT_NULL, 0},
    {wait_nothing, "blitz_scope_wait: scope", NOT_NULL, 0},
    {spawn_late, "blitz_scope_spawn: scope", "was already waited for", 0},
    {spawn_late_inside, "blitz_scope_spawn: scope", "was already waited for", 0},
    {spawn_zero, "blitz_scope_spawn: scope", "was never begun", 0},
    {spawn_zero_inside, "blitz_scope_spawn: scope", "was never begun", 0},
    {spawn_odd, "blitz_scope_spawn: scope", "was never begun", 0},
    {spawn_elsewhere, "blitz_scope_spawn: scope",
     "belongs to another thread; only that thread and the tasks of the scope may spawn into it", 0},
    {wait_twice, "blitz_scope_wait: scope", "was already waited for", 0},
    {wait_twice_inside, "blitz_scope_wait: scope", "was already waited for", 0},
    {wait_elsewhere, "blitz_scope_wait: scope", "was begun by another thread; it must be waited for there",
     0},
    {wait_zero, "blitz_scope_wait: scope", "was never begun", 0},
    {wait_odd, "blitz_scope_wait: scope", "was never begun", 0},
    {begin_twice, "blitz_scope_begin: scope", "is still open; sync it or wait for it before it is used again",
     1},
    {begin_twice_inside, NULL, NULL, 0},
    {begin_only_inside, "blitz_call: function", UNSYNCED, 0},
    {begin_in_task, "blitz_scope_begin: scope", UNSYNCED_OBJECT, 1},
    {cilk_sync_twice, NULL, NULL, 0},
    {cilk_sync_frame_twice, NULL, NULL, 0},
    {cilk_sync_no_frame, NULL, NULL, 0},
};

static void each_ends_with_its_line(void **state) {
    (void)state;
    assert_int_equal(check_all(wrongs, COUNT(wrongs)), 0);
}

/* A thread that ends where it must not ends the process, and the exit handlers run. */
static void a_thread_that_ends_inside_is_reported(void **state) {
    static const struct wrong ends[] = {{end_in_fork, NULL, NULL, 0}, {end_in_call, NULL, NULL, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(ends); i++) {
        tried = &ends[i];
        assert_non_null(strstr(said(), "a thread has ended inside a pool"));
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
    }
}

static void another_layout_ends_with_a_line(void **state) {
    static const struct wrong of_tasks = {task_of_another_layout, NULL, NULL, 0};
    static const struct wrong of_sorts[] = {{sort_of_another_layout, NULL, NULL, 0},
                                            {stable_sort_of_another_layout, NULL, NULL, 0},
                                            {merge_of_another_layout, NULL, NULL, 0},
                                            {large_sort_of_another_layout, NULL, NULL, 0}};
    (void)state;
    tried = &of_tasks;
    assert_string_equal(said(),
                        "blitz: the program was compiled with layout 4 of blitz/cilk.h, the library has "
                        "layout 5: compile the "
                        "program with the library's headers, or load the library that it was compiled for\n");
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
    for (size_t i = 0; i < COUNT(of_sorts); i++) {
        tried = &of_sorts[i];
        assert_non_null(strstr(said(), "layout 1 of blitz/sort.h, the library has layout 2"));
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_layout_ends_with_a_line),
        cmocka_unit_test(each_ends_with_its_line),
        cmocka_unit_test(a_thread_that_ends_inside_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
