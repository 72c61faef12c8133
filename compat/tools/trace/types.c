/* types.c: see types.h. */
#include "tools/trace/types.h"

#include <string.h>

#include "omp-tools.h"
#include "tools/common/dialect.h"
#include "tools/common/work_name.h"
#include "tools/trace/lane.h"

unsigned bomp_trace_types_number(struct bomp_trace_types *types, struct bomp_trace_type type) {
    uint64_t key = (uint64_t)type.class | (uint64_t)type.detail << 8 | (uint64_t)type.site << 16 |
                   (uint64_t)type.lock << 32;
    unsigned slot = (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 51);
    _Static_assert(2 * BOMP_TRACE_TYPES_MOST == 1u << 13, "the hash has 13 bits");
    for (; types->slots[slot]; slot = (slot + 1) % (2 * BOMP_TRACE_TYPES_MOST)) {
        struct bomp_trace_type *there = &types->types[types->slots[slot]];
        if (there->class == type.class && there->detail == type.detail && there->site == type.site &&
            there->lock == type.lock)
            return types->slots[slot];
    }
    if (types->count == 0)
        types->count = 1;
    if (type.lock && types->count > BOMP_TRACE_TYPES_MOST / 2) {
        type.lock = 0;
        return bomp_trace_types_number(types, type);
    }
    if (types->count == BOMP_TRACE_TYPES_MOST)
        return 0;
    types->types[types->count] = type;
    types->slots[slot] = (uint16_t)types->count;
    return types->count++;
}

static const char *sync_word(unsigned kind) {
    static const char *const words[] = {
        [ompt_sync_region_barrier_explicit] = "barrier",
        [ompt_sync_region_barrier_implementation] = "barrier of the runtime",
        [ompt_sync_region_reduction] = "reduction",
        [ompt_sync_region_barrier_implicit_parallel] = "barrier at the region's end",
        [ompt_sync_region_barrier_teams] = "barrier of teams",
    };
    const char *word = kind == ompt_sync_region_taskwait     ? bomp_dialect.sync
                       : kind == ompt_sync_region_taskgroup  ? bomp_dialect.group
                       : kind == BOMP_TRACE_AWAIT            ? "future"
                       : kind < sizeof words / sizeof *words ? words[kind]
                                                             : NULL;
    return word ? word : "implicit barrier";
}

static const char *lock_word(unsigned kind, bool waits) {
    switch (kind) {
    case ompt_mutex_critical:
        return waits ? "wait for critical" : "critical";
    case ompt_mutex_atomic:
        return waits ? "wait for atomic" : "atomic";
    case ompt_mutex_ordered:
        return waits ? "wait for ordered" : "ordered";
    default:
        return waits ? "wait for lock" : "lock held";
    }
}

const char *bomp_trace_type_word(struct bomp_trace_type type) {
    static const char *const words[] = {
        [BOMP_TRACE_OTHER] = "other",
        [BOMP_TRACE_INITIAL] = "initial task",
        [BOMP_TRACE_REGION] = "parallel region",
        [BOMP_TRACE_MEMBER] = "implicit task",
        [BOMP_TRACE_TASK] = "task",
        [BOMP_TRACE_MASKED] = "masked",
        [BOMP_TRACE_CHUNK] = "chunk",
    };
    switch (type.class) {
    case BOMP_TRACE_SYNC:
        return sync_word(type.detail);
    case BOMP_TRACE_WORK:
        return bomp_work_name(type.detail);
    case BOMP_TRACE_WAIT:
    case BOMP_TRACE_HOLD:
        return lock_word(type.detail, type.class == BOMP_TRACE_WAIT);
    default:
        return words[type.class];
    }
}

static void add(struct bomp_trace_place *place, const char *text) {
    size_t length = strlen(place->text);
    size_t more = strlen(text);
    if (length + more < sizeof place->text)
        memcpy(place->text + length, text, more + 1);
}

/* Whether this is code of ours. A tail call returns to the caller's caller. */
static bool is_ours(const struct bomp_source *source, struct bomp_sources *sources) {
    struct bomp_source ours = {0};
    return bomp_source_of_code(sources, (const void *)(uintptr_t)is_ours, &ours) &&
           strcmp(ours.module, source->module) == 0;
}

void bomp_trace_type_place(struct bomp_trace_place *place, struct bomp_trace_type type,
                           struct bomp_sources *sources) {
    const void *lock = bomp_trace_table_address(bomp_trace_lanes.locks, type.lock);
    const void *code = bomp_trace_table_address(bomp_trace_lanes.sites, type.site);
    place->text[0] = '\0';
    place->path = "";
    place->line = 0;
    if (lock && bomp_source_of_data(sources, lock, &place->source))
        add(place, place->source.name);
    if (!code)
        return;
    place->source = (struct bomp_source){0};
    if (bomp_source_of_return(sources, code, &place->source) && is_ours(&place->source, sources))
        return;
    add(place, place->text[0] ? " " : "");
    size_t length = strlen(place->text);
    (void)bomp_source_print(place->text + length, sizeof place->text - length, &place->source, code);
    place->path = place->source.path;
    place->line = place->source.line;
}
