/*
 * test_env_llvm.c: the rows of env.def that only LLVM's runtime has or displays differently, with an environment and
 * standard error that the test controls.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <sched.h>
#include <stdlib.h>

#include "../asserts.h"
#include "read_env.h"

static bool llvm_is_asked;

bool __wrap_bomp_llvm_is_asked(void);

bool __wrap_bomp_llvm_is_asked(void) {
    return llvm_is_asked;
}

/* A process that uses GCC's runtime alone does not read them. */
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

/* One line says this about the value; NULL: none. */
static void check_line(const char *name, const char *text, const char *words) {
    char line[2 * BZ_MESSAGE_MAX];
    snprintf(line, sizeof line, "libblitz-omp: %s=%s: %s\n", name, text, words ? words : "");
    assert_int_equal(line_count, words ? 1 : 0);
    if (words)
        assert_string_equal(lines[0], line);
}

/* GCC's rule: if offloading is mandatory, no device is the default. */
static void llvm_keeps_its_default_device(void **state) {
    (void)state;
    setenv("OMP_TARGET_OFFLOAD", "mandatory", 1);
    read_env();
    assert_int_equal(store.initial.default_device, BOMP_DEVICE_INVALID);
    read_llvm("OMP_NUM_THREADS", "2");
    assert_int_equal(store.initial.default_device, 0);
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
    assert_int_equal(store.initial.thread_limit, bz_budget());
    read_llvm("KMP_TEAMS_THREAD_LIMIT", "6");
    assert_int_equal(store.global.most_in_leagues, 6);
    read_llvm("KMP_DETERMINISTIC_REDUCTION", "yes");
    assert_true(store.global.deterministic);
    read_llvm("KMP_DETERMINISTIC_REDUCTION", "off");
    assert_false(store.global.deterministic);
    assert_true(store.global.inherits_control);
    read_llvm("KMP_INHERIT_FP_CONTROL", "no");
    assert_false(store.global.inherits_control);
}

/* After omp_set_num_teams LLVM's block shows the current number, GCC's the one of the environment. */
static void teams_shown(void **state) {
    (void)state;
    char shown[32];
    setenv("OMP_NUM_TEAMS", "42", 1);
    read_env();
    bz_store_relaxed(&store.global.num_teams.now, 24); /* relaxed: this is the only thread */
    bomp_env_show(&store, BOMP_ENV_OMP_NUM_TEAMS, shown, sizeof shown, false);
    assert_string_equal(shown, "42");
    bomp_env_show(&store, BOMP_ENV_OMP_NUM_TEAMS, shown, sizeof shown, true);
    assert_string_equal(shown, "24");
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
    assert_string_equal(lines[0], "libblitz-omp: KMP_BLOKTIME=3: unknown variable; ignored (did you "
                                  "mean KMP_BLOCKTIME?)\n");
    read_llvm("KMP_OF_SOMEBODY_ELSE", "3");
    assert_int_equal(line_count, 0);
    read_llvm("KMP_LOCK_KIND", "whatever");
    assert_int_equal(line_count, 0);
    setenv("KMP_WARNINGS", "0", 1);
    read_llvm("KMP_BLOCKTIME", "nonsense");
    assert_int_equal(line_count, 0);
    unsetenv("KMP_WARNINGS");
    read_llvm("KMP_BLOCKTIME", "nonsense");
    assert_int_equal(line_count, 1);
}

/* Messages are the same as in a GCC program. */
static void llvm_messages(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"OMP_ALLOCATOR", "111", "invalid value; using omp_default_mem_alloc"},
        {"KMP_STACKSIZE", "5", "less than 16k; using the default"},
        {"OMP_MAX_ACTIVE_LEVELS", "256", "not possible in full; using 255"},
        {"GOMP_DEBUG", "1", "has no effect; using 0"},
        {"KMP_SETTINGS", "maybe", "invalid value; using false"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        read_llvm(rows[i][0], rows[i][1]);
        check_line(rows[i][0], rows[i][1], rows[i][2]);
    }
}

/* OpenMP's variables accept LLVM's words for yes and no; a bad schedule is replaced by LLVM's default. */
static void llvm_words(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        bool on;
    } rows[] = {{"OMP_DYNAMIC", "1", true},
                {"OMP_DYNAMIC", "yes", true},
                {"OMP_DYNAMIC", "off", false},
                {"OMP_DYNAMIC", "disabled", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        read_llvm(rows[i].name, rows[i].text);
        assert_int_equal(line_count, 0);
        assert_int_equal(store.initial.dynamic, rows[i].on);
    }
    read_llvm("OMP_NESTED", "1");
    assert_int_equal(store.initial.max_active_levels, BOMP_SUPPORTED_ACTIVE_LEVELS);
    setenv("OMP_MAX_ACTIVE_LEVELS", "3", 1);
    read_llvm("OMP_NESTED", "true");
    assert_int_equal(store.initial.max_active_levels, 3);
    read_llvm("OMP_NESTED", "false");
    assert_int_equal(store.initial.max_active_levels, 1);
    unsetenv("OMP_MAX_ACTIVE_LEVELS");
    read_llvm("OMP_NUM_THREADS", "0,3");
    assert_int_equal(line_count, 0);
    assert_int_equal(store.initial.threads, 1);
    read_llvm("OMP_PROC_BIND", "1");
    assert_int_equal(store.initial.bind, BOMP_BIND_SPREAD);
    read_llvm("OMP_PROC_BIND", "0");
    assert_int_equal(store.initial.bind, BOMP_BIND_FALSE);
    read_llvm("OMP_SCHEDULE", "nonsense");
    check_line("OMP_SCHEDULE", "nonsense", "invalid value; using STATIC");
    setenv("OMP_DYNAMIC", "1", 1);
    read_env(); /* not for LLVM's runtime */
    assert_int_equal(line_count, 1);
    unsetenv("OMP_DYNAMIC");
}

/* Threads for deferred target tasks: how many, and where. */
static void llvm_helpers(void **state) {
    (void)state;
    static const struct {
        const char *text, *words; /* NULL: it is good */
        int count;
    } rows[] = {{"0", NULL, 0},
                {"1", NULL, 1},
                {"16", NULL, 16},
                {"17", "not possible in full; using 16", 16},
                {"-3", "out of range; using 7", 7},
                {"many", "invalid value; using 7", 7}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        read_llvm("LIBOMP_NUM_HIDDEN_HELPER_THREADS", rows[i].text);
        check_line("LIBOMP_NUM_HIDDEN_HELPER_THREADS", rows[i].text, rows[i].words);
        assert_int_equal(store.global.helpers, rows[i].count);
        assert_int_equal(store.global.uses_helpers, rows[i].count > 0);
        setenv("LIBOMP_NUM_HIDDEN_HELPER_THREADS", rows[i].text, 1);
        assert_int_equal(bomp_env_helpers(), rows[i].count);
        unsetenv("LIBOMP_NUM_HIDDEN_HELPER_THREADS");
    }
    read_llvm("LIBOMP_USE_HIDDEN_HELPER_TASK", "no");
    assert_int_equal(line_count, 0);
    assert_int_equal(store.global.uses_helpers, false);
    read_llvm("LIBOMP_USE_HIDDEN_HELPER_TASK", "x");
    check_line("LIBOMP_USE_HIDDEN_HELPER_TASK", "x", "invalid value; using TRUE");
    read_llvm("LIBOMP_USE_HIDDEN_HELPER_TASKS", "0"); /* misspelled by one letter */
    assert_int_equal(line_count, 1);
    read_llvm("KMP_HIDDEN_HELPER_AFFINITY", "verbose,granularity=core,compact");
    assert_string_equal(lines[0],
                        "OMP: Info #145: KMP_HIDDEN_HELPER_AFFINITY: Threads may migrate across 1 innermost "
                        "levels of machine\n");
    assert_true(store.global.helper.verbose && store.global.helper.places.count > 0);
    assert_int_equal(store.initial.bind, BOMP_BIND_FALSE); /* not of others */
    read_llvm("KMP_HIDDEN_HELPER_AFFINITY", "frob");
    check_line("KMP_HIDDEN_HELPER_AFFINITY", "frob", "invalid value; using none");
    assert_int_equal(store.global.helper.places.count, 0);
}

/* Variables without effect are accepted, and their values are not checked. */
static void llvm_idle(void **state) {
    (void)state;
    static const char *const names[] = {"KMP_DISP_NUM_BUFFERS", "KMP_HANDLE_SIGNALS", "KMP_LOCK_KIND"};
    for (size_t i = 0; i < COUNT(names); i++) {
        read_llvm(names[i], "anything");
        check_line(names[i], "anything", NULL);
    }
}

/* A bad list is taken for the kind that it begins with, or for cores. */
static void llvm_places(void **state) {
    (void)state;
    static const char *const rows[][2] = {{"nonsense", "cores"},
                                          {"{0},{1", "cores"},
                                          {"sockets(", "sockets"},
                                          {"threads()", "threads"},
                                          {"threads(0)", "threads"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char words[BZ_MESSAGE_MAX], shown[64];
        read_llvm("OMP_PLACES", rows[i][0]);
        snprintf(words, sizeof words, "invalid value; using %s", rows[i][1]);
        check_line("OMP_PLACES", rows[i][0], words);
        assert_int_equal(store.initial.bind, BOMP_BIND_SPREAD);
        read_llvm("OMP_PLACES", rows[i][1]);
        assert_int_equal(line_count, 0);
        bomp_env_show(&store, BOMP_ENV_OMP_PLACES, shown, sizeof shown, true);
        assert_string_equal(shown, rows[i][1]);
    }
    read_llvm("OMP_PLACES", "{1000000}"); /* but not a list of CPUs that do not exist */
    assert_int_equal(line_count, 2);
    assert_int_equal(store.global.places.count, 0);
    assert_int_equal(store.initial.bind, BOMP_BIND_FALSE);
    setenv("OMP_PLACES", "nonsense", 1);
    read_env(); /* not for LLVM's runtime */
    assert_int_equal(store.global.places.count, 0);
    unsetenv("OMP_PLACES");
}

/* The position of the line among the messages after `from`; fails if it is missing. */
static int find_line(const char *line, int from) {
    for (int i = from; i < line_count; i++)
        if (strcmp(lines[i], line) == 0)
            return i;
    fail_msg("no line says %s", line);
    return 0;
}

static unsigned first_cpu(void) {
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    unsigned cpu = 0;
    while (!CPU_ISSET(cpu, &set))
        cpu++;
    return cpu;
}

/* Two lists: variables that are set, and values in effect. */
static void llvm_settings(void **state) {
    char place[32], places[64], shown_places[64], affinity[96];
    (void)state;
    snprintf(place, sizeof place, "{%u}", first_cpu());
    snprintf(places, sizeof places, "   OMP_PLACES=%s\n", place);
    snprintf(shown_places, sizeof shown_places, "   OMP_PLACES='%s'\n", place);
    snprintf(affinity, sizeof affinity, "   KMP_AFFINITY='noverbose,noreset,explicit,proclist=[%s]'\n",
             place);
    setenv("KMP_TASKING", "1", 1);
    setenv("KMP_BLOCKTIME", "5", 1);
    setenv("KMP_STACKSIZE", "65536", 1);
    setenv("OMP_NUM_THREADS", "2,3", 1);
    setenv("OMP_PLACES", place, 1);
    setenv("OMP_PROC_BIND", "close,spread", 1);
    setenv("OMP_SCHEDULE", "Monotonic:Dynamic,7", 1);
    setenv("OMP_THREAD_LIMIT", "9", 1);
    read_llvm("KMP_SETTINGS", "yes");
    int user = find_line("\nUser settings:\n\n", 0), effective = find_line("\nEffective settings:\n\n", user);
    const char *const set[] = {"   KMP_BLOCKTIME=5\n",           "   KMP_SETTINGS=yes\n",
                               "   KMP_STACKSIZE=65536\n",       "   KMP_TASKING=1\n",
                               "   OMP_NUM_THREADS=2,3\n",       places,
                               "   OMP_PROC_BIND=close,spread\n"};
    for (size_t i = 0; i < COUNT(set); i++)
        assert_string_equal(lines[user + 1 + (int)i], set[i]);
    const char *const holds[] = {affinity,
                                 "   KMP_BLOCKTIME=5ms\n",
                                 "   KMP_HW_SUBSET: value is not defined\n",
                                 "   KMP_LIBRARY=throughput\n",
                                 "   KMP_SETTINGS=true\n",
                                 "   KMP_STACKSIZE=64k\n",
                                 "   KMP_TASKING: has no effect\n",
                                 "   OMP_CANCELLATION=false\n",
                                 "   OMP_NUM_THREADS='2,3'\n",
                                 shown_places,
                                 "   OMP_PROC_BIND='close,spread'\n",
                                 "   OMP_SCHEDULE='monotonic:dynamic,7'\n",
                                 "   OMP_STACKSIZE=64k\n",
                                 "   OMP_TARGET_OFFLOAD=DEFAULT\n",
                                 "   OMP_THREAD_LIMIT=9\n"};
    int at = effective;
    for (size_t i = 0; i < COUNT(holds); i++)
        at = find_line(holds[i], at + 1); /* sorted */
    clearenv();
    read_llvm("KMP_SETTINGS", "on");
    static const char *const defaults[] = {"   KMP_AFFINITY='noverbose,noreset,none'\n",
                                           "   KMP_BLOCKTIME=adaptive\n",
                                           "   OMP_PLACES: value is not defined\n",
                                           "   OMP_SCHEDULE='static'\n", "   OMP_THREAD_LIMIT=2147483647\n"};
    for (size_t i = 0; i < COUNT(defaults); i++)
        find_line(defaults[i], 0);
    read_llvm("KMP_SETTINGS", "off");
    assert_int_equal(line_count, 0);
}

/* Overrides OMP_PROC_BIND and OMP_PLACES. */
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
        cmocka_unit_test_setup(llvm_is_not_asked, set_up),
        cmocka_unit_test_setup(llvm_keeps_its_default_device, set_up),
        cmocka_unit_test_setup(llvm_blocktime, set_up),
        cmocka_unit_test_setup(llvm_numbers, set_up),
        cmocka_unit_test_setup(llvm_library, set_up),
        cmocka_unit_test_setup(llvm_names, set_up),
        cmocka_unit_test_setup(llvm_affinity, set_up),
        cmocka_unit_test_setup(llvm_messages, set_up),
        cmocka_unit_test_setup(llvm_words, set_up),
        cmocka_unit_test_setup(llvm_idle, set_up),
        cmocka_unit_test_setup(llvm_places, set_up),
        cmocka_unit_test_setup(llvm_settings, set_up),
        cmocka_unit_test_setup(llvm_helpers, set_up),
        cmocka_unit_test_setup(teams_shown, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
