/*
 * test_env.c: env.h and display_env.c, with the environment and standard error in our hands. What is expected of the
 * values was found out by running libgomp; tests/abi/env.sh compares the two where libgomp is there.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "capture.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct bomp_icv_store store;

/* What was said while the environment was read, line by line. */
static char lines[64][BZ_MESSAGE_MAX];
static int line_count;

static int set_up(void **state) {
    (void)state;
    return clearenv();
}

static void read_env(void) {
    struct capture c;
    capture_begin(&c);
    bomp_env_read(&store);
    line_count = 0;
    while (line_count < (int)COUNT(lines) && capture_next(&c, lines[line_count], sizeof lines[0]) > 0) {
        line_count++;
    }
    capture_end(&c);
}

/* NULL as a value stands for what is shown when the variable is not set, after one line of complaint. */
struct value {
    enum bomp_env_variable variable;
    const char *text;
    const char *shown;
};

static const char *const names[BOMP_ENV_COUNT] = {
#define ENV(variable, kind, target, shown, instead) #variable,
#include "env.def"
#undef ENV
};

static const struct value values[] = {
    {BOMP_ENV_OMP_DYNAMIC, "true", "TRUE"},
    {BOMP_ENV_OMP_DYNAMIC, " TRUE ", "TRUE"},
    {BOMP_ENV_OMP_DYNAMIC, "False", "FALSE"},
    {BOMP_ENV_OMP_DYNAMIC, "1", NULL},
    {BOMP_ENV_OMP_DYNAMIC, "yes", NULL},
    {BOMP_ENV_OMP_DYNAMIC, "t", NULL},
    {BOMP_ENV_OMP_DYNAMIC, "", NULL},
    {BOMP_ENV_OMP_NESTED, "true", "TRUE"},
    {BOMP_ENV_OMP_NESTED, "no", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "4", "4"},
    {BOMP_ENV_OMP_NUM_THREADS, " +4 ", "4"},
    {BOMP_ENV_OMP_NUM_THREADS, "010", "10"},
    {BOMP_ENV_OMP_NUM_THREADS, "4, 3 ,2", "4,3,2"},
    {BOMP_ENV_OMP_NUM_THREADS, "2147483647", "2147483647"},
    {BOMP_ENV_OMP_NUM_THREADS, "2147483648", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "99999999999999999999", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "0", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "-1", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "4,", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, ",4", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "4,0", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "4 3", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "0x10", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "4.5", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "4x", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "static", "STATIC"},
    {BOMP_ENV_OMP_SCHEDULE, "STATIC,4", "STATIC,4"},
    {BOMP_ENV_OMP_SCHEDULE, "static,0", "STATIC"},
    {BOMP_ENV_OMP_SCHEDULE, " dynamic , 5 ", "DYNAMIC,5"},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic,0", "DYNAMIC"},
    {BOMP_ENV_OMP_SCHEDULE, "guided", "GUIDED"},
    {BOMP_ENV_OMP_SCHEDULE, "auto,4", "AUTO"},
    {BOMP_ENV_OMP_SCHEDULE, "monotonic:static", "STATIC"},
    {BOMP_ENV_OMP_SCHEDULE, "nonmonotonic:static", "NONMONOTONIC:STATIC"},
    {BOMP_ENV_OMP_SCHEDULE, "Monotonic : dynamic,3", "MONOTONIC:DYNAMIC,3"},
    {BOMP_ENV_OMP_SCHEDULE, "nonmonotonic:guided , 3", "GUIDED,3"},
    {BOMP_ENV_OMP_SCHEDULE, "monotonic:auto", "MONOTONIC:AUTO"},
    {BOMP_ENV_OMP_SCHEDULE, "static,2147483647", "STATIC,2147483647"},
    {BOMP_ENV_OMP_SCHEDULE, "static,2147483648", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic,-1", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic,", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic 5", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic,5x", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "monotonic", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "monotonic dynamic", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "runtime", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "", NULL},
    {BOMP_ENV_OMP_PROC_BIND, "false", "FALSE"},
    {BOMP_ENV_OMP_PROC_BIND, "x", NULL},
    {BOMP_ENV_OMP_PROC_BIND, "true,close", NULL},
    {BOMP_ENV_OMP_PROC_BIND, "close,true", NULL},
    {BOMP_ENV_OMP_PROC_BIND, "close,", NULL},
    {BOMP_ENV_OMP_PLACES, "x", NULL},
    {BOMP_ENV_OMP_PLACES, "", NULL},
    {BOMP_ENV_OMP_PLACES, "{0 1}", NULL},
    {BOMP_ENV_OMP_PLACES, "{}", NULL},
    {BOMP_ENV_OMP_PLACES, "{0", NULL},
    {BOMP_ENV_OMP_PLACES, "{0:0}", NULL},
    {BOMP_ENV_OMP_PLACES, "{0}:0", NULL},
    {BOMP_ENV_OMP_PLACES, "threads()", NULL},
    {BOMP_ENV_OMP_PLACES, "threads(2", NULL},
    {BOMP_ENV_OMP_PLACES, "threads,cores", NULL},
    {BOMP_ENV_OMP_PLACES, "{-1}", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "x", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "1-0", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0-1:0", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0 - 1", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0:1", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0-", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0,,1", NULL},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0,", NULL},
    {BOMP_ENV_OMP_STACKSIZE, "64", "65536"},
    {BOMP_ENV_OMP_STACKSIZE, " 64 K ", "65536"},
    {BOMP_ENV_OMP_STACKSIZE, "20000b", "20000"},
    {BOMP_ENV_OMP_STACKSIZE, "2g", "2147483648"},
    {BOMP_ENV_OMP_STACKSIZE, "0", "0"},
    {BOMP_ENV_OMP_STACKSIZE, "-1", NULL},
    {BOMP_ENV_OMP_STACKSIZE, "1kb", NULL},
    {BOMP_ENV_OMP_STACKSIZE, "k", NULL},
    {BOMP_ENV_OMP_STACKSIZE, "1000000000000000000g", NULL},
    {BOMP_ENV_GOMP_STACKSIZE, "64", "65536"},
    {BOMP_ENV_OMP_WAIT_POLICY, " Active ", "ACTIVE"},
    {BOMP_ENV_OMP_WAIT_POLICY, "passive", "PASSIVE"},
    {BOMP_ENV_OMP_WAIT_POLICY, "activex", NULL},
    {BOMP_ENV_OMP_THREAD_LIMIT, "9", "9"},
    {BOMP_ENV_OMP_THREAD_LIMIT, "4294967296", "4294967295"},
    {BOMP_ENV_OMP_THREAD_LIMIT, "0", NULL},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "0", "0"},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "3", "3"},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "256", "255"},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "-1", NULL},
    {BOMP_ENV_OMP_NUM_TEAMS, "5", "5"},
    {BOMP_ENV_OMP_NUM_TEAMS, "0", NULL},
    {BOMP_ENV_OMP_TEAMS_THREAD_LIMIT, "5", "5"},
    {BOMP_ENV_OMP_CANCELLATION, "false", "FALSE"},
    {BOMP_ENV_OMP_CANCELLATION, "x", NULL},
    {BOMP_ENV_OMP_DEFAULT_DEVICE, "5", "5"},
    {BOMP_ENV_OMP_DEFAULT_DEVICE, "-1", NULL},
    {BOMP_ENV_OMP_MAX_TASK_PRIORITY, "0", "0"},
    {BOMP_ENV_OMP_MAX_TASK_PRIORITY, "7", "7"},
    {BOMP_ENV_OMP_MAX_TASK_PRIORITY, "x", NULL},
    {BOMP_ENV_OMP_DISPLAY_AFFINITY, "x", NULL},
    {BOMP_ENV_OMP_AFFINITY_FORMAT, "abc", "abc"},
    {BOMP_ENV_OMP_AFFINITY_FORMAT, "", ""},
    {BOMP_ENV_OMP_ALLOCATOR, "OMP_thread_mem_alloc", "omp_thread_mem_alloc"},
    {BOMP_ENV_OMP_ALLOCATOR, "3", NULL},
    {BOMP_ENV_OMP_TARGET_OFFLOAD, "Mandatory", "MANDATORY"},
    {BOMP_ENV_OMP_TARGET_OFFLOAD, "x", NULL},
    {BOMP_ENV_GOMP_SPINCOUNT, "10", "10"},
    {BOMP_ENV_GOMP_SPINCOUNT, "10 k", "10000"},
    {BOMP_ENV_GOMP_SPINCOUNT, "1t", "1000000000000"},
    {BOMP_ENV_GOMP_SPINCOUNT, "INFINITY", "18446744073709551615"},
    {BOMP_ENV_GOMP_SPINCOUNT, "99999999999999999t", "18446744073709551615"},
    {BOMP_ENV_GOMP_SPINCOUNT, "inf", NULL},
    {BOMP_ENV_GOMP_SPINCOUNT, "10b", NULL},
    {BOMP_ENV_GOMP_SPINCOUNT, "-1", NULL},
    {BOMP_ENV_OMP_DISPLAY_ENV, "x", NULL},
    {BOMP_ENV_OMP_DISPLAY_ENV, "1", NULL},
};

/* A good value is shown as libgomp shows it, and nothing is said. */
static void check_good(const struct value *v, const char *shown) {
    if (line_count != 0 || strcmp(shown, v->shown) != 0) {
        fail_msg("%s='%s': shown as '%s', %d lines", names[v->variable], v->text, shown, line_count);
    }
}

/* A bad value leaves the default, and one line names the variable and the value. */
static void check_bad(const struct value *v, const char *shown, const char *unset) {
    char begin[BZ_MESSAGE_MAX];
    snprintf(begin, sizeof begin, "libblitz-omp: Invalid value for environment variable %s: '%s'; ",
             names[v->variable], v->text);
    if (line_count != 1 || strncmp(lines[0], begin, strlen(begin)) != 0 ||
        strstr(lines[0], " is used instead\n") == NULL || strcmp(shown, unset) != 0) {
        fail_msg("%s='%s': shown as '%s', %d lines: %s", names[v->variable], v->text, shown, line_count,
                 lines[0]);
    }
}

static void each_value(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        char unset[256];
        char shown[256];
        clearenv();
        read_env();
        bomp_env_show(&store, values[i].variable, unset, sizeof unset);
        assert_int_equal(line_count, 0);
        setenv(names[values[i].variable], values[i].text, 1);
        read_env();
        bomp_env_show(&store, values[i].variable, shown, sizeof shown);
        if (values[i].shown != NULL) {
            check_good(&values[i], shown);
        } else {
            check_bad(&values[i], shown, unset);
        }
    }
}

/* The line says what is used, in words where the number would mean nothing. */
static void bad_values_name_their_substitute(void **state) {
    (void)state;
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("OMP_SCHEDULE", "foo", 1);
    setenv("OMP_WAIT_POLICY", "bar", 1);
    read_env();
    assert_int_equal(line_count, 2);
    assert_string_equal(lines[0], "libblitz-omp: Invalid value for environment variable OMP_SCHEDULE: 'foo'; "
                                  "'DYNAMIC' is used instead\n");
    assert_string_equal(lines[1],
                        "libblitz-omp: Invalid value for environment variable OMP_WAIT_POLICY: 'bar'; "
                        "adaptive waiting is used instead\n");
}

/* However long and strange a value is, it stays one line. */
static void long_values_are_cut(void **state) {
    (void)state;
    char text[2000];
    memset(text, '9', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    text[3] = '\n';
    setenv("OMP_NUM_THREADS", text, 1);
    read_env();
    assert_int_equal(line_count, 1);
    assert_non_null(strstr(lines[0], "999?9999"));
    assert_non_null(strstr(lines[0], "9...'; '"));
    assert_null(strchr(lines[0], '\n')[1] ? lines[0] : NULL);
}

static void lists_are_cut_at_the_levels_that_are_kept(void **state) {
    (void)state;
    enum { ENTRIES = 1000 };
    static char text[8 * ENTRIES];
    size_t used = 0;
    for (int i = 1; i <= ENTRIES; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", i > 1 ? "," : "", i);
    }
    setenv("OMP_NUM_THREADS", text, 1);
    read_env();
    assert_int_equal(line_count, 0);
    assert_int_equal(store.initial.threads_left, BOMP_LEVEL_LIST_MAX);
    assert_int_equal(store.threads_list[BOMP_LEVEL_LIST_MAX - 1], BOMP_LEVEL_LIST_MAX + 1);
    char shown[20];
    bomp_env_show(&store, BOMP_ENV_OMP_NUM_THREADS, shown, sizeof shown);
    assert_string_equal(shown, "1,2,3,4,5,6,7,8,9,1");
}

static void nesting(void **state) {
    (void)state;
    static const struct {
        const char *nested, *levels, *threads;
        int max;
    } cases[] = {
        {NULL, NULL, "4", 1},      {NULL, NULL, "4,3", 255}, {"true", NULL, "4", 255},
        {"false", NULL, "4,3", 1}, {"true", "1", "4", 1},    {"false", "5", "4", 5},
        {"true", "x", "4", 255},   {NULL, "2", "4,3", 2},    {NULL, "x", "4,3", 255},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        clearenv();
        setenv("OMP_NUM_THREADS", cases[i].threads, 1);
        if (cases[i].nested != NULL) {
            setenv("OMP_NESTED", cases[i].nested, 1);
        }
        if (cases[i].levels != NULL) {
            setenv("OMP_MAX_ACTIVE_LEVELS", cases[i].levels, 1);
        }
        read_env();
        assert_int_equal(store.initial.max_active_levels, cases[i].max);
    }
}

/* Binding is not served: the policy can be asked for, and one line says that no thread is bound. */
static void binding(void **state) {
    (void)state;
    static const struct {
        const char *bind, *places, *cpus;
        int becomes;
        const char *complaint;
    } cases[] = {
        {"true", NULL, NULL, BOMP_BIND_TRUE, "OMP_PROC_BIND"},
        {"MASTER", NULL, NULL, BOMP_BIND_PRIMARY, "OMP_PROC_BIND"},
        {"primary", NULL, NULL, BOMP_BIND_PRIMARY, "OMP_PROC_BIND"},
        {"spread , close", NULL, NULL, BOMP_BIND_SPREAD, "OMP_PROC_BIND"},
        {NULL, "cores(2)", NULL, BOMP_BIND_TRUE, "OMP_PLACES"},
        {NULL, "{0:4:2}:2:-1,!{1,!2},3", NULL, BOMP_BIND_TRUE, "OMP_PLACES"},
        {NULL, NULL, "0-3:2 4,5 , 6", BOMP_BIND_TRUE, "GOMP_CPU_AFFINITY"},
        {NULL, "{0}", "0", BOMP_BIND_TRUE, "OMP_PLACES"},
        {"false", "threads", "0", BOMP_BIND_FALSE, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        clearenv();
        const char *texts[] = {cases[i].bind, cases[i].places, cases[i].cpus};
        static const char *const variables[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"};
        for (int j = 0; j < 3; j++) {
            if (texts[j] != NULL) {
                setenv(variables[j], texts[j], 1);
            }
        }
        read_env();
        assert_int_equal(store.initial.bind, cases[i].becomes);
        assert_int_equal(line_count, cases[i].complaint != NULL);
        if (cases[i].complaint != NULL) {
            assert_non_null(strstr(lines[0], cases[i].complaint));
        }
    }
}

/* The policy decides how long to look, unless a count does. A bad stack size leaves the other variable's. */
static void waiting_and_stacks(void **state) {
    (void)state;
    read_env();
    assert_true(store.global.spin_ns == BZ_SPIN_AUTO);
    setenv("OMP_WAIT_POLICY", "active", 1);
    read_env();
    assert_true(store.global.spin_ns == BOMP_ACTIVE_SPIN_NS);
    setenv("GOMP_SPINCOUNT", "5", 1);
    setenv("OMP_STACKSIZE", "200", 1);
    setenv("GOMP_STACKSIZE", "100", 1);
    read_env();
    assert_true(store.global.spin_ns == 5);
    assert_int_equal(store.global.stack_size, 200 * 1024);
    setenv("OMP_STACKSIZE", "x", 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    unsetenv("GOMP_SPINCOUNT");
    read_env();
    assert_true(store.global.spin_ns == 0);
    assert_int_equal(store.global.stack_size, 100 * 1024);
    setenv("OMP_STACKSIZE", "1", 1);
    read_env();
    assert_int_equal(store.global.stack_size, 16 * 1024);
    assert_int_equal(line_count, 1);
    assert_non_null(strstr(lines[0], "1024 bytes; 16384 is used instead"));
}

/* What is not served is taken back with one line. */
static void unserved_switches(void **state) {
    (void)state;
    setenv("OMP_CANCELLATION", "true", 1);
    read_env();
    assert_false(store.global.cancellation);
    assert_int_equal(line_count, 1);
    assert_non_null(strstr(lines[0], "OMP_CANCELLATION"));
    clearenv();
    setenv("OMP_DISPLAY_AFFINITY", "true", 1);
    read_env();
    assert_false(store.global.display_affinity);
    assert_int_equal(line_count, 1);
    assert_non_null(strstr(lines[0], "OMP_DISPLAY_AFFINITY"));
}

/* Every variable once, the last ones only if asked for. */
static void display(void **state) {
    (void)state;
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("OMP_DISPLAY_ENV", "true", 1);
    read_env();
    assert_int_equal(line_count, 22);
    assert_memory_equal(lines[0], "\nlibblitz-omp ", 14);
    assert_string_equal(lines[1], "OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n");
    assert_string_equal(lines[4], "  OMP_NUM_THREADS = '3'\n");
    assert_string_equal(lines[21], "OPENMP DISPLAY ENVIRONMENT END\n");
}

static void display_verbose(void **state) {
    (void)state;
    setenv("OMP_DISPLAY_ENV", " Verbose", 1);
    read_env();
    assert_int_equal(line_count, 25);
    assert_string_equal(lines[22], "  GOMP_STACKSIZE = '0'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_value, set_up),
        cmocka_unit_test_setup(bad_values_name_their_substitute, set_up),
        cmocka_unit_test_setup(long_values_are_cut, set_up),
        cmocka_unit_test_setup(lists_are_cut_at_the_levels_that_are_kept, set_up),
        cmocka_unit_test_setup(nesting, set_up),
        cmocka_unit_test_setup(binding, set_up),
        cmocka_unit_test_setup(waiting_and_stacks, set_up),
        cmocka_unit_test_setup(unserved_switches, set_up),
        cmocka_unit_test_setup(display, set_up),
        cmocka_unit_test_setup(display_verbose, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
