/*
 * test_env_llvm.c: the rows of env.def that LLVM's runtime has, with the environment and standard error in our hands.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "capture.h"
#include "omp/icv/env.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct bomp_icv_store store;

/* What was said while the environment was read, line by line. */
static char lines[16][BZ_MESSAGE_MAX];
static int line_count;

static int set_up(void **state) {
    (void)state;
    return clearenv();
}

static void read_env(void) {
    struct capture c;
    bomp_icv_destroy(&store);
    capture_begin(&c);
    bomp_env_read(&store);
    line_count = 0;
    while (line_count < (int)COUNT(lines) && capture_next(&c, lines[line_count], sizeof lines[0]) > 0) {
        line_count++;
    }
    capture_end(&c);
}

static bool llvm_is_asked;

bool __wrap_bomp_llvm_is_asked(void);

bool __wrap_bomp_llvm_is_asked(void) {
    return llvm_is_asked;
}

/* In a process that asks for GCC's runtime alone nobody looks at them. */
static void llvm_is_not_asked(void **state) {
    (void)state;
    setenv("KMP_BLOCKTIME", "nonsense", 1);
    setenv("KMP_STACKSIZE", "64m", 1);
    setenv("KMP_ALL_THREADS", "2", 1);
    setenv("KMP_BLOKTIME", "3", 1);
    setenv("KMP_SETTINGS", "true", 1);
    setenv("KMP_AFFINITY", "compact", 1);
    read_env();
    assert_int_equal(line_count, 0);
    assert_true(store.global.spin_ns == BZ_SPIN_AUTO);
    assert_int_equal(store.global.stack_size, 0);
    assert_int_equal(store.initial.thread_limit, UINT_MAX);
    assert_int_equal(store.initial.bind, BOMP_BIND_FALSE);
}

static void read_llvm(const char *name, const char *text) {
    llvm_is_asked = true;
    setenv(name, text, 1);
    read_env();
    unsetenv(name);
    llvm_is_asked = false;
}

static void llvm_blocktime(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t ns;
    } rows[] = {{"0", 0},
                {"1", 1000000},
                {" 200 ms ", 200000000},
                {"50us", 50000},
                {"infinite", BZ_SPIN_INFINITE},
                {"2147483647", BZ_SPIN_INFINITE},
                {"-1", BZ_SPIN_AUTO},
                {"2147483648", BZ_SPIN_AUTO},
                {"5 s", BZ_SPIN_AUTO},
                {"", BZ_SPIN_AUTO}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        read_llvm("KMP_BLOCKTIME", rows[i].text);
        assert_true(store.global.spin_ns == rows[i].ns);
        assert_int_equal(line_count, rows[i].ns == BZ_SPIN_AUTO);
    }
    setenv("OMP_WAIT_POLICY", "passive", 1);
    read_llvm("KMP_BLOCKTIME", "3");
    assert_true(store.global.spin_ns == 3000000);
}

static void llvm_numbers(void **state) {
    (void)state;
    read_llvm("KMP_STACKSIZE", "2097152");
    assert_int_equal(store.global.stack_size, 2 << 20);
    setenv("OMP_STACKSIZE", "1m", 1);
    read_llvm("KMP_STACKSIZE", "3M");
    assert_int_equal(store.global.stack_size, 3 << 20);
    read_llvm("KMP_STACKSIZE", "100");
    assert_int_equal(store.global.stack_size, 1 << 20);
    assert_int_equal(line_count, 1);
    unsetenv("OMP_STACKSIZE");
    setenv("OMP_THREAD_LIMIT", "5", 1);
    read_llvm("KMP_DEVICE_THREAD_LIMIT", "7");
    assert_int_equal(store.initial.thread_limit, 5);
    read_llvm("KMP_ALL_THREADS", "3");
    assert_int_equal(store.initial.thread_limit, 3);
    unsetenv("OMP_THREAD_LIMIT");
    read_llvm("KMP_DEVICE_THREAD_LIMIT", "all");
    assert_int_equal(store.initial.thread_limit, bomp_procs());
    read_llvm("KMP_TEAMS_THREAD_LIMIT", "6");
    assert_int_equal(bz_load_relaxed(&store.global.teams_thread_limit), 6);
    read_llvm("KMP_DETERMINISTIC_REDUCTION", "yes");
    assert_true(store.global.deterministic);
    read_llvm("KMP_DETERMINISTIC_REDUCTION", "off");
    assert_false(store.global.deterministic);
}

static void llvm_library(void **state) {
    (void)state;
    read_llvm("KMP_LIBRARY", "serial");
    assert_int_equal(store.global.library, BOMP_LIBRARY_SERIAL);
    assert_int_equal(store.initial.thread_limit, 1);
    read_llvm("KMP_LIBRARY", "Turnaround");
    assert_int_equal(store.global.library, BOMP_LIBRARY_TURNAROUND);
    assert_int_equal(store.global.wait_policy, BOMP_WAIT_ACTIVE);
    read_llvm("KMP_LIBRARY", "multiuser");
    assert_int_equal(store.global.library, BOMP_LIBRARY_THROUGHPUT);
    read_llvm("KMP_LIBRARY", "other");
    assert_int_equal(line_count, 1);
    assert_int_equal(store.global.library, BOMP_LIBRARY_THROUGHPUT);
}

static void llvm_names(void **state) {
    (void)state;
    read_llvm("KMP_BLOKTIME", "3");
    assert_int_equal(line_count, 1);
    assert_string_equal(lines[0], "libblitz-omp: unknown environment variable KMP_BLOKTIME: '3' is ignored; "
                                  "is KMP_BLOCKTIME meant?\n");
    read_llvm("KMP_OF_SOMEBODY_ELSE", "3");
    assert_int_equal(line_count, 0);
    read_llvm("KMP_TPAUSE", "whatever");
    assert_int_equal(line_count, 0);
    setenv("KMP_WARNINGS", "0", 1);
    read_llvm("KMP_BLOCKTIME", "nonsense");
    assert_int_equal(line_count, 0);
    unsetenv("KMP_WARNINGS");
    read_llvm("KMP_BLOCKTIME", "nonsense");
    assert_int_equal(line_count, 1);
}

/* Counts for more than OMP_PROC_BIND and OMP_PLACES. */
static void llvm_affinity(void **state) {
    (void)state;
    setenv("OMP_PROC_BIND", "close,spread", 1);
    setenv("OMP_PLACES", "threads(1)", 1);
    read_llvm("KMP_AFFINITY", "none");
    assert_int_equal(store.initial.bind, BOMP_BIND_FALSE);
    assert_int_equal(store.initial.bind_left, 0);
    assert_int_equal(store.global.places.count, 0);
    read_llvm("KMP_AFFINITY", "balanced");
    assert_int_equal(store.initial.bind, BOMP_BIND_SPREAD);
    read_llvm("KMP_AFFINITY", "nothing");
    assert_int_equal(line_count, 1);
    assert_int_equal(store.initial.bind, BOMP_BIND_CLOSE);
    assert_int_equal(store.global.places.count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(llvm_is_not_asked, set_up), cmocka_unit_test_setup(llvm_blocktime, set_up),
        cmocka_unit_test_setup(llvm_numbers, set_up),      cmocka_unit_test_setup(llvm_library, set_up),
        cmocka_unit_test_setup(llvm_names, set_up),        cmocka_unit_test_setup(llvm_affinity, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
