/* file.c: see file.h. */
#include "tools/trace/file.h"

#include <time.h>
#include <unistd.h>

#include "tools/common/ending.h"
#include "tools/trace/settings.h"

static struct bomp_trace_program program;

void bomp_trace_file_begin(void) {
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
        bomp_trace_html_write(out, story, bomp_ending_sources(), &program);
    else
        bomp_trace_json_write(out, story, bomp_ending_sources(), &program);
    bomp_trace_out_flush(out);
}

static void say_dropped(const struct bomp_trace_story *story) {
    if (story->dropped)
        bz_warn(
            "BLITZ_TRACE: the last %llu events are missing; to keep them, set BLITZ_TRACE_SIZE above %zuk",
            (unsigned long long)story->dropped, bomp_trace_settings.bytes >> 10);
}

static void write_file(struct bomp_trace_story *story) {
    static struct bomp_trace_out out; /* static, because a signal's stack may be small; one thread writes */
    struct bomp_report_file *file = &bomp_trace_settings.file;
    out.length = out.held = out.bits = 0;
    out.failed = 0;
    out.file = bomp_report_file_open(file);
    if (out.file < 0)
        return;
    write_story(&out, story);
    bomp_report_file_close(file, out.failed);
    say_dropped(story);
}

void bomp_trace_file_write(void) {
    struct bomp_trace_story *story = bomp_trace_story_new();
    if (!story) {
        bz_warn("BLITZ_TRACE: out of memory; no trace is written");
        return;
    }
    if (story->records > 0 || !bomp_trace_settings.file.is_child)
        write_file(story);
    bomp_trace_story_free(story);
}
