/* program.h: the program, found as a shell does, and the file that the system loads for it: the program itself, or the
 * interpreter of a script. */
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include "run/object.h"

/* A command that inherits SIGCHLD ignored cannot wait for children: takes the usual handling until each exec, before
 * which the inherited one comes back for the program. */
void run_child_signal_take(void);
void run_child_signal_back(void);

struct run_program {
    const char *name;         /* from the user */
    const char *path;         /* of its file */
    const char *loaded;       /* the same, or the interpreter's path */
    struct run_object object; /* of the loaded file */
};

/* Ends with status 127 if no program has that name, 126 if it cannot be executed. */
struct run_program run_program_find(const char *name);

/* Executes the program. An error of the system ends with a message and status 126 or 127. */
_Noreturn void run_program_execute(const struct run_program *program, char **argv);

/* Ends with a message and status 125 if no library can be placed under the program: it is static, has an OpenMP runtime
 * inside, is for another machine or C library, or gets privileges, so that the loader ignores its environment. */
void run_program_refuse(const struct run_program *program);

#endif
