/* test_external.c: external threads in a pool count while they are inside, but not while they block there. */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "in_child.h"
#include "pool/pool.h"
#include "wait/mutex.h"

/* These tests use a child with threads of its own. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

static void configure(unsigned workers) {
    assert_int_equal(blitz_configure(&(blitz_config){.workers = workers}), 0);
}

struct counts {
    unsigned threads, external, unstarted;
};

static struct counts counts_now(void) {
    struct blitz_pool *pool = bz_pool_global();
    bz_mutex_lock(&pool->lock);
    struct counts counts = {pool->threads, pool->external, pool->unstarted};
    bz_mutex_unlock(&pool->lock);
    return counts;
}

static int enter(blitz_range_fn *body, void *arg) {
    return blitz_for(0, 1, 0, body, arg);
}

static int count_inside(size_t lo, size_t hi, void *arg) {
    (void)lo, (void)hi;
    assert_ptr_equal(blitz_pool_current(), bz_pool_global());
    assert_int_equal(blitz_worker_index(), 0);
    *(struct counts *)arg = counts_now();
    return 0;
}

static unsigned external_inside(void) {
    struct counts inside;
    assert_int_equal(enter(count_inside, &inside), 0);
    assert_null(blitz_pool_current());
    return inside.external;
}

static void a_thread_counts_while_it_is_inside(void **state) {
    (void)state;
    configure(2);
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(external_inside(), 1);
        assert_int_equal(counts_now().external, 0);
    }
    assert_int_equal(counts_now().unstarted, 2);
    assert_int_equal(bz_pool_global()->places, 1);
    assert_int_equal(blitz_shutdown(), 0);
}

/* ---- jobs from outside ---- */

static void raise_word(void *arg) {
    bz_fetch_add_release((struct bz_a32 *)arg, 1);
}

static bool is_raised(struct bz_a32 *word) {
    return bz_load_acquire(word) > 0;
}

static void *submit_outside(void *word) {
    assert_int_equal(blitz_submit(NULL, raise_word, word), 0);
    return NULL;
}

static void on_another_thread(void *(*fn)(void *), void *arg) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fn, arg), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static int be_there_meanwhile(size_t lo, size_t hi, void *word) {
    struct counts counts;
    on_another_thread(submit_outside, word);
    count_inside(lo, hi, &counts);
    assert_int_equal(counts.external, 1);
    assert_int_equal(counts.threads, 0);
    assert_false(is_raised(word));
    return 0;
}

static void no_thread_replaces_an_external_one_inside(void **state) {
    (void)state;
    struct bz_a32 done = {0};
    configure(1);
    assert_int_equal(enter(be_there_meanwhile, &done), 0);
    rig_until(is_raised(&done));
    assert_int_equal(blitz_shutdown(), 0);
}

static void note_index(void *index) {
    *(unsigned *)index = blitz_worker_index();
}

static void a_thread_outside_has_neither_slot_nor_place(void **state) {
    (void)state;
    unsigned index = 1;
    configure(1);
    assert_int_equal(blitz_submit(NULL, note_index, &index), 0);
    assert_int_equal(blitz_wait_idle(NULL), 0);
    assert_int_equal(index, 0);
    assert_int_equal(bz_pool_global()->places, 1);
    assert_int_equal(blitz_shutdown(), 0);
}

static intptr_t answer(void *arg) {
    (void)arg;
    return 42;
}

/* The wait has a time limit, so the job is left to another thread. */
static int block_inside(size_t lo, size_t hi, void *arg) {
    blitz_future *future;
    (void)lo, (void)hi;
    assert_int_equal(blitz_future_submit(NULL, answer, NULL, NULL, &future), 0);
    assert_int_equal(blitz_future_wait_for(future, UINT64_C(50000000000), arg), 0);
    blitz_future_drop(future);
    return 0;
}

static void a_blocked_thread_counts_as_away(void **state) {
    (void)state;
    intptr_t value = 0;
    configure(1);
    assert_int_equal(enter(block_inside, &value), 0);
    assert_int_equal(value, 42);
    assert_int_equal(bz_pool_global()->away, 0);
    assert_int_equal(blitz_shutdown(), 0);
}

/* ---- no thread can be started ---- */

static bool none_can_be_had;

int __real_bz_thread_cache_run(uint64_t root, void (*fn)(void *), void *arg);
int __wrap_bz_thread_cache_run(uint64_t root, void (*fn)(void *), void *arg);
int __wrap_bz_thread_cache_run(uint64_t root, void (*fn)(void *), void *arg) {
    return none_can_be_had ? EAGAIN : __real_bz_thread_cache_run(root, fn, arg);
}

static void *submit_and_wait(void *word) {
    submit_outside(word);
    assert_int_equal(blitz_wait_idle(NULL), 0);
    return NULL;
}

static int block_after_a_job(size_t lo, size_t hi, void *word) {
    (void)lo, (void)hi;
    on_another_thread(submit_outside, word);
    assert_false(is_raised(word));
    bz_pool_leave_outer();
    assert_true(is_raised(word));
    bz_pool_return_to_outer();
    return 0;
}

static int block_before_a_job(size_t lo, size_t hi, void *word) {
    (void)lo, (void)hi;
    bz_pool_leave_outer();
    on_another_thread(submit_and_wait, word);
    bz_pool_return_to_outer();
    return 0;
}

static void no_job_relies_on_a_blocked_thread(void **state) {
    (void)state;
    struct bz_a32 after = {0}, before = {0};
    configure(1);
    none_can_be_had = true;
    assert_int_equal(enter(block_after_a_job, &after), 0);
    assert_int_equal(enter(block_before_a_job, &before), 0);
    assert_true(is_raised(&before));
    none_can_be_had = false;
    assert_int_equal(blitz_shutdown(), 0);
}

/* ---- fork ---- */

static void nothing(void *arg) {
    (void)arg;
}

static int join_inside(size_t lo, size_t hi, void *arg) {
    blitz_join(nothing, NULL, nothing, NULL);
    return count_inside(lo, hi, arg);
}

static int loops_go_on(size_t lo, size_t hi, void *arg) {
    struct counts inside;
    return blitz_pool_current() == bz_pool_global() && join_inside(lo, hi, &inside) == 0 && !arg &&
                   inside.external == 1
               ? 0
               : 1;
}

static bool entries_go_on(void) {
    for (unsigned i = 0; i < 3; i++)
        if (enter(loops_go_on, NULL))
            return false;
    return blitz_shutdown() == 0;
}

static int fork_process(size_t lo, size_t hi, void *is_child) {
    pid_t child = fork();
    int status = 1;
    assert_true(child >= 0);
    *(bool *)is_child = child == 0;
    if (child == 0)
        return loops_go_on(lo, hi, NULL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    return 0;
}

static void a_child_goes_on_inside_and_outside(void **state) {
    (void)state;
    bool is_child;
    configure(1);
    in_child(entries_go_on);
    int error = enter(fork_process, &is_child);
    if (is_child)
        _exit(error || blitz_shutdown() ? 1 : 0);
    assert_int_equal(error, 0);
    assert_int_equal(external_inside(), 1);
    assert_int_equal(blitz_shutdown(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_counts_while_it_is_inside),
        cmocka_unit_test(no_thread_replaces_an_external_one_inside),
        cmocka_unit_test(a_thread_outside_has_neither_slot_nor_place),
        cmocka_unit_test(a_blocked_thread_counts_as_away),
        cmocka_unit_test(no_job_relies_on_a_blocked_thread),
        cmocka_unit_test(a_child_goes_on_inside_and_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
