/* json.c: statistics as JSON. README.md describes the keys. */
#include "tools/common/dialect.h"
#include "tools/common/report_path.h"
#include "tools/common/work_name.h"
#include "tools/source/spawned.h"
#include "tools/stats/report.h"

#define FORMAT_VERSION 1

typedef unsigned long long number;

/* A bit in `unknown` makes that count null. */
static void counts(struct bomp_text *text, const struct bomp_stats_counts *counted,
                   const struct bz_a64 *count, uint64_t unknown) {
    for (unsigned c = 0; c < counted->count; c++) {
        bomp_text_printf(text, ", \"%s%s\": ", counted->of[c].key,
                         counted->of[c].unit == BOMP_STATS_TIME ? "_ns" : "");
        bomp_text_printf(text, unknown >> c & 1 ? "null" : "%llu", (number)count[c].v);
    }
}

static void address(struct bomp_text *text, const char *key, uintptr_t value) {
    bomp_text_printf(text, "\"%s\": \"0x%lx\"", key, (unsigned long)value);
}

static void row(struct bomp_text *text, enum bomp_stats_kind kind, const struct bomp_stats_row *row) {
    bomp_text_printf(text, "    {\"place\": ");
    bomp_text_json(text, row->name);
    bomp_text_printf(text, ", ");
    address(text, "address", (uintptr_t)bomp_spawned_site((const void *)row->place->address));
    if (kind == BOMP_STATS_WORKS)
        bomp_text_printf(text, ", \"kind\": \"%s\"", bomp_work_name(row->place->sort));
    if (kind == BOMP_STATS_MUTEXES) {
        const char *name = bomp_stats_wait_name(row->place->sort % BOMP_STATS_STATES);
        bomp_text_printf(text, ", \"kind\": \"%s\", \"site\": ", name ? name : "");
        bomp_text_json(text, row->site);
    }
    bool is_outer = kind == BOMP_STATS_REGIONS && bomp_stats_is_outer(row);
    counts(text, &bomp_stats_counts[kind], row->place->counts,
           is_outer ? UINT64_C(1) << BOMP_REGION_BUSIEST | UINT64_C(1) << BOMP_REGION_MEAN : 0);
    bomp_text_printf(text, "}");
}

static void list(struct bomp_text *text, const char *key, enum bomp_stats_kind kind,
                 const struct bomp_stats_rows *rows) {
    bomp_text_printf(text, "  \"%s\": [", key);
    for (unsigned i = 0; i < rows->count[kind]; i++) {
        bomp_text_printf(text, i > 0 ? ",\n" : "\n");
        row(text, kind, &rows->row[kind][i]);
    }
    bomp_text_printf(text, rows->count[kind] > 0 ? "\n  ],\n" : "],\n");
}

static void waits(struct bomp_text *text, const struct bomp_stats_summary *summary) {
    bool is_first = true;
    bomp_text_printf(text, "  \"waits\": [");
    for (unsigned state = 0; state < BOMP_STATS_STATES; state++) {
        if (!bomp_stats_wait_name(state) || summary->waits[state][BOMP_WAIT_COUNT].v == 0)
            continue;
        bomp_text_printf(text, "%s    {\"kind\": \"%s\"", is_first ? "\n" : ",\n",
                         bomp_stats_wait_name(state));
        counts(text, &bomp_stats_counts[BOMP_STATS_WAITS], summary->waits[state], 0);
        bomp_text_printf(text, "}");
        is_first = false;
    }
    bomp_text_printf(text, is_first ? "],\n" : "\n  ],\n");
}

struct pools {
    struct bomp_text *text;
    bool any;
};

static void pool(const char *line, void *arg) {
    struct pools *pools = arg;
    bomp_text_printf(pools->text, pools->any ? ",\n    " : "  \"pools\": [\n    ");
    bomp_text_json(pools->text, line);
    pools->any = true;
}

static void list_pools(struct bomp_text *text) {
    struct pools pools = {text, false};
    bomp_dialect_each_pool(pool, &pools);
    if (pools.any)
        bomp_text_printf(text, "\n  ],\n");
}

static void head(struct bomp_text *text, const struct bomp_stats_summary *summary) {
    static const char *const kinds[BOMP_STATS_WAITS] = {"regions", "tasks", "work", "mutexes"};
    char *program = bomp_stats_program();
    bomp_text_printf(text, "{\n  \"format\": %d,\n  \"program\": ", FORMAT_VERSION);
    bomp_text_json(text, program ? program : "");
    bomp_text_printf(text, ",\n  \"pid\": %u,\n  \"rank\": ", bz_os_process_id());
    bomp_text_printf(text, bomp_mpi_rank() >= 0 ? "%ld" : "null", bomp_mpi_rank());
    bomp_text_printf(text, ",\n  \"cpus\": %u,\n  \"threads\": %u,\n", summary->cpus, summary->tables);
    bomp_text_printf(text, "  \"wall_ns\": %llu,\n  \"cpu_ns\": %llu,\n  \"serial_ns\": %llu,\n",
                     (number)summary->wall, (number)summary->cpu, (number)summary->serial);
    bomp_text_printf(
        text, summary->delayed != UINT64_MAX ? "  \"delayed_ns\": %llu,\n" : "  \"delayed_ns\": null,\n",
        (number)summary->delayed);
    bomp_text_printf(text, "  \"throttled_ns\": %llu,\n", (number)summary->throttled);
    bomp_text_printf(text, "  \"left_out\": {");
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        bomp_text_printf(text, "%s\"%s\": %llu", kind > 0 ? ", " : "", kinds[kind],
                         (number)summary->places[kind].refused.v);
    bomp_text_printf(text, "},\n");
    bz_free(program);
}

void bomp_stats_json(struct bomp_text *text, const struct bomp_stats_rows *rows,
                     const struct bomp_stats_hints *hints) {
    head(text, rows->summary);
    list(text, "regions", BOMP_STATS_REGIONS, rows);
    list(text, "work", BOMP_STATS_WORKS, rows);
    list(text, "tasks", BOMP_STATS_TASKS, rows);
    list(text, "mutexes", BOMP_STATS_MUTEXES, rows);
    waits(text, rows->summary);
    list_pools(text);
    bomp_text_printf(text, "  \"hints\": [");
    for (unsigned i = 0; i < hints->count; i++) {
        bomp_text_printf(text, "%s    {\"about\": \"%s\", \"text\": ", i > 0 ? ",\n" : "\n",
                         hints->hint[i].about);
        bomp_text_json(text, hints->hint[i].text.bytes ? hints->hint[i].text.bytes : "");
        bomp_text_printf(text, "}");
    }
    bomp_text_printf(text, hints->count > 0 ? "\n  ]\n}\n" : "]\n}\n");
}
