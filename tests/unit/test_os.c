/*
 * test_os.c: the contract of os/os.h. A wake that gets lost shows as a hang, which alarm() turns into a failure.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/os.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "atomic.h"

#define HANG_SECONDS 50
#define SENTINEL_ERRNO 4242
#define EXIT_NOT_SECURE 77
#define EXIT_UNLIMITED 78

#if defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define UNDER_ASAN 1
#    elif __has_feature(thread_sanitizer)
#        define UNDER_TSAN 1
#    endif
#elif defined(__SANITIZE_ADDRESS__)
#    define UNDER_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#    define UNDER_TSAN 1
#endif
#ifndef UNDER_ASAN
#    define UNDER_ASAN 0
#endif
#ifndef UNDER_TSAN
#    define UNDER_TSAN 0
#endif
#define SANITIZED (UNDER_ASAN || UNDER_TSAN)

/* Requests that must fail do so by NULL, not by the sanitizer's abort. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* Futex. */

/* How many threads sleep on the word: the kernel counts them while it moves them to another word and back. */
static int sleepers(uint32_t *word) {
    uint32_t other = 0;
    long moved = syscall(SYS_futex, word, FUTEX_REQUEUE | FUTEX_PRIVATE_FLAG, 0, (long)INT_MAX, &other, 0);
    (void)syscall(SYS_futex, &other, FUTEX_REQUEUE | FUTEX_PRIVATE_FLAG, 0, (long)INT_MAX, word, 0);
    return (int)moved;
}

static void wait_for_sleepers(uint32_t *word, int count) {
    while (sleepers(word) != count) {
        sched_yield();
    }
}

struct sleeper {
    struct bz_a32 word;     /* slept on; changed by the test */
    struct bz_a32 returned; /* waits that have returned; changed by the sleepers */
    uint64_t deadline_ns;   /* 0: none */
    struct bz_ai64 result;  /* of the wait with a deadline */
};

static void *sleep_once(void *arg) {
    struct sleeper *s = arg;
    if (s->deadline_ns == 0) {
        bz_os_futex_wait(&s->word.v, 0);
    } else {
        bz_store_relaxed(&s->result, bz_os_futex_wait_until(&s->word.v, 0, s->deadline_ns));
    }
    bz_fetch_add_seq_cst(&s->returned, 1);
    return NULL;
}

static void wait_returns_at_once_when_the_word_differs(void **state) {
    (void)state;
    uint32_t word = 1;
    errno = SENTINEL_ERRNO;
    bz_os_futex_wait(&word, 2);
    assert_int_equal(bz_os_futex_wait_until(&word, 2, UINT64_MAX), 0);
    assert_int_equal(errno, SENTINEL_ERRNO);
}

static void wake_wakes_as_many_as_it_says(void **state) {
    (void)state;
    struct sleeper s = {.deadline_ns = 0};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, sleep_once, &s), 0);
    }
    wait_for_sleepers(&s.word.v, 4);
    bz_os_futex_wake(&s.word.v, 1);
    assert_int_equal(sleepers(&s.word.v), 3);
    bz_os_futex_wake(&s.word.v, 2);
    assert_int_equal(sleepers(&s.word.v), 1);
    bz_os_futex_wake(&s.word.v, INT_MAX);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(bz_load_seq_cst(&s.returned), 4);
}

static struct bz_a32 signals_taken;

static void take_signal(int number) {
    (void)number;
    bz_fetch_add_seq_cst(&signals_taken, 1);
}

/* A handler without SA_RESTART: the kernel itself ends the wait. */
static void signal_during(uint64_t deadline_ns) {
    struct sigaction action = {.sa_handler = take_signal};
    struct sigaction before;
    sigaction(SIGUSR1, &action, &before);
    bz_store_relaxed(&signals_taken, 0);
    struct sleeper s = {.deadline_ns = deadline_ns};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, sleep_once, &s), 0);
    wait_for_sleepers(&s.word.v, 1);
    pthread_kill(thread, SIGUSR1);
    while (bz_load_seq_cst(&signals_taken) == 0) {
        sched_yield();
    }
    while (sleepers(&s.word.v) == 0 && bz_load_seq_cst(&s.returned) == 0) {
        sched_yield();
    }
    assert_int_equal(bz_load_seq_cst(&s.returned), 0);
    bz_os_futex_wake(&s.word.v, 1);
    pthread_join(thread, NULL);
    assert_int_equal(bz_load_relaxed(&s.result), 0);
    sigaction(SIGUSR1, &before, NULL);
}

static void wait_goes_on_after_a_signal(void **state) {
    (void)state;
    if (UNDER_TSAN) {
        skip(); /* it runs handlers only at calls that it knows of, and a futex is none */
    }
    signal_during(0);
    signal_during(UINT64_MAX);
}

static void wait_until_ends_at_its_deadline(void **state) {
    (void)state;
    uint32_t word = 0;
    errno = SENTINEL_ERRNO;
    assert_int_equal(bz_os_futex_wait_until(&word, 0, 1), ETIMEDOUT);
    uint64_t deadline = bz_os_now_ns() + 2000000;
    int rc;
    do {
        rc = bz_os_futex_wait_until(&word, 0, deadline);
    } while (rc == 0); /* spurious */
    assert_int_equal(rc, ETIMEDOUT);
    assert_true(bz_os_now_ns() >= deadline);
    assert_int_equal(errno, SENTINEL_ERRNO);
}

static void wake_of_memory_that_is_gone_is_harmless(void **state) {
    (void)state;
    void *page = mmap(NULL, bz_os_page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(page != MAP_FAILED);
    munmap(page, bz_os_page_size());
    errno = SENTINEL_ERRNO;
    bz_os_futex_wake(page, INT_MAX);
    bz_os_futex_wake(NULL, 1);
    bz_os_futex_wake((uint32_t *)((uintptr_t)page + 1), 1); /* an error for the kernel: misaligned */
    assert_int_equal(errno, SENTINEL_ERRNO);
}

/* Time, the CPU, barriers. */

static void now_is_the_monotonic_clock_in_ns(void **state) {
    (void)state;
    struct timespec t;
    uint64_t before = bz_os_now_ns();
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t after = bz_os_now_ns();
    uint64_t between = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    assert_true(before <= between);
    assert_true(between <= after);
}

static void membarrier_registers_where_the_kernel_has_it(void **state) {
    (void)state;
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    bool offered = commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
    errno = SENTINEL_ERRNO;
    assert_int_equal(bz_os_membarrier_register(), offered);
    bz_os_membarrier();
    bz_os_yield();
    assert_int_equal(errno, SENTINEL_ERRNO);
    if (offered) { /* the registration took: the command itself is accepted now */
        assert_int_equal(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0), 0);
    }
}

/* Threads. */

/* What a thread finds out about itself. Written by the thread; read after `done`, or after a join. */
struct report {
    uint32_t id;
    char name[32];
    sigset_t mask;
    size_t stack_size;
    int detach_state;
    uintptr_t stack_low;
    size_t stack_skipped; /* bytes between the lowest address of the stack and bz_os_stack_limit */
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
    struct bz_os_thread t;
    *r = (struct report){.id = 0};
    assert_int_equal(bz_os_thread_start(&t, attr, report, r), 0);
    assert_int_equal(bz_os_thread_join(&t), 0);
}

static void thread_runs_beside_its_creator(void **state) {
    (void)state;
    struct report r;
    run_and_join(NULL, &r);
    assert_int_not_equal(r.id, 0);
    assert_int_not_equal(r.id, bz_os_thread_id());
    assert_int_equal(bz_os_thread_id(), getpid());
    assert_int_equal(r.detach_state, PTHREAD_CREATE_JOINABLE);
}

static void thread_has_its_name(void **state) {
    (void)state;
    struct report r;
    run_and_join(&(struct bz_os_thread_attr){.name = "short"}, &r);
    assert_string_equal(r.name, "short");
    run_and_join(&(struct bz_os_thread_attr){.name = "0123456789abcdefghij"}, &r);
    assert_string_equal(r.name, "0123456789abcde");
    char mine[32];
    pthread_getname_np(pthread_self(), mine, sizeof mine);
    run_and_join(NULL, &r);
    assert_string_equal(r.name, mine);
}

static bool is_kept(int number) {
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
           number == SIGABRT || number == SIGTRAP || number == SIGSYS || number == SIGPROF;
}

static void check_mask(const sigset_t *mask, const sigset_t *creator) {
    sigset_t possible, before; /* some can never be blocked, or belong to the C library or an emulator */
    sigfillset(&possible);
    pthread_sigmask(SIG_SETMASK, &possible, &before);
    pthread_sigmask(SIG_SETMASK, &before, &possible);
    for (int number = 1; number <= SIGRTMAX; number++) {
        int want = sigismember(is_kept(number) ? creator : &possible, number);
        if (sigismember(mask, number) != want) {
            fail_msg("signal %d: blocked %d, should be %d", number, sigismember(mask, number), want);
        }
    }
}

static void thread_takes_no_signals_but_faults_and_the_profiler(void **state) {
    (void)state;
    struct report r;
    sigset_t before, after, some;
    sigemptyset(&before);
    sigaddset(&before, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    run_and_join(NULL, &r);
    check_mask(&r.mask, &before);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int number = 1; number <= SIGRTMAX; number++) {
        assert_int_equal(sigismember(&after, number), sigismember(&before, number));
    }

    sigemptyset(&some);
    sigaddset(&some, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &some, NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &some);
    run_and_join(NULL, &r);
    check_mask(&r.mask, &some);
    sigemptyset(&some);
    pthread_sigmask(SIG_SETMASK, &some, NULL);
}

static void thread_has_the_stack_it_asked_for(void **state) {
    (void)state;
    struct report r;
    run_and_join(NULL, &r);
    size_t standard = r.stack_size;
    static const size_t sizes[] = {1, 300001, 1 << 20, 32 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run_and_join(&(struct bz_os_thread_attr){.stack_size = sizes[i]}, &r);
        size_t page = bz_os_page_size();
        size_t enough = sizes[i] - sizes[i] % page; /* the guard may come out of it, or not */
        assert_true(r.stack_size + 16 * page >= enough);
        if (!SANITIZED) {
            assert_true(r.stack_size <= sizes[i] + (1 << 20));
            assert_int_not_equal(r.stack_size, standard);
        }
    }
}

/* Comes out of every thread's stack, and is far above PTHREAD_STACK_MIN. */
static __thread char big_local[512 * 1024];

static void thread_starts_beside_large_thread_locals(void **state) {
    (void)state;
    big_local[1] = 1;
    struct report r;
    run_and_join(&(struct bz_os_thread_attr){.stack_size = 16384}, &r);
    assert_int_not_equal(r.id, 0);
}

static void thread_that_cannot_start_is_an_error(void **state) {
    (void)state;
    struct bz_os_thread t = {.handle = 99};
    struct report r;
    assert_int_equal(bz_os_thread_start(&t, &(struct bz_os_thread_attr){.stack_size = SIZE_MAX}, report, &r),
                     EINVAL);
    int rc = bz_os_thread_start(&t, &(struct bz_os_thread_attr){.stack_size = SIZE_MAX / 8}, report, &r);
    assert_true(rc == EAGAIN || rc == ENOMEM || rc == EINVAL);
    assert_int_equal(t.handle, 99);
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
        struct bz_os_thread_attr attr = {.stack_size = size, .detached = true};
        _exit(bz_os_thread_start(NULL, &attr, report, &r));
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == EXIT_UNLIMITED) {
        skip(); /* an emulator that keeps the address space to itself */
    }
    assert_int_equal(WEXITSTATUS(status), EAGAIN);
}

static void detached_thread_needs_no_handle(void **state) {
    (void)state;
    static struct report r; /* the thread may look at it after we have gone on */
    assert_int_equal(bz_os_thread_start(NULL, &(struct bz_os_thread_attr){.detached = true}, report, &r), 0);
    while (bz_load_acquire(&r.done) == 0) {
        bz_os_futex_wait(&r.done.v, 0);
    }
    assert_int_equal(r.detach_state, PTHREAD_CREATE_DETACHED);
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
}

static void stack_limit_is_just_above_the_guard(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 256 * 1024};
    for (size_t i = 0; i < 2; i++) {
        struct report r = {.id = 0};
        struct bz_os_thread t;
        struct bz_os_thread_attr attr = {.stack_size = sizes[i]};
        assert_int_equal(bz_os_thread_start(&t, &attr, measure_stack, &r), 0);
        assert_int_equal(bz_os_thread_join(&t), 0);
        assert_in_range(r.stack_skipped, 1, 2 * bz_os_page_size());
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

/* Memory. */

static void alloc_is_zeroed_and_aligned(void **state) {
    (void)state;
    static const size_t aligns[] = {1, 8, 64, 128, 4096, 1 << 16};
    static const size_t sizes[] = {1, 63, 64, 65, 1000, 5000, 300000};
    for (size_t a = 0; a < sizeof aligns / sizeof aligns[0]; a++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            for (int again = 0; again < 2; again++) { /* the second time round, what the first left behind */
                unsigned char *p = bz_os_alloc(sizes[s], aligns[a]);
                assert_non_null(p);
                assert_int_equal((uintptr_t)p % BZ_OS_ALLOC_ALIGN, 0);
                assert_int_equal((uintptr_t)p % aligns[a], 0);
                for (size_t i = 0; i < sizes[s]; i++) {
                    assert_int_equal(p[i], 0);
                }
                memset(p, 0xff, sizes[s]);
                bz_os_free(p, sizes[s]);
            }
        }
    }
}

static void alloc_of_nothing_is_a_block(void **state) {
    (void)state;
    void *a = bz_os_alloc(0, 1);
    void *b = bz_os_alloc(0, 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    bz_os_free(a, 0);
    bz_os_free(b, 0);
    bz_os_free(NULL, 0);
}

static void alloc_of_too_much_is_null(void **state) {
    (void)state;
    assert_null(bz_os_alloc(SIZE_MAX, 1)); /* rounding up would make it 0 */
    assert_null(bz_os_alloc(SIZE_MAX - 62, 64));
    assert_null(bz_os_alloc(SIZE_MAX - 4000, 4096));
    assert_null(bz_os_alloc(SIZE_MAX / 2, 64));
}

static void page_size_is_the_systems(void **state) {
    (void)state;
    assert_int_equal(bz_os_page_size(), getauxval(AT_PAGESZ));
}

/* Events. */

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

static void ended_otherwise(void *arg) {
    (void)arg;
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

static void thread_exit_hook_has_one_function(void **state) {
    (void)state;
    assert_int_equal(bz_os_at_thread_exit(ended, NULL), 0);
    assert_int_equal(bz_os_at_thread_exit(ended_otherwise, NULL), EBUSY);
    assert_int_equal(bz_os_at_thread_exit(ended, NULL), 0);
}

static char fork_steps[8];

static void on_prepare(void) {
    strcat(fork_steps, "P");
}
static void on_parent(void) {
    strcat(fork_steps, "p");
}
static void on_child(void) {
    strcat(fork_steps, "c");
}

static void fork_hooks_run_on_their_sides(void **state) {
    (void)state;
    assert_int_equal(bz_os_at_fork(on_prepare, on_parent, on_child), 0);
    assert_int_equal(bz_os_at_fork(NULL, NULL, NULL), 0);
    pid_t child = fork();
    if (child == 0) {
        _exit(strcmp(fork_steps, "Pc") == 0 ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_string_equal(fork_steps, "Pp");
}

static void getenv_reads_the_environment(void **state) {
    (void)state;
    setenv("BLITZ_TEST_VARIABLE", "some text", 1);
    assert_string_equal(bz_os_getenv("BLITZ_TEST_VARIABLE"), "some text");
    unsetenv("BLITZ_TEST_VARIABLE");
    assert_null(bz_os_getenv("BLITZ_TEST_VARIABLE"));
}

/* This program, run again as a set-user-ID program: exit code for what it sees. */
static int look_with_privileges(void) {
    if (getauxval(AT_SECURE) == 0) {
        return EXIT_NOT_SECURE;
    }
    return bz_os_getenv("BLITZ_TEST_VARIABLE") == NULL ? 0 : 1;
}

static int copy_file(const char *from, const char *to) {
    char command[512];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    return system(command);
}

static void getenv_sees_nothing_with_privileges_raised(void **state) {
    (void)state;
    if (getuid() != 0) {
        skip(); /* only root can make a program of another user */
    }
    char folder[] = "/tmp/blitz-test-os-XXXXXX";
    char program[64];
    char self[256] = "";
    assert_non_null(mkdtemp(folder));
    chmod(folder, 0755);
    snprintf(program, sizeof program, "%s/program", folder);
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    assert_int_equal(copy_file(self, program), 0);
    assert_int_equal(chown(program, 65534, 65534), 0);
    assert_int_equal(chmod(program, 04755), 0);
    pid_t child = fork();
    if (child == 0) {
        setenv("BLITZ_TEST_VARIABLE", "some text", 1);
        execl(program, program, "look-with-privileges", (char *)NULL);
        _exit(EXIT_NOT_SECURE);
    }
    int status;
    waitpid(child, &status, 0);
    unlink(program);
    rmdir(folder);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == EXIT_NOT_SECURE) {
        skip(); /* a file system or emulator that raises nothing */
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "look-with-privileges") == 0) {
        _exit(look_with_privileges()); /* no leak check: it refuses to run with privileges */
    }
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(wait_returns_at_once_when_the_word_differs),
        cmocka_unit_test(wake_wakes_as_many_as_it_says),
        cmocka_unit_test(wait_goes_on_after_a_signal),
        cmocka_unit_test(wait_until_ends_at_its_deadline),
        cmocka_unit_test(wake_of_memory_that_is_gone_is_harmless),
        cmocka_unit_test(now_is_the_monotonic_clock_in_ns),
        cmocka_unit_test(membarrier_registers_where_the_kernel_has_it),
        cmocka_unit_test(thread_runs_beside_its_creator),
        cmocka_unit_test(thread_has_its_name),
        cmocka_unit_test(thread_takes_no_signals_but_faults_and_the_profiler),
        cmocka_unit_test(thread_has_the_stack_it_asked_for),
        cmocka_unit_test(thread_starts_beside_large_thread_locals),
        cmocka_unit_test(thread_that_cannot_start_is_an_error),
        cmocka_unit_test(thread_that_finds_no_memory_is_an_error),
        cmocka_unit_test(detached_thread_needs_no_handle),
        cmocka_unit_test(stack_limit_is_just_above_the_guard),
        cmocka_unit_test(stack_limit_of_the_initial_thread_follows_its_limit),
        cmocka_unit_test(alloc_is_zeroed_and_aligned),
        cmocka_unit_test(alloc_of_nothing_is_a_block),
        cmocka_unit_test(alloc_of_too_much_is_null),
        cmocka_unit_test(page_size_is_the_systems),
        cmocka_unit_test(thread_exit_hook_runs_on_the_ending_thread),
        cmocka_unit_test(thread_exit_hook_has_one_function),
        cmocka_unit_test(fork_hooks_run_on_their_sides),
        cmocka_unit_test(getenv_reads_the_environment),
        cmocka_unit_test(getenv_sees_nothing_with_privileges_raised),
    };
    alarm(HANG_SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
