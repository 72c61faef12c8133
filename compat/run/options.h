/* options.h: the command line. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

enum run_mode { RUN_PROGRAM, RUN_CHECK, RUN_COMPARE, RUN_ATTACH, RUN_VERSION };

struct run_options {
    enum run_mode mode;
    const char *library;  /* from the user; NULL: none */
    const char *folder;   /* to check instead of a program; NULL: none */
    int runs;             /* of a comparison, under each runtime */
    bool wants_report;    /* --stats, --trace, --report or --watchdog */
    const char *timeline; /* the option that asks for one; NULL: none does */
    pid_t process;        /* to attach to */
    char **program;       /* with its arguments and a NULL; only the NULL without a program */
};

/* Sets the variables that the options are for in the environment. Ends with a message for a wrong command line, or with
 * the help. */
struct run_options run_options(int argc, char **argv);

#endif
