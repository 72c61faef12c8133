/* group.h: tasks that run at once, one directly after the other, too short to be told from each other. Once some of one
 * place have each taken less than 0.2 us, and had nothing inside, the next ones are noted by groups: the clock is read
 * where the first one of a group begins, and where the last one ends; with that, how many they are. What the thread does
 * next ends a group that is not full: then, or, where that comes long after, when as many tasks as these have ended before.
 *
 * A group that has taken long, be it by a task or by what the program did between two, is the last one until tasks have been
 * short again, more of them than before.
 *
 * While a group has begun and is not noted to its end, the lane has no room (lane->end), so that whoever notes anything
 * ends it first. */
#ifndef BOMP_TRACE_GROUP_H
#define BOMP_TRACE_GROUP_H

#include "tools/trace/lane.h"

#define BOMP_TRACE_GROUP_MOST 8u     /* tasks of a group */
#define BOMP_TRACE_GROUP_TASK_NS 200 /* for each task */
#define BOMP_TRACE_GROUP_AFTER 16u   /* short tasks, at first */
#define BOMP_TRACE_GROUP_SETBACKS 8  /* so often that is doubled */

/* Before the first task. */
void bomp_trace_groups_begin(void);

/* All that is to be noted of an open group is noted: its last task has ended, or runs; `now`, something else happens. */
void bomp_trace_group_break(struct bomp_trace_lane *lane, uint64_t now);

/* Whether it has one, of at least one task that has ended. */
static inline bool bomp_trace_group_is_open(const struct bomp_trace_lane *lane) {
    return !lane->end && lane->last;
}

/* A task of this place begins at once. True: as one more of the group; else it may be the first of another. */
BZ_INLINE bool bomp_trace_group_takes(struct bomp_trace_lane *lane, const void *code) {
    struct bomp_trace_group *group = &lane->group;
    if (bz_likely(bz_load_relaxed(&group->waits) &&
                  code == group->code)) { /* relaxed, all: its own thread's */
        bz_store_relaxed(&group->waits, false);
        bz_store_relaxed(&group->more, bz_load_relaxed(&group->more) + 1);
        return true;
    }
    if (code != group->code) {
        group->code = code;
        group->shorts = 0;
    }
    return false;
}

/* A task whose begin is the last record ends, or one of its group; and so does that. `next`: the data of who goes on. */
void bomp_trace_group_end(struct bomp_trace_lane *lane, uint64_t next);

/* The same; whether the group ends is found out. */
BZ_INLINE void bomp_trace_group_task_end(struct bomp_trace_lane *lane, uint64_t next) {
    struct bomp_trace_group *group = &lane->group;
    if (group->shorts < BOMP_TRACE_GROUP_AFTER << group->setbacks ||
        bz_load_relaxed(&group->more) + 1 == BOMP_TRACE_GROUP_MOST) { /* relaxed, all: its own thread's */
        bomp_trace_group_end(lane, next);
        return;
    }
    bz_store_relaxed(&group->next, next);
    bz_store_relaxed(&group->waits, true);
    lane->end = NULL;
}

#endif
