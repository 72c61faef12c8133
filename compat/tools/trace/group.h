/* group.h: tasks that run at once, too short to be told from each other, with those that they run at once themselves. Where
 * the last events of a thread were the begins and ends of such tasks, and came shortly one after the other, it gathers: an
 * event is only counted, and the clock is read at each N-th, by which readings are some 1.2 us apart. Nothing else happens
 * meanwhile; what does ends that (bomp_trace_group_break).
 *
 * A task that has begun is put on a stack. If it is there still at two readings, it gets a slice of its own, from the first
 * one of these on; its end is read. All others are counted, by place, and shown by groups: slices of up to 3 us, each with
 * its number of tasks, in the task of its own slice that they ran in.
 *
 * Where two readings are more than 2.5 us apart, or events more than 0.2 us, one of these tasks was long, or what the thread
 * did between them: they are a group alone, and each event is noted with its time until events have come shortly one after
 * the other again, more of them than before.
 *
 * While anything is counted that is not noted the lane has no room (lane->end), so that whoever notes anything notes that
 * first. */
#ifndef BOMP_TRACE_GROUP_H
#define BOMP_TRACE_GROUP_H

#include "omp-tools.h"
#include "tools/trace/lane.h"

#define BOMP_TRACE_GROUP_EVENT_NS 200  /* events that are further apart end it */
#define BOMP_TRACE_GROUP_READ_NS 1200  /* between two readings, as far as events come evenly */
#define BOMP_TRACE_GROUP_LONG_NS 2500  /* between two readings: then it ends */
#define BOMP_TRACE_GROUP_SLICE_NS 3000 /* of a group, at most, and one more reading */
#define BOMP_TRACE_GROUP_MOST 32u      /* events to a reading */
#define BOMP_TRACE_GROUP_AFTER 16u     /* tasks shortly one after the other, at first */
#define BOMP_TRACE_GROUP_SETBACKS 8    /* so often that is doubled */

/* Before the first task. */
void bomp_trace_groups_begin(void);

/* All that is counted is noted, and all tasks that have begun are; `now`, something else happens. */
void bomp_trace_group_break(struct bomp_trace_lane *lane, uint64_t now);

/* The same where a task is created that does not run at once. What has taken long is one of those before, as where one does:
 * others take most from the queue of whoever is in a long one, so that what it creates next is queued. */
void bomp_trace_group_creates(struct bomp_trace_lane *lane, uint64_t now);

/* Whether there is anything that is not noted. */
static inline bool bomp_trace_group_is_open(const struct bomp_trace_lane *lane) {
    return !lane->end && lane->last;
}

/* A task begins at once; it ends. True: that is counted. False: the clock is to be read, and then: */
BZ_INLINE bool bomp_trace_group_begins(struct bomp_trace_lane *lane, ompt_data_t *task, const void *code) {
    struct bomp_trace_group *group = &lane->group;
    uint32_t left = bz_load_relaxed(&group->left); /* relaxed, all here: its own thread's */
    if (bz_unlikely(left == 0))
        return false;
    uint32_t depth = bz_load_relaxed(&group->depth);
    group->open[depth].task = task;
    bz_store_relaxed(&group->open[depth].code, code);
    bz_store_relaxed(&group->depth, depth + 1);
    bz_store_relaxed(&group->left, left - 1);
    return true;
}

/* One of that place has ended, the innermost one that has begun. */
BZ_INLINE void bomp_trace_group_count(struct bomp_trace_group *group, struct bomp_trace_group_place *place) {
    uint32_t depth = bz_load_relaxed(&group->depth) - 1; /* relaxed, all here: its own thread's */
    bz_store_relaxed(&place->count, bz_load_relaxed(&place->count) + 1);
    bz_store_relaxed(&group->depth, depth);
    if (depth < group->low)
        group->low = depth;
}

BZ_INLINE bool bomp_trace_group_ends(struct bomp_trace_lane *lane, const ompt_data_t *task) {
    struct bomp_trace_group *group = &lane->group;
    uint32_t left = bz_load_relaxed(&group->left); /* relaxed, all here: its own thread's */
    uint32_t depth = bz_load_relaxed(&group->depth);
    if (bz_unlikely(left == 0) || bz_unlikely(depth == 0) || bz_unlikely(group->open[depth - 1].task != task))
        return false;
    const void *code = bz_load_relaxed(&group->open[depth - 1].code);
    struct bomp_trace_group_place *place = group->places;
    if (bz_load_relaxed(&place->code) != code && bz_load_relaxed(&(++place)->code) != code)
        return false;
    bomp_trace_group_count(group, place);
    bz_store_relaxed(&group->left, left - 1);
    return true;
}

/* The same for all places that there is room for. */
bool bomp_trace_group_ends_elsewhere(struct bomp_trace_lane *lane, const ompt_data_t *task);

/* The same at the time `now`. Begins: false: it is to be noted. `next`: the data of who goes on. */
bool bomp_trace_group_begins_now(struct bomp_trace_lane *lane, ompt_data_t *task, const void *code,
                                 uint64_t now);
void bomp_trace_group_ends_now(struct bomp_trace_lane *lane, const ompt_data_t *task, uint64_t next,
                               uint64_t now);

/* What is not noted at the moment, as records, up to 3 for each place: for whoever writes the file. Returns how many. */
unsigned bomp_trace_group_rest(const struct bomp_trace_lane *lane, struct bomp_trace_record *records);

#endif
