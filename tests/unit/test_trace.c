/* The timeline's records, slices and texts, from made-up events. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../asserts.h"
#include "omp-tools.h"
#include "tools/trace/file.h"
#include "tools/trace/lane.h"
#include "tools/trace/out.h"
#include "tools/trace/slices.h"

static struct bomp_trace_lane *lane;
static uint64_t now; /* of the recorded events */

struct bomp_trace_lanes lanes_before[64]; /* keeps their memory reachable */

static void begin_with(size_t bytes) {
    static unsigned count;
    assert_true(count < sizeof lanes_before / sizeof *lanes_before);
    lanes_before[count++] = bomp_trace_lanes;
    bomp_ticks_begin();
    assert_true(bomp_trace_lanes_begin(bytes));
    lane = bomp_trace_lane_take();
    assert_non_null(lane);
    now = bomp_ticks_origin();
}

static int begin(void **state) {
    (void)state;
    begin_with((size_t)1 << 20);
    return 0;
}

static void note(enum bomp_trace_kind kind, uint32_t id, uint16_t site, unsigned detail) {
    uint64_t *at = bomp_trace_lane_room(lane);
    assert_non_null(at);
    bomp_trace_lane_put(lane, at, kind, now += 1000, id, site, detail);
}

/* ---- records ---- */

static void expect(struct bomp_trace_walk *walk, enum bomp_trace_kind kind, uint64_t when, uint32_t id,
                   unsigned site, unsigned detail) {
    const struct bomp_trace_record *record = bomp_trace_walk_next(walk);
    assert_non_null(record);
    assert_int_equal(record->kind, kind);
    assert_true(record->when == when);
    assert_int_equal(record->id, id);
    assert_int_equal(record->site, site);
    assert_int_equal(record->detail, detail);
}

static void records_come_back(void **state) {
    (void)state;
    uint64_t start = now;
    uint32_t far = UINT32_C(4000000000);
    note(BOMP_TRACE_REGION_BEGIN, 7, 65535, 65535);
    note(BOMP_TRACE_CREATE, 8, 300, 255);
    note(BOMP_TRACE_CREATE, 9, 1, 0);
    note(BOMP_TRACE_CREATE, far, 2, 1); /* not the next id: two words */
    note(BOMP_TRACE_SWITCH, 8, 300, ompt_task_switch);
    note(BOMP_TRACE_SWITCH, far, 2, ompt_task_complete);
    now += UINT64_C(1) << 40; /* more than fits in a record */
    note(BOMP_TRACE_SYNC_BEGIN, 0, 5, ompt_sync_region_taskwait);
    struct bomp_trace_walk walk;
    bomp_trace_walk_begin(&walk, lane);
    expect(&walk, BOMP_TRACE_REGION_BEGIN, start + 1000, 7, 65535, 65535);
    expect(&walk, BOMP_TRACE_CREATE, start + 2000, 8, 300, 255);
    expect(&walk, BOMP_TRACE_CREATE, start + 3000, 9, 1, 0);
    expect(&walk, BOMP_TRACE_CREATE, start + 4000, far, 2, 1);
    expect(&walk, BOMP_TRACE_SWITCH, start + 5000, 8, 0, ompt_task_switch);
    expect(&walk, BOMP_TRACE_SWITCH, start + 6000, far, 2, ompt_task_complete);
    expect(&walk, BOMP_TRACE_SYNC_BEGIN, now, 0, 5, ompt_sync_region_taskwait);
    assert_null(bomp_trace_walk_next(&walk));
}

static void a_task_takes_three_words(void **state) {
    (void)state;
    note(BOMP_TRACE_MEMBER_BEGIN, 1, 0, 0);
    uint64_t *before = bz_load_relaxed(&lane->at);
    note(BOMP_TRACE_CREATE, 2, 77, 4);
    note(BOMP_TRACE_SWITCH, 2, 77, ompt_task_switch);
    note(BOMP_TRACE_SWITCH, 1, 0, ompt_task_complete);
    assert_int_equal(bz_load_relaxed(&lane->at) - before, 3);
}

static void short_holds_are_taken_back(void **state) {
    (void)state;
    note(BOMP_TRACE_SYNC_BEGIN, 0, 1, 1);
    uint64_t start = now;
    note(BOMP_TRACE_HOLD_BEGIN, 3, 2, 5);
    assert_false(bomp_trace_lane_undo(lane, BOMP_TRACE_HOLD_BEGIN, 4));
    assert_true(bomp_trace_lane_undo(lane, BOMP_TRACE_HOLD_BEGIN, 3));
    assert_false(bomp_trace_lane_undo(lane, BOMP_TRACE_HOLD_BEGIN, 3));
    note(BOMP_TRACE_SYNC_END, 0, 0, 1);
    struct bomp_trace_walk walk;
    bomp_trace_walk_begin(&walk, lane);
    expect(&walk, BOMP_TRACE_SYNC_BEGIN, start, 0, 1, 1);
    expect(&walk, BOMP_TRACE_SYNC_END, now, 0, 0, 1);
    assert_null(bomp_trace_walk_next(&walk));
}

static void nothing_is_removed_once_written_or_dropped(void **state) {
    (void)state;
    note(BOMP_TRACE_HOLD_BEGIN, 3, 2, 5);
    bz_store_relaxed(&bomp_trace_lanes.is_written, true);
    assert_false(bomp_trace_lane_undo(lane, BOMP_TRACE_HOLD_BEGIN, 3));
    bz_store_relaxed(&bomp_trace_lanes.is_written, false);
    bz_store_relaxed(&lane->dropped, 1);
    assert_false(bomp_trace_lane_undo(lane, BOMP_TRACE_HOLD_BEGIN, 3));
    bz_store_relaxed(&lane->dropped, 0);
    assert_true(bomp_trace_lane_undo(lane, BOMP_TRACE_HOLD_BEGIN, 3));
}

/* The lane's thread takes a record back after a walk has begun, and its last record there ends later. */
static void a_walk_ends(void **state) {
    (void)state;
    note(BOMP_TRACE_CREATE, 1, 2, 0);
    note(BOMP_TRACE_HOLD_BEGIN, 3, 2, 5);
    struct bomp_trace_walk walk;
    bomp_trace_walk_begin(&walk, lane);
    assert_true(bomp_trace_lane_undo(lane, BOMP_TRACE_HOLD_BEGIN, 3));
    note(BOMP_TRACE_SWITCH, 1, 2, ompt_task_switch);
    note(BOMP_TRACE_SYNC_BEGIN, 0, 5, ompt_sync_region_taskwait);
    assert_int_equal(bomp_trace_walk_next(&walk)->kind, BOMP_TRACE_CREATE);
    assert_int_equal(bomp_trace_walk_next(&walk)->kind, BOMP_TRACE_SWITCH);
    assert_int_equal(bomp_trace_walk_next(&walk)->kind, BOMP_TRACE_SYNC_BEGIN);
    assert_null(bomp_trace_walk_next(&walk));
}

static void any_size_will_do(void **state) {
    (void)state;
    begin_with(SIZE_MAX);
    note(BOMP_TRACE_CREATE, 1, 2, 0);
    assert_true(bz_load_relaxed(&bomp_trace_lanes.left) > 0);
}

static void memory_is_bounded(void **state) {
    (void)state;
    uint64_t noted = 0, walked = 0;
    for (uint32_t i = 0; i < 1000000; i++) {
        uint64_t *at = bomp_trace_lane_room(lane);
        if (at)
            bomp_trace_lane_put(lane, at, BOMP_TRACE_SYNC_BEGIN, now++, i, 1, 1);
        noted += at != NULL;
    }
    struct bomp_trace_walk walk;
    bomp_trace_walk_begin(&walk, lane);
    for (const struct bomp_trace_record *record; (record = bomp_trace_walk_next(&walk)); walked++)
        assert_int_equal(record->id, walked);
    assert_true(walked == noted);
    assert_true(noted * 16 > ((size_t)1 << 20) * 9 / 10 && noted * 16 <= (size_t)1 << 20);
    assert_true(bz_load_relaxed(&lane->dropped) == 1000000 - noted);
}

static void a_fork_forgets(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 10000; i++)
        note(BOMP_TRACE_SYNC_BEGIN, i, 1, 1);
    note(BOMP_TRACE_CREATE, 11, 1, 0);
    int64_t left = bz_load_relaxed(&bomp_trace_lanes.left);
    bomp_trace_lanes_forget(NULL);
    struct bomp_trace_walk walk;
    bomp_trace_walk_begin(&walk, lane);
    assert_null(bomp_trace_walk_next(&walk));
    assert_ptr_equal(bomp_trace_lane_take(), lane);
    note(BOMP_TRACE_CREATE, 12, 1, 0);
    for (uint32_t i = 0; i < 10000; i++)
        note(BOMP_TRACE_SYNC_END, i, 1, 1);
    assert_true(bz_load_relaxed(&bomp_trace_lanes.left) == left); /* the same memory */
    bomp_trace_walk_begin(&walk, lane);
    assert_int_equal(bomp_trace_walk_next(&walk)->id, 12);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(bomp_trace_walk_next(&walk)->id, i);
    assert_null(bomp_trace_walk_next(&walk));
}

static void ids_are_unique_across_lanes(void **state) {
    (void)state;
    struct bomp_trace_lane *other = bomp_trace_lane_take();
    assert_ptr_not_equal(other, lane);
    static unsigned char seen[8 * BOMP_TRACE_ID_BLOCK];
    memset(seen, 0, sizeof seen);
    for (unsigned i = 0; i < 5 * BOMP_TRACE_ID_BLOCK / 2; i++) {
        uint32_t id = bomp_trace_lane_id(i % 3 ? lane : other);
        assert_true(id > 0 && id < sizeof seen && !seen[id]);
        seen[id] = 1;
    }
}

static void addresses_have_numbers(void **state) {
    (void)state;
    static char places[BOMP_TRACE_TABLE_SLOTS + 1000];
    unsigned full = 0;
    assert_int_equal(bomp_trace_table_number(bomp_trace_lanes.sites, NULL), 0);
    for (size_t i = 0; i < sizeof places; i++) {
        uint16_t number = bomp_trace_table_number(bomp_trace_lanes.sites, &places[i]);
        if (number)
            assert_ptr_equal(bomp_trace_table_address(bomp_trace_lanes.sites, number), &places[i]);
        full += number == 0;
        assert_int_equal(bomp_trace_table_number(bomp_trace_lanes.sites, &places[i]), number);
    }
    assert_true(full >= 1000 && full < sizeof places / 4);
}

/* ---- slices ---- */

/* The story, one or two characters for each event: checks begins and ends, and that slices nest. */
struct replay {
    struct bomp_trace_sink sink;
    struct bomp_trace_slice slices[64];
    unsigned count, creations;
    uint32_t by;
    uint64_t last;
};

static struct bomp_trace_story *story;
static struct replay replay;

static void on_slice(struct bomp_trace_sink *sink, const struct bomp_trace_slice *slice) {
    (void)sink;
    assert_true(slice->begin <= slice->end && slice->end >= replay.last);
    replay.last = slice->end;
    assert_true(replay.count < 64);
    replay.slices[replay.count++] = *slice;
}

static void on_create(struct bomp_trace_sink *sink, uint64_t when, uint32_t id, uint32_t by) {
    (void)sink, (void)when, (void)id;
    replay.creations++;
    replay.by = by;
}

static void on_moment(struct bomp_trace_sink *sink, uint64_t when, enum bomp_trace_kind kind, uint32_t id) {
    (void)sink, (void)when, (void)kind, (void)id;
}

static void on_thread(struct bomp_trace_sink *sink, uint64_t when, uint32_t system_id, unsigned type) {
    (void)sink, (void)when, (void)system_id, (void)type;
}

/* Slices of one depth do not overlap, and each slice of a depth above 0 lies in one of the previous depth. */
static void check_nesting(void) {
    for (unsigned i = 0; i < replay.count; i++) {
        const struct bomp_trace_slice *s = &replay.slices[i];
        bool is_inside = s->depth == 0;
        for (unsigned j = 0; j < replay.count; j++) {
            const struct bomp_trace_slice *t = &replay.slices[j];
            assert_true(i == j || t->depth != s->depth || t->end <= s->begin || s->end <= t->begin);
            is_inside = is_inside || (t->depth + 1 == s->depth && t->begin <= s->begin && s->end <= t->end);
        }
        assert_true(is_inside);
    }
}

static void tell(void) {
    replay = (struct replay){.sink = {on_slice, on_create, on_moment, on_thread}};
    story = bomp_trace_story_new();
    assert_non_null(story);
    bomp_trace_slices(story, lane->number, &replay.sink);
    check_nesting();
}

/* In the order of their ends. */
static void is_slice(unsigned at, enum bomp_trace_class class, uint32_t id, unsigned depth, unsigned flags) {
    assert_true(at < replay.count);
    const struct bomp_trace_slice *s = &replay.slices[at];
    assert_int_equal(story->types.types[s->type].class, class);
    if (class == BOMP_TRACE_TASK)
        assert_int_equal(s->id, id);
    assert_int_equal(s->depth, depth);
    assert_int_equal(s->flags, flags);
}

static void ends_with(unsigned count) {
    assert_int_equal(replay.count, count);
    bomp_trace_story_free(story);
}

static void tasks_nest(void **state) {
    (void)state;
    note(BOMP_TRACE_INITIAL_BEGIN, 1, 0, 0);
    note(BOMP_TRACE_REGION_BEGIN, 2, 9, 4);
    note(BOMP_TRACE_MEMBER_BEGIN, 3, 9, 0);
    note(BOMP_TRACE_MEMBER_OF, 2, 9, 4);
    note(BOMP_TRACE_CREATE, 4, 10, 0); /* queued */
    note(BOMP_TRACE_CREATE_RUN, 5, 11, 0);
    note(BOMP_TRACE_CREATE_RUN, 6, 11, 0);
    note(BOMP_TRACE_SWITCH, 5, 11, ompt_task_complete);
    note(BOMP_TRACE_SWITCH, 3, 9, ompt_task_complete);
    note(BOMP_TRACE_SYNC_BEGIN, 0, 12, ompt_sync_region_taskwait);
    note(BOMP_TRACE_SWITCH, 4, 10, ompt_task_switch);
    note(BOMP_TRACE_SWITCH, 3, 9, ompt_task_complete);
    note(BOMP_TRACE_SYNC_END, 0, 0, ompt_sync_region_taskwait);
    note(BOMP_TRACE_MEMBER_END, 3, 0, 0);
    note(BOMP_TRACE_REGION_END, 2, 0, 0);
    tell();
    assert_int_equal(replay.creations, 1);
    assert_int_equal(replay.by, 3);
    is_slice(0, BOMP_TRACE_TASK, 6, 3, BOMP_TRACE_AT_ONCE);
    is_slice(1, BOMP_TRACE_TASK, 5, 2, BOMP_TRACE_AT_ONCE);
    is_slice(2, BOMP_TRACE_TASK, 4, 3, 0);
    is_slice(3, BOMP_TRACE_SYNC, 0, 2, 0);
    is_slice(4, BOMP_TRACE_MEMBER, 3, 1, 0);
    assert_int_equal(replay.slices[4].count, 4);
    is_slice(5, BOMP_TRACE_REGION, 2, 0, 0);
    ends_with(6);
}

/* Task 2 yields to 3, which yields back to 2 before it ends, and continues after that. */
static void suspended_tasks_have_several_slices(void **state) {
    (void)state;
    note(BOMP_TRACE_MEMBER_BEGIN, 1, 0, 0);
    note(BOMP_TRACE_SWITCH, 2, 5, ompt_task_switch);
    note(BOMP_TRACE_SWITCH, 3, 5, ompt_task_yield);
    note(BOMP_TRACE_SYNC_BEGIN, 0, 6, ompt_sync_region_taskwait);
    note(BOMP_TRACE_SWITCH, 2, 5, ompt_task_switch);
    note(BOMP_TRACE_SWITCH, 1, 0, ompt_task_complete);
    note(BOMP_TRACE_SWITCH, 3, 5, ompt_task_switch);
    note(BOMP_TRACE_SYNC_END, 0, 0, ompt_sync_region_taskwait);
    note(BOMP_TRACE_SWITCH, 1, 0, ompt_task_complete);
    note(BOMP_TRACE_MEMBER_END, 1, 0, 0);
    tell();
    is_slice(0, BOMP_TRACE_SYNC, 0, 3, BOMP_TRACE_GOES_ON);
    is_slice(1, BOMP_TRACE_TASK, 3, 2, BOMP_TRACE_GOES_ON);
    is_slice(2, BOMP_TRACE_TASK, 2, 1, 0);
    is_slice(3, BOMP_TRACE_SYNC, 0, 2, BOMP_TRACE_WENT_ON);
    is_slice(4, BOMP_TRACE_TASK, 3, 1, BOMP_TRACE_WENT_ON);
    is_slice(5, BOMP_TRACE_MEMBER, 1, 0, 0);
    ends_with(6);
}

/* Lock 1 is released before lock 2, which was acquired inside. */
static void locks_need_not_nest(void **state) {
    (void)state;
    note(BOMP_TRACE_MEMBER_BEGIN, 1, 0, 0);
    note(BOMP_TRACE_HOLD_BEGIN, 1, 5, ompt_mutex_lock);
    note(BOMP_TRACE_HOLD_BEGIN, 2, 6, ompt_mutex_lock);
    note(BOMP_TRACE_HOLD_END, 1, 0, ompt_mutex_lock);
    note(BOMP_TRACE_HOLD_END, 2, 0, ompt_mutex_lock);
    note(BOMP_TRACE_MEMBER_END, 1, 0, 0);
    tell();
    is_slice(0, BOMP_TRACE_HOLD, 2, 2, BOMP_TRACE_GOES_ON);
    is_slice(1, BOMP_TRACE_HOLD, 1, 1, 0);
    is_slice(2, BOMP_TRACE_HOLD, 2, 1, BOMP_TRACE_WENT_ON);
    is_slice(3, BOMP_TRACE_MEMBER, 1, 0, 0);
    ends_with(4);
}

/* As in the child of a fork, and where the program ends in the middle. */
static void what_does_not_fit_is_passed_over(void **state) {
    (void)state;
    note(BOMP_TRACE_SYNC_END, 0, 0, ompt_sync_region_taskwait);
    note(BOMP_TRACE_SWITCH, 900, 5, ompt_task_complete);
    note(BOMP_TRACE_WORK_END, 0, 0, ompt_work_loop_static);
    note(BOMP_TRACE_HOLD_END, 1, 0, ompt_mutex_lock);
    note(BOMP_TRACE_REGION_END, 3, 0, 0);
    note(BOMP_TRACE_MEMBER_END, 70000, 0, 0);
    note(BOMP_TRACE_SYNC_BEGIN, 0, 5, ompt_sync_region_taskwait);
    tell();
    is_slice(0, BOMP_TRACE_SYNC, 0, 1, BOMP_TRACE_UNFINISHED);
    is_slice(1, BOMP_TRACE_TASK, 900, 0, BOMP_TRACE_UNFINISHED);
    ends_with(2);
}

static void the_beginner_of_a_task_is_known(void **state) {
    (void)state;
    struct bomp_trace_lane *first = lane;
    note(BOMP_TRACE_CREATE, 1, 5, BOMP_TRACE_IS_UNTIED);
    lane = bomp_trace_lane_take();
    note(BOMP_TRACE_SWITCH, 1, 5, ompt_task_switch);
    tell();
    const struct bomp_trace_task *task = &story->tasks[1];
    assert_int_equal(task->creator, first->number);
    assert_int_equal(task->runner, lane->number);
    assert_true(task->started - task->created == 1000);
    assert_int_equal(task->detail, BOMP_TRACE_IS_UNTIED);
    ends_with(1);
}

/* Parked in one lane, and resumed in another. */
static void a_parked_task_goes_on_elsewhere(void **state) {
    (void)state;
    note(BOMP_TRACE_MEMBER_BEGIN, 1, 0, 0);
    note(BOMP_TRACE_SWITCH, 2, 5, ompt_task_switch);
    note(BOMP_TRACE_SWITCH, 3, 5, ompt_task_yield);
    note(BOMP_TRACE_SWITCH, 2, 5, ompt_task_switch); /* 3 is parked */
    tell();
    struct bomp_trace_lane *other = bomp_trace_lane_take();
    struct bomp_trace_lane *first = lane;
    lane = other;
    note(BOMP_TRACE_SWITCH, 3, 5, ompt_task_switch);
    note(BOMP_TRACE_SWITCH, 0, 0, ompt_task_complete);
    bomp_trace_story_free(story);
    story = bomp_trace_story_new();
    assert_non_null(story);
    replay = (struct replay){.sink = {on_slice, on_create, on_moment, on_thread}};
    bomp_trace_slices(story, first->number, &replay.sink);
    replay = (struct replay){.sink = {on_slice, on_create, on_moment, on_thread}};
    bomp_trace_slices(story, other->number, &replay.sink);
    is_slice(0, BOMP_TRACE_TASK, 3, 0, BOMP_TRACE_WENT_ON);
    ends_with(1);
}

/* The last two records merge into one, with an earlier time, when the story has been read. */
static void begin_story_that_changes(enum bomp_trace_kind kind) {
    note(BOMP_TRACE_MEMBER_BEGIN, 1, 0, 0);
    note(BOMP_TRACE_CREATE, 8, 5, 0);
    note(BOMP_TRACE_HOLD_BEGIN, 3, 5, ompt_mutex_lock);
    uint64_t *last = lane->record;
    note(BOMP_TRACE_SYNC_BEGIN, 0, 5, ompt_sync_region_taskwait);
    story = bomp_trace_story_new();
    assert_non_null(story);
    assert_int_equal(story->task_count, 9);
    bz_store_relaxed(&lane->at, last);
    now += UINT64_C(1) << 62; /* and with an impossible time */
    note(kind, UINT32_C(4000000000), 5, 0);
}

static void ids_and_times_that_cannot_be(void **state) {
    (void)state;
    static const enum bomp_trace_kind kinds[] = {BOMP_TRACE_CREATE, BOMP_TRACE_CREATE_RUN, BOMP_TRACE_SWITCH};
    static struct bomp_trace_out out;
    static struct bomp_trace_program program = {.version = ""};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        begin_with((size_t)1 << 20);
        begin_story_that_changes(kinds[i]);
        replay = (struct replay){.sink = {on_slice, on_create, on_moment, on_thread}};
        bomp_trace_slices(story, lane->number, &replay.sink);
        assert_true(replay.last <= bomp_trace_ns(story, story->end));
        FILE *file = tmpfile();
        assert_non_null(file);
        out.file = fileno(file);
        bomp_trace_json_write(&out, story, NULL, &program);
        bomp_trace_html_write(&out, story, NULL, &program);
        bomp_trace_out_flush(&out);
        assert_int_equal(out.failed, 0);
        assert_int_equal(fclose(file), 0);
        bomp_trace_story_free(story);
    }
}

/* A program with many locks. */
static void locks_leave_room_for_types(void **state) {
    (void)state;
    static struct bomp_trace_types types;
    struct bomp_trace_type hold = {BOMP_TRACE_HOLD, ompt_mutex_lock, 5, 0};
    unsigned numbers[3000];
    for (unsigned i = 0; i < 3000; i++) {
        hold.lock = (uint16_t)(i + 1);
        numbers[i] = bomp_trace_types_number(&types, hold);
        assert_true(numbers[i] > 0);
    }
    assert_true(numbers[1500] != numbers[1501] && numbers[2500] == numbers[2501]);
    hold.lock = 1501;
    assert_int_equal(bomp_trace_types_number(&types, hold), numbers[1500]);
    assert_int_equal(types.types[numbers[2500]].class, BOMP_TRACE_HOLD);
    assert_int_equal(types.types[numbers[2500]].lock, 0);
    struct bomp_trace_type task = {BOMP_TRACE_TASK, 0, 0, 0};
    for (task.site = 1; task.site < 2000; task.site++)
        assert_true(bomp_trace_types_number(&types, task) > 0);
    for (; task.site < 5000; task.site++)
        (void)bomp_trace_types_number(&types, task);
    assert_int_equal(bomp_trace_types_number(&types, task), 0);
}

/* ---- texts ---- */

static const char *written(struct bomp_trace_out *out) {
    out->bytes[out->length] = '\0';
    out->length = 0;
    return out->bytes;
}

static void texts_are_as_expected(void **state) {
    (void)state;
    static struct bomp_trace_out out;
    bomp_trace_out_number(&out, "", UINT64_MAX);
    assert_string_equal(written(&out), "18446744073709551615");
    static const struct {
        uint64_t ns;
        const char *text;
    } times[] = {{0, "0"}, {1, "0.001"}, {1010, "1.01"}, {1200, "1.2"}, {5000, "5"}, {1234567, "1234.567"}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        bomp_trace_out_us(&out, "", times[i].ns);
        assert_string_equal(written(&out), times[i].text);
    }
    bomp_trace_out_string(&out, "", "a\"b\\c</script>\n\177");
    assert_string_equal(written(&out), "\"a\\u0022b\\u005cc\\u003c/script>\\u000a\\u007f\"");
    bomp_trace_out_string(&out, "", "\xc3\xa4\xe2\x82\xac\xff\xed\xa0\x80 \xe2\x82");
    assert_string_equal(written(&out), "\"\xc3\xa4\xe2\x82\xac\\ufffd\\ufffd\\ufffd\\ufffd \\ufffd\\ufffd\"");
    static const char *const bases[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t length = 0; length <= 6; length++) {
        for (size_t i = 0; i < length; i++)
            bomp_trace_out_byte64(&out, (unsigned char)"foobar"[i]);
        bomp_trace_out_end64(&out);
        assert_string_equal(written(&out), bases[length]);
    }
    bomp_trace_out_number64(&out, 127);
    bomp_trace_out_number64(&out, 300);
    bomp_trace_out_end64(&out);
    assert_string_equal(written(&out), "f6wC"); /* 7f ac 02 */
    assert_true(bomp_trace_out_zigzag(0) == 0 && bomp_trace_out_zigzag(-1) == 1 &&
                bomp_trace_out_zigzag(1) == 2);
    assert_true(bomp_trace_out_zigzag(INT64_MIN) == UINT64_MAX);
}

static void long_files_are_written(void **state) {
    (void)state;
    static struct bomp_trace_out out;
    int ends[2];
    FILE *file = tmpfile();
    assert_non_null(file);
    out.file = fileno(file);
    for (unsigned i = 0; i < 300000; i++)
        bomp_trace_out_byte64(&out, i);
    bomp_trace_out_end64(&out);
    bomp_trace_out_flush(&out);
    assert_int_equal(out.failed, 0);
    assert_int_equal(lseek(out.file, 0, SEEK_END), 400000);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(pipe(ends), 0);
    (void)close(ends[1]);
    out.file = ends[0]; /* cannot be written to */
    bomp_trace_out_text(&out, "x");
    bomp_trace_out_flush(&out);
    assert_int_not_equal(out.failed, 0);
    (void)close(ends[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(records_come_back, begin),
        cmocka_unit_test_setup(a_task_takes_three_words, begin),
        cmocka_unit_test_setup(short_holds_are_taken_back, begin),
        cmocka_unit_test_setup(nothing_is_removed_once_written_or_dropped, begin),
        cmocka_unit_test_setup(a_walk_ends, begin),
        cmocka_unit_test(any_size_will_do),
        cmocka_unit_test_setup(memory_is_bounded, begin),
        cmocka_unit_test_setup(a_fork_forgets, begin),
        cmocka_unit_test_setup(ids_are_unique_across_lanes, begin),
        cmocka_unit_test_setup(addresses_have_numbers, begin),
        cmocka_unit_test_setup(tasks_nest, begin),
        cmocka_unit_test_setup(suspended_tasks_have_several_slices, begin),
        cmocka_unit_test_setup(locks_need_not_nest, begin),
        cmocka_unit_test_setup(what_does_not_fit_is_passed_over, begin),
        cmocka_unit_test_setup(the_beginner_of_a_task_is_known, begin),
        cmocka_unit_test_setup(a_parked_task_goes_on_elsewhere, begin),
        cmocka_unit_test(ids_and_times_that_cannot_be),
        cmocka_unit_test(locks_leave_room_for_types),
        cmocka_unit_test(texts_are_as_expected),
        cmocka_unit_test(long_files_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
