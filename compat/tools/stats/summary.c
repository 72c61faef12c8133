/* summary.c: see summary.h. */
#include "tools/stats/summary.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/threads.h"
#include "tools/common/ticks.h"
#include "tools/stats/account.h"

/* When the process began (bz_os_now_ns), its age when the tool began, and for how long its control groups had been throttled
 * by then. Written while the process has one thread. */
static uint64_t process_began, before_tool, throttled_before;

#define NS_PER_S UINT64_C(1000000000)
#define START_FIELD 22     /* of /proc/self/stat: the start of the process, in clock ticks since boot */
#define LEAST_AGE 20000000 /* the start is exact to 10 ms */

/* The age of the process; unknown, or short: the CPU time of its one thread, which is at most that. */
static uint64_t age_of_process(void) {
    char *stat = bz_os_read("/proc/self/stat");
    char *at = stat ? strrchr(stat, ')') : NULL; /* the program's name ends the second field */
    for (int field = 2; at && field < START_FIELD; field++)
        at = strchr(at + 1, ' ');
    uint64_t ticks = 0, age = bomp_cpu_ns(0);
    struct timespec now;
    long per_second = sysconf(_SC_CLK_TCK);
    const char *number = at ? at + 1 : "";
    if (bz_scan_uint(&number, 0, UINT64_MAX / NS_PER_S, &ticks) == 0 && per_second > 0 &&
        clock_gettime(CLOCK_BOOTTIME, &now) == 0) {
        uint64_t began = ticks * NS_PER_S / (uint64_t)per_second;
        uint64_t ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
        age = ns > began + LEAST_AGE ? ns - began : age;
    }
    bz_free(stat);
    return age;
}

/* Of ended threads: each adds its own; read for the report. */
static struct bz_a64 delay_of_ended;

void bomp_stats_delay_note(void) {
    uint64_t delay = bomp_delay_ns(bz_os_thread_id());
    if (delay != UINT64_MAX)
        bz_fetch_add_relaxed(&delay_of_ended, delay); /* relaxed: as all counts */
}

static bool add_delay(uint32_t thread, void *arg) {
    uint64_t *sum = arg, delay = bomp_delay_ns(thread);
    *sum = delay == UINT64_MAX ? delay : *sum + delay;
    return delay != UINT64_MAX;
}

/* A thread that is ending may count twice. */
static uint64_t delay_of_all(void) {
    uint64_t sum = bz_load_relaxed(&delay_of_ended); /* relaxed: as all counts */
    return bomp_each_thread(add_delay, &sum) ? sum : UINT64_MAX;
}

void bomp_stats_process_begin(bool is_forked) {
    bz_store_relaxed(&delay_of_ended, 0); /* relaxed: alone */
    before_tool = is_forked ? 0 : age_of_process();
    process_began = bz_os_now_ns() - before_tool;
    throttled_before = bz_quota_throttled_ns("");
}

uint64_t bomp_stats_per_mille(uint64_t a, uint64_t b) {
    return b > 0 ? (uint64_t)((double)a / (double)b * 1000 + 0.5) : 0;
}

/* Adds the times of a member that has not ended, and with the primary thread's those of the region. */
static void add_open_member(struct bomp_stats_summary *summary, const struct bomp_stats_member *member,
                            const struct bomp_stats_region *region, const uint64_t time[], uint64_t now) {
    struct bz_a64 *counts =
        bomp_stats_places_find(&summary->places[BOMP_STATS_REGIONS], region->place, 0)->counts;
    for (unsigned state = 0; state < BOMP_STATS_STATES; state++)
        bomp_stats_add(&counts[state], time[state]);
    bomp_stats_add(&counts[BOMP_REGION_TASKS], bz_load_relaxed(&member->tasks)); /* relaxed: as all counts */
    bool is_open = bz_load_relaxed(&region->ended) == 0;                         /* relaxed: as all counts */
    if (bz_load_relaxed(&member->index) == 0 && is_open)                         /* relaxed: as all counts */
        bomp_stats_add_wall(counts, region, now);
}

/* Adds the open members of a thread, which may be running. Its records stay in memory; regions and tasks that begin or end
 * meanwhile may count twice or not at all. The region is read once, because the member may be used again. relaxed: as all
 * counts. */
static void add_open(struct bomp_stats_summary *summary, const struct bomp_stats_thread *thread,
                     uint64_t now) {
    const struct bomp_stats_task *current = bz_load_relaxed(&thread->current);
    const struct bomp_stats_member *member = bz_load_acquire(&thread->member); /* XS11: pairs with XS10 */
    uint64_t since = bz_load_relaxed(&thread->since);
    for (bool is_innermost = true; member; member = bz_load_relaxed(&member->outer), is_innermost = false) {
        const struct bomp_stats_region *region = bz_load_relaxed(&member->region);
        uint64_t time[BOMP_STATS_STATES], ended = region ? bz_load_relaxed(&region->ended) : 0;
        uint64_t until = ended != 0 && ended < now ? ended : now;
        for (unsigned state = 0; state < BOMP_STATS_STATES; state++)
            time[state] = bz_load_relaxed(&member->time[state]);
        if (is_innermost && current && until > since)
            time[bz_load_relaxed(&current->state) % BOMP_STATS_STATES] += until - since;
        if (region)
            add_open_member(summary, member, region, time, now);
    }
}

static void add_thread(struct bomp_stats_summary *summary, const struct bomp_stats_thread *thread,
                       uint64_t now) {
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        bomp_stats_places_merge(&summary->places[kind], &thread->places[kind]);
    for (unsigned state = 0; state < BOMP_STATS_STATES; state++)
        bomp_stats_place_merge(&bomp_stats_counts[BOMP_STATS_WAITS], summary->waits[state],
                               thread->waits[state]);
    if (bz_load_relaxed(&thread->is_used)) /* relaxed: what it is in is counted or not */
        add_open(summary, thread, now);
    summary->tables += bz_load_relaxed(&thread->was_used); /* relaxed: as all counts */
}

static void scale(const struct bomp_stats_counts *counted, struct bz_a64 *counts, double ns_per_tick) {
    for (unsigned c = 0; c < counted->count; c++)
        if (counted->of[c].unit == BOMP_STATS_TIME)
            counts[c].v = (uint64_t)((double)counts[c].v * ns_per_tick + 0.5);
}

static void scale_all(struct bomp_stats_summary *summary, double ns_per_tick) {
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        for (uint32_t i = 0; i < summary->places[kind].count.v; i++)
            scale(&bomp_stats_counts[kind], bomp_stats_places_at(&summary->places[kind], i)->counts,
                  ns_per_tick);
    for (unsigned state = 0; state < BOMP_STATS_STATES; state++)
        scale(&bomp_stats_counts[BOMP_STATS_WAITS], summary->waits[state], ns_per_tick);
    summary->serial = (uint64_t)((double)summary->serial * ns_per_tick) + before_tool;
}

static bool has_counts(const struct bomp_stats_places *places) {
    bool any = false;
    for (uint32_t i = 0; i < places->count.v; i++)
        any |= bomp_stats_place_has(places->counted, bomp_stats_places_at(places, i));
    return any;
}

bool bomp_stats_summary_make(struct bomp_stats_summary *summary, uint64_t now, unsigned cpus) {
    memset(summary, 0, sizeof *summary);
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        if (!bomp_stats_places_init(&summary->places[kind], kind)) {
            bomp_stats_summary_free(summary);
            return false;
        }
    summary->wall = bz_os_now_ns() - process_began;
    summary->cpu = bomp_cpu_ns(0);
    summary->delayed = delay_of_all();
    uint64_t throttled = bz_quota_throttled_ns(""); /* of other groups than before if the process was moved */
    summary->throttled = throttled > throttled_before ? throttled - throttled_before : 0;
    summary->cpus = cpus;
    summary->serial = bomp_stats_serial(now);
    for (const struct bomp_stats_thread *thread = bomp_stats_threads(); thread; thread = thread->next)
        add_thread(summary, thread, now);
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        summary->has_any |= has_counts(&summary->places[kind]);
    scale_all(summary, bomp_ns_per_tick());
    return true;
}

void bomp_stats_summary_free(struct bomp_stats_summary *summary) {
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        if (summary->places[kind].counted)
            bomp_stats_places_free(&summary->places[kind]);
}
