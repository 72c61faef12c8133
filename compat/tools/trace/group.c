/* group.c: see group.h. */
#include "tools/trace/group.h"

/* This many readings without a long one take away a setback. */
#define TRUST 32u

/* Of this many tasks no more than one of POOR is to have a slice of its own. */
#define LATELY 256u
#define POOR 5

/* Events to a reading, at first. */
#define FIRST_EVERY 4u

/* Ticks. Written once, before the first task. */
static uint64_t near_event, read_after, long_after, slice_most;

void bomp_trace_groups_begin(void) {
    near_event = bomp_ticks_in(BOMP_TRACE_GROUP_EVENT_NS);
    read_after = bomp_ticks_in(BOMP_TRACE_GROUP_READ_NS);
    long_after = bomp_ticks_in(BOMP_TRACE_GROUP_LONG_NS);
    slice_most = bomp_ticks_in(BOMP_TRACE_GROUP_SLICE_NS);
}

static bool put(struct bomp_trace_lane *lane, enum bomp_trace_kind kind, uint64_t when, uint32_t id,
                uint16_t site, unsigned detail) {
    uint64_t *at = bomp_trace_lane_room(lane, when);
    if (at)
        bomp_trace_lane_put(lane, at, kind, when, id, site, detail);
    return at;
}

static uint16_t site_at(const void *code) {
    return bomp_trace_table_number(bomp_trace_lanes.sites, code);
}

/* ---- what is counted ---- relaxed, all of it: its own thread's, but for bomp_trace_group_rest. */

/* A part of the time from `begin` to `end`: of the first `done` ones of all tasks. */
static uint64_t share(uint64_t begin, uint64_t end, uint32_t done, uint32_t tasks) {
    return begin + (end - begin) * done / tasks;
}

static void put_slice(struct bomp_trace_lane *lane, const void *code, uint32_t tasks, uint64_t begin,
                      uint64_t end) {
    (void)put(lane, BOMP_TRACE_CREATE_RUN, begin, bomp_trace_lane_id(lane), site_at(code), 0);
    if (tasks > 1)
        (void)put(lane, BOMP_TRACE_TOGETHER, begin, tasks, 0, 0);
    (void)put(lane, BOMP_TRACE_SWITCH, end, 0, 0, ompt_task_complete);
}

/* What has ended since the last reading counts as before it. */
static void add_up(struct bomp_trace_group *group) {
    for (unsigned i = 0; i < BOMP_TRACE_GROUP_PLACES; i++) {
        struct bomp_trace_group_place *place = &group->places[i];
        bz_store_relaxed(&place->before, bz_load_relaxed(&place->before) + bz_load_relaxed(&place->count));
        bz_store_relaxed(&place->count, 0);
    }
}

static uint32_t tasks_before(const struct bomp_trace_group *group) {
    uint32_t tasks = 0;
    for (unsigned i = 0; i < BOMP_TRACE_GROUP_PLACES; i++)
        tasks += bz_load_relaxed(&group->places[i].before);
    return tasks;
}

/* Notes what has ended before the last reading, as a group until then; the next one begins there. Of several places each
 * has the share of the time that its number has. */
static void put_group(struct bomp_trace_lane *lane, uint64_t end) {
    struct bomp_trace_group *group = &lane->group;
    uint32_t tasks = tasks_before(group), done = 0;
    uint64_t begin = bz_load_relaxed(&group->begin);
    group->counted += tasks;
    for (unsigned i = 0; i < BOMP_TRACE_GROUP_PLACES && done < tasks; i++) {
        struct bomp_trace_group_place *place = &group->places[i];
        uint32_t of_place = bz_load_relaxed(&place->before);
        if (of_place == 0)
            continue;
        bz_store_relaxed(&place->before, 0);
        put_slice(lane, bz_load_relaxed(&place->code), of_place, share(begin, end, done, tasks),
                  share(begin, end, done + of_place, tasks));
        done += of_place;
    }
    bz_store_relaxed(&group->begin, end);
}

/* NULL: there is no room for one more. */
static struct bomp_trace_group_place *place_of(struct bomp_trace_group *group, const void *code) {
    for (unsigned i = 0; i < BOMP_TRACE_GROUP_PLACES; i++) {
        const void *there = bz_load_relaxed(&group->places[i].code);
        if (!there)
            bz_store_relaxed(&group->places[i].code, code);
        if (!there || there == code)
            return &group->places[i];
    }
    return NULL;
}

/* The same; for one more, all are noted. */
static struct bomp_trace_group_place *make_place(struct bomp_trace_lane *lane, const void *code,
                                                 uint64_t now) {
    struct bomp_trace_group *group = &lane->group;
    if (place_of(group, code))
        return place_of(group, code);
    add_up(group);
    put_group(lane, now);
    for (unsigned i = 0; i < BOMP_TRACE_GROUP_PLACES; i++)
        bz_store_relaxed(&group->places[i].code, NULL);
    return place_of(group, code);
}

/* ---- tasks that have begun ---- */

/* The outermost of these get slices of their own. */
static void note_open(struct bomp_trace_lane *lane, uint32_t tasks, uint64_t when) {
    struct bomp_trace_group *group = &lane->group;
    uint32_t depth = bz_load_relaxed(&group->depth);
    for (uint32_t i = 0; i < tasks; i++) {
        uint16_t site = site_at(bz_load_relaxed(&group->open[i].code));
        uint32_t id = bomp_trace_lane_id(lane);
        bool is_noted = put(lane, BOMP_TRACE_CREATE_RUN, when, id, site, BOMP_TRACE_BEGAN_BEFORE);
        group->open[i].task->value = is_noted ? id | (uint64_t)site << 32 : 0;
    }
    for (uint32_t i = tasks; i < depth; i++) {
        group->open[i - tasks].task = group->open[i].task;
        bz_store_relaxed(&group->open[i - tasks].code, bz_load_relaxed(&group->open[i].code));
    }
    bz_store_relaxed(&group->depth, depth - tasks);
    group->low -= tasks < group->low ? tasks : group->low;
    group->shown += tasks;
}

/* Those that had begun at the last reading, and have not ended. */
static void note_lasting(struct bomp_trace_lane *lane) {
    uint64_t last = bz_load_relaxed(&lane->group.last);
    if (lane->group.low == 0)
        return;
    put_group(lane, last);
    note_open(lane, lane->group.low, last);
}

/* ---- readings ---- */

static uint32_t events_since(const struct bomp_trace_group *group) {
    return bz_load_relaxed(&group->every) - bz_load_relaxed(&group->left);
}

static uint64_t later(uint64_t one, uint64_t other) {
    return one > other ? one : other;
}

/* How far the next reading is to be, where all that were counted have come. */
static void adapt(struct bomp_trace_group *group, uint64_t pace) {
    uint64_t next = read_after / (pace + (pace == 0));
    uint32_t more = group->usual + group->usual / 2;
    next = next < more ? next : more;
    next = next > 2 ? next : 2;
    group->usual = next < BOMP_TRACE_GROUP_MOST ? (uint32_t)next : BOMP_TRACE_GROUP_MOST;
}

/* Where this many tasks get slices of their own that all are noted sooner one by one. */
static bool is_poor(struct bomp_trace_group *group) {
    uint32_t all = group->counted + group->shown;
    if (all < LATELY)
        return false;
    bool is_poor = group->shown > all / POOR;
    group->counted = group->shown = 0;
    return is_poor;
}

/* An event comes after those counted. There is room again. False: something was long: what has ended since is not added up,
 * and nothing is gathered any more. */
static bool read_on(struct bomp_trace_lane *lane, uint64_t now) {
    struct bomp_trace_group *group = &lane->group;
    uint64_t took = now - bz_load_relaxed(&group->last);
    uint32_t events = events_since(group) + 1;
    lane->end = lane->last->end;
    note_lasting(lane);
    if (took > long_after || took > events * near_event + near_event || is_poor(group)) {
        put_group(lane, bz_load_relaxed(&group->last));
        group->gathers = false;
        group->shorts = group->readings = 0;
        group->setbacks += group->setbacks < BOMP_TRACE_GROUP_SETBACKS;
    } else {
        add_up(group);
        bz_store_relaxed(&group->pace, (uint32_t)(took / events));
        if (bz_load_relaxed(&group->left) == 0)
            adapt(group, took / events);
        group->readings++;
        group->setbacks -= ++group->shorts % TRUST == 0 && group->setbacks > 0;
    }
    group->low = bz_load_relaxed(&group->depth);
    bz_store_relaxed(&group->last, now);
    bz_store_relaxed(&group->left, 0);
    return group->gathers;
}

/* All of it, after a long one, which one of those that have ended since the last reading may be. */
static void put_long(struct bomp_trace_lane *lane, uint64_t before, uint64_t now) {
    struct bomp_trace_group *group = &lane->group;
    add_up(group);
    uint64_t begin = tasks_before(group) > 0 ? now : before;
    put_group(lane, now);
    note_open(lane, bz_load_relaxed(&group->depth), begin);
}

/* The next events are counted. */
static void go_on(struct bomp_trace_lane *lane) {
    struct bomp_trace_group *group = &lane->group;
    uint32_t room = BOMP_TRACE_GROUP_DEPTH - bz_load_relaxed(&group->depth);
    uint32_t most = group->usual < room ? group->usual : room;
    bz_store_relaxed(&group->every, most > 0 ? most - 1 : 0);
    bz_store_relaxed(&group->left, bz_load_relaxed(&group->every));
    lane->end = NULL;
}

/* ---- what happens ---- */

/* A task begins that is to be noted, unless enough have been short, with it. */
static bool starts(struct bomp_trace_lane *lane, uint64_t now) {
    struct bomp_trace_group *group = &lane->group;
    enum bomp_trace_kind kind = bomp_trace_kind(*lane->record);
    bool follows = kind == BOMP_TRACE_CREATE_RUN || kind == BOMP_TRACE_SWITCH;
    group->shorts = follows && now - lane->time < long_after ? group->shorts + 1 : 0;
    if (group->shorts == 0)
        bz_store_relaxed(&group->begin, now);
    if (group->shorts < BOMP_TRACE_GROUP_AFTER << group->setbacks || !lane->last)
        return false;
    uint64_t took = now - bz_load_relaxed(&group->begin);
    if (took > 2 * group->shorts * near_event) {
        group->shorts = 0;
        return false;
    }
    group->gathers = true;
    group->usual = FIRST_EVERY;
    return true;
}

/* Ids for bomp_trace_group_rest, one after the other. */
static void take_spare(struct bomp_trace_lane *lane) {
    if (bz_load_relaxed(&lane->group.spare) != 0)
        return;
    if (lane->last_id - lane->next_id < BOMP_TRACE_GROUP_PLACES)
        lane->next_id = lane->last_id;
    bz_store_relaxed(&lane->group.spare, bomp_trace_lane_id(lane));
    lane->next_id += BOMP_TRACE_GROUP_PLACES - 1;
}

bool bomp_trace_group_begins_now(struct bomp_trace_lane *lane, ompt_data_t *task, const void *code,
                                 uint64_t now) {
    struct bomp_trace_group *group = &lane->group;
    if (!group->gathers && !starts(lane, now))
        return false;
    uint64_t last = bz_load_relaxed(&group->last);
    if (!bomp_trace_group_is_open(lane)) {
        take_spare(lane);
        bz_store_relaxed(&group->begin, now);
        bz_store_relaxed(&group->last, now);
    } else if (!read_on(lane, now = later(now, last))) {
        put_long(lane, last, now);
        return false;
    } else if (now - bz_load_relaxed(&group->begin) > slice_most) {
        put_group(lane, now);
    }
    if (bz_load_relaxed(&group->depth) == BOMP_TRACE_GROUP_DEPTH)
        note_open(lane, BOMP_TRACE_GROUP_DEPTH, now);
    uint32_t depth = bz_load_relaxed(&group->depth);
    group->open[depth].task = task;
    bz_store_relaxed(&group->open[depth].code, code);
    bz_store_relaxed(&group->depth, depth + 1);
    group->low = depth + 1;
    go_on(lane);
    return true;
}

/* Of a task that is noted. */
static void note_end(struct bomp_trace_lane *lane, uint64_t next, uint64_t now) {
    (void)put(lane, BOMP_TRACE_SWITCH, now, (uint32_t)next, (uint16_t)(next >> 32), ompt_task_complete);
}

static bool is_innermost(const struct bomp_trace_group *group, const ompt_data_t *task) {
    uint32_t depth = bz_load_relaxed(&group->depth);
    return depth > 0 && group->open[depth - 1].task == task;
}

static const void *innermost_code(const struct bomp_trace_group *group) {
    return bz_load_relaxed(&group->open[bz_load_relaxed(&group->depth) - 1].code);
}

bool bomp_trace_group_ends_elsewhere(struct bomp_trace_lane *lane, const ompt_data_t *task) {
    struct bomp_trace_group *group = &lane->group;
    uint32_t left = bz_load_relaxed(&group->left);
    if (left == 0 || !is_innermost(group, task))
        return false;
    struct bomp_trace_group_place *place = place_of(group, innermost_code(group));
    if (!place)
        return false;
    bomp_trace_group_count(group, place);
    bz_store_relaxed(&group->left, left - 1);
    return true;
}

void bomp_trace_group_ends_now(struct bomp_trace_lane *lane, const ompt_data_t *task, uint64_t next,
                               uint64_t now) {
    struct bomp_trace_group *group = &lane->group;
    uint64_t last = bz_load_relaxed(&group->last);
    if (!bomp_trace_group_is_open(lane)) {
        group->shorts = now - lane->time < long_after ? group->shorts : 0;
        note_end(lane, next, now);
        return;
    }
    now = later(now, last);
    bool gathers = read_on(lane, now);
    bool is_counted = is_innermost(group, task);
    if (is_counted)
        bomp_trace_group_count(group, make_place(lane, innermost_code(group), now));
    bool is_full = now - bz_load_relaxed(&group->begin) > slice_most;
    if (!gathers) {
        put_long(lane, last, now);
    } else if (!is_counted || is_full) {
        add_up(group);
        put_group(lane, now);
    }
    if (!is_counted)
        note_end(lane, next, now);
    else if (gathers && (!is_full || bz_load_relaxed(&group->depth) > 0))
        go_on(lane);
}

/* When the last one that is counted has ended is not known. What has taken long is most probably what the program did
 * since. */
void bomp_trace_group_break(struct bomp_trace_lane *lane, uint64_t now) {
    struct bomp_trace_group *group = &lane->group;
    uint64_t last = bz_load_relaxed(&group->last), took = now > last ? now - last : 0;
    uint64_t usual = events_since(group) * (uint64_t)bz_load_relaxed(&group->pace);
    lane->end = lane->last->end;
    note_lasting(lane);
    add_up(group);
    put_group(lane, last + (took < usual ? took : usual));
    note_open(lane, bz_load_relaxed(&group->depth), last + (took < usual ? took : usual));
    bz_store_relaxed(&group->left, 0);
    if (group->readings == 0) { /* too soon for that to be worth it */
        group->gathers = false;
        group->shorts = 0;
    }
    group->readings = 0;
}

void bomp_trace_group_creates(struct bomp_trace_lane *lane, uint64_t now) {
    uint64_t last = bz_load_relaxed(&lane->group.last);
    if (later(now, last) - last <= long_after) {
        bomp_trace_group_break(lane, now);
    } else {
        (void)read_on(lane, now);
        put_long(lane, last, now);
    }
}

/* ---- for whoever writes the file ---- */

static struct bomp_trace_record *add(struct bomp_trace_record *record, enum bomp_trace_kind kind,
                                     uint64_t when, uint32_t id, uint16_t site, unsigned detail) {
    *record = (struct bomp_trace_record){kind, when, id, site, (uint16_t)detail};
    return record + 1;
}

static uint32_t sum(const struct bomp_trace_group_place *place) {
    return bz_load_relaxed(&place->before) + bz_load_relaxed(&place->count);
}

unsigned bomp_trace_group_rest(const struct bomp_trace_lane *lane, struct bomp_trace_record *records) {
    const struct bomp_trace_group *group = &lane->group;
    uint32_t tasks[BOMP_TRACE_GROUP_PLACES], all = 0, done = 0, open = bz_load_relaxed(&group->depth);
    uint32_t id = bz_load_relaxed(&group->spare);
    uint64_t begin = bz_load_relaxed(&group->begin), last = bz_load_relaxed(&group->last);
    uint64_t end = later(begin, last + events_since(group) * (uint64_t)bz_load_relaxed(&group->pace));
    struct bomp_trace_record *r = records;
    for (unsigned i = 0; i < BOMP_TRACE_GROUP_PLACES; i++)
        all += tasks[i] = sum(&group->places[i]);
    for (unsigned i = 0; i < BOMP_TRACE_GROUP_PLACES; i++) {
        if (tasks[i] == 0)
            continue;
        uint64_t when = share(begin, end, done, all);
        done += tasks[i];
        uint32_t unfinished = done == all ? open : 0;
        r = add(r, BOMP_TRACE_CREATE_RUN, when, id + i, site_at(bz_load_relaxed(&group->places[i].code)), 0);
        if (tasks[i] + unfinished > 1)
            r = add(r, BOMP_TRACE_TOGETHER, when, tasks[i] + unfinished, 0, 0);
        if (unfinished == 0)
            r = add(r, BOMP_TRACE_SWITCH, share(begin, end, done, all), 0, 0, ompt_task_complete);
    }
    if (all == 0 && open > 0) {
        r = add(r, BOMP_TRACE_CREATE_RUN, last, id, site_at(bz_load_relaxed(&group->open[0].code)),
                BOMP_TRACE_BEGAN_BEFORE);
        if (open > 1)
            r = add(r, BOMP_TRACE_TOGETHER, last, open, 0, 0);
    }
    return (unsigned)(r - records);
}
