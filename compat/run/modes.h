/* modes.h: the modes of the command that do more than run the program. Each returns the exit status. */
#ifndef RUN_MODES_H
#define RUN_MODES_H

#include "run/library.h"
#include "run/options.h"
#include "run/program.h"
#include "run/route.h"

/* Prints which library serves each OpenMP function that the program and its libraries import. */
int run_check(const struct run_program *program, const struct run_library *library,
              const struct run_route *route);

/* Prints which OpenMP runtimes are below a folder, and which of them Blitz serves. */
int run_check_folder(const char *folder, const struct run_library *library);

/* Compares the output and the times of the program under its own runtime and under Blitz. */
int run_compare(const struct run_options *options, const struct run_program *program,
                struct run_route *route);

/* Prints the state of a process's threads, by gdb. */
int run_attach(const struct run_options *options);

#endif
