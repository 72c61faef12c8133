/*
 * test_os_thread.c: the part of os/os.h about threads: starting them, their stacks, their end.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/os.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "../sanitized.h"
#include "base/atomic.h"
#include "os_thread.h"

#define EXIT_UNLIMITED 78
#define BIG_LOCAL ((size_t)512 << 10) /* bytes of thread-local variables: far above PTHREAD_STACK_MIN */

/* A thread's report about itself. The thread writes it; the test reads it after `done`, or after a join. */
struct report {
    uint32_t id;
    char name[32];
    sigset_t mask;
    size_t stack_size;
    int detach_state;
    uintptr_t stack_low;
    size_t stack_skipped; /* bytes between the lowest address of the stack and bz_os_stack_limit */
    size_t stack_room;    /* and between that and the thread's first frames */
    unsigned char stack_sum;
    struct bz_a32 done;
};

static void report(void *arg) {
    struct report *r = arg;
    r->id = bz_os_thread_id();
    pthread_getname_np(pthread_self(), r->name, sizeof r->name);
    pthread_sigmask(SIG_SETMASK, NULL, &r->mask);
    pthread_attr_t attr;
    void *low;
    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &low, &r->stack_size);
    pthread_attr_getdetachstate(&attr, &r->detach_state);
    pthread_attr_destroy(&attr);
    r->stack_low = (uintptr_t)low;
    bz_store_release(&r->done, 1);
    bz_os_futex_wake(&r->done.v, 1);
}

static void run_and_join(const struct bz_os_thread_attr *attr, struct report *r) {
    struct os_thread t;
    *r = (struct report){.id = 0};
    assert_int_equal(os_thread_start(&t, attr, report, r), 0);
    os_thread_join(&t);
}

static void thread_runs_in_parallel_with_its_creator(void **state) {
    (void)state;
    struct report r;
    run_and_join(NULL, &r);
    assert_int_not_equal(r.id, 0);
    assert_int_not_equal(r.id, bz_os_thread_id());
    assert_int_equal(bz_os_thread_id(), getpid());
    assert_int_equal(r.detach_state, PTHREAD_CREATE_DETACHED);
}

static void take_name(void *arg) {
    struct report *r = arg;
    bz_os_thread_rename(r->name);
    report(r);
}

static void thread_has_its_name(void **state) {
    (void)state;
    struct report r = {.name = "0123456789abcdefghij"};
    struct os_thread t;
    assert_int_equal(os_thread_start(&t, NULL, take_name, &r), 0);
    os_thread_join(&t);
    assert_string_equal(r.name, "0123456789abcde");
    char mine[32];
    pthread_getname_np(pthread_self(), mine, sizeof mine);
    run_and_join(NULL, &r);
    assert_string_equal(r.name, mine);
}

/* The CPUs where new threads begin. */

static struct {
    unsigned attempts;
    bool chosen;         /* the thread was not to begin on its creator's CPU */
    bool on_creator_cpu; /* it was to begin there */
    int refusal;         /* the result of such an attempt; 0: it is made */
} creation;

int __real_pthread_create(pthread_t *handle, const pthread_attr_t *attr, void *(*entry)(void *), void *arg);
int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attr, void *(*entry)(void *), void *arg);

int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attr, void *(*entry)(void *), void *arg) {
    cpu_set_t set;
    creation.attempts++;
    bool known = attr != NULL && pthread_attr_getaffinity_np(attr, sizeof set, &set) == 0;
    creation.chosen = known && !CPU_ISSET(sched_getcpu(), &set);
    creation.on_creator_cpu = known && !creation.chosen && CPU_COUNT(&set) == 1;
    return creation.chosen && creation.refusal != 0 ? creation.refusal
                                                    : __real_pthread_create(handle, attr, entry, arg);
}

static void note_cpus(void *arg) {
    sched_getaffinity(0, sizeof(cpu_set_t), arg);
}

static void start_and_note(const struct bz_os_thread_attr *attr, cpu_set_t *cpus) {
    struct os_thread t;
    creation.attempts = 0;
    assert_int_equal(os_thread_start(&t, attr, note_cpus, cpus), 0);
    os_thread_join(&t);
}

static void thread_begins_elsewhere_and_runs_where_its_creator_may(void **state) {
    (void)state;
    cpu_set_t all, one, cpus;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2)
        skip();
    bool elsewhere = false;
    for (int i = 0; i < 100 && !elsewhere; i++) { /* its creator may move between its reading and ours */
        start_and_note(NULL, &cpus);
        assert_int_equal(creation.attempts, 1);
        assert_true(CPU_EQUAL(&cpus, &all));
        elsewhere = creation.chosen;
    }
    assert_true(elsewhere);
    bool on_creator_cpu = false;
    for (int i = 0; i < 100 && !on_creator_cpu; i++) {
        start_and_note(&(struct bz_os_thread_attr){.on_creator_cpu = true}, &cpus);
        assert_true(CPU_EQUAL(&cpus, &all));
        on_creator_cpu = creation.on_creator_cpu;
    }
    assert_true(on_creator_cpu);

    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    start_and_note(NULL, &cpus); /* there is no other CPU */
    assert_false(creation.chosen);
    assert_true(CPU_EQUAL(&cpus, &one));
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void thread_begins_anywhere_where_the_system_does_not_let_it_choose(void **state) {
    (void)state;
    cpu_set_t all, cpus;
    sched_getaffinity(0, sizeof all, &all);
    creation.refusal = EPERM;
    start_and_note(NULL, &cpus);
    creation.refusal = 0;
    assert_in_range(creation.attempts, 1, 2);
    assert_false(creation.chosen);
    assert_true(CPU_EQUAL(&cpus, &all));
}

static void thread_has_its_creators_mask(void **state) {
    (void)state;
    struct report r;
    sigset_t before, some, after;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR2);
    sigaddset(&some, SIGPROF);
    pthread_sigmask(SIG_SETMASK, &some, &before);
    run_and_join(NULL, &r);
    pthread_sigmask(SIG_SETMASK, &before, &after);
    for (int number = 1; number <= SIGRTMAX; number++) {
        assert_int_equal(sigismember(&r.mask, number), sigismember(&some, number));
        assert_int_equal(sigismember(&after, number), sigismember(&some, number));
    }
}

static void thread_has_the_stack_it_asked_for(void **state) {
    (void)state;
    struct report r;
    run_and_join(NULL, &r);
    size_t standard = r.stack_size;
    static const size_t sizes[] = {1, 300001, 1 << 20, 32 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run_and_join(&(struct bz_os_thread_attr){.stack_size = sizes[i]}, &r);
        assert_true(r.stack_size >= sizes[i]);
        if (!SANITIZED) {
            assert_true(r.stack_size <= sizes[i] + BIG_LOCAL + (1 << 20));
            assert_int_not_equal(r.stack_size, standard);
        }
    }
}

/* Uses the whole stack, up to the bytes that this frame and its callers take. */
__attribute__((no_sanitize("address", "thread"))) static void use_stack(void *arg) {
    size_t size = *(size_t *)arg;
    volatile char *here = __builtin_frame_address(0);
    for (size_t down = 4096; down < size; down += 4096)
        here[-(ptrdiff_t)down] = 1;
    here[-(ptrdiff_t)size] = 1;
}

static void all_of_the_stack_is_the_threads_own(void **state) {
    (void)state;
    size_t sizes[] = {16384, 256 << 10, 24 << 20, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t used = (sizes[i] ? sizes[i] : bz_os_default_stack()) - 512;
        struct os_thread t;
        struct bz_os_thread_attr attr = {.stack_size = sizes[i]};
        assert_int_equal(os_thread_start(&t, &attr, use_stack, &used), 0);
        os_thread_join(&t);
    }
}

static void the_default_is_what_the_initial_thread_may_have(void **state) {
    (void)state;
    struct rlimit limit, none, now;
    struct report r;
    getrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_max != RLIM_INFINITY || SANITIZED)
        skip();
    none = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
    run_and_join(NULL, &r);
    if (limit.rlim_cur != RLIM_INFINITY)
        assert_true(r.stack_size >= limit.rlim_cur - 64 * 1024); /* or the larger one of a thread before */
    setrlimit(RLIMIT_STACK, &none);
    getrlimit(RLIMIT_STACK, &now);
    run_and_join(NULL, &r);
    setrlimit(RLIMIT_STACK, &limit);
    if (now.rlim_cur == RLIM_INFINITY) /* qemu-user keeps what it had */
        assert_true(r.stack_size >= 16 << 20);
}

/* Taken from each thread's stack. */
static __thread volatile char big_local[BIG_LOCAL];

static void thread_starts_with_large_thread_locals(void **state) {
    (void)state;
    big_local[1] = 1;
    struct report r;
    run_and_join(&(struct bz_os_thread_attr){.stack_size = 16384}, &r);
    assert_int_not_equal(r.id, 0);
}

static void thread_that_cannot_start_is_an_error(void **state) {
    (void)state;
    struct os_thread t;
    struct report r;
    assert_int_equal(os_thread_start(&t, &(struct bz_os_thread_attr){.stack_size = SIZE_MAX}, report, &r),
                     EINVAL);
    int rc = os_thread_start(&t, &(struct bz_os_thread_attr){.stack_size = SIZE_MAX / 8}, report, &r);
    assert_true(rc == EAGAIN || rc == ENOMEM || rc == EINVAL);
    run_and_join(NULL, &r); /* and nothing is worse for it */
}

static void thread_that_finds_no_memory_is_an_error(void **state) {
    (void)state;
    if (SANITIZED) {
        skip(); /* shadow memory needs all the address space there is */
    }
    pid_t child = fork();
    if (child == 0) {
        size_t size = 256 << 20;
        struct rlimit none = {.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
        struct report r;
        setrlimit(RLIMIT_AS, &none);
        if (mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
            _exit(EXIT_UNLIMITED);
        }
        struct bz_os_thread_attr attr = {.stack_size = size};
        _exit(bz_os_thread_start(&attr, report, &r));
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == EXIT_UNLIMITED) {
        skip(); /* an emulator that keeps the address space to itself */
    }
    assert_int_equal(WEXITSTATUS(status), EAGAIN);
}

/* Touches every page between the limit and here: where the limit is too low, the guard page answers. */
__attribute__((no_sanitize("address", "thread"))) static void measure_stack(void *arg) {
    struct report *r = arg;
    uintptr_t limit = bz_os_stack_limit();
    for (uintptr_t at = (uintptr_t)__builtin_frame_address(0) - 8192; at > limit; at -= 4096) {
        r->stack_sum ^= *(unsigned char *)at;
    }
    r->stack_sum ^= *(unsigned char *)limit;
    report(r);
    r->stack_skipped = limit - r->stack_low;
    r->stack_room = (uintptr_t)__builtin_frame_address(0) - limit;
}

static void stack_limit_is_where_what_was_asked_for_ends(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 256 * 1024};
    for (size_t i = 0; i < 2; i++) {
        struct report r = {.id = 0};
        struct os_thread t;
        struct bz_os_thread_attr attr = {.stack_size = sizes[i]};
        assert_int_equal(os_thread_start(&t, &attr, measure_stack, &r), 0);
        os_thread_join(&t);
        size_t asked = sizes[i] ? sizes[i] : bz_os_default_stack();
        assert_in_range(r.stack_room, asked - 4096, asked);
        assert_true(r.stack_skipped > 0); /* any: the C library may have had a larger stack left */
    }
}

static void stack_limit_of_the_initial_thread_follows_its_limit(void **state) {
    (void)state;
    struct rlimit limit;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    uintptr_t low = bz_os_stack_limit();
    assert_true(low < here);
    getrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur != RLIM_INFINITY) {
        assert_true(here - low <= limit.rlim_cur);
        assert_true(here - low >= limit.rlim_cur / 2); /* arguments and the environment lie above */
    }
}

/* The end of a thread. */

/* A thread's own record of its end. */
struct ending {
    struct bz_a32 count;
    uint32_t id;   /* of the thread that ran the hook */
    int arm;       /* how the thread uses the hook */
    int result;    /* of its last call */
    uint32_t self; /* the thread */
};

enum arm { NEVER, ONCE, REPLACED, TAKEN_BACK, THEN_EXIT };

static void ended(void *arg) {
    struct ending *e = arg;
    e->id = bz_os_thread_id();
    bz_fetch_add_seq_cst(&e->count, 1);
}

static void *end_somehow(void *arg) {
    struct ending *e = arg;
    static struct ending replaced;
    e->self = bz_os_thread_id();
    if (e->arm == REPLACED) {
        (void)bz_os_at_thread_exit(ended, &replaced);
    }
    if (e->arm != NEVER) {
        e->result = bz_os_at_thread_exit(ended, e);
    }
    if (e->arm == TAKEN_BACK) {
        e->result = bz_os_at_thread_exit(ended, NULL);
    }
    if (e->arm == THEN_EXIT) {
        pthread_exit(NULL);
    }
    return &replaced;
}

static void thread_exit_hook_runs_on_the_ending_thread(void **state) {
    (void)state;
    static const unsigned runs[] = {
        [NEVER] = 0, [ONCE] = 1, [REPLACED] = 1, [TAKEN_BACK] = 0, [THEN_EXIT] = 1};
    struct ending endings[5] = {{.arm = 0}};
    pthread_t threads[5];
    for (int arm = 0; arm < 5; arm++) {
        endings[arm].arm = arm;
        assert_int_equal(pthread_create(&threads[arm], NULL, end_somehow, &endings[arm]), 0);
    }
    for (int arm = 0; arm < 5; arm++) {
        void *replaced;
        pthread_join(threads[arm], &replaced);
        assert_int_equal(endings[arm].result, 0);
        assert_int_equal(bz_load_seq_cst(&endings[arm].count), runs[arm]);
        assert_int_equal(endings[arm].id, runs[arm] ? endings[arm].self : 0);
        if (replaced != NULL) {
            assert_int_equal(bz_load_seq_cst(&((struct ending *)replaced)->count), 0);
        }
    }
}

static struct bz_a32 cut, went_on;

static void cut_short(void) {
    bz_fetch_add_seq_cst(&cut, 1);
}

static void end_inside(void *arg) {
    if (arg != NULL) {
        pthread_exit(NULL);
    }
    bz_fetch_add_seq_cst(&went_on, 1);
}

static void thread_that_ends_inside_is_noticed(void **state) {
    (void)state;
    static const struct bz_os_thread_attr attr = {.cut_short = cut_short};
    struct os_thread thread;
    for (int inside = 0; inside < 2; inside++) {
        assert_int_equal(os_thread_start(&thread, &attr, end_inside, inside ? &thread : NULL), 0);
        os_thread_join(&thread);
        assert_int_equal(bz_load_seq_cst(&cut), inside);
        assert_int_equal(bz_load_seq_cst(&went_on), 1);
    }
    assert_int_equal(os_thread_start(&thread, NULL, end_inside, &thread), 0);
    os_thread_join(&thread);
    assert_int_equal(bz_load_seq_cst(&cut), 1);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(thread_runs_in_parallel_with_its_creator),
        cmocka_unit_test(thread_has_its_name),
        cmocka_unit_test(thread_begins_elsewhere_and_runs_where_its_creator_may),
        cmocka_unit_test(thread_begins_anywhere_where_the_system_does_not_let_it_choose),
        cmocka_unit_test(thread_has_its_creators_mask),
        cmocka_unit_test(thread_has_the_stack_it_asked_for),
        cmocka_unit_test(all_of_the_stack_is_the_threads_own),
        cmocka_unit_test(the_default_is_what_the_initial_thread_may_have),
        cmocka_unit_test(thread_starts_with_large_thread_locals),
        cmocka_unit_test(thread_that_cannot_start_is_an_error),
        cmocka_unit_test(thread_that_finds_no_memory_is_an_error),
        cmocka_unit_test(stack_limit_is_where_what_was_asked_for_ends),
        cmocka_unit_test(stack_limit_of_the_initial_thread_follows_its_limit),
        cmocka_unit_test(thread_exit_hook_runs_on_the_ending_thread),
        cmocka_unit_test(thread_that_ends_inside_is_noticed),
    };
    alarm(HANG_SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
