/* report_file.h: the file of a report, from the start of a program, when it is tried, to the end, when it is written. Two
 * processes never write one file together: which comes second takes one with its number in the name. */
#ifndef BOMP_REPORT_FILE_H
#define BOMP_REPORT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "tools/common/held_signals.h"

/* Written by the tool that begins, in the child of a fork, and by the thread that writes the report. */
struct bomp_report_file {
    const char *variable; /* that asks for it */
    char *pattern;        /* from the root of the file system, see report_path.h; NULL: no file */
    bool is_child;        /* of a fork */
    struct stat before;   /* the file when the process began */
    /* While it is written. */
    char *path;
    bool is_taken; /* another process has the name that was asked for */
    int file, cancel;
    struct bomp_held_signals signals;
};

/* At the start, so that errors are reported early. False: it cannot be written; the line that says so ends in `without`.
 * Creates an empty file if missing. */
bool bomp_report_file_begin(struct bomp_report_file *report, const char *variable, const char *asked,
                            const char *without);

/* Opens and empties the file: a descriptor, or -1 after a line that says why. A FIFO without a reader is an error, since the
 * wait may be in a signal handler and endless. Until the close the thread is not cancelled, and gets no
 * signal of the writing. Both may be called in signal handlers. */
int bomp_report_file_open(struct bomp_report_file *report);

/* Closes it and says where it is. After an error (an errno value): empties it and reports the error. */
void bomp_report_file_close(struct bomp_report_file *report, int error);

#endif
