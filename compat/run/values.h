/* values.h: checks the values that this command itself uses; the library checks those that it reads. Each function returns
 * the value, or ends with a message that names the option, the value and the allowed values. */
#ifndef RUN_VALUES_H
#define RUN_VALUES_H

/* A number from `least` to `most`. */
long run_number(const char *option, const char *value, long least, long most);

/* A file name with the suffix, which may contain %p and %r for the process and its rank. The file must be writable.
 * Returns an absolute path, since the program may change its folder. */
const char *run_file(const char *option, const char *value, const char *suffix);

#endif
