/* report.c: see report.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "tools/stats/report.h"

#include <string.h>

#include "tools/common/report_path.h"

const char *const bomp_stats_wait_names[BOMP_STATS_STATES] = {
    [BOMP_STATS_BARRIER] = "barrier",     [BOMP_STATS_TASKWAIT] = "taskwait",
    [BOMP_STATS_TASKGROUP] = "taskgroup", [BOMP_STATS_CRITICAL] = "critical",
    [BOMP_STATS_LOCK] = "lock",           [BOMP_STATS_ORDERED] = "ordered",
    [BOMP_STATS_DEPEND] = "depend",
};

char *bomp_stats_program(void) {
    return bz_os_read("/proc/self/cmdline"); /* its first argument ends with a null byte */
}

static void save(const struct bomp_text *text, const char *file, bool is_child) {
    char *path = bomp_report_path(file, is_child);
    int error = path ? bomp_text_save(text, path) : -1;
    if (error != 0)
        bz_warn("BLITZ_STATS: cannot write \"%s\" (%s)", path ? path : file,
                error > 0 ? strerrordesc_np(error) : "no memory");
    bz_free(path);
}

bool bomp_stats_report_text(struct bomp_text *text, struct bomp_stats_summary *summary) {
    struct bomp_stats_rows rows;
    struct bomp_stats_hints hints;
    if (!bomp_stats_rows_make(&rows, summary))
        return false;
    bomp_stats_hints_make(&hints, summary, &rows);
    bomp_stats_table(text, summary, &rows, &hints);
    bomp_stats_hints_free(&hints);
    bomp_stats_rows_free(&rows);
    return text->bytes && !text->is_cut;
}

void bomp_stats_report(struct bomp_stats_summary *summary, const char *file, bool is_child) {
    struct bomp_stats_rows rows;
    struct bomp_stats_hints hints;
    struct bomp_text text = {0};
    if (!bomp_stats_rows_make(&rows, summary)) {
        bz_warn("BLITZ_STATS: no memory for the statistics");
        return;
    }
    bomp_stats_hints_make(&hints, summary, &rows);
    if (file) {
        bomp_stats_json(&text, summary, &rows, &hints);
        save(&text, file, is_child);
    } else {
        bomp_stats_table(&text, summary, &rows, &hints);
        bz_error_write(text.bytes, text.length);
    }
    bomp_text_free(&text);
    bomp_stats_hints_free(&hints);
    bomp_stats_rows_free(&rows);
}
