/* modes.h: what the command does instead of running the program. Each returns the exit status. */
#ifndef RUN_MODES_H
#define RUN_MODES_H

#include "run/library.h"
#include "run/options.h"
#include "run/program.h"
#include "run/route.h"

/* A table of who serves each OpenMP function that the program and its libraries import. */
int run_check(const struct run_program *program, const struct run_library *library,
              const struct run_route *route);

/* The same for a folder: which OpenMP runtimes are below it, and which of them are served. */
int run_check_folder(const char *folder, const struct run_library *library);

/* The program under its own runtime and under Blitz in turn: answers and times. */
int run_compare(const struct run_options *options, const struct run_program *program,
                struct run_route *route);

/* Shows the state of a process's threads, by gdb. */
int run_attach(const struct run_options *options);

#endif
