/* files.h: files without names, which exist as long as the command runs. None gets the number of standard input, output or
 * error, even if these are closed: they are the program's. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

/* In memory, for little data. */
int run_memory_file(void);

/* In TMPDIR or /tmp, or else in memory. */
int run_nameless_file(void);

#endif
