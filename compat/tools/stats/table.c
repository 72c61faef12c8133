/* table.c: statistics as a table for people. */
#include <string.h>

#include "tools/common/dialect.h"
#include "tools/common/report_path.h"
#include "tools/common/work_name.h"
#include "tools/stats/report.h"

#define ROWS_MOST 12 /* of each kind, those with the most time */
#define NAME_WIDTH 34
#define COLUMN_WIDTH 11
#define HINT_WIDTH 110

typedef unsigned long long number;

/* Appends a right-aligned cell and frees it; columns count from 1. */
static void align(struct bomp_text *text, struct bomp_text *cell, unsigned column) {
    size_t end = NAME_WIDTH + column * COLUMN_WIDTH;
    bomp_text_column(text, end > cell->length ? end - cell->length : 0);
    bomp_text_add(text, cell->bytes ? cell->bytes : "", cell->length);
    bomp_text_free(cell);
}

static void cell_number(struct bomp_text *text, unsigned column, uint64_t value) {
    struct bomp_text cell = {0};
    bomp_text_printf(&cell, "%llu", (number)value);
    align(text, &cell, column);
}

static void cell_time(struct bomp_text *text, unsigned column, uint64_t ns) {
    struct bomp_text cell = {0};
    bomp_stats_print_time(&cell, ns);
    align(text, &cell, column);
}

static void cell_percent(struct bomp_text *text, unsigned column, uint64_t a, uint64_t b) {
    struct bomp_text cell = {0};
    bomp_text_printf(&cell, b > 0 ? "%llu %%" : "-", (number)((bomp_stats_per_mille(a, b) + 5) / 10));
    align(text, &cell, column);
}

static void cell_ratio(struct bomp_text *text, unsigned column, uint64_t a, uint64_t b, unsigned decimals) {
    struct bomp_text cell = {0};
    if (b > 0)
        bomp_text_fixed(&cell, bomp_stats_per_mille(a, b), 3, decimals);
    else
        bomp_text_printf(&cell, "-");
    align(text, &cell, column);
}

static void heads(struct bomp_text *text, const char *title, const char *const *names) {
    bomp_text_printf(text, "\n%s", title);
    for (unsigned column = 1; *names; names++, column++) {
        struct bomp_text cell = {0};
        bomp_text_printf(&cell, "%s", *names);
        align(text, &cell, column);
    }
    bomp_text_printf(text, "\n");
}

static void region_row(struct bomp_text *text, const struct bomp_stats_rows *rows,
                       const struct bomp_stats_row *row) {
    uint64_t calls = bomp_count_of(row, BOMP_REGION_CALLS), wall = bomp_count_of(row, BOMP_REGION_WALL);
    uint64_t time = bomp_count_of(row, BOMP_REGION_THREAD_TIME);
    bool is_outer = bomp_stats_is_outer(row);
    cell_number(text, 1, calls);
    cell_time(text, 2, wall);
    cell_percent(text, 3, wall, rows->summary->wall);
    cell_ratio(text, 4, bomp_count_of(row, BOMP_REGION_THREADS), calls, 1);
    cell_percent(text, 5, bomp_count_of(row, BOMP_REGION_BUSY), is_outer ? 0 : time);
    cell_ratio(text, 6, bomp_count_of(row, BOMP_REGION_BUSIEST),
               is_outer ? 0 : bomp_count_of(row, BOMP_REGION_MEAN), 2);
    cell_percent(text, 7, bomp_count_of(row, BOMP_REGION_BARRIER), time);
}

static void work_row(struct bomp_text *text, const struct bomp_stats_rows *rows,
                     const struct bomp_stats_row *row) {
    uint64_t chunks = bomp_count_of(row, BOMP_WORK_CHUNKS), busy = bomp_count_of(row, BOMP_WORK_BUSY);
    (void)rows;
    cell_number(text, 1, bomp_count_of(row, BOMP_WORK_ENTERED));
    cell_number(text, 2, chunks);
    cell_time(text, 3, busy);
    cell_time(text, 4, chunks > 0 ? busy / chunks : 0);
    cell_time(text, 5, bomp_count_of(row, BOMP_WORK_WAITED));
    bomp_text_printf(text, "  %s", bomp_work_name(row->place->sort));
}

static void task_row(struct bomp_text *text, const struct bomp_stats_rows *rows,
                     const struct bomp_stats_row *row) {
    uint64_t created = bomp_count_of(row, BOMP_TASK_CREATED), at_once = bomp_count_of(row, BOMP_TASK_AT_ONCE);
    uint64_t ended = bomp_count_of(row, BOMP_TASK_ENDED), body = bomp_count_of(row, BOMP_TASK_BODY);
    (void)rows;
    cell_number(text, 1, created);
    cell_number(text, 2, at_once);
    cell_number(text, 3, created > at_once ? created - at_once : 0);
    cell_number(text, 4, bomp_count_of(row, BOMP_TASK_STOLEN));
    cell_number(text, 5, bomp_count_of(row, BOMP_TASK_SUSPENDED));
    cell_time(text, 6, ended > 0 ? body / ended : 0);
    cell_time(text, 7, bomp_count_of(row, BOMP_TASK_LONGEST));
    cell_time(text, 8, body);
}

static void mutex_row(struct bomp_text *text, const struct bomp_stats_rows *rows,
                      const struct bomp_stats_row *row) {
    const char *name = bomp_stats_wait_name(row->place->sort % BOMP_STATS_STATES);
    (void)rows;
    cell_number(text, 1, bomp_count_of(row, BOMP_MUTEX_ACQUIRED));
    cell_time(text, 2, bomp_count_of(row, BOMP_MUTEX_WAITED));
    cell_time(text, 3, bomp_count_of(row, BOMP_MUTEX_LONGEST));
    bomp_text_printf(text, "  %s", name ? name : "");
    if (row->place->site.v != 0 && row->place->sort != BOMP_STATS_ORDERED)
        bomp_text_printf(text, " at %s", row->site);
}

/* A long name has a line of its own. */
static void print_name(struct bomp_text *text, const char *name) {
    bool is_long = strlen("  ") + strlen(name) > NAME_WIDTH + 1;
    bomp_text_printf(text, "  %s%s", name, is_long ? "\n" : "");
}

static void list(struct bomp_text *text, enum bomp_stats_kind kind, const struct bomp_stats_rows *rows,
                 const char *title, const char *const *names,
                 void (*print)(struct bomp_text *, const struct bomp_stats_rows *,
                               const struct bomp_stats_row *)) {
    unsigned count = rows->count[kind], listed = count < ROWS_MOST ? count : ROWS_MOST;
    uint64_t refused = rows->summary->places[kind].refused.v;
    if (count == 0)
        return;
    heads(text, title, names);
    for (unsigned i = 0; i < listed; i++) {
        print_name(text, rows->row[kind][i].name);
        print(text, rows, &rows->row[kind][i]);
        bomp_text_printf(text, "\n");
    }
    if (listed < count)
        bomp_text_printf(text, "  and %u more (all of them: BLITZ_STATS=FILE.json)\n", count - listed);
    if (refused > 0)
        bomp_text_printf(text,
                         "  \"(all others)\": the table holds %d places; %llu times it was another one\n",
                         BOMP_STATS_PLACES_MAX - 1, (number)refused);
}

static void waits(struct bomp_text *text, const struct bomp_stats_summary *summary) {
    static const char *const names[] = {"count", "total", "longest", NULL};
    bool is_first = true;
    for (unsigned state = 0; state < BOMP_STATS_STATES; state++) {
        const struct bz_a64 *count = summary->waits[state];
        if (!bomp_stats_wait_name(state) || count[BOMP_WAIT_COUNT].v == 0)
            continue;
        if (is_first)
            heads(text, "waiting", names);
        is_first = false;
        bomp_text_printf(text, "  %s", bomp_stats_wait_name(state));
        cell_number(text, 1, count[BOMP_WAIT_COUNT].v);
        cell_time(text, 2, count[BOMP_WAIT_TOTAL].v);
        cell_time(text, 3, count[BOMP_WAIT_LONGEST].v);
        bomp_text_printf(text, "\n");
    }
}

static void head(struct bomp_text *text, const struct bomp_stats_summary *summary) {
    char *program = bomp_stats_program();
    const char *slash = program ? strrchr(program, '/') : NULL;
    bomp_text_printf(text, "%s: statistics of %s, process %u", bomp_dialect.title,
                     slash     ? slash + 1
                     : program ? program
                               : "the program",
                     bz_os_process_id());
    if (bomp_mpi_rank() >= 0)
        bomp_text_printf(text, ", rank %ld", bomp_mpi_rank());
    bomp_text_printf(text, "\n  wall time of the process ");
    bomp_stats_print_time(text, summary->wall);
    bomp_text_printf(text, ", CPU time ");
    bomp_stats_print_time(text, summary->cpu);
    bomp_text_printf(text, " (");
    bomp_text_fixed(text, bomp_stats_per_mille(summary->cpu, summary->wall), 3, 2);
    bomp_text_printf(text, " CPUs of %u)", summary->cpus);
    if (!bomp_dialect.is_native) {
        bomp_text_printf(text, ", outside of parallel regions ");
        bomp_stats_print_time(text, summary->serial);
        bomp_text_printf(text, " (%llu %%)",
                         (number)((bomp_stats_per_mille(summary->serial, summary->wall) + 5) / 10));
    }
    bomp_text_printf(text, "\n");
    if (summary->throttled > 0) {
        bomp_text_printf(text, "  its CPU quota kept threads from CPUs for ");
        bomp_stats_print_time(text, summary->throttled);
        bomp_text_printf(text, "\n");
    }
    bz_free(program);
}

struct pools {
    struct bomp_text *text;
    bool any;
};

static void pool(const char *line, void *arg) {
    struct pools *pools = arg;
    bomp_text_printf(pools->text, pools->any ? "  %s\n" : "\npools\n  %s\n", line);
    pools->any = true;
}

/* A hint, in lines of at most HINT_WIDTH. */
static void hint_lines(struct bomp_text *text, const char *words) {
    size_t width = 4;
    bomp_text_printf(text, "  * ");
    for (bool is_first = true; *words; is_first = false) {
        size_t length = strcspn(words, " ");
        if (!is_first && width + 1 + length > HINT_WIDTH) {
            bomp_text_printf(text, "\n    ");
            width = 4;
        } else if (!is_first) {
            bomp_text_printf(text, " ");
            width++;
        }
        bomp_text_add(text, words, length);
        width += length;
        words += length + strspn(words + length, " ");
    }
    bomp_text_printf(text, "\n");
}

void bomp_stats_table(struct bomp_text *text, const struct bomp_stats_rows *rows,
                      const struct bomp_stats_hints *hints) {
    static const char *const of_region[] = {"calls",      "time",      "of wall",  "threads",
                                            "efficiency", "imbalance", "barriers", NULL};
    static const char *const of_work[] = {"entered", "chunks", "busy", "each chunk", "waited", NULL};
    static const char *const of_task[] = {"created", "at once", "queued", "stolen", "suspended",
                                          "mean",    "longest", "total",  NULL};
    static const char *const of_mutex[] = {"acquired", "waited", "longest", NULL};
    head(text, rows->summary);
    list(text, BOMP_STATS_REGIONS, rows, "parallel regions", of_region, region_row);
    list(text, BOMP_STATS_WORKS, rows, "loops, sections, singles", of_work, work_row);
    list(text, BOMP_STATS_TASKS, rows, "tasks", of_task, task_row);
    waits(text, rows->summary);
    list(text, BOMP_STATS_MUTEXES, rows, "critical constructs and locks", of_mutex, mutex_row);
    bomp_dialect_each_pool(pool, &(struct pools){text, false});
    if (hints->count > 0)
        bomp_text_printf(text, "\nhints\n");
    for (unsigned i = 0; i < hints->count; i++)
        hint_lines(text, hints->hint[i].text.bytes ? hints->hint[i].text.bytes : "");
    if (text->is_cut)
        bz_warn("BLITZ_STATS: out of memory; the table is incomplete");
}
