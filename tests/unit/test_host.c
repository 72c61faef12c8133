/* test_host.c: host threads (adopt.h): the thread cache stays as long as a host thread lives, and goes with the last. */
#include "team/adopt.h"

#include <pthread.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "os/os.h"
#include "team/thread_cache.h"

static void count(void *arg) {
    bz_fetch_add_seq_cst((struct bz_a32 *)arg, 1);
}

/* The work of a cached thread: it leaves its place, so that a dismissal of the thread cache waits until the thread is
 * idle. */
static void serve(void *arg) {
    bz_thread_cache_expect(1);
    count(arg);
}

/* A host thread that gives the thread cache some work. */
static void *host(void *arg) {
    static struct bz_a32 served;
    (void)arg;
    assert_non_null(bz_worker_adopt());
    assert_non_null(bz_worker_adopt()); /* counts once */
    bz_store_relaxed(&served, 0);
    assert_int_equal(bz_thread_cache_run(1, serve, &served), 0);
    rig_until(bz_load_seq_cst(&served));
    return NULL;
}

static unsigned cached_after_a_host(void) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, host, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return bz_thread_cache_size();
}

static void last_host_thread_dismisses_the_cached_threads(void **state) {
    (void)state;
    assert_int_equal(cached_after_a_host(), 0);
    assert_int_equal(cached_after_a_host(), 0);
}

static void begin_again(void *arg) {
    host(arg);
}

/* Uses the thread cache again in a destructor that runs after ours. */
static void *host_with_late_work(void *arg) {
    static pthread_key_t key;
    (void)arg;
    assert_non_null(bz_worker_adopt());
    assert_int_equal(pthread_key_create(&key, begin_again), 0);
    pthread_setspecific(key, &key);
    return NULL;
}

static void host_thread_that_begins_again_while_it_ends_counts_again(void **state) {
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, host_with_late_work, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(bz_thread_cache_size(), 0);
}

static void *register_main(void *arg) {
    bz_host_register_main();
    return arg;
}

static void other_threads_cannot_be_registered(void **state) {
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, register_main, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(cached_after_a_host(), 0);
}

/* The last test, since it cannot be undone. */
static void cached_threads_stay_with_a_registered_main_thread(void **state) {
    (void)state;
    bz_host_register_main();
    assert_int_equal(cached_after_a_host(), 1);
    assert_int_equal(cached_after_a_host(), 1);
    bz_host_forget(); /* as in the child of a fork: this thread is a host */
    assert_int_equal(cached_after_a_host(), 1);
    bz_thread_cache_dismiss(false);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_host_thread_dismisses_the_cached_threads),
        cmocka_unit_test(host_thread_that_begins_again_while_it_ends_counts_again),
        cmocka_unit_test(other_threads_cannot_be_registered),
        cmocka_unit_test(cached_threads_stay_with_a_registered_main_thread),
    };
    alarm(HANG_SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
