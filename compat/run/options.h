/* options.h: the command line. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

enum run_mode { RUN_PROGRAM, RUN_CHECK, RUN_COMPARE, RUN_ATTACH, RUN_VERSION };

struct run_options {
    enum run_mode mode;
    const char *library; /* where the user says that it is; NULL: not said */
    const char *folder;  /* to check in the place of a program; NULL: none */
    int runs;            /* of a comparison, under each runtime */
    bool wants_report;   /* --stats, --trace, --report or --watchdog */
    pid_t process;       /* to attach to */
    char **program;      /* with its arguments and a NULL; for a mode that runs none, the NULL alone */
    /* For the environment of the program. */
    struct {
        const char *variable, *value;
    } settings[8];
    int settings_count;
};

/* Ends with a message, or with the help that was asked for. Nothing has run then. */
struct run_options run_options(int argc, char **argv);

#endif
