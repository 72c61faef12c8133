/* OMP_TOOL_VERBOSE_INIT: reports the search for tools, one line for each step, which ends with its outcome. */
#ifndef OMPT_VERBOSE_H
#define OMPT_VERBOSE_H

/* Reads the variable: disabled, stdout, stderr, or the name of a file. */
void ompt_verbose_open(void);
void ompt_verbose_close(void);

__attribute__((format(printf, 1, 2))) void ompt_say(const char *format, ...);

#endif
