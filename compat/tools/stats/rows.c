/* rows.c: see rows.h. */
#include "tools/stats/rows.h"

#include <stdio.h>
#include <string.h>

#include "tools/common/ending.h"
#include "tools/source/sort.h"

/* The sort key of a place: the time that it takes, by kind. */
static uint64_t weight_of(enum bomp_stats_kind kind, const struct bomp_stats_place *place) {
    switch (kind) {
    case BOMP_STATS_REGIONS:
        return place->counts[BOMP_REGION_WALL].v;
    case BOMP_STATS_TASKS:
        return place->counts[BOMP_TASK_BODY].v;
    case BOMP_STATS_WORKS:
        return place->counts[BOMP_WORK_BUSY].v + place->counts[BOMP_WORK_WAITED].v;
    default:
        return place->counts[BOMP_MUTEX_WAITED].v;
    }
}

static bool comes_before(const void *one, const void *other) {
    const struct bomp_stats_row *a = one, *b = other;
    return a->weight != b->weight ? a->weight > b->weight : a->place->address < b->place->address;
}

static void sort(struct bomp_stats_row *row, unsigned count) {
    bomp_sort(row, count, sizeof *row, comes_before);
}
_Static_assert(sizeof(struct bomp_stats_row) <= BOMP_SORT_MOST, "sorted");

static bool make_rows(struct bomp_stats_rows *rows, enum bomp_stats_kind kind,
                      const struct bomp_stats_places *places) {
    rows->row[kind] = bz_alloc_zero(places->count.v, sizeof *rows->row[kind]);
    if (!rows->row[kind])
        return false;
    for (uint32_t i = 0; i < places->count.v; i++) {
        struct bomp_stats_place *place = bomp_stats_places_at(places, i);
        if (bomp_stats_place_has(places->counted, place))
            rows->row[kind][rows->count[kind]++] =
                (struct bomp_stats_row){.place = place, .weight = weight_of(kind, place)};
    }
    sort(rows->row[kind], rows->count[kind]);
    return true;
}

/* Where a construct is. */
static void name_code(struct bomp_sources *sources, char name[BOMP_ROW_NAME], uintptr_t address) {
    struct bomp_source source = {.line = 0};
    if (address == 0)
        (void)snprintf(name, BOMP_ROW_NAME, "(not known)");
    else if (sources && bomp_source_of_return(sources, (const void *)address, &source))
        (void)bomp_source_print(name, BOMP_ROW_NAME, &source, (const void *)address);
    else
        (void)snprintf(name, BOMP_ROW_NAME, "0x%lx", (unsigned long)address);
}

/* The name of a lock or critical construct; without a name, as for a lock in the heap, its address; without an address of
 * its own, its site. */
static void name_mutex(struct bomp_sources *sources, char name[BOMP_ROW_NAME],
                       const struct bomp_stats_place *place) {
    struct bomp_source source = {.line = 0};
    if (place->sort == BOMP_STATS_ORDERED) {
        name_code(sources, name, place->site.v);
        return;
    }
    bool is_known = sources && bomp_source_of_data(sources, (const void *)place->address, &source);
    if (is_known && source.name[0] != '\0')
        (void)snprintf(name, BOMP_ROW_NAME, "%s", source.name);
    else if (is_known && source.is_critical)
        (void)snprintf(name, BOMP_ROW_NAME, "unnamed");
    else
        (void)snprintf(name, BOMP_ROW_NAME, "0x%lx", (unsigned long)place->address);
}

static void name_rows(struct bomp_stats_rows *rows) {
    struct bomp_sources *sources = bomp_ending_sources();
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        for (unsigned i = 0; i < rows->count[kind]; i++) {
            struct bomp_stats_row *row = &rows->row[kind][i];
            const struct bomp_stats_places *places = &rows->summary->places[kind];
            if (row->place == bomp_stats_places_at(places, 0) && places->refused.v > 0)
                (void)snprintf(row->name, BOMP_ROW_NAME, "(all others)");
            else if (kind == BOMP_STATS_MUTEXES) {
                name_mutex(sources, row->name, row->place);
                name_code(sources, row->site, row->place->site.v);
            } else {
                name_code(sources, row->name, row->place->address);
            }
        }
}

static bool is_same(const struct bomp_stats_row *a, const struct bomp_stats_row *b) {
    return a->place->sort == b->place->sort && strcmp(a->name, b->name) == 0;
}

/* A compiler may make a construct several times, in code that it repeats: people see one. */
static void join_same(struct bomp_stats_rows *rows, enum bomp_stats_kind kind) {
    struct bomp_stats_row *row = rows->row[kind];
    unsigned kept = 0;
    for (unsigned i = 0; i < rows->count[kind]; i++) {
        unsigned first = 0;
        while (first < kept && !is_same(&row[first], &row[i]))
            first++;
        if (first < kept)
            bomp_stats_place_merge(&bomp_stats_counts[kind], row[first].place->counts, row[i].place->counts);
        else
            row[kept++] = row[i];
    }
    rows->count[kind] = kept;
    for (unsigned i = 0; i < kept; i++)
        row[i].weight = weight_of(kind, row[i].place);
    sort(row, kept);
}

bool bomp_stats_rows_make(struct bomp_stats_rows *rows, struct bomp_stats_summary *summary) {
    *rows = (struct bomp_stats_rows){.summary = summary};
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        if (!make_rows(rows, kind, &summary->places[kind])) {
            bomp_stats_rows_free(rows);
            return false;
        }
    name_rows(rows);
    for (unsigned kind = 0; kind < BOMP_STATS_MUTEXES; kind++)
        join_same(rows, kind);
    return true;
}

bool bomp_stats_is_outer(const struct bomp_stats_row *region) {
    uint64_t known = 0;
    for (unsigned state = 0; state < BOMP_STATS_STATES; state++)
        known += bomp_count_of(region, state);
    return bomp_count_of(region, BOMP_REGION_OPENING) > 0 &&
           known < bomp_count_of(region, BOMP_REGION_THREAD_TIME) / 2;
}

void bomp_stats_rows_free(struct bomp_stats_rows *rows) {
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        bz_free(rows->row[kind]);
}
