/* slices.c: see slices.h. A thread is a stack of frames: above the frame of a task are its constructs and waits. When a task
 * below is resumed, the tasks above it are parked with their frames, until they go on. Records that do not match, as after a
 * fork, are skipped. */
#include "tools/trace/slices.h"

#include <string.h>

#include "omp-tools.h"
#include "tools/common/grow.h"

#define FRAMES_MOST ((size_t)1 << 20)

/* States of a task. */
enum { NOT_HERE, ON_STACK, PARKED, ENDED };

struct frame {
    uint64_t begin; /* ticks */
    uint32_t id;    /* of a task, region or lock */
    uint32_t number, count, chunks;
    uint16_t type;
    uint8_t class, detail;
    unsigned flags;
};

/* A parked frame, and the next one; 0: none. */
struct parked {
    struct frame frame;
    uint32_t next;
};

struct builder {
    struct bomp_trace_story *story;
    struct bomp_trace_sink *sink;
    struct frame *frames;
    size_t count, room;
    struct parked *parked; /* the first one is unused */
    size_t parked_count, parked_room;
    uint32_t parked_free;
    uint64_t now; /* ticks; never goes back */
    uint16_t lane;
};

static void set_state(struct builder *b, const struct frame *frame, unsigned state) {
    if (bomp_trace_is_task(frame->class) && frame->id)
        bomp_trace_task_of(b->story, frame->id)->state = (uint8_t)state;
}

/* ---- frames ---- */

static void push(struct builder *b, const struct frame *frame) {
    if (b->count == FRAMES_MOST || !bomp_grow(&b->frames, sizeof *b->frames, b->count, &b->room))
        return;
    b->frames[b->count++] = *frame;
    set_state(b, frame, ON_STACK);
}

static void open_slice(struct builder *b, enum bomp_trace_class class, const struct bomp_trace_record *record,
                       unsigned flags) {
    bool is_lock = class == BOMP_TRACE_WAIT || class == BOMP_TRACE_HOLD;
    bool is_work = class == BOMP_TRACE_WORK || class == BOMP_TRACE_CHUNK;
    bool has_detail = is_lock || is_work || class == BOMP_TRACE_SYNC;
    uint8_t detail = has_detail ? (uint8_t)record->detail : 0;
    uint16_t lock = is_lock ? (uint16_t)record->id : 0;
    struct bomp_trace_type type = {(uint8_t) class, detail, record->site, lock};
    struct frame frame = {.begin = b->now, .id = record->id, .class = (uint8_t) class, .detail = detail};
    frame.type = (uint16_t)bomp_trace_types_number(&b->story->types, type);
    frame.flags = flags;
    frame.number = record->detail;
    frame.count = is_work ? record->id : 0;
    push(b, &frame);
}

/* Initial tasks have no row. */
static unsigned row_of(const struct builder *b, size_t at) {
    unsigned row = 0;
    for (size_t i = 0; i < at; i++)
        row += b->frames[i].class != BOMP_TRACE_INITIAL;
    return row;
}

/* Reports the slice of frame `at`, which ends now. */
static void report(struct builder *b, size_t at, unsigned flags) {
    const struct frame *frame = &b->frames[at];
    if (frame->class == BOMP_TRACE_INITIAL)
        return;
    struct bomp_trace_slice slice = {.type = frame->type, .flags = frame->flags | flags, .id = frame->id};
    slice.begin = bomp_trace_ns(b->story, frame->begin);
    slice.end = bomp_trace_ns(b->story, b->now);
    slice.depth = row_of(b, at);
    slice.number = frame->number;
    slice.chunks = frame->flags & BOMP_TRACE_WENT_ON ? 0 : frame->chunks;
    slice.count = frame->count;
    b->sink->slice(b->sink, &slice);
    if (frame->class == BOMP_TRACE_TASK && !(flags & BOMP_TRACE_GOES_ON)) {
        bomp_trace_task_of(b->story, frame->id)->ended = b->now;
        bomp_trace_task_of(b->story, frame->id)->ended_in = b->lane;
    }
}

/* Closes the frames from the top down to `at`. */
static void close_to(struct builder *b, size_t at, unsigned flags) {
    while (b->count > at) {
        report(b, b->count - 1, flags);
        b->count--;
        set_state(b, &b->frames[b->count], ENDED);
    }
}

/* The frame of the task at or below `at`. SIZE_MAX: none. */
static size_t task_below(const struct builder *b, size_t at) {
    while (at != SIZE_MAX && !bomp_trace_is_task(b->frames[at].class))
        at--;
    return at;
}

static size_t running_task(const struct builder *b) {
    return task_below(b, b->count - 1); /* SIZE_MAX of an empty stack */
}

static uint32_t running_id(const struct builder *b) {
    size_t at = running_task(b);
    return at != SIZE_MAX ? b->frames[at].id : 0;
}

/* The topmost such frame in the running task; SIZE_MAX: none. */
static size_t find_open(const struct builder *b, enum bomp_trace_class class, unsigned detail, uint32_t id) {
    size_t bottom = running_task(b);
    for (size_t at = b->count; at-- > 0 && at != bottom;) {
        const struct frame *frame = &b->frames[at];
        if (frame->class == class && frame->detail == detail && (id == 0 || frame->id == id))
            return at;
    }
    return SIZE_MAX;
}

/* The end of work has a count in place of an id. */
static void close_open(struct builder *b, enum bomp_trace_class class,
                       const struct bomp_trace_record *record) {
    size_t at = find_open(b, class, record->detail, class == BOMP_TRACE_WORK ? 0 : record->id);
    if (at != SIZE_MAX)
        close_to(b, at, 0);
}

/* Closes a frame under open ones, which continue in new slices. */
static void close_between(struct builder *b, enum bomp_trace_class class, unsigned detail, uint32_t id) {
    size_t at = find_open(b, class, detail, id);
    if (at == SIZE_MAX)
        return;
    for (size_t above = b->count - 1; above > at; above--) {
        report(b, above, BOMP_TRACE_GOES_ON);
        b->frames[above].begin = b->now;
        b->frames[above].flags |= BOMP_TRACE_WENT_ON;
    }
    report(b, at, 0);
    memmove(&b->frames[at], &b->frames[at + 1], (b->count - at - 1) * sizeof *b->frames);
    b->count--;
}

/* ---- parked tasks ---- */

/* 0: no memory. */
static uint32_t new_parked(struct builder *b) {
    uint32_t at = b->parked_free;
    if (at) {
        b->parked_free = b->parked[at].next;
        return at;
    }
    if (b->parked_count == FRAMES_MOST ||
        !bomp_grow(&b->parked, sizeof *b->parked, b->parked_count, &b->parked_room))
        return 0;
    b->parked_count += b->parked_count == 0;
    return b->parked_count < b->parked_room ? (uint32_t)b->parked_count++ : 0;
}

/* Parks the task on top. */
static void park_one(struct builder *b) {
    size_t bottom = running_task(b);
    uint32_t first = 0;
    uint32_t id = b->frames[bottom].id;
    while (b->count > bottom) {
        report(b, b->count - 1, BOMP_TRACE_GOES_ON);
        b->count--;
        uint32_t at = id ? new_parked(b) : 0;
        if (!at)
            continue;
        b->parked[at] = (struct parked){b->frames[b->count], first};
        first = at;
    }
    struct bomp_trace_task *task = bomp_trace_task_of(b->story, id);
    task->parked = first;
    task->parked_in = b->lane;
    task->state = first ? PARKED : NOT_HERE;
}

static void unpark(struct builder *b, struct bomp_trace_task *task) {
    for (uint32_t at = task->parked; at;) {
        struct frame frame = b->parked[at].frame;
        uint32_t next = b->parked[at].next;
        frame.begin = b->now;
        frame.flags |= BOMP_TRACE_WENT_ON;
        push(b, &frame);
        b->parked[at].next = b->parked_free;
        b->parked_free = at;
        at = next;
    }
    task->parked = 0;
    task->state = ON_STACK;
}

/* Makes the task of the record the running one. */
static void resume(struct builder *b, const struct bomp_trace_record *record) {
    struct bomp_trace_task *task = bomp_trace_task_of(b->story, record->id);
    if (record->id && b->count > 0 && running_id(b) == record->id)
        return;
    if (record->id && task->state == ON_STACK) {
        while (running_task(b) != SIZE_MAX && running_id(b) != record->id)
            park_one(b);
    } else if (record->id && task->state == PARKED && task->parked_in == b->lane) {
        unpark(b, task);
    } else {
        struct bomp_trace_record start = *record;
        start.site = start.site ? start.site : task->site;
        bool went_on = record->id && (task->state == ENDED || task->state == PARKED); /* in another lane */
        open_slice(b, BOMP_TRACE_TASK, &start, went_on ? BOMP_TRACE_WENT_ON : 0);
    }
}

static void switch_to(struct builder *b, const struct bomp_trace_record *record) {
    size_t at = running_task(b);
    bool ended = record->detail == ompt_task_complete || record->detail == ompt_task_cancel ||
                 record->detail == ompt_task_detach;
    if (ended && at != SIZE_MAX && b->frames[at].class == BOMP_TRACE_TASK)
        close_to(b, at, 0);
    if (!ended || record->id)
        resume(b, record);
}

/* ---- records ---- */

static void create(struct builder *b, const struct bomp_trace_record *record) {
    uint64_t when = bomp_trace_ns(b->story, b->now);
    if (record->kind == BOMP_TRACE_CREATE)
        b->sink->create(b->sink, when, record->id, running_id(b));
    else
        open_slice(b, BOMP_TRACE_TASK, record, BOMP_TRACE_AT_ONCE);
}

/* Adds the team size to the implicit task that has just begun. */
static void member_of(struct builder *b, const struct bomp_trace_record *record) {
    struct frame *top = b->count > 0 ? &b->frames[b->count - 1] : NULL;
    if (top && top->class == BOMP_TRACE_MEMBER)
        top->count = record->detail;
}

/* A chunk, directly above its loop, lasts until the next one or the end of the loop. */
static void begin_chunk(struct builder *b, const struct bomp_trace_record *record) {
    if (b->count > 0 && b->frames[b->count - 1].class == BOMP_TRACE_CHUNK)
        close_to(b, b->count - 1, 0);
    if (b->count == 0 || b->frames[b->count - 1].class != BOMP_TRACE_WORK)
        return;
    size_t at = b->count;
    struct bomp_trace_record chunk = *record;
    chunk.site = b->story->types.types[b->frames[at - 1].type].site;
    chunk.detail = b->frames[at - 1].detail;
    open_slice(b, BOMP_TRACE_CHUNK, &chunk, 0);
    if (b->count == at)
        return; /* no memory for it */
    b->frames[at].number = record->detail | (uint32_t)record->site << 16;
    b->frames[at].chunks = 1;
}

/* Short chunks that share the slice of the last one. */
static void add_chunks(struct builder *b, const struct bomp_trace_record *record) {
    for (size_t at = b->count; at-- > 0;)
        if (b->frames[at].class == BOMP_TRACE_CHUNK) {
            b->frames[at].number += record->detail | (uint32_t)record->site << 16;
            b->frames[at].chunks += record->id;
            return;
        }
}

static void end_member(struct builder *b, uint32_t id) {
    if (bomp_trace_task_of(b->story, id)->state != ON_STACK)
        return;
    size_t at = b->count;
    while (at-- > 0)
        if (bomp_trace_is_task(b->frames[at].class) && b->frames[at].id == id) {
            close_to(b, at, 0);
            return;
        }
}

/* Classes of the slices that records begin, and of those that they end. A kind may be any number of its bits (lane.h). */
static const uint8_t begins[BOMP_TRACE_KIND_MASK + 1] = {
    [BOMP_TRACE_REGION_BEGIN] = BOMP_TRACE_REGION, [BOMP_TRACE_INITIAL_BEGIN] = BOMP_TRACE_INITIAL,
    [BOMP_TRACE_MEMBER_BEGIN] = BOMP_TRACE_MEMBER, [BOMP_TRACE_SYNC_BEGIN] = BOMP_TRACE_SYNC,
    [BOMP_TRACE_WORK_BEGIN] = BOMP_TRACE_WORK,     [BOMP_TRACE_MASKED_BEGIN] = BOMP_TRACE_MASKED,
    [BOMP_TRACE_WAIT_BEGIN] = BOMP_TRACE_WAIT,     [BOMP_TRACE_HOLD_BEGIN] = BOMP_TRACE_HOLD,
};
static const uint8_t ends[BOMP_TRACE_KIND_MASK + 1] = {
    [BOMP_TRACE_REGION_END] = BOMP_TRACE_REGION, [BOMP_TRACE_SYNC_END] = BOMP_TRACE_SYNC,
    [BOMP_TRACE_WORK_END] = BOMP_TRACE_WORK,     [BOMP_TRACE_MASKED_END] = BOMP_TRACE_MASKED,
    [BOMP_TRACE_WAIT_END] = BOMP_TRACE_WAIT,
};

static void follow(struct builder *b, const struct bomp_trace_record *record) {
    switch (record->kind) {
    case BOMP_TRACE_THREAD_BEGIN:
        close_to(b, 0, BOMP_TRACE_UNFINISHED);
        b->sink->thread(b->sink, bomp_trace_ns(b->story, b->now), record->id, record->detail);
        break;
    case BOMP_TRACE_THREAD_END:
        close_to(b, 0, 0);
        break;
    case BOMP_TRACE_MEMBER_OF:
        member_of(b, record);
        break;
    case BOMP_TRACE_MEMBER_END:
        end_member(b, record->id);
        break;
    case BOMP_TRACE_CREATE:
    case BOMP_TRACE_CREATE_RUN:
        create(b, record);
        break;
    case BOMP_TRACE_SWITCH:
        switch_to(b, record);
        break;
    case BOMP_TRACE_HOLD_END:
        close_between(b, BOMP_TRACE_HOLD, record->detail, record->id);
        break;
    case BOMP_TRACE_DISPATCH:
        begin_chunk(b, record);
        break;
    case BOMP_TRACE_CHUNKS:
        add_chunks(b, record);
        break;
    case BOMP_TRACE_CANCEL:
    case BOMP_TRACE_FULFILL:
        b->sink->moment(b->sink, bomp_trace_ns(b->story, b->now), record->kind, record->id);
        break;
    default: /* AFTER, an edge of the story, does neither */
        if (begins[record->kind])
            open_slice(b, begins[record->kind], record, 0);
        else if (ends[record->kind])
            close_open(b, ends[record->kind], record);
        break;
    }
}

void bomp_trace_slices(struct bomp_trace_story *story, unsigned lane, struct bomp_trace_sink *sink) {
    struct builder b = {.story = story, .sink = sink, .now = story->origin, .lane = (uint16_t)lane};
    struct bomp_trace_walk walk = story->walks[lane];
    const struct bomp_trace_record *record;
    while ((record = bomp_trace_walk_next(&walk))) {
        uint64_t when = record->when < story->end ? record->when : story->end;
        b.now = when > b.now ? when : b.now;
        follow(&b, record);
    }
    if (b.now < story->end && b.count > 0 && bz_load_relaxed(&story->lanes[lane]->dropped) == 0)
        b.now = story->end;
    close_to(&b, 0, BOMP_TRACE_UNFINISHED);
    bz_free(b.frames);
    bz_free(b.parked);
}
