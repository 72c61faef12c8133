/*
 * test_env.c: env.h and display_env.c, with an environment and standard error that the test controls. The expected
 * results come from libgomp; where libgomp is installed, tests/abi/env.sh compares the two.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "omp/icv/env.h"

#include <stdlib.h>

#include "../asserts.h"
#include "read_env.h"

/* A bad value is displayed as its substitute; NULL: as if the variable were not set. */
struct value {
    enum bomp_env_variable variable;
    const char *text;
    const char *shown;
    const char *complaint; /* the message after the value; NULL: the value is good */
};

static const char *const names[BOMP_ENV_COUNT] = {
#define ENV(variable, kind, target, shown, instead) #variable,
#include "omp/icv/env.def"
#undef ENV
};

#define BAD NULL, "invalid value"
#define MISSING NULL, "a value is missing at the end"
#define UNMADE NULL, "such an allocator cannot be made"
#define RANGE NULL, "out of range"
#define BAD_CHUNK "invalid chunk size"
#define SMALL NULL, "less than 16k"
#define PARTLY "not possible in full"
#define ENDLESS "18446744073709551615", "out of range"

static const struct value values[] = {
    {BOMP_ENV_OMP_DYNAMIC, "true", "TRUE", NULL},
    {BOMP_ENV_OMP_DYNAMIC, " TRUE ", "TRUE", NULL},
    {BOMP_ENV_OMP_DYNAMIC, "False", "FALSE", NULL},
    {BOMP_ENV_OMP_DYNAMIC, "1", BAD},
    {BOMP_ENV_OMP_DYNAMIC, "yes", BAD},
    {BOMP_ENV_OMP_DYNAMIC, "t", BAD},
    {BOMP_ENV_OMP_DYNAMIC, "", BAD},
    {BOMP_ENV_OMP_NESTED, "true", "TRUE", NULL},
    {BOMP_ENV_OMP_NESTED, "no", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "4", "4", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, " +4 ", "4", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "010", "10", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "4, 3 ,2", "4,3,2", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "2147483647", "2147483647", NULL},
    {BOMP_ENV_OMP_NUM_THREADS, "2147483648", RANGE},
    {BOMP_ENV_OMP_NUM_THREADS, "99999999999999999999", RANGE},
    {BOMP_ENV_OMP_NUM_THREADS, "0", RANGE},
    {BOMP_ENV_OMP_NUM_THREADS, "-1", RANGE},
    {BOMP_ENV_OMP_NUM_THREADS, "", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "4,", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, ",4", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "4,0", RANGE},
    {BOMP_ENV_OMP_NUM_THREADS, "4 3", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "4,,2", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "0,x", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "0,4 x", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "0x10", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "4.5", BAD},
    {BOMP_ENV_OMP_NUM_THREADS, "4x", BAD},
    {BOMP_ENV_OMP_SCHEDULE, "static", "STATIC", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "STATIC,4", "STATIC,4", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "static,0", "STATIC", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, " dynamic , 5 ", "DYNAMIC,5", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic,0", "DYNAMIC", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "nonmonotonic:static,0", "NONMONOTONIC:STATIC", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "guided,1", "GUIDED", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "guided", "GUIDED", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "auto,4", "AUTO", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "monotonic:static", "STATIC", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "nonmonotonic:static", "NONMONOTONIC:STATIC", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "Monotonic : dynamic,3", "MONOTONIC:DYNAMIC,3", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "nonmonotonic:guided , 3", "GUIDED,3", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "monotonic:auto", "MONOTONIC:AUTO", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "static,2147483647", "STATIC,2147483647", NULL},
    {BOMP_ENV_OMP_SCHEDULE, "static,2147483648", "STATIC,1", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic,-1", "DYNAMIC", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic,", "DYNAMIC", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic 5", BAD},
    {BOMP_ENV_OMP_SCHEDULE, "dynamic,5x", "DYNAMIC", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "monotonic", BAD},
    {BOMP_ENV_OMP_SCHEDULE, "monotonic dynamic", BAD},
    {BOMP_ENV_OMP_SCHEDULE, "runtime", BAD},
    {BOMP_ENV_OMP_SCHEDULE, "", BAD},
    {BOMP_ENV_OMP_PROC_BIND, "false", "FALSE", NULL},
    {BOMP_ENV_OMP_PROC_BIND, "x", BAD},
    {BOMP_ENV_OMP_PROC_BIND, "true,close", BAD},
    {BOMP_ENV_OMP_PROC_BIND, "close,true", BAD},
    {BOMP_ENV_OMP_PROC_BIND, "close,", BAD},
    {BOMP_ENV_OMP_PLACES, "x", BAD},
    {BOMP_ENV_OMP_PLACES, "", BAD},
    {BOMP_ENV_OMP_PLACES, "{0 1}", BAD},
    {BOMP_ENV_OMP_PLACES, "{}", BAD},
    {BOMP_ENV_OMP_PLACES, "{0", BAD},
    {BOMP_ENV_OMP_PLACES, "{0:0}", RANGE},
    {BOMP_ENV_OMP_PLACES, "{0}:0", RANGE},
    {BOMP_ENV_OMP_PLACES, "threads()", BAD},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0 65535", "", PARTLY},
    {BOMP_ENV_OMP_PLACES, "threads(2", BAD},
    {BOMP_ENV_OMP_PLACES, "threads,cores", BAD},
    {BOMP_ENV_OMP_PLACES, "{-1}", RANGE},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "x", BAD},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "", BAD},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "1-0", RANGE},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0-1:0", RANGE},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0 - 1", BAD},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0:1", BAD},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0-", BAD},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0,,1", BAD},
    {BOMP_ENV_GOMP_CPU_AFFINITY, "0,", BAD},
    {BOMP_ENV_OMP_STACKSIZE, "64", "65536", NULL},
    {BOMP_ENV_OMP_STACKSIZE, " 64 K ", "65536", NULL},
    {BOMP_ENV_OMP_STACKSIZE, "20000b", "20000", NULL},
    {BOMP_ENV_OMP_STACKSIZE, "2g", "2147483648", NULL},
    {BOMP_ENV_OMP_STACKSIZE, "-1", RANGE},
    {BOMP_ENV_OMP_STACKSIZE, "0", SMALL},
    {BOMP_ENV_OMP_STACKSIZE, "1", SMALL},
    {BOMP_ENV_GOMP_STACKSIZE, "16383b", SMALL},
    {BOMP_ENV_GOMP_STACKSIZE, "16384b", "16384", NULL},
    {BOMP_ENV_OMP_STACKSIZE, "1kb", BAD},
    {BOMP_ENV_OMP_STACKSIZE, "k", BAD},
    {BOMP_ENV_OMP_STACKSIZE, "1000000000000000000g", RANGE},
    {BOMP_ENV_GOMP_STACKSIZE, "64", "65536", NULL},
    {BOMP_ENV_OMP_WAIT_POLICY, " Active ", "ACTIVE", NULL},
    {BOMP_ENV_OMP_WAIT_POLICY, "passive", "PASSIVE", NULL},
    {BOMP_ENV_OMP_WAIT_POLICY, "adaptive", "ADAPTIVE", NULL},
    {BOMP_ENV_OMP_WAIT_POLICY, "activex", BAD},
    {BOMP_ENV_OMP_THREAD_LIMIT, "9", "9", NULL},
    {BOMP_ENV_OMP_THREAD_LIMIT, "4294967296", "4294967295", NULL},
    {BOMP_ENV_OMP_THREAD_LIMIT, "0", RANGE},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "0", "0", NULL},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "3", "3", NULL},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "255", "255", NULL},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "256", "255", PARTLY},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "100000", "255", PARTLY},
    {BOMP_ENV_OMP_MAX_ACTIVE_LEVELS, "-1", RANGE},
    {BOMP_ENV_OMP_NUM_TEAMS, "5", "5", NULL},
    {BOMP_ENV_OMP_NUM_TEAMS, "0", RANGE},
    {BOMP_ENV_OMP_TEAMS_THREAD_LIMIT, "5", "5", NULL},
    {BOMP_ENV_OMP_CANCELLATION, "false", "FALSE", NULL},
    {BOMP_ENV_OMP_CANCELLATION, "x", BAD},
    {BOMP_ENV_OMP_DEFAULT_DEVICE, "5", "5", NULL},
    {BOMP_ENV_OMP_DEFAULT_DEVICE, "-1", RANGE},
    {BOMP_ENV_OMP_MAX_TASK_PRIORITY, "0", "0", NULL},
    {BOMP_ENV_OMP_MAX_TASK_PRIORITY, "7", "7", NULL},
    {BOMP_ENV_OMP_MAX_TASK_PRIORITY, "x", BAD},
    {BOMP_ENV_OMP_DISPLAY_AFFINITY, "x", BAD},
    {BOMP_ENV_OMP_AFFINITY_FORMAT, "abc", "abc", NULL},
    {BOMP_ENV_OMP_AFFINITY_FORMAT, "", "", NULL},
    {BOMP_ENV_OMP_ALLOCATOR, "OMP_thread_mem_alloc", "omp_thread_mem_alloc", NULL},
    {BOMP_ENV_OMP_ALLOCATOR, "3", BAD},
    {BOMP_ENV_OMP_ALLOCATOR, " omp_large_cap_mem_space ", "omp_large_cap_mem_alloc", NULL},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_high_bw_mem_space", "omp_high_bw_mem_alloc", NULL},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:alignment=512,Pinned=false",
     "omp_default_mem_space:alignment=512,Pinned=false", NULL},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_const_mem_space : fallback = allocator_fb, fb_data=omp_const_mem_alloc",
     "omp_const_mem_space : fallback = allocator_fb, fb_data=omp_const_mem_alloc", NULL},
    {BOMP_ENV_OMP_ALLOCATOR,
     "omp_default_mem_space:sync_hint=private,access=pteam,pool_size=9,partition=nearest",
     "omp_default_mem_space:sync_hint=private,access=pteam,pool_size=9,partition=nearest", NULL},
    {BOMP_ENV_OMP_ALLOCATOR, "ompx_gnu_managed_mem_space", "omp_default_mem_alloc", NULL},
    {BOMP_ENV_OMP_ALLOCATOR, "ompx_gnu_managed_mem_space:alignment=64",
     "ompx_gnu_managed_mem_space:alignment=64", NULL},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:", MISSING},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:alignment=3,pinned=", MISSING},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:alignment=3", UNMADE},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:pinned=true,", MISSING},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:pinned=2", NULL, "invalid value at 2"},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:alignment", MISSING},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:color=1", NULL, "invalid value at color=1"},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space:access=none", NULL, "invalid value at none"},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_space,pinned=true", NULL, "invalid value at ,pinned=true"},
    {BOMP_ENV_OMP_ALLOCATOR, "omp_default_mem_alloc:pinned=true", BAD},
    {BOMP_ENV_OMP_TARGET_OFFLOAD, "Mandatory", "MANDATORY", NULL},
    {BOMP_ENV_OMP_TARGET_OFFLOAD, "x", BAD},
    {BOMP_ENV_GOMP_SPINCOUNT, "10", "10", NULL},
    {BOMP_ENV_GOMP_SPINCOUNT, "10 k", "10000", NULL},
    {BOMP_ENV_GOMP_SPINCOUNT, "1t", "1000000000000", NULL},
    {BOMP_ENV_GOMP_SPINCOUNT, "INFINITY", "18446744073709551615", NULL},
    {BOMP_ENV_GOMP_SPINCOUNT, "99999999999999999t", ENDLESS},
    {BOMP_ENV_GOMP_SPINCOUNT, "adaptive", "ADAPTIVE", NULL},
    {BOMP_ENV_GOMP_SPINCOUNT, "inf", BAD},
    {BOMP_ENV_GOMP_SPINCOUNT, "10b", BAD},
    {BOMP_ENV_GOMP_SPINCOUNT, "-1", ENDLESS},
    {BOMP_ENV_OMP_DISPLAY_ENV, "x", BAD},
    {BOMP_ENV_OMP_DISPLAY_ENV, "1", BAD},
    {BOMP_ENV_OMP_SCHEDULE, "auto,x", "AUTO", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "guided,99999999999999999999", "GUIDED", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "nonmonotonic:static,x", "NONMONOTONIC:STATIC,1", BAD_CHUNK},
    {BOMP_ENV_OMP_SCHEDULE, "foo,3", BAD},
    {BOMP_ENV_OMP_DISPLAY_AFFINITY, "True", "TRUE", NULL},
    {BOMP_ENV_OMP_AFFINITY_FORMAT, " a ", " a ", NULL},
    {BOMP_ENV_OMP_AVAILABLE_DEVICES, "host", "", NULL},
    {BOMP_ENV_OMP_THREADS_RESERVE, "structured(2),free_agent(1)", "", NULL},
    {BOMP_ENV_GOMP_DEBUG, "0", "0", NULL},
    {BOMP_ENV_GOMP_DEBUG, "1", "0", "has no effect"},
    {BOMP_ENV_OMP_TOOL, " Enabled", "enabled", NULL},
    {BOMP_ENV_OMP_TOOL, "disabled", "disabled", NULL},
    {BOMP_ENV_OMP_TOOL, "foo", BAD},
    {BOMP_ENV_GOMP_DEBUG, "x", BAD},
    {BOMP_ENV_BLITZ_DETERMINISTIC, "1", "TRUE", NULL},
    {BOMP_ENV_BLITZ_DETERMINISTIC, "true", "TRUE", NULL},
    {BOMP_ENV_BLITZ_DETERMINISTIC, "2", BAD},
    {BOMP_ENV_OMP_PLACES, "threads(0)", RANGE},
};

/* A good value is displayed as by libgomp, without a message. */
static void check_good(const struct value *v, const char *shown) {
    if (line_count != 0 || strcmp(shown, v->shown) != 0) {
        fail_msg("%s='%s': shown as '%s', %d lines", names[v->variable], v->text, shown, line_count);
    }
}

/* For a bad value, one line names the variable, the value, and the substitute. */
static void check_bad(const struct value *v, const char *shown, const char *unset) {
    char begin[BZ_MESSAGE_MAX];
    snprintf(begin, sizeof begin, "libblitz-omp: %s=%s: %s; using ", names[v->variable], v->text,
             v->complaint);
    if (line_count != 1 || strncmp(lines[0], begin, strlen(begin)) != 0 ||
        strcmp(shown, v->shown != NULL ? v->shown : unset) != 0) {
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
        bomp_env_show(&store, values[i].variable, unset, sizeof unset, false);
        assert_int_equal(line_count, 0);
        setenv(names[values[i].variable], values[i].text, 1);
        read_env();
        bomp_env_show(&store, values[i].variable, shown, sizeof shown, false);
        if (values[i].complaint == NULL) {
            check_good(&values[i], shown);
        } else {
            check_bad(&values[i], shown, unset);
        }
    }
}

/* The line names the substitute, in words where the number would mean nothing. */
static void bad_values_name_their_substitute(void **state) {
    (void)state;
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("OMP_SCHEDULE", "foo", 1);
    setenv("OMP_WAIT_POLICY", "bar", 1);
    read_env();
    assert_int_equal(line_count, 2);
    assert_string_equal(lines[0], "libblitz-omp: OMP_SCHEDULE=foo: invalid value; using DYNAMIC\n");
    assert_string_equal(lines[1],
                        "libblitz-omp: OMP_WAIT_POLICY=bar: invalid value; using adaptive waiting\n");
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
    assert_non_null(strstr(lines[0], "9...: invalid value; using "));
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
    assert_int_equal(line_count, 1);
    assert_non_null(strstr(lines[0], "libblitz-omp: OMP_NUM_THREADS=1,2,"));
    assert_non_null(strstr(lines[0], "...: not possible in full; using 1,2,3,"));
    assert_non_null(strstr(lines[0], "...\n"));
    assert_int_equal(store.initial.threads_left, BOMP_LEVEL_LIST_MAX);
    assert_int_equal(store.threads_list[BOMP_LEVEL_LIST_MAX - 1], BOMP_LEVEL_LIST_MAX + 1);
    char shown[20];
    bomp_env_show(&store, BOMP_ENV_OMP_NUM_THREADS, shown, sizeof shown, false);
    assert_string_equal(shown, "1,2,3,4,5,6,7,8,9,1");

    /* A list of the maximum length is accepted. */
    *strstr(text, ",258,") = '\0';
    setenv("OMP_NUM_THREADS", text, 1);
    read_env();
    assert_int_equal(line_count, 0);
    used = 0;
    for (int i = 1; i <= 258; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%sclose", i > 1 ? "," : "");
    }
    setenv("OMP_PROC_BIND", text, 1);
    read_env();
    assert_int_equal(line_count, 1);
    assert_non_null(strstr(lines[0], "OMP_PROC_BIND=close,"));
    assert_int_equal(store.initial.bind_left, BOMP_LEVEL_LIST_MAX);
    text[used - strlen(",close")] = '\0';
    setenv("OMP_PROC_BIND", text, 1);
    read_env();
    assert_int_equal(line_count, 0);
}

/* A CPU that exists but is not one of the process's; UINT_MAX if every CPU is. */
static unsigned last_unusable(void) {
    size_t words = bz_cpus_words();
    uint64_t *usable = calloc(words, sizeof *usable);
    unsigned cpu = (unsigned)(words * BZ_CPUS_WORD_BITS) - 1;
    assert_non_null(usable);
    assert_int_equal(bz_cpus_of_process(usable), 0);
    cpu = bz_cpus_has(usable, cpu) ? UINT_MAX : cpu;
    free(usable);
    return cpu;
}

/* A request for more places than exist yields those that exist, and one message. */
static void places_may_be_fewer(void **state) {
    (void)state;
    static const char *const names_of_places[] = {"threads", "cores", "sockets", "ll_caches", "numa_domains"};
    for (size_t i = 0; i < COUNT(names_of_places); i++) {
        char text[100];
        snprintf(text, sizeof text, "%s(%d)", names_of_places[i], i % 2 ? 99999 : 1);
        setenv("OMP_PLACES", text, 1);
        read_env();
        assert_int_equal(line_count, i % 2);
        assert_true(store.global.places.count > 0);
        if (i % 2) {
            assert_non_null(strstr(lines[0], "libblitz-omp: OMP_PLACES="));
        }
    }
    setenv("OMP_PLACES", "cores(99999999999999)", 1);
    read_env();
    assert_int_equal(line_count, 1);
    /* A value without effect is not checked as closely. */
    unsigned cpu = last_unusable();
    if (cpu == UINT_MAX) {
        skip();
    }
    char text[100];
    snprintf(text, sizeof text, "{0},{%u}", cpu);
    setenv("OMP_PLACES", text, 1);
    setenv("GOMP_CPU_AFFINITY", "0 65535", 1);
    read_env();
    assert_int_equal(line_count, 1);
    assert_non_null(strstr(lines[0], "OMP_PLACES={0},{"));
    assert_non_null(strstr(lines[0], ": not possible in full; using {0}\n"));
    snprintf(text, sizeof text, "{0,%u},{0}", cpu);
    setenv("OMP_PLACES", text, 1);
    read_env();
    assert_int_equal(line_count, 1);
    assert_non_null(strstr(lines[0], "OMP_PLACES={0,"));
    assert_non_null(strstr(lines[0], ": not possible in full; using {0},{0}\n"));
}

/* Misspelled names are reported; names of other runtimes are not. */
static void unknown_names(void **state) {
    static const char *const others[] = {"OMP_DEBUG",       "OMP_TOOL_LIBRARIES",    "OMP_TOOL_VERBOSE_INIT",
                                         "KMP_STACKSIZE",   "KMP_SETTINGS",          "OMPI_COMM_WORLD_SIZE",
                                         "OMP_FUTURE_TEXT", "OMP_THREADS_RESERVE",   "OMP_AVAILABLE_DEVICES",
                                         "GOMP_NVPTX_JIT",  "OMP_NUM_THREADS_DEV_1", "OMP_STACKSIZE_DEV"};
    static const struct {
        const char *name, *meant;
    } slips[] = {{"OMP_NUM_THREAD", "OMP_NUM_THREADS"},   {"OMP_NUM_TRHEADS", "OMP_NUM_THREADS"},
                 {"OMP_PROC_BINDS", "OMP_PROC_BIND"},     {"OMP_CPU_AFFINITY", "GOMP_CPU_AFFINITY"},
                 {"GOMP_NUM_THREADS", "OMP_NUM_THREADS"}, {"OMP_SHEDULE", "OMP_SCHEDULE"}};
    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        setenv(others[i], "1", 1);
    }
    read_env();
    assert_int_equal(line_count, 0);
    for (size_t i = 0; i < COUNT(slips); i++) {
        char wanted[BZ_MESSAGE_MAX];
        snprintf(wanted, sizeof wanted, "libblitz-omp: %s=4: unknown variable; ignored (did you mean %s?)\n",
                 slips[i].name, slips[i].meant);
        setenv(slips[i].name, "4", 1);
        read_env();
        assert_int_equal(line_count, 1);
        assert_string_equal(lines[0], wanted);
        unsetenv(slips[i].name);
    }
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

/* Settings that bind threads, and the number of places that result. The test does not know this process's CPUs, but 0
 * should be one. */
static void binding(void **state) {
    (void)state;
    static const struct {
        const char *bind, *places, *cpus;
        int becomes;
        int places_made; /* -1: one for each CPU */
        int lines;
    } cases[] = {
        {NULL, NULL, NULL, BOMP_BIND_FALSE, 0, 0},
        {"true", NULL, NULL, BOMP_BIND_TRUE, -1, 0},
        {"MASTER", NULL, NULL, BOMP_BIND_PRIMARY, -1, 0},
        {"primary", NULL, NULL, BOMP_BIND_PRIMARY, -1, 0},
        {"spread , close", NULL, NULL, BOMP_BIND_SPREAD, -1, 0},
        {NULL, "threads", NULL, BOMP_BIND_TRUE, -1, 0},
        {NULL, "cores(1)", NULL, BOMP_BIND_TRUE, 1, 0},
        {NULL, "{0},{0:1:5}:2:0", NULL, BOMP_BIND_TRUE, 3, 0},
        {NULL, NULL, "0 0,0-0:3 , 0", BOMP_BIND_TRUE, 4, 0},
        {"close", "{0}", "0 0", BOMP_BIND_CLOSE, 1, 0},
        {"close", "x", "0 0", BOMP_BIND_CLOSE, 2, 1},
        {"x", NULL, "0 0", BOMP_BIND_TRUE, 2, 1},
        {"x", NULL, NULL, BOMP_BIND_FALSE, 0, 1},
        {NULL, "x", NULL, BOMP_BIND_FALSE, 0, 1},
        {"spread", "x", "x", BOMP_BIND_SPREAD, -1, 2},
        {"false", "threads", "0", BOMP_BIND_FALSE, 0, 0},
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
        int wanted = cases[i].places_made >= 0 ? cases[i].places_made : (int)bz_topology_affinity_count();
        if (store.initial.bind != cases[i].becomes || (int)store.global.places.count != wanted ||
            line_count != cases[i].lines) {
            fail_msg("case %zu: bind %d, %u places, %d lines", i, store.initial.bind,
                     store.global.places.count, line_count);
        }
    }
}

/* All places are displayed, however many. */
static void many_places_are_displayed(void **state) {
    (void)state;
    setenv("OMP_PLACES", "{0}:2000:0", 1);
    setenv("OMP_DISPLAY_ENV", "true", 1);
    read_env();
    char unused[8];
    size_t length = bomp_env_show(&store, BOMP_ENV_OMP_PLACES, unused, sizeof unused, false);
    assert_int_equal(length, 2000 * 4 - 1);
    assert_string_equal(unused, "{0},{0}");
    assert_in_range(line_count, 22, COUNT(lines) - 1); /* glibc 2.37 and later write a long line in pieces */
    assert_string_equal(lines[line_count - 1], "OPENMP DISPLAY ENVIRONMENT END\n");
}

/* The policy decides how long threads spin, unless a count does. After a bad stack size the other variable's
 * applies. */
static void waiting_and_stacks(void **state) {
    (void)state;
    read_env();
    assert_true(store.global.spin_ns == BZ_SPIN_AUTO);
    setenv("OMP_WAIT_POLICY", "active", 1);
    read_env();
    assert_true(store.global.spin_ns == BOMP_ACTIVE_SPIN_NS);
    unsetenv("OMP_WAIT_POLICY");
    setenv("GOMP_SPINCOUNT", "30g", 1);
    read_env();
    assert_int_equal(store.global.wait_policy, BOMP_WAIT_ACTIVE);
    setenv("GOMP_SPINCOUNT", "5", 1);
    read_env();
    assert_int_equal(store.global.wait_policy, BOMP_WAIT_PASSIVE);
    setenv("OMP_WAIT_POLICY", "active", 1);
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
    assert_int_equal(line_count, 1);
    assert_string_equal(lines[0], "libblitz-omp: OMP_STACKSIZE=1: less than 16k; using the default\n");
    assert_int_equal(store.global.stack_size, 100 * 1024);
    unsetenv("GOMP_STACKSIZE");
    read_env();
    assert_int_equal(store.global.stack_size, 0);
}

/* Displays each variable once; the last ones only on request. */
static void display(void **state) {
    (void)state;
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("OMP_DISPLAY_ENV", "true", 1);
    read_env();
    assert_int_equal(line_count, 22);
    assert_memory_equal(lines[0], "\nlibblitz-omp ", 14);
    assert_non_null(strstr(lines[0], " serves the program, from "));
    assert_string_equal(lines[9], "  [host] OMP_WAIT_POLICY = 'ADAPTIVE'\n");
    assert_string_equal(lines[1], "OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n");
    assert_string_equal(lines[4], "  [host] OMP_NUM_THREADS = '3'\n");
    assert_string_equal(lines[21], "OPENMP DISPLAY ENVIRONMENT END\n");
}

static void display_verbose(void **state) {
    (void)state;
    setenv("OMP_DISPLAY_ENV", " Verbose", 1);
    read_env();
    assert_int_equal(line_count, 30);
    assert_string_equal(lines[22], "  [host] GOMP_STACKSIZE = '0'\n");
    assert_string_equal(lines[23], "  [host] GOMP_SPINCOUNT = 'ADAPTIVE'\n");
    assert_string_equal(lines[24], "  [host] BLITZ_DETERMINISTIC = 'FALSE'\n");
    assert_string_equal(lines[26], "  [host] BLITZ_STACKSIZE = '0b'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_value, set_up),
        cmocka_unit_test_setup(bad_values_name_their_substitute, set_up),
        cmocka_unit_test_setup(long_values_are_cut, set_up),
        cmocka_unit_test_setup(lists_are_cut_at_the_levels_that_are_kept, set_up),
        cmocka_unit_test_setup(places_may_be_fewer, set_up),
        cmocka_unit_test_setup(unknown_names, set_up),
        cmocka_unit_test_setup(nesting, set_up),
        cmocka_unit_test_setup(binding, set_up),
        cmocka_unit_test_setup(many_places_are_displayed, set_up),
        cmocka_unit_test_setup(waiting_and_stacks, set_up),
        cmocka_unit_test_setup(display, set_up),
        cmocka_unit_test_setup(display_verbose, set_up),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    icv_store_free(&store);
    return failed;
}
