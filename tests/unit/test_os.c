/*
 * test_os.c: the contract of os/os.h except for threads (test_os_thread.c). A lost wake is a hang, which alarm() turns
 * into a failure.
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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../asserts.h"
#include "../sanitized.h"
#include "base/atomic.h"

#define SENTINEL_ERRNO 4242
#define EXIT_NOT_SECURE 77

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

/* How many threads sleep on the word: the kernel counts them as it moves them to another word and back. */
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
    struct bz_a32 bits;     /* of the next sleeper; 0: it sleeps without */
    struct bz_ai64 result;  /* of a wait with a deadline or with bits */
};

static void *sleep_once(void *arg) {
    struct sleeper *s = arg;
    uint32_t bits = bz_load_relaxed(&s->bits);
    if (bits != 0 || s->deadline_ns != 0) {
        bz_store_relaxed(&s->result, bz_os_futex_wait_until(&s->word.v, 0, s->deadline_ns, bits));
    } else {
        bz_os_futex_wait(&s->word.v, 0);
    }
    bz_fetch_add_seq_cst(&s->returned, 1);
    return NULL;
}

static void wait_returns_at_once_when_the_word_differs(void **state) {
    (void)state;
    uint32_t word = 1;
    errno = SENTINEL_ERRNO;
    bz_os_futex_wait(&word, 2);
    assert_int_equal(bz_os_futex_wait_until(&word, 2, UINT64_MAX, 0), 0);
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

/* Threads go to sleep one after the other on one word, and are woken by their bits. */
static void wake_by_bits(uint64_t deadline_ns) {
    static const uint32_t bits[] = {1, 2, 6, 0};
    struct sleeper s = {.deadline_ns = deadline_ns};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        bz_store_relaxed(&s.bits, bits[i]); /* the previous one has read it, since it sleeps */
        assert_int_equal(pthread_create(&threads[i], NULL, sleep_once, &s), 0);
        wait_for_sleepers(&s.word.v, i + 1);
    }
    errno = SENTINEL_ERRNO;
    bz_os_futex_wake_all_as(&s.word.v, 1u << 31); /* the one without bits */
    pthread_join(threads[3], NULL);
    assert_int_equal(sleepers(&s.word.v), 3);
    bz_os_futex_wake_all_as(&s.word.v, 4);
    pthread_join(threads[2], NULL);
    assert_int_equal(sleepers(&s.word.v), 2);
    bz_os_futex_wake_all_as(&s.word.v, 3);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert_int_equal(bz_load_relaxed(&s.result), 0);
    assert_int_equal(errno, SENTINEL_ERRNO);
}

static void a_wake_wakes_the_sleepers_with_its_bits(void **state) {
    (void)state;
    wake_by_bits(0);
    wake_by_bits(UINT64_MAX);
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
        skip(); /* it runs handlers only at calls that it knows, and futex is not one */
    }
    signal_during(0);
    signal_during(UINT64_MAX);
}

static void wait_until_ends_at_its_deadline(void **state) {
    (void)state;
    uint32_t word = 0;
    errno = SENTINEL_ERRNO;
    assert_int_equal(bz_os_futex_wait_until(&word, 0, 1, 0), ETIMEDOUT);
    int slack = prctl(PR_GET_TIMERSLACK); /* what threads and programs would inherit */
    uint64_t deadline = bz_os_now_ns() + 2000000;
    int rc;
    do {
        rc = bz_os_futex_wait_until(&word, 0, deadline, 0);
    } while (rc == 0); /* spurious */
    assert_int_equal(rc, ETIMEDOUT);
    assert_true(bz_os_now_ns() >= deadline);
    assert_int_equal(errno, SENTINEL_ERRNO);
    assert_int_equal(prctl(PR_GET_TIMERSLACK), slack);
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
    assert_true(bz_os_tick_ns() <= bz_os_now_ns());
}

static void membarrier_registers_where_the_kernel_has_it(void **state) {
    (void)state;
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    bool offered = commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
    errno = SENTINEL_ERRNO;
    assert_int_equal(bz_os_membarrier_register(), offered);
    assert_int_equal(bz_os_membarrier(), offered);
    bz_os_yield();
    assert_int_equal(errno, SENTINEL_ERRNO);
    if (offered) { /* the registration succeeded: the command itself is accepted now */
        assert_int_equal(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0), 0);
    }
}

static void page_size_is_the_systems(void **state) {
    (void)state;
    assert_int_equal(bz_os_page_size(), getauxval(AT_PAGESZ));
}

/* The process. */

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
    char **variable = bz_os_environment();
    while (*variable && strcmp(*variable, "BLITZ_TEST_VARIABLE=some text") != 0)
        variable++;
    assert_non_null(*variable);
    unsetenv("BLITZ_TEST_VARIABLE");
    assert_null(bz_os_getenv("BLITZ_TEST_VARIABLE"));
}

/* Runs this program again as a set-user-ID program: the exit code is its result. */
static int check_with_privileges(void) {
    if (getauxval(AT_SECURE) == 0) {
        return EXIT_NOT_SECURE;
    }
    return bz_os_getenv("BLITZ_TEST_VARIABLE") == NULL && bz_os_environment()[0] == NULL ? 0 : 1;
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
        execl(program, program, "check-with-privileges", (char *)NULL);
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

#if defined(__x86_64__)

/* Fills the upper halves of two vector registers, waits for a word that differs, and reads them. */
static void upper_halves_are_clear_after_a_wait(void **state) {
    uint32_t word = 1;
    int first, last;
    (void)state;
    if (!__builtin_cpu_supports("avx"))
        skip();
    __asm__ volatile("vcmptrueps %%ymm0, %%ymm0, %%ymm0\n vcmptrueps %%ymm15, %%ymm15, %%ymm15" ::
                         : "xmm0", "xmm15");
    bz_os_futex_wait(&word, 2);
    __asm__ volatile("vextractf128 $1, %%ymm0, %%xmm0\n vextractf128 $1, %%ymm15, %%xmm15\n"
                     "vmovd %%xmm0, %0\n vmovd %%xmm15, %1"
                     : "=r"(first), "=r"(last)::"xmm0", "xmm15");
    assert_int_equal(first, 0);
    assert_int_equal(last, 0);
}

#else

static void upper_halves_are_clear_after_a_wait(void **state) {
    (void)state;
    skip();
}

#endif

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "check-with-privileges") == 0) {
        _exit(check_with_privileges()); /* no leak check: it refuses to run with privileges */
    }
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(wait_returns_at_once_when_the_word_differs),
        cmocka_unit_test(wake_wakes_as_many_as_it_says),
        cmocka_unit_test(a_wake_wakes_the_sleepers_with_its_bits),
        cmocka_unit_test(wait_goes_on_after_a_signal),
        cmocka_unit_test(wait_until_ends_at_its_deadline),
        cmocka_unit_test(wake_of_memory_that_is_gone_is_harmless),
        cmocka_unit_test(upper_halves_are_clear_after_a_wait),
        cmocka_unit_test(now_is_the_monotonic_clock_in_ns),
        cmocka_unit_test(membarrier_registers_where_the_kernel_has_it),
        cmocka_unit_test(page_size_is_the_systems),
        cmocka_unit_test(fork_hooks_run_on_their_sides),
        cmocka_unit_test(getenv_reads_the_environment),
        cmocka_unit_test(getenv_sees_nothing_with_privileges_raised),
    };
    alarm(HANG_SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
