/* file.c: see file.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "tools/trace/file.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/held_signals.h"
#include "tools/common/report_path.h"
#include "tools/trace/settings.h"

/* What was loaded when the trace began: asking the loader once more is not for signal handlers. */
static struct bomp_sources *sources;

static struct bomp_trace_program program;

void bomp_trace_file_begin(void) {
    sources = bomp_sources_open();
    ssize_t length = readlink("/proc/self/exe", program.name, sizeof program.name - 1);
    program.name[length > 0 ? length : 0] = '\0';
    bz_os_host_name(program.host, sizeof program.host);
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    program.began = (uint64_t)now.tv_sec;
    program.version = bomp_trace_settings.version;
}

static void write_story(struct bomp_trace_out *out, struct bomp_trace_story *story) {
    if (bomp_trace_settings.is_report)
        bomp_trace_html_write(out, story, sources, &program);
    else
        bomp_trace_json_write(out, story, sources, &program);
    bomp_trace_out_flush(out);
}

/* A few events are missing at least. */
static void say_dropped(const struct bomp_trace_story *story) {
    if (story->dropped)
        bz_warn("BLITZ_TRACE: no room for the last %llu events; BLITZ_TRACE_SIZE is %zuk",
                (unsigned long long)story->dropped, bomp_trace_settings.bytes >> 10);
}

static int write_file(struct bomp_trace_story *story, const char *path) {
    static struct bomp_trace_out out; /* of the one thread that writes; a signal's stack may be small */
    out.length = out.held = out.bits = 0;
    out.failed = 0;
    out.file = bomp_report_open(path);
    if (out.file < 0)
        return errno;
    struct bomp_held_signals signals;
    bomp_signals_hold(&signals);
    write_story(&out, story);
    if (close(out.file) != 0 && !out.failed && errno != EINTR)
        out.failed = errno;
    bomp_signals_let(&signals, out.failed);
    return out.failed;
}

const char *bomp_trace_file_write(const char *path, bool in_handler) {
    if (!path)
        return "no memory";
    struct bomp_sources *later = in_handler ? NULL : bomp_sources_open();
    if (later) { /* what the program has loaded meanwhile is known, too */
        bomp_sources_close(sources);
        sources = later;
    }
    program.asks = !in_handler;
    int held = bz_os_cancel_hold();
    struct bomp_trace_story *story = bomp_trace_story_new();
    int failed = 0;
    if (story && (story->records > 0 || !bomp_trace_settings.is_child)) {
        failed = write_file(story, path);
        say_dropped(story);
    }
    bool had_memory = story;
    if (story)
        bomp_trace_story_free(story);
    bz_os_cancel_allow(held);
    return !had_memory ? "no memory" : failed ? strerrordesc_np(failed) : NULL;
}
