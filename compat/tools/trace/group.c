/* group.c: see group.h. */
#include "tools/trace/group.h"

#include "omp-tools.h"

/* This many short tasks take away a setback; a group that something else has ended, after long, brings more than one. */
#define TRUST 512u
#define BREAK_SETBACKS 2

/* Ticks. Written once, before the first task. */
static uint64_t limit;

void bomp_trace_groups_begin(void) {
    limit = bomp_ticks_in(BOMP_TRACE_GROUP_TASK_NS);
}

static void put(struct bomp_trace_lane *lane, enum bomp_trace_kind kind, uint64_t when, uint32_t id,
                uint16_t site, unsigned detail) {
    uint64_t *at = bomp_trace_lane_room(lane, when);
    if (at)
        bomp_trace_lane_put(lane, at, kind, when, id, site, detail);
}

static void put_count(struct bomp_trace_lane *lane, uint64_t when, uint32_t tasks) {
    if (tasks > 1)
        put(lane, BOMP_TRACE_TOGETHER, when, tasks, 0, 0);
}

/* There is room again. Returns how many tasks it has. */
static uint32_t close_group(struct bomp_trace_lane *lane) {
    uint32_t tasks = bz_load_relaxed(&lane->group.more) + 1; /* relaxed, all: its own thread's */
    bz_store_relaxed(&lane->group.more, 0);
    bz_store_relaxed(&lane->group.waits, false);
    if (lane->last)
        lane->end = lane->last->end;
    return tasks;
}

/* `setbacks`: what it adds if it has taken long. */
static void judge(struct bomp_trace_group *group, uint64_t took, uint32_t tasks, unsigned setbacks) {
    if (took >= tasks * limit) {
        group->shorts = 0;
        setbacks += group->setbacks;
        group->setbacks =
            (uint8_t)(setbacks < BOMP_TRACE_GROUP_SETBACKS ? setbacks : BOMP_TRACE_GROUP_SETBACKS);
        return;
    }
    group->shorts += tasks;
    bz_store_relaxed(&group->pace, (uint32_t)(took / tasks)); /* relaxed: its own thread's */
    if (group->shorts % TRUST < tasks && group->setbacks > 0)
        group->setbacks--;
}

static void note_end(struct bomp_trace_lane *lane, uint64_t now, uint32_t tasks) {
    uint64_t next = bz_load_relaxed(&lane->group.next); /* relaxed: its own thread's */
    put_count(lane, now, tasks);
    put(lane, BOMP_TRACE_SWITCH, now, (uint32_t)next, (uint16_t)(next >> 32), ompt_task_complete);
}

void bomp_trace_group_end(struct bomp_trace_lane *lane, uint64_t next) {
    uint32_t tasks = close_group(lane);
    uint64_t now = bomp_ticks();
    judge(&lane->group, now - lane->time, tasks, tasks > 1);
    bz_store_relaxed(&lane->group.next, next); /* relaxed: its own thread's */
    note_end(lane, now, tasks);
}

/* When its last task ended is not known. What has taken long is most probably what the program did since. */
void bomp_trace_group_break(struct bomp_trace_lane *lane, uint64_t now) {
    bool waits = bz_load_relaxed(&lane->group.waits); /* relaxed, both: its own thread's */
    uint32_t tasks = close_group(lane);
    if (!waits) { /* there is something inside of its last one */
        put_count(lane, lane->time, tasks);
        lane->group.shorts = 0;
        return;
    }
    uint64_t took = now - lane->time, usual = tasks * (uint64_t)bz_load_relaxed(&lane->group.pace);
    note_end(lane, lane->time + (took < tasks * limit ? took : usual), tasks);
    judge(&lane->group, took, tasks, BREAK_SETBACKS);
}
