/* report.c: see report.h. */
#include "tools/stats/report.h"

#include <string.h>

#include "tools/common/dialect.h"

const char *bomp_stats_wait_name(unsigned state) {
    static const char *const names[BOMP_STATS_STATES] = {
        [BOMP_STATS_BARRIER] = "barrier", [BOMP_STATS_CRITICAL] = "critical", [BOMP_STATS_LOCK] = "lock",
        [BOMP_STATS_ORDERED] = "ordered", [BOMP_STATS_DEPEND] = "depend",
    };
    if (state == BOMP_STATS_TASKWAIT)
        return bomp_dialect.sync;
    if (state == BOMP_STATS_TASKGROUP)
        return bomp_dialect.group;
    return state == BOMP_STATS_DEPEND && bomp_dialect.is_native ? "future" : names[state];
}

char *bomp_stats_program(void) {
    return bz_os_read("/proc/self/cmdline"); /* its first argument ends with a null byte */
}

static void save(const struct bomp_text *text, struct bomp_report_file *file) {
    int to = bomp_report_file_open(file);
    if (to >= 0)
        bomp_report_file_close(file, bomp_text_write(text, to));
}

bool bomp_stats_report_text(struct bomp_text *text, struct bomp_stats_summary *summary, bool is_json) {
    struct bomp_stats_rows rows;
    struct bomp_stats_hints hints;
    if (!bomp_stats_rows_make(&rows, summary))
        return false;
    bomp_stats_hints_make(&hints, &rows);
    (is_json ? bomp_stats_json : bomp_stats_table)(text, &rows, &hints);
    bomp_stats_hints_free(&hints);
    bomp_stats_rows_free(&rows);
    return true;
}

void bomp_stats_report(struct bomp_stats_summary *summary, struct bomp_report_file *file) {
    struct bomp_text text = {0};
    if (!bomp_stats_report_text(&text, summary, file))
        bz_warn("BLITZ_STATS: out of memory; no report is written");
    else if (file)
        save(&text, file);
    else
        bz_error_write(text.bytes, text.length);
    bomp_text_free(&text);
}
