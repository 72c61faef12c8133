/* Reports of the statistics: hints, the table and JSON (compat/tools/stats). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../asserts.h"
#include "tools/common/work_name.h"
#include "tools/stats/report.h"

#define MS UINT64_C(1000000)

enum { REGION = 0x1000, OTHER = 0x1800, LOOP = 0x2000, TASK = 0x3000, MUTEX = 0x4000 };

static struct bomp_stats_summary summary;
static struct bomp_stats_rows rows;
static struct bomp_stats_hints hints;
static struct bomp_text text;

static int begin(void **state) {
    (void)state;
    rows = (struct bomp_stats_rows){.summary = &summary};
    hints = (struct bomp_stats_hints){0};
    bomp_stats_process_begin(true);
    if (!bomp_stats_summary_make(&summary, 0, 2))
        return -1;
    summary.wall = 1000 * MS;
    summary.cpu = 1900 * MS;
    summary.serial = 10 * MS;
    summary.cpus = 2;
    summary.delayed = 0;
    return 0;
}

static int end(void **state) {
    (void)state;
    bomp_stats_hints_free(&hints);
    bomp_stats_rows_free(&rows);
    bomp_text_free(&text);
    bomp_stats_summary_free(&summary);
    return 0;
}

static struct bz_a64 *counts(enum bomp_stats_kind kind, uintptr_t address, uint32_t sort) {
    return bomp_stats_places_find(&summary.places[kind], address, sort)->counts;
}

/* The region around the work, or the place where a lock was first acquired. */
static void set_site(enum bomp_stats_kind kind, uintptr_t address, uint32_t sort, uintptr_t site) {
    bomp_stats_set_site(bomp_stats_places_find(&summary.places[kind], address, sort), sort, site);
}

/* A region of two threads that takes nearly all of the time; the members' busy times. */
static struct bz_a64 *region(uint64_t calls, uint64_t busiest, uint64_t other) {
    struct bz_a64 *of = counts(BOMP_STATS_REGIONS, REGION, 0);
    of[BOMP_REGION_CALLS].v = calls;
    of[BOMP_REGION_THREADS].v = 2 * calls;
    of[BOMP_REGION_TEAM].v = 2;
    of[BOMP_REGION_WALL].v = 990 * MS;
    of[BOMP_REGION_THREAD_TIME].v = 1980 * MS;
    of[BOMP_REGION_BUSY].v = busiest + other;
    of[BOMP_REGION_BUSIEST].v = busiest;
    of[BOMP_REGION_MEAN].v = (busiest + other) / 2;
    of[BOMP_REGION_BARRIER].v = 1980 * MS - busiest - other;
    return of;
}

static struct bz_a64 *loop(uint32_t sort, uint64_t chunks, uint64_t busy, uint64_t waited) {
    struct bz_a64 *of = counts(BOMP_STATS_WORKS, LOOP, sort);
    set_site(BOMP_STATS_WORKS, LOOP, sort, REGION);
    of[BOMP_WORK_ENTERED].v = 2;
    of[BOMP_WORK_CHUNKS].v = chunks;
    of[BOMP_WORK_BUSY].v = busy;
    of[BOMP_WORK_WAITED].v = waited;
    return of;
}

static void make(void) {
    assert_true(bomp_stats_rows_make(&rows, &summary));
    bomp_stats_hints_make(&hints, &rows);
}

static void assert_hint(const char *about, const char *said) {
    make();
    assert_int_equal(hints.count, 1);
    assert_string_equal(hints.hint[0].about, about);
    if (!strstr(hints.hint[0].text.bytes, said))
        fail_msg("\"%s\" is not in \"%s\"", said, hints.hint[0].text.bytes);
}

static void assert_no_hint(void) {
    make();
    if (hints.count > 0)
        fail_msg("%s", hints.hint[0].text.bytes);
}

/* Hints, each with a case that just fails to cause it. */

static void test_even_region(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    loop(ompt_work_loop_static, 2, 1940 * MS, 20 * MS);
    assert_no_hint();
}

static void test_static_loop(void **state) {
    (void)state;
    region(1, 980 * MS, 98 * MS);
    loop(ompt_work_loop_static, 2, 1078 * MS, 882 * MS);
    assert_hint("imbalance",
                "46 % of region 0x1000 is waiting at its barriers: uneven static loop at 0x2000; try "
                "schedule(dynamic)");
}

/* Its members are even, but sometimes one of them has no CPU. */
static void test_delayed_loop(void **state) {
    (void)state;
    region(1, 980 * MS, 540 * MS); /* at barriers: 460 ms */
    loop(ompt_work_loop_static, 2, 1520 * MS, 440 * MS);
    summary.delayed = 70 * MS;
    assert_no_hint();
}

static void test_uneven_loop_that_is_delayed(void **state) {
    (void)state;
    region(1, 980 * MS, 540 * MS);
    loop(ompt_work_loop_static, 2, 1520 * MS, 440 * MS);
    summary.delayed = 60 * MS;
    assert_hint("imbalance", "uneven static loop at 0x2000");
}

/* Where the system does not report delays, CPU time shows them. */
static void test_delay_unknown(void **state) {
    (void)state;
    region(1, 980 * MS, 540 * MS);
    summary.delayed = UINT64_MAX;
    summary.cpu = 1450 * MS;
    assert_no_hint();
}

static void test_dynamic_loop(void **state) {
    (void)state;
    region(1, 980 * MS, 98 * MS);
    loop(ompt_work_loop_dynamic, 2, 1078 * MS, 882 * MS);
    assert_hint("imbalance", "uneven dynamic loop at 0x2000; try smaller chunks");
}

static void test_unknown_work(void **state) {
    (void)state;
    region(1, 980 * MS, 98 * MS);
    assert_hint("imbalance", "if that is a static loop, try schedule(dynamic)");
}

static void test_single(void **state) {
    (void)state;
    region(1, 980 * MS, 1 * MS);
    loop(ompt_work_single_executor, 1, 980 * MS, 979 * MS);
    assert_hint("alone",
                "one thread does all work of region 0x1000 in the single at 0x2000 (100 % of its time)");
}

/* Matching work of another region is not named. */
static void test_work_of_another_region(void **state) {
    (void)state;
    region(1, 980 * MS, 98 * MS);
    counts(BOMP_STATS_WORKS, LOOP, ompt_work_loop_static)[BOMP_WORK_WAITED].v = 882 * MS;
    set_site(BOMP_STATS_WORKS, LOOP, ompt_work_loop_static, OTHER);
    assert_hint("imbalance", "waiting at its barriers: uneven work; if that is a static loop");
}

static void test_single_of_another_region(void **state) {
    (void)state;
    region(1, 980 * MS, 0);
    counts(BOMP_STATS_WORKS, LOOP, ompt_work_single_executor)[BOMP_WORK_BUSY].v = 980 * MS;
    set_site(BOMP_STATS_WORKS, LOOP, ompt_work_single_executor, OTHER);
    assert_hint("imbalance", "region 0x1000 is waiting");
}

/* The members opened regions inside, and their busy time there is unknown. */
static void test_outer_region(void **state) {
    (void)state;
    struct bz_a64 *of = region(1, 400 * MS, 80 * MS);
    of[BOMP_REGION_BARRIER].v = 480 * MS;
    of[BOMP_REGION_OPENING].v = 20 * MS;
    assert_no_hint();
    bomp_stats_table(&text, &rows, &hints);
    assert_non_null(strstr(text.bytes, "       99 %        2.0          -          -       24 %\n"));
    text.length = 0;
    bomp_stats_json(&text, &rows, &hints);
    assert_non_null(strstr(text.bytes, "\"busiest_ns\": null, \"mean_ns\": null,"));
}

/* The same without inner regions: the rest is the runtime's. */
static void test_slow_runtime(void **state) {
    (void)state;
    region(1, 400 * MS, 80 * MS)[BOMP_REGION_BARRIER].v = 480 * MS;
    assert_hint("imbalance", "24 % of region 0x1000");
}

static void test_few_tasks(void **state) {
    (void)state;
    region(2, 980 * MS, 0)[BOMP_REGION_TASKS].v = 399;
    assert_hint("imbalance", "try more and smaller tasks");
}

/* With enough tasks to fill it, more would not help. */
static void test_uneven_tasks(void **state) {
    (void)state;
    region(2, 980 * MS, 0)[BOMP_REGION_TASKS].v = 400;
    assert_hint("imbalance", "its tasks wait for each other, are created too slowly, or are uneven");
}

static void test_short_regions(void **state) {
    (void)state;
    region(400000, 600 * MS, 500 * MS);
    assert_hint("short_region", "region 0x1000 is opened 400000 times for 2.48 us each");
}

static void test_region_short_but_good(void **state) {
    (void)state;
    region(40000, 900 * MS, 800 * MS);
    assert_no_hint();
}

static void tasks(uint64_t ended, uint64_t body) {
    struct bz_a64 *of = counts(BOMP_STATS_TASKS, TASK, 0);
    of[BOMP_TASK_CREATED].v = of[BOMP_TASK_ENDED].v = ended;
    of[BOMP_TASK_BODY].v = body;
}

static void test_fine_tasks(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    tasks(10000000, 800 * MS);
    assert_hint("fine_tasks",
                "tasks of 0x3000 take 80 ns: too fine; try a cut-off, or a taskloop with a grainsize");
}

static void test_tasks_long_enough(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    tasks(1000000, 1000 * MS);
    assert_no_hint();
}

static void test_few_fine_tasks(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    tasks(20000, 2 * MS);
    assert_no_hint();
}

static void test_fine_chunks(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    loop(ompt_work_loop_dynamic, 100000000, 1900 * MS, 0);
    assert_hint("fine_chunks",
                "chunks of the loop at 0x2000 take 19 ns: too fine; try schedule(dynamic, 106)");
}

static void test_contention(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    struct bz_a64 *of = counts(BOMP_STATS_MUTEXES, MUTEX, BOMP_STATS_CRITICAL);
    of[BOMP_MUTEX_ACQUIRED].v = 1000;
    of[BOMP_MUTEX_WAITED].v = 400 * MS;
    assert_hint("contention", "20 % of the threads' time is waiting for the critical construct 0x4000");
}

/* Waits for a lock whose holder had no CPU are no reason, nor are waits that cannot be separated from them. */
static void test_contention_of_the_delayed(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    counts(BOMP_STATS_MUTEXES, MUTEX, BOMP_STATS_CRITICAL)[BOMP_MUTEX_WAITED].v = 400 * MS;
    summary.delayed = 250 * MS;
    assert_no_hint();
}

static void test_ordered(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    counts(BOMP_STATS_MUTEXES, MUTEX, BOMP_STATS_ORDERED)[BOMP_MUTEX_WAITED].v = 400 * MS;
    set_site(BOMP_STATS_MUTEXES, MUTEX, BOMP_STATS_ORDERED, MUTEX);
    assert_hint("ordered",
                "20 % of the threads' time is waiting for earlier iterations at 0x4000: do less in the "
                "ordered part; if chunks are longer than one iteration, try schedule(static, 1)");
}

/* A tenth of the threads' time in regions, but the program mostly does something else. */
static void test_contention_in_little(void **state) {
    (void)state;
    struct bz_a64 *of = region(1, 20 * MS, 20 * MS);
    of[BOMP_REGION_WALL].v = 40 * MS;
    of[BOMP_REGION_THREAD_TIME].v = 80 * MS;
    counts(BOMP_STATS_MUTEXES, MUTEX, BOMP_STATS_CRITICAL)[BOMP_MUTEX_WAITED].v = 40 * MS;
    assert_no_hint();
}

/* Locks beyond the table's room are not one lock, and have no site. */
static void test_contention_of_others(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    counts(BOMP_STATS_MUTEXES, 0, 0)[BOMP_MUTEX_WAITED].v = 400 * MS;
    bomp_stats_set_site(bomp_stats_places_at(&summary.places[BOMP_STATS_MUTEXES], 0), BOMP_STATS_LOCK, LOOP);
    summary.places[BOMP_STATS_MUTEXES].refused.v = 9;
    assert_no_hint();
    assert_int_equal(bomp_stats_places_at(&summary.places[BOMP_STATS_MUTEXES], 0)->site.v, 0);
}

/* A serial part that sleeps proves nothing about the regions. */
static void test_sleep_outside(void **state) {
    (void)state;
    struct bz_a64 *of = region(1, 390 * MS, 380 * MS);
    of[BOMP_REGION_BARRIER].v = 0;
    summary.serial = 600 * MS;
    summary.cpu = 770 * MS;
    assert_hint("serial", "60 %");
}

static void test_too_many_threads(void **state) {
    (void)state;
    summary.delayed = 5900 * MS;
    struct bz_a64 *of = region(1, 980 * MS, 960 * MS);
    of[BOMP_REGION_TEAM].v = 8;
    of[BOMP_REGION_THREAD_TIME].v = of[BOMP_REGION_BUSY].v = 7900 * MS;
    of[BOMP_REGION_BARRIER].v = 0;
    assert_hint("too_many_threads",
                "threads waited for CPUs for 5.90 s, and count as busy then: 8 threads on 2 CPUs; try "
                "OMP_NUM_THREADS=2, or as many where the program sets the number");
}

/* They sleep: there are CPUs for all of them. */
static void test_many_sleepers(void **state) {
    (void)state;
    struct bz_a64 *of = region(1, 980 * MS, 960 * MS);
    of[BOMP_REGION_TEAM].v = 8;
    of[BOMP_REGION_THREAD_TIME].v = of[BOMP_REGION_BUSY].v = 7900 * MS;
    of[BOMP_REGION_BARRIER].v = 0;
    assert_hint("no_cpu", "but the whole program had a CPU for 1.90 s: the program sleeps or reads files");
}

static void test_no_cpu(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    summary.delayed = 500 * MS;
    assert_hint("no_cpu", "waited for CPUs for 500 ms, and count as busy then: other programs, or other");
}

/* Uneven work and waits are named on a busy machine as well, with a way to verify them; but not if the threads alone
 * outnumber the CPUs. */
static void test_loaded(void **state) {
    (void)state;
    struct bz_a64 *of = region(1, 980 * MS, 98 * MS);
    loop(ompt_work_loop_static, 2, 1078 * MS, 882 * MS);
    counts(BOMP_STATS_MUTEXES, MUTEX, BOMP_STATS_CRITICAL)[BOMP_MUTEX_WAITED].v = 400 * MS;
    summary.delayed = 900 * MS;
    make();
    assert_int_equal(hints.count, 3);
    assert_string_equal(hints.hint[0].about, "no_cpu");
    assert_non_null(strstr(hints.hint[0].text.bytes, "on an idle machine, or as root by chrt -f 1;"));
    assert_string_equal(hints.hint[1].text.bytes,
                        "likely, unless CPUs were missing: 46 % of region 0x1000 is waiting at its "
                        "barriers: uneven static loop at 0x2000; try schedule(dynamic)");
    assert_non_null(strstr(hints.hint[2].text.bytes, "likely, unless CPUs were missing: 20 % of the"));
    bomp_stats_hints_free(&hints);
    bomp_stats_rows_free(&rows);
    of[BOMP_REGION_TEAM].v = 8;
    assert_hint("too_many_threads", "try OMP_NUM_THREADS=2");
}

/* The second of two hints, on a machine where each thread had a CPU for a quarter of its time. */
static void assert_likely(const char *about, const char *said) {
    summary.cpu = 400 * MS;
    summary.delayed = 1200 * MS;
    make();
    assert_int_equal(hints.count, 2);
    assert_string_equal(hints.hint[0].about, "no_cpu");
    assert_string_equal(hints.hint[1].about, about);
    assert_string_equal(hints.hint[1].text.bytes, said);
}

/* Times without delays decide what is too fine, and what is too fine is not named as uneven. */
static void test_loaded_short_regions(void **state) {
    (void)state;
    region(10000, 600 * MS, 100 * MS);
    assert_likely("short_region",
                  "likely, unless CPUs were missing: region 0x1000 is opened 10000 times for 24.8 us each: "
                  "put the surrounding loop into one region, or add an if clause for small sizes");
}

static void test_loaded_fine_tasks(void **state) {
    (void)state;
    region(1, 600 * MS, 100 * MS)[BOMP_REGION_TASKS].v = 1000000;
    tasks(1000000, 400 * MS);
    assert_likely("fine_tasks",
                  "likely, unless CPUs were missing: tasks of 0x3000 take 100 ns: too fine; try "
                  "a cut-off, or a taskloop with a grainsize");
}

static void test_loaded_fine_chunks(void **state) {
    (void)state;
    region(1, 600 * MS, 100 * MS);
    loop(ompt_work_loop_dynamic, 1000000, 700 * MS, 1200 * MS);
    assert_likely("fine_chunks",
                  "likely, unless CPUs were missing: chunks of the loop at 0x2000 take 175 ns: "
                  "too fine; try schedule(dynamic, 12)");
}

/* Delays in a long serial part prove nothing about the regions. */
static void test_delayed_outside(void **state) {
    (void)state;
    struct bz_a64 *of = region(1, 200 * MS, 190 * MS);
    of[BOMP_REGION_BARRIER].v = 0;
    summary.serial = 800 * MS;
    summary.cpu = 1000 * MS;
    summary.delayed = 200 * MS;
    assert_hint("serial", "80 %");
}

static void test_serial(void **state) {
    (void)state;
    region(1, 390 * MS, 380 * MS)[BOMP_REGION_BARRIER].v = 0;
    summary.serial = 600 * MS;
    summary.cpu = 1400 * MS;
    assert_hint(
        "serial",
        "60 % of the time is outside of parallel regions: with any number of threads it is at most 1.7");
}

static void test_short_program(void **state) {
    (void)state;
    region(1, 980 * MS, 98 * MS);
    summary.wall = 9 * MS;
    assert_no_hint();
}

/* More reasons than fit. */
static void test_many_hints(void **state) {
    (void)state;
    region(1, 980 * MS, 960 * MS);
    for (uint32_t i = 0; i < 40; i++) {
        struct bz_a64 *of = counts(BOMP_STATS_MUTEXES, MUTEX + 8 * i, BOMP_STATS_LOCK);
        of[BOMP_MUTEX_WAITED].v = 400 * MS + i;
    }
    make();
    assert_int_equal(hints.count, BOMP_HINTS_MAX);
}

/* The forms. */

static void fill(void) {
    region(3, 980 * MS, 98 * MS);
    loop(ompt_work_loop_static, 2, 1078 * MS, 882 * MS);
    tasks(1000, 100 * MS);
    counts(BOMP_STATS_MUTEXES, MUTEX, BOMP_STATS_CRITICAL)[BOMP_MUTEX_ACQUIRED].v = 7;
    summary.waits[BOMP_STATS_BARRIER][BOMP_WAIT_COUNT].v = 12;
    make();
}

static void test_table(void **state) {
    static const char *const said[] = {"wall time of the process 1.00 s, CPU time 1.90 s (1.90 CPUs of 2), "
                                       "outside of parallel regions 10.0 ms (1 %)\n",
                                       ("  0x1000                                    3     990 ms    "
                                        "   99 %        2.0       54 %       1.82       46 %\n"),
                                       "static loop\n",
                                       "  0x3000                                 1000          0       1000",
                                       "\nhints\n  * 46 %"};
    (void)state;
    fill();
    bomp_stats_table(&text, &rows, &hints);
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
        if (!strstr(text.bytes, said[i]))
            fail_msg("\"%s\" is not in:\n%s", said[i], text.bytes);
}

/* A name that extends into the columns stands above its numbers. */
static void test_long_name(void **state) {
    static const char name[] = "tesseract::LSTM::Forward+0x52d in libtesseract.so.5";
    char said[256];
    (void)state;
    fill();
    for (unsigned i = 0; i < rows.count[BOMP_STATS_REGIONS]; i++)
        (void)snprintf(rows.row[BOMP_STATS_REGIONS][i].name, BOMP_ROW_NAME, "%s", name);
    bomp_stats_table(&text, &rows, &hints);
    (void)snprintf(said, sizeof said, "  %s\n%45s     990 ms       99 %%", name, "3");
    if (!strstr(text.bytes, said))
        fail_msg("\"%s\" is not in:\n%s", said, text.bytes);
}

/* A long hint has several lines, and keeps all of its words. */
static void test_long_hint(void **state) {
    (void)state;
    fill();
    for (int i = 0; i < 100; i++)
        bomp_text_printf(&hints.hint[0].text, " word%d", i);
    bomp_stats_table(&text, &rows, &hints);
    const char *at = strstr(text.bytes, "\nhints\n");
    assert_non_null(at);
    unsigned lines = 0;
    for (at += strlen("\nhints\n"); *at; at += strcspn(at, "\n") + 1, lines++) {
        assert_true(strcspn(at, "\n") <= 110);
        assert_memory_equal(at, lines == 0 ? "  * " : "    ", 4);
        assert_true(at[4] != ' ');
    }
    assert_true(lines > 5);
    assert_non_null(strstr(text.bytes, "word99\n"));
}

/* The table shows the largest rows, and notes that there are others. */
static void test_long_table(void **state) {
    (void)state;
    for (uintptr_t i = 1; i <= 20; i++) {
        struct bz_a64 *of = counts(BOMP_STATS_TASKS, i, 0);
        of[BOMP_TASK_CREATED].v = of[BOMP_TASK_ENDED].v = 1;
        of[BOMP_TASK_BODY].v = i;
    }
    summary.places[BOMP_STATS_TASKS].refused.v = 5;
    make();
    bomp_stats_table(&text, &rows, &hints);
    assert_non_null(strstr(text.bytes, "  0x14 "));
    assert_non_null(strstr(text.bytes, "  0x9 "));
    assert_null(strstr(text.bytes, "  0x8 "));
    assert_non_null(strstr(text.bytes, "and 8 more"));
    assert_non_null(strstr(text.bytes, "holds 1023 places; 5 times it was another one"));
}

/* tests/process/stats.py parses it by Python's json. Here: the braces of each form match. */
static void test_json(void **state) {
    (void)state;
    fill();
    bomp_stats_json(&text, &rows, &hints);
    assert_non_null(strstr(text.bytes, "\"wall_ns\": 1000000000,"));
    assert_non_null(
        strstr(text.bytes, "\"kind\": \"static loop\", \"entered\": 2, \"chunks\": 2, \"busy_ns\": "));
    assert_non_null(strstr(text.bytes, "{\"about\": \"imbalance\", \"text\": \"46 % of"));
    int open = 0;
    for (const char *at = text.bytes; *at; at++)
        open += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    assert_int_equal(open, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_even_region),
        TEST(test_static_loop),
        TEST(test_delayed_loop),
        TEST(test_uneven_loop_that_is_delayed),
        TEST(test_delay_unknown),
        TEST(test_dynamic_loop),
        TEST(test_unknown_work),
        TEST(test_single),
        TEST(test_work_of_another_region),
        TEST(test_single_of_another_region),
        TEST(test_outer_region),
        TEST(test_slow_runtime),
        TEST(test_few_tasks),
        TEST(test_uneven_tasks),
        TEST(test_short_regions),
        TEST(test_region_short_but_good),
        TEST(test_fine_tasks),
        TEST(test_tasks_long_enough),
        TEST(test_few_fine_tasks),
        TEST(test_fine_chunks),
        TEST(test_contention),
        TEST(test_contention_of_the_delayed),
        TEST(test_ordered),
        TEST(test_contention_in_little),
        TEST(test_contention_of_others),
        TEST(test_sleep_outside),
        TEST(test_too_many_threads),
        TEST(test_many_sleepers),
        TEST(test_no_cpu),
        TEST(test_loaded),
        TEST(test_loaded_short_regions),
        TEST(test_loaded_fine_tasks),
        TEST(test_loaded_fine_chunks),
        TEST(test_delayed_outside),
        TEST(test_serial),
        TEST(test_short_program),
        TEST(test_many_hints),
        TEST(test_table),
        TEST(test_long_name),
        TEST(test_long_hint),
        TEST(test_long_table),
        TEST(test_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
