/* report_file.c: see report_file.h. */
#include "tools/common/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tools/common/base.h"
#include "tools/common/ending.h"
#include "tools/common/report_path.h"

static int open_to_write(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
}

/* 0 or an errno value. */
static int try(const char *path, struct stat *before) {
    if (stat(path, before) == 0 &&
        S_ISFIFO(before->st_mode)) /* opening and closing it would end it for its reader */
        return access(path, W_OK) == 0 ? 0 : errno;
    int held = bz_os_cancel_hold();
    int file = open_to_write(path);
    int failed = file < 0 || fstat(file, before) != 0 ? errno : 0;
    if (file >= 0)
        (void)close(file);
    bz_os_cancel_allow(held);
    return failed;
}

bool bomp_report_file_begin(struct bomp_report_file *report, const char *variable, const char *asked,
                            const char *without) {
    *report = (struct bomp_report_file){.variable = variable, .pattern = bomp_report_from_root(asked)};
    int failed = report->pattern ? ENOMEM : errno;
    char *path = report->pattern ? bomp_report_path(report->pattern, false) : NULL;
    failed = path ? try(path, &report->before) : failed;
    if (failed) {
        bz_warn_value(variable, path ? path : asked, "%s; %s", strerror(failed), without);
        bomp_ending_refused();
    }
    bz_free(path);
    return !failed;
}

/* Whether another process writes the file, or has written it since this one began. Locks it until it is closed. Not for the
 * child of a fork, which has its number in the name, nor for devices and pipes. */
static bool is_others(const struct bomp_report_file *report, int file) {
    const struct stat *before = &report->before;
    struct stat now;
    if (report->is_child || fstat(file, &now) != 0 || !S_ISREG(now.st_mode))
        return false;
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return true;
    return fstat(file, &now) == 0 && now.st_size > 0 &&
           (now.st_dev != before->st_dev || now.st_ino != before->st_ino || now.st_size != before->st_size ||
            now.st_mtim.tv_sec != before->st_mtim.tv_sec || now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

/* Opens the file of that name: 0 or an errno value. */
static int open_named(struct bomp_report_file *report, bool with_number) {
    bz_free(report->path);
    report->path = bomp_report_path(report->pattern, with_number);
    report->file = report->path ? open_to_write(report->path) : -1;
    return !report->path ? ENOMEM : report->file < 0 ? errno : 0;
}

static void let_go(struct bomp_report_file *report, int error) {
    bomp_signals_let(&report->signals, error);
    bz_os_cancel_allow(report->cancel);
    bz_free(report->path);
    report->path = NULL;
}

/* Since glibc 2.32; the only function with these texts that a signal handler may call. */
#pragma weak strerrordesc_np

static void say_failed(const struct bomp_report_file *report, int error) {
    const char *path = report->path ? report->path : report->pattern;
    bomp_ending_failed();
    if (strerrordesc_np)
        bz_warn_value(report->variable, path, "%s; no report is written", strerrordesc_np(error));
    else
        bz_warn_value(report->variable, path, "error %d; no report is written", error);
}

int bomp_report_file_open(struct bomp_report_file *report) {
    report->cancel = bz_os_cancel_hold();
    bomp_signals_hold(&report->signals);
    int failed = open_named(report, report->is_child);
    report->is_taken = !failed && is_others(report, report->file);
    if (report->is_taken) {
        (void)close(report->file);
        failed = open_named(report, true);
    }
    if (failed) {
        say_failed(report, failed);
        let_go(report, failed);
        return -1;
    }
    (void)fcntl(report->file, F_SETFL, O_WRONLY); /* the open must not wait for a reader, but writes may */
    (void)!ftruncate(report->file, 0);            /* fails for a FIFO or a device */
    return report->file;
}

void bomp_report_file_close(struct bomp_report_file *report, int error) {
    if (error != 0)
        (void)!ftruncate(report->file, 0);
    if (close(report->file) != 0 && error == 0 && errno != EINTR)
        error = errno;
    bool replaced = S_ISREG(report->before.st_mode) && report->before.st_size > 0 && !report->is_child;
    if (error != 0)
        say_failed(report, error);
    else
        bz_warn("%s: written to %s%s", report->variable, report->path,
                report->is_taken ? ", as the file that was asked for has been written meanwhile"
                : replaced       ? ", over the file that was there"
                                 : "");
    let_go(report, error);
}
