/* values.h: checks the values of options. Each function returns the value for the environment variable, or ends with a
 * message that names the option, the value and the allowed values. */
#ifndef RUN_VALUES_H
#define RUN_VALUES_H

/* Positive numbers with commas between, as in OMP_NUM_THREADS. */
const char *run_threads(const char *option, const char *value);

/* As in OMP_PLACES and OMP_PROC_BIND. The library checks whether such CPUs exist. */
const char *run_places(const char *option, const char *value);
const char *run_bind(const char *option, const char *value);

/* SECONDS[,exit=CODE|,abort], as in BLITZ_WATCHDOG. */
const char *run_watchdog(const char *option, const char *value);

/* A number from `least` to `most`. */
long run_number(const char *option, const char *value, long least, long most);

/* A file name with the suffix, which may contain %p and %r for the process and its rank. The file must be writable.
 * Returns an absolute path, since the program may change its folder. */
const char *run_file(const char *option, const char *value, const char *suffix);

#endif
