/* report.c: the report of a hang: barriers with their missing members, waits of threads and suspended tasks, tasks that
 * have not begun, events, and a cycle of waits. It is written in one piece, unless something moved meanwhile. */
#include <string.h>

#include "tools/common/dialect.h"

#include "tools/watchdog/phrase.h"
#include "tools/watchdog/scene.h"
#include "tools/watchdog/watchdog.h"

/* Limit of lines of one kind; another line counts the rest. */
#define LINES_MOST 40

/* Limit of tasks in these lines: finding the reason of a wait takes a scan of all tasks. */
#define TASKS_MOST 1000

struct report {
    struct bomp_text text;
    struct bomp_hang_phrases phrases;
    struct bomp_hang_scene scene;
};

#define say(report, ...) bomp_text_printf(&(report)->text, __VA_ARGS__)

static bool is_member(const struct bomp_hang_item *item) {
    return bz_load_relaxed(&item->state) == BOMP_HANG_IMPLICIT;
}

static bool is_explicit(const struct bomp_hang_item *item) {
    uint32_t state = bz_load_relaxed(&item->state);
    return state == BOMP_HANG_CREATED || state == BOMP_HANG_BEGUN || state == BOMP_HANG_DETACHED;
}

static void say_more(struct report *report, unsigned count, const char *what) {
    if (count > LINES_MOST)
        say(report, "  and %u more %s\n", count - LINES_MOST, what);
}

/* ---- barriers: a line for each, with the missing members ---- */

static bool is_same_barrier(const struct bomp_hang_item *one, const struct bomp_hang_item *other) {
    return bz_load_relaxed(&one->team.item) == bz_load_relaxed(&other->team.item) &&
           bz_load_relaxed(&one->wait.kind) == bz_load_relaxed(&other->wait.kind) &&
           (bz_load_relaxed(&one->wait.kind) == BOMP_HANG_REGION_END ||
            bz_load_relaxed(&one->wait.where) == bz_load_relaxed(&other->wait.where));
}

static bool is_live_member(const struct bomp_hang_item *item, const struct bomp_hang_item *team) {
    return is_member(item) && bomp_hang_refers(&item->team, team);
}

/* Members at the same barrier, if this one is the first of them; else 0. */
static unsigned count_at(const struct report *report, const struct bomp_hang_item *member,
                         const struct bomp_hang_item *team) {
    unsigned count = 0;
    for (size_t i = 0; i < report->scene.count; i++) {
        const struct bomp_hang_item *other = report->scene.items[i];
        if (!is_live_member(other, team) || !bomp_hang_is_at_barrier(other) ||
            !is_same_barrier(member, other))
            continue;
        if (count++ == 0 && other != member)
            return 0;
    }
    return count;
}

static void say_missing(struct report *report, const struct bomp_hang_item *team) {
    unsigned known = 0, missing = 0;
    for (size_t i = 0; i < report->scene.count; i++) {
        const struct bomp_hang_item *member = report->scene.items[i];
        if (!is_live_member(member, team))
            continue;
        known++;
        if (bomp_hang_is_at_barrier(member) || ++missing > LINES_MOST)
            continue;
        say(report, missing == 1 ? "; missing: " : ", ");
        bomp_hang_say_task(&report->phrases, member);
    }
    uint32_t size = bz_load_relaxed(&team->size);
    if (missing > LINES_MOST)
        say(report, " and %u more", missing - LINES_MOST);
    if (size > known)
        say(report, "; %u of them not begun, or gone from the region", size - known);
}

static void say_barriers(struct report *report) {
    for (size_t i = 0; i < report->scene.count; i++) {
        const struct bomp_hang_item *member = report->scene.items[i];
        const struct bomp_hang_item *team = is_member(member) ? bomp_hang_referred(&member->team) : NULL;
        if (!team || !bomp_hang_is_at_barrier(member))
            continue;
        unsigned count = count_at(report, member, team);
        if (count == 0)
            continue;
        say(report, "  ");
        bomp_hang_say_wait(&report->phrases, member);
        say(report, ": %u of %u members", count, bz_load_relaxed(&team->size));
        bomp_hang_say_for(&report->phrases, bz_load_relaxed(&member->wait.since));
        say_missing(report, team);
        say(report, "\n");
    }
}

/* ---- threads, and tasks that wait under others ---- */

static void say_held(struct report *report, const struct bomp_hang_thread *thread) {
    for (int i = 0; i < BOMP_HANG_HELD; i++) {
        const struct bomp_hang_held *held = &thread->held[i];
        if (bz_load_relaxed(&held->object) == 0 || bz_load_relaxed(&held->kind) == BOMP_HANG_ATOMIC)
            continue;
        say(report, "    holds ");
        bomp_hang_say_lock(&report->phrases, bz_load_relaxed(&held->kind), bz_load_relaxed(&held->object));
        say(report, ", taken at ");
        bomp_hang_say_place(&report->phrases, bz_load_relaxed(&held->where));
        bomp_hang_say_since(&report->phrases, bz_load_relaxed(&held->since));
        say(report, "\n");
    }
}

static void say_threads(struct report *report) {
    unsigned count = 0;
    for (size_t i = 0; i < report->scene.thread_count; i++) {
        const struct bomp_hang_thread *thread = report->scene.threads[i];
        enum bomp_hang_standing standing = bomp_hang_standing(thread);
        const struct bomp_hang_item *task = bz_load_relaxed(&thread->current);
        bool is_said =
            standing == BOMP_HANG_WAITS && task && is_member(task) && bomp_hang_is_at_barrier(task);
        if (standing == BOMP_HANG_IDLE || !task || is_said || ++count > LINES_MOST)
            continue;
        say(report, "  thread %u (LWP %u), in ", thread->number, bz_load_relaxed(&thread->system_id));
        bomp_hang_say_task_only(&report->phrases, task);
        say(report, ": ");
        bomp_hang_say_state(&report->phrases, task);
        say(report, "\n");
        say_held(report, thread);
    }
    say_more(report, count, "threads");
}

/* ---- tasks ---- */

static void say_depends(struct report *report, const struct bomp_hang_item *task) {
    struct bomp_hang_reason reasons[4];
    size_t count = bomp_hang_reasons(&report->scene, task, reasons, 4);
    say(report, count > 0 ? ", not begun: waits for " : ", not begun: ready, and no thread takes it");
    for (size_t i = 0; i < count; i++) {
        const struct bomp_hang_item *other = reasons[i].other;
        say(report, i > 0 ? ", " : "");
        if (other)
            bomp_hang_say_task(&report->phrases, other);
        say(report, " (");
        bomp_hang_say_depend(&report->phrases, task, reasons[i].depend);
        say(report, ")");
    }
}

static bool is_on_top(const struct bomp_hang_item *task) {
    const struct bomp_hang_thread *thread = bz_load_relaxed(&task->thread);
    return thread && bz_load_relaxed(&thread->current) == task;
}

static void say_task(struct report *report, const struct bomp_hang_item *task) {
    say(report, "  ");
    bomp_hang_say_task(&report->phrases, task);
    if (bz_load_relaxed(&task->state) == BOMP_HANG_CREATED) {
        say_depends(report, task);
        bomp_hang_say_for(&report->phrases, bz_load_relaxed(&task->since));
    } else {
        say(report, ": ");
        bomp_hang_say_state(&report->phrases, task);
    }
}

/* Equal lines become one with a count: a loop may have created thousands of tasks. */
struct lines {
    struct {
        size_t at, length; /* in the text */
        unsigned count;    /* tasks with this line */
    } line[LINES_MOST];
    unsigned count, more; /* tasks without a line */
};

/* The text from `at` on becomes a line, or is removed and counted. */
static void add_line(struct lines *lines, struct bomp_text *text, size_t at) {
    size_t length = text->length - at;
    unsigned i = 0;
    while (i < lines->count && (lines->line[i].length != length ||
                                memcmp(text->bytes + lines->line[i].at, text->bytes + at, length) != 0))
        i++;
    if (i < lines->count) {
        lines->line[i].count++;
        text->length = at;
    } else if (i == LINES_MOST) {
        lines->more++;
        text->length = at;
    } else {
        lines->line[lines->count].at = at;
        lines->line[lines->count].length = length;
        lines->line[lines->count++].count = 1;
    }
}

/* Replaces the lines, which end the text, by lines with the numbers of their tasks. */
static void finish_lines(struct report *report, const struct lines *lines) {
    struct bomp_text all = {0};
    for (unsigned i = 0; i < lines->count; i++) {
        bomp_text_add(&all, report->text.bytes + lines->line[i].at, lines->line[i].length);
        bomp_text_printf(&all, lines->line[i].count > 1 ? " (%u tasks)\n" : "\n", lines->line[i].count);
    }
    if (lines->count > 0) {
        report->text.length = lines->line[0].at;
        bomp_text_add(&report->text, all.bytes, all.length);
    }
    report->text.is_cut |= all.is_cut;
    bomp_text_free(&all);
    if (lines->more > 0)
        say(report, "  and %u more tasks\n", lines->more);
}

/* Tasks that are not the current one of a thread. */
static void say_tasks(struct report *report) {
    struct lines lines = {.count = 0};
    unsigned tasks = 0;
    for (size_t i = 0; i < report->scene.count; i++) {
        const struct bomp_hang_item *task = report->scene.items[i];
        bool waits = is_member(task) && bz_load_relaxed(&task->wait.kind) != BOMP_HANG_NO_WAIT &&
                     !bomp_hang_is_at_barrier(task) && bomp_hang_referred(&task->team);
        if ((!is_explicit(task) && !waits) || is_on_top(task))
            continue;
        if (tasks++ >= TASKS_MOST) {
            lines.more++;
            continue;
        }
        size_t at = report->text.length;
        say_task(report, task);
        if (!report->text.is_cut)
            add_line(&lines, &report->text, at);
    }
    finish_lines(report, &lines);
}

/* ---- the ring ---- */

static void say_cycle(struct report *report) {
    struct bomp_hang_cycle *cycle = bz_os_alloc(sizeof *cycle);
    if (cycle)
        bomp_hang_find_cycle(&report->scene, cycle);
    for (size_t i = 0; cycle && i < cycle->count && i < LINES_MOST; i++) {
        say(report, i == 0 ? "  cycle: " : "    ");
        bomp_hang_say_task(&report->phrases, cycle->steps[i].task);
        say(report, " ");
        bomp_hang_say_reason(&report->phrases, cycle->steps[i].task, &cycle->steps[i].reason);
        say(report, i + 1 < cycle->count ? ",\n" : "\n");
    }
    bz_os_free(cycle, sizeof *cycle);
}

/* ---- the report ---- */

static void say_end(struct report *report, const struct bomp_watchdog_settings *settings, bool certain) {
    if (!certain)
        say(report, "  This may be no hang: a thread is blocked outside of %s.\n", bomp_dialect.name);
    if (report->scene.is_cut)
        say(report, "  There are more than %d tasks; the report leaves out the others.\n",
            BOMP_HANG_ITEMS_MOST);
    if (certain && settings->then == BOMP_WATCHDOG_EXIT)
        say(report, "  BLITZ_WATCHDOG ends the program with status %d.\n", settings->code);
    else if (certain && settings->then == BOMP_WATCHDOG_ABORT)
        say(report, "  BLITZ_WATCHDOG aborts the program.\n");
}

static void compose(struct report *report, const struct bomp_watchdog_settings *settings, bool certain) {
    say(report, "%swatchdog: nothing has moved for ", bomp_dialect.prefix);
    bomp_text_fixed(&report->text, settings->limit_ns, 9, 1);
    say(report, " s in process %u\n", bz_os_process_id());
    say_barriers(report);
    say_threads(report);
    say_tasks(report);
    say_cycle(report);
    say_end(report, settings, certain);
}

bool bomp_watchdog_report(const struct bomp_watchdog_settings *settings, uint64_t moves, bool certain) {
    struct report report = {.text = {0}};
    bool is_there = bomp_hang_scene_take(&report.scene);
    bomp_hang_phrases_begin(&report.phrases, &report.text);
    if (is_there)
        compose(&report, settings, certain);
    bool is_true = bomp_hang_moves() == moves && report.text.bytes;
    if (is_true)
        bz_error_write(report.text.bytes, report.text.length);
    bomp_hang_phrases_end(&report.phrases);
    bomp_hang_scene_free(&report.scene);
    bomp_text_free(&report.text);
    return is_true;
}
