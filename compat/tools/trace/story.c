/* story.c: see slices.h: gathers the records of all lanes. */
#include "tools/trace/slices.h"

/* Updates the task from a record with its id. */
static void learn(struct bomp_trace_task *task, const struct bomp_trace_record *record, unsigned lane) {
    enum bomp_trace_kind kind = record->kind;
    bool runs = kind == BOMP_TRACE_SWITCH || kind == BOMP_TRACE_CREATE_RUN;
    if (kind == BOMP_TRACE_CREATE || kind == BOMP_TRACE_CREATE_RUN) {
        task->created = record->when;
        task->creator = (uint16_t)lane;
        task->site = record->site;
        task->detail = (uint8_t)record->detail;
    }
    if (runs && task->started == 0) {
        task->started = record->when;
        task->runner = (uint16_t)lane;
    }
    if (kind == BOMP_TRACE_CANCEL && record->id != 0)
        task->ended = record->when;
}

static bool has_id(enum bomp_trace_kind kind) {
    return kind == BOMP_TRACE_CREATE || kind == BOMP_TRACE_CREATE_RUN || kind == BOMP_TRACE_SWITCH ||
           kind == BOMP_TRACE_MEMBER_BEGIN || kind == BOMP_TRACE_INITIAL_BEGIN || kind == BOMP_TRACE_CANCEL;
}

/* All edges, `count` at most. */
static void find_edges(struct bomp_trace_story *story, size_t count) {
    story->edges = count > 0 ? bz_os_alloc(count * sizeof *story->edges) : NULL;
    story->edge_room = story->edges ? count : 0;
    for (unsigned lane = 0; lane < story->lane_count && story->edges; lane++) {
        struct bomp_trace_walk walk = story->walks[lane];
        const struct bomp_trace_record *record;
        uint32_t created = 0;
        while ((record = bomp_trace_walk_next(&walk)))
            if (record->kind == BOMP_TRACE_CREATE || record->kind == BOMP_TRACE_CREATE_RUN)
                created = record->id;
            else if (record->kind == BOMP_TRACE_AFTER && story->edge_count < count)
                story->edges[story->edge_count++] = (struct bomp_trace_edge){record->id, created};
    }
}

/* Finds the lanes by their numbers, the greatest id and the number of edges. Lanes beyond 16 bits are dropped. */
static uint32_t find_lanes(struct bomp_trace_story *story, size_t *edges) {
    uint32_t greatest = 0;
    struct bomp_trace_lane *lane = bz_load_acquire(&bomp_trace_lanes.newest); /* TL4: pairs with TL3 */
    for (; lane; lane = lane->next) {
        struct bomp_trace_walk walk;
        bomp_trace_walk_begin(&walk, lane);
        story->dropped += bz_load_relaxed(&lane->dropped);
        bool has_room = lane->number < sizeof story->lanes / sizeof *story->lanes;
        if (has_room) {
            story->lanes[lane->number] = lane;
            story->walks[lane->number] = walk;
            story->lane_count = lane->number >= story->lane_count ? lane->number + 1 : story->lane_count;
        }
        const struct bomp_trace_record *record;
        while ((record = bomp_trace_walk_next(&walk))) {
            story->records += has_room;
            story->dropped += !has_room;
            *edges += has_room && record->kind == BOMP_TRACE_AFTER;
            if (has_room && has_id(record->kind))
                greatest = record->id > greatest ? record->id : greatest;
        }
    }
    return greatest;
}

struct bomp_trace_story *bomp_trace_story_new(void) {
    struct bomp_trace_story *story = bz_os_alloc(sizeof *story);
    if (!story)
        return NULL;
    bz_store_relaxed(&bomp_trace_lanes.is_written, true);
    story->origin = bomp_ticks_origin();
    story->end = bomp_ticks();
    story->ns_per_tick = bomp_ns_per_tick();
    size_t edges = 0;
    story->task_count = (size_t)find_lanes(story, &edges) + 1;
    story->tasks = bz_os_alloc(story->task_count * sizeof *story->tasks);
    if (!story->tasks) {
        bz_os_free(story, sizeof *story);
        return NULL;
    }
    for (unsigned lane = 0; lane < story->lane_count; lane++) {
        struct bomp_trace_walk walk = story->walks[lane];
        const struct bomp_trace_record *record;
        while ((record = bomp_trace_walk_next(&walk)))
            if (has_id(record->kind))
                learn(bomp_trace_task_of(story, record->id), record, lane);
    }
    find_edges(story, edges);
    return story;
}

void bomp_trace_story_free(struct bomp_trace_story *story) {
    bz_os_free(story->edges, story->edge_room * sizeof *story->edges);
    bz_os_free(story->tasks, story->task_count * sizeof *story->tasks);
    bz_os_free(story, sizeof *story);
}
