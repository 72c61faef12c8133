/* program.h: the file that is to be run, found as a shell does, and the file that the system loads for it: itself, or of a
 * script its interpreter. */
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include "run/object.h"

struct run_program {
    const char *name;         /* as the user said it */
    const char *path;         /* where it is */
    const char *loaded;       /* what is loaded: the same, or the interpreter's path */
    struct run_object object; /* of that */
};

/* Ends with status 127 if no program has that name, 126 if it cannot be executed. */
struct run_program run_program_find(const char *name);

/* Executes the program. An error of the system ends with a message and status 126 or 127. */
_Noreturn void run_program_execute(const struct run_program *program, char **argv);

/* Ends with a message, and status 125, if a library cannot be put under it: it is linked statically, has an OpenMP runtime
 * inside, or is for another machine or C library; or the loader will not listen to us, since the program gets privileges.
 * */
void run_program_refuse(const struct run_program *program);

#endif
