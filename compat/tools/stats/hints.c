/* hints.c: see hints.h. Each function checks one cause and gives at most one hint. */
#include "tools/stats/hints.h"

#include <stdio.h>

#include "tools/common/dialect.h"
#include "tools/common/work_name.h"

/* Thresholds, per mille unless they say otherwise. */
enum {
    WORTH_SHARE = 50,         /* of the wall time: the least that deserves a hint */
    WAIT_SHARE = 200,         /* of the time of a region's threads, at barriers */
    UNEVEN = 1200,            /* the busiest member, of the mean */
    ALONE_SHARE = 900,        /* of a region's busy time, by its busiest member */
    FINE_TASK_NS = 250,       /* ns */
    FINE_TASKS = 10000,       /* number */
    MANY_TASKS = 100,         /* number, for each thread and call of a region */
    SHORT_REGION_NS = 50000,  /* ns */
    BUSY_SHARE = 700,         /* of the time of a region's threads */
    SHORT_REGIONS = 1000,     /* number */
    FINE_CHUNK_NS = 200,      /* ns */
    FINE_CHUNKS = 10000,      /* number */
    MUTEX_SHARE = 100,        /* of the time of all threads in regions */
    CPU_SHARE = 750,          /* CPU time, of what threads were busy */
    SERIAL_SHARE = 300,       /* of the wall time */
    LEAST_WALL_NS = 10000000, /* ns: shorter runs get no hints */
};

void bomp_stats_print_time(struct bomp_text *text, uint64_t ns) {
    static const struct {
        const char *unit;
        unsigned shift;
        uint64_t below;
    } units[] = {{"ns", 0, 1000}, {"us", 3, 1000000}, {"ms", 6, 1000000000}, {"s", 9, UINT64_MAX}};
    unsigned u = 0;
    while (ns >= units[u].below)
        u++;
    uint64_t whole = ns;
    for (unsigned i = 0; i < units[u].shift; i++)
        whole /= 10;
    unsigned decimals = u == 0 || whole >= 100 ? 0 : whole >= 10 ? 1 : 2;
    bomp_text_fixed(text, ns, units[u].shift, decimals);
    bomp_text_printf(text, " %s", units[u].unit);
}

/* Begins a hint whose only cause may be a lack of CPUs. */
#define LIKELY "likely, unless CPUs were missing: "

/* The text of a new hint; once there are enough, a text that is discarded. */
static struct bomp_text *say(struct bomp_stats_hints *hints, const char *about) {
    unsigned i = hints->count < BOMP_HINTS_MAX ? hints->count++ : BOMP_HINTS_MAX - 1;
    struct bomp_stats_hint *hint = &hints->hint[i];
    hint->about = about;
    hint->text.length = 0;
    return &hint->text;
}

static unsigned percent(uint64_t a, uint64_t b) {
    return (unsigned)((bomp_stats_per_mille(a, b) + 5) / 10);
}

static uint64_t sum_of(const struct bomp_stats_rows *rows, unsigned count) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < rows->count[BOMP_STATS_REGIONS]; i++)
        sum += bomp_count_of(&rows->row[BOMP_STATS_REGIONS][i], count);
    return sum;
}

/* The threads of the largest team. */
static uint64_t largest_team(const struct bomp_stats_rows *rows) {
    uint64_t team = 0;
    for (unsigned i = 0; i < rows->count[BOMP_STATS_REGIONS]; i++) {
        uint64_t of_region = bomp_count_of(&rows->row[BOMP_STATS_REGIONS][i], BOMP_REGION_TEAM);
        team = of_region > team ? of_region : team;
    }
    return team;
}

/* The time that threads seemed busy without a CPU. Without the system's information, sleeping threads are included. */
static uint64_t off_cpu(const struct bomp_stats_rows *rows) {
    uint64_t busy = sum_of(rows, BOMP_REGION_BUSY);
    if (rows->summary->delayed != UINT64_MAX)
        return rows->summary->delayed;
    return busy > rows->summary->cpu ? busy - rows->summary->cpu : 0;
}

/* The part of a waiting time that a lack of CPUs cannot explain: all other threads may wait for one without a CPU. */
static uint64_t unexplained(const struct bomp_stats_rows *rows, uint64_t waited) {
    uint64_t team = largest_team(rows), explained = off_cpu(rows) * (team > 1 ? team - 1 : 1);
    return waited > explained ? waited - explained : 0;
}

/* Whether threads lacked a CPU for much of their seemingly busy time. The serial part may also be delayed; if only the CPU
 * time is known, it does not count, since it may sleep or wait for files. */
static bool is_delayed(const struct bomp_stats_rows *rows) {
    uint64_t serial = rows->summary->delayed != UINT64_MAX ? rows->summary->serial : 0;
    return bomp_stats_per_mille(off_cpu(rows), sum_of(rows, BOMP_REGION_BUSY) + serial) > 1000 - CPU_SHARE;
}

/* A time of threads without the share in which they lacked CPUs, which the system reports of all threads together. */
static uint64_t on_cpu(const struct bomp_stats_rows *rows, uint64_t ns) {
    if (!is_delayed(rows))
        return ns;
    double cpu = (double)rows->summary->cpu;
    return (uint64_t)((double)ns * cpu / (cpu + (double)off_cpu(rows)));
}

/* Whether threads waited for that share of the time. *likely: other programs use the CPUs, which may be the only cause. */
static bool waits(const struct bomp_stats_rows *rows, uint64_t waited, uint64_t time, unsigned share,
                  bool *likely) {
    *likely = bomp_stats_per_mille(unexplained(rows, waited), time) < share;
    return !*likely || (largest_team(rows) <= rows->summary->cpus && is_delayed(rows) &&
                        bomp_stats_per_mille(waited, time) >= share);
}

static bool is_worth(const struct bomp_stats_rows *rows, uint64_t ns) {
    return bomp_stats_per_mille(ns, rows->summary->wall) >= WORTH_SHARE;
}

/* The time of one of `count` things; *likely: it is below `limit` only without delays. UINT64_MAX: it is not below. */
static uint64_t each_below(uint64_t limit, const struct bomp_stats_rows *rows, uint64_t ns, uint64_t count,
                           bool *likely) {
    uint64_t each = count > 0 ? on_cpu(rows, ns) / count : limit;
    *likely = count > 0 && ns / count >= limit;
    return each < limit ? each : UINT64_MAX;
}

/* The time of a chunk of a dynamic loop whose chunks are too short; else UINT64_MAX. */
static uint64_t fine_chunk(const struct bomp_stats_rows *rows, const struct bomp_stats_row *work,
                           bool *likely) {
    uint64_t chunks = bomp_count_of(work, BOMP_WORK_CHUNKS), busy = bomp_count_of(work, BOMP_WORK_BUSY);
    bool is_dynamic =
        work->place->sort == ompt_work_loop_dynamic || work->place->sort == ompt_work_loop_other;
    if (!is_dynamic || chunks < FINE_CHUNKS || !is_worth(rows, busy))
        return UINT64_MAX;
    return each_below(FINE_CHUNK_NS, rows, busy, chunks, likely);
}

/* Uneven regions. */

/* Whether the region is the first one that the work was in. */
static bool is_in(const struct bomp_stats_row *work, const struct bomp_stats_row *region) {
    uintptr_t site = work->place->site.v;
    return site != 0 && site == region->place->address;
}

/* The work of the region with the longest waits behind it; NULL: none. */
static const struct bomp_stats_row *waited_behind(const struct bomp_stats_rows *rows,
                                                  const struct bomp_stats_row *region, uint64_t barrier) {
    const struct bomp_stats_row *longest = NULL;
    for (unsigned i = 0; i < rows->count[BOMP_STATS_WORKS]; i++) {
        const struct bomp_stats_row *row = &rows->row[BOMP_STATS_WORKS][i];
        uint64_t waited = bomp_count_of(row, BOMP_WORK_WAITED);
        if (is_in(row, region) && waited <= barrier + barrier / 20 && 2 * waited >= barrier &&
            (!longest || waited > bomp_count_of(longest, BOMP_WORK_WAITED)))
            longest = row;
    }
    return longest;
}

/* `tasks`: of the region; `many`: enough to fill it. */
static void advise(struct bomp_text *text, const struct bomp_stats_row *work, uint64_t tasks, bool many) {
    uint32_t sort = work ? work->place->sort : 0;
    if (work && work->place->sort != ompt_work_single_executor)
        bomp_text_printf(text, ": uneven %s at %s", bomp_work_name(sort), work->name);
    if (sort == ompt_work_loop_static)
        bomp_text_printf(text, "; try schedule(dynamic)");
    else if (sort == ompt_work_loop_dynamic || sort == ompt_work_loop_guided)
        bomp_text_printf(text, "; try smaller chunks, or the longest iterations first");
    else if (sort == ompt_work_sections)
        bomp_text_printf(text, "; split the longest section, or use tasks");
    else if (tasks == 0)
        bomp_text_printf(text, ": uneven work; if that is a static loop, try schedule(dynamic)");
    else if (!many)
        bomp_text_printf(text, ": uneven work; try more and smaller tasks");
    else
        bomp_text_printf(text, ": its tasks wait for each other, are created too slowly, or are uneven");
}

/* The single or masked construct that has most of the region's work. */
static const struct bomp_stats_row *alone_in(const struct bomp_stats_rows *rows,
                                             const struct bomp_stats_row *region, uint64_t busiest) {
    for (unsigned i = 0; i < rows->count[BOMP_STATS_WORKS]; i++) {
        const struct bomp_stats_row *row = &rows->row[BOMP_STATS_WORKS][i];
        bool is_one = row->place->sort == ompt_work_single_executor || row->place->sort == BOMP_WORK_MASKED;
        uint64_t busy = bomp_count_of(row, BOMP_WORK_BUSY);
        if (is_one && is_in(row, region) && busy <= busiest + busiest / 20 && 2 * busy >= busiest)
            return row;
    }
    return NULL;
}

static void of_balance(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows,
                       const struct bomp_stats_row *region) {
    uint64_t time = bomp_count_of(region, BOMP_REGION_THREAD_TIME);
    uint64_t barrier = bomp_count_of(region, BOMP_REGION_BARRIER);
    uint64_t busy = bomp_count_of(region, BOMP_REGION_BUSY);
    uint64_t busiest = bomp_count_of(region, BOMP_REGION_BUSIEST);
    bool likely;
    uint64_t wall = bomp_count_of(region, BOMP_REGION_WALL), calls = bomp_count_of(region, BOMP_REGION_CALLS);
    uint64_t tasks = bomp_count_of(region, BOMP_REGION_TASKS);
    const struct bomp_stats_row *work = waited_behind(rows, region, barrier);
    /* of_tasks, of_chunks and of_length say so */
    bool is_fine = (tasks >= FINE_TASKS && on_cpu(rows, busy) / tasks < FINE_TASK_NS) ||
                   (work && fine_chunk(rows, work, &likely) != UINT64_MAX) ||
                   each_below(SHORT_REGION_NS, rows, wall, calls, &likely) != UINT64_MAX;
    if (is_fine || bomp_stats_is_outer(region) || !is_worth(rows, wall) || calls == 0 ||
        !waits(rows, barrier, time, WAIT_SHARE, &likely) || bomp_count_of(region, BOMP_REGION_TEAM) < 2)
        return;
    const struct bomp_stats_row *alone = alone_in(rows, region, busiest);
    if (alone && bomp_stats_per_mille(busiest, busy) >= ALONE_SHARE) {
        struct bomp_text *text = say(hints, "alone");
        bomp_text_printf(text, "%sone thread does all work of region %s in the %s at %s (%u %% of its time)",
                         likely ? LIKELY : "", region->name, bomp_work_name(alone->place->sort), alone->name,
                         percent(busiest, busy));
        bomp_text_printf(text, tasks == 0 ? ": the others are idle; divide it into tasks, or use a loop"
                                          : ": its tasks are too few, or too small, for the other threads");
        return;
    }
    if (bomp_stats_per_mille(busiest, bomp_count_of(region, BOMP_REGION_MEAN)) < UNEVEN)
        return;
    struct bomp_text *text = say(hints, "imbalance");
    bomp_text_printf(text, "%s%u %% of region %s is waiting at its barriers", likely ? LIKELY : "",
                     percent(barrier, time), region->name);
    uint64_t each = tasks / calls / bomp_count_of(region, BOMP_REGION_TEAM);
    advise(text, work, tasks, each >= MANY_TASKS);
}

static void of_length(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows,
                      const struct bomp_stats_row *region) {
    bool likely;
    uint64_t calls = bomp_count_of(region, BOMP_REGION_CALLS);
    uint64_t wall = bomp_count_of(region, BOMP_REGION_WALL);
    uint64_t each = each_below(SHORT_REGION_NS, rows, wall, calls, &likely);
    if (!is_worth(rows, wall) || calls < SHORT_REGIONS || each == UINT64_MAX ||
        bomp_count_of(region, BOMP_REGION_TEAM) < 2 ||
        bomp_stats_per_mille(bomp_count_of(region, BOMP_REGION_BUSY),
                             bomp_count_of(region, BOMP_REGION_THREAD_TIME)) >= BUSY_SHARE)
        return;
    struct bomp_text *text = say(hints, "short_region");
    bomp_text_printf(text, "%sregion %s is opened %llu times for ", likely ? LIKELY : "", region->name,
                     (unsigned long long)calls);
    bomp_stats_print_time(text, each);
    bomp_text_printf(text,
                     " each: put the surrounding loop into one region, or add an if clause for small sizes");
}

static void of_tasks(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows,
                     const struct bomp_stats_row *task) {
    bool likely;
    uint64_t ended = bomp_count_of(task, BOMP_TASK_ENDED);
    uint64_t wall = on_cpu(rows, rows->summary->wall);
    uint64_t each = each_below(FINE_TASK_NS, rows, bomp_count_of(task, BOMP_TASK_BODY), ended, &likely);
    /* The overhead in addition to the bodies, over all threads; their number decides whether it matters. */
    if (ended < FINE_TASKS || each == UINT64_MAX ||
        bomp_stats_per_mille(ended * FINE_TASK_NS, wall) < WORTH_SHARE)
        return;
    struct bomp_text *text = say(hints, "fine_tasks");
    bomp_text_printf(text, "%stasks of %s take ", likely ? LIKELY : "", task->name);
    bomp_stats_print_time(text, each);
    bomp_text_printf(text, bomp_dialect.is_native
                               ? ": too fine; try a cut-off"
                               : ": too fine; try a cut-off, or a taskloop with a grainsize");
}

static void of_chunks(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows,
                      const struct bomp_stats_row *work) {
    bool likely;
    uint64_t each = fine_chunk(rows, work, &likely);
    if (each == UINT64_MAX)
        return;
    struct bomp_text *text = say(hints, "fine_chunks");
    bomp_text_printf(text, "%schunks of the loop at %s take ", likely ? LIKELY : "", work->name);
    bomp_stats_print_time(text, each);
    bomp_text_printf(text, ": too fine; try schedule(dynamic, %llu)",
                     (unsigned long long)(each > 0 ? 10 * FINE_CHUNK_NS / each + 1 : 10 * FINE_CHUNK_NS));
}

static void advise_mutex(struct bomp_text *text, const struct bomp_stats_row *mutex) {
    uint32_t state = mutex->place->sort;
    if (state == BOMP_STATS_ORDERED) {
        bomp_text_printf(
            text,
            "earlier iterations at %s: do less in the ordered part; if chunks are longer than one "
            "iteration, try schedule(static, 1)",
            mutex->name);
        return;
    }
    bomp_text_printf(text, "the %s %s", state == BOMP_STATS_LOCK ? "lock" : "critical construct",
                     mutex->name);
    if (mutex->place->site.v != 0)
        bomp_text_printf(text, " at %s", mutex->site);
    bomp_text_printf(text, state == BOMP_STATS_LOCK
                               ? ": hold it for less time, or use several locks"
                               : ": do less in it, or use a reduction or an atomic construct");
}

static void of_mutex(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows,
                     const struct bomp_stats_row *mutex) {
    uint64_t waited = bomp_count_of(mutex, BOMP_MUTEX_WAITED);
    uint64_t time = sum_of(rows, BOMP_REGION_THREAD_TIME);
    bool is_one = mutex->place->address != 0; /* not all others */
    bool likely;
    if (!is_one || !is_worth(rows, waited) || !waits(rows, waited, time, MUTEX_SHARE, &likely))
        return;
    struct bomp_text *text = say(hints, mutex->place->sort == BOMP_STATS_ORDERED ? "ordered" : "contention");
    bomp_text_printf(text, "%s%u %% of the threads' time is waiting for ", likely ? LIKELY : "",
                     percent(waited, time));
    advise_mutex(text, mutex);
}

/* That they were delayed, or are off their CPUs by themselves. */
static void of_cpus(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows) {
    const struct bomp_stats_summary *summary = rows->summary;
    uint64_t busy = sum_of(rows, BOMP_REGION_BUSY), team = largest_team(rows), off = off_cpu(rows);
    bool is_known = summary->delayed != UINT64_MAX, delayed = is_delayed(rows);
    bool is_off = delayed || bomp_stats_per_mille(summary->cpu, busy) < CPU_SHARE;
    if (team < 2 || !is_off || !is_worth(rows, sum_of(rows, BOMP_REGION_WALL)))
        return;
    bool too_many = delayed && team > summary->cpus;
    struct bomp_text *text = say(hints, too_many ? "too_many_threads" : "no_cpu");
    if (is_known && delayed) {
        bomp_text_printf(text, "threads waited for CPUs for ");
        bomp_stats_print_time(text, off);
        bomp_text_printf(text, ", and count as busy then");
    } else {
        bomp_text_printf(text, "threads were busy in regions for ");
        bomp_stats_print_time(text, busy);
        bomp_text_printf(text, " but the whole program had a CPU for ");
        bomp_stats_print_time(text, summary->cpu);
    }
    if (too_many)
        bomp_text_printf(text,
                         ": %llu threads on %u CPU%s; try OMP_NUM_THREADS=%u, or as many where the program "
                         "sets the number",
                         (unsigned long long)team, summary->cpus, summary->cpus == 1 ? "" : "s",
                         summary->cpus);
    else if (is_known && delayed)
        bomp_text_printf(text, ": other programs, or other threads of this one, use them; to measure without "
                               "them, run it on an idle machine, or as root by chrt -f 1");
    else
        bomp_text_printf(text, ": the program sleeps or reads files, or %s",
                         is_known ? "a quota limits its CPU time" : "other programs use the CPUs");
    bomp_text_printf(text, "; that may also cause uneven work and waits");
}

static void of_quota(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows) {
    const struct bomp_stats_summary *summary = rows->summary;
    if (!is_worth(rows, summary->throttled))
        return;
    uint64_t team = largest_team(rows);
    struct bomp_text *text = say(hints, "quota");
    bomp_text_printf(text, "the CPU quota kept threads from CPUs for ");
    bomp_stats_print_time(text, summary->throttled);
    if (team > summary->cpus)
        bomp_text_printf(text, ": %llu threads on %u CPU%s; try OMP_NUM_THREADS=%u, or a larger quota",
                         (unsigned long long)team, summary->cpus, summary->cpus == 1 ? "" : "s",
                         summary->cpus);
    else
        bomp_text_printf(text, ": what runs in its control group wants more CPUs than that grants");
}

static void of_serial(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows) {
    const struct bomp_stats_summary *summary = rows->summary;
    if (rows->count[BOMP_STATS_REGIONS] == 0 || summary->serial == 0 ||
        bomp_stats_per_mille(summary->serial, summary->wall) < SERIAL_SHARE)
        return;
    struct bomp_text *text = say(hints, "serial");
    bomp_text_printf(
        text, "%u %% of the time is outside of parallel regions: with any number of threads it is at most ",
        percent(summary->serial, summary->wall));
    bomp_text_fixed(text, (uint64_t)((double)summary->wall / (double)summary->serial * 100), 2, 1);
    bomp_text_printf(text, " times as fast (Amdahl's law)");
}

void bomp_stats_hints_make(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows) {
    *hints = (struct bomp_stats_hints){0};
    if (rows->summary->wall < LEAST_WALL_NS)
        return;
    of_quota(hints, rows);
    of_cpus(hints, rows);
    of_serial(hints, rows);
    for (unsigned i = 0; i < rows->count[BOMP_STATS_REGIONS]; i++) {
        of_balance(hints, rows, &rows->row[BOMP_STATS_REGIONS][i]);
        of_length(hints, rows, &rows->row[BOMP_STATS_REGIONS][i]);
    }
    for (unsigned i = 0; i < rows->count[BOMP_STATS_TASKS]; i++)
        of_tasks(hints, rows, &rows->row[BOMP_STATS_TASKS][i]);
    for (unsigned i = 0; i < rows->count[BOMP_STATS_WORKS]; i++)
        of_chunks(hints, rows, &rows->row[BOMP_STATS_WORKS][i]);
    for (unsigned i = 0; i < rows->count[BOMP_STATS_MUTEXES]; i++)
        of_mutex(hints, rows, &rows->row[BOMP_STATS_MUTEXES][i]);
}

void bomp_stats_hints_free(struct bomp_stats_hints *hints) {
    for (unsigned i = 0; i < hints->count; i++)
        bomp_text_free(&hints->hint[i].text);
}
