/* values.h: the values of options, which are refused before anything runs. Each function returns what the environment
 * variable is to be, or ends with a message that names the option, the value and what is allowed. */
#ifndef RUN_VALUES_H
#define RUN_VALUES_H

/* Positive numbers with commas between, as in OMP_NUM_THREADS. */
const char *run_threads(const char *option, const char *value);

/* As in OMP_PLACES and OMP_PROC_BIND. Whether there are such CPUs, the library says. */
const char *run_places(const char *option, const char *value);
const char *run_bind(const char *option, const char *value);

/* SECONDS[,exit=CODE|,abort], as in BLITZ_WATCHDOG. */
const char *run_watchdog(const char *option, const char *value);

/* A number from `least` to `most`. */
long run_number(const char *option, const char *value, long least, long most);

/* The pattern of a file's name: %p and %r stand for the process and its rank. It has to end with the suffix, and can be
 * written; absolute, since the program may go elsewhere. */
const char *run_file(const char *option, const char *value, const char *suffix);

#endif
