/* files.h: files without names, for what is kept as long as the command runs. None of them gets the number of standard
 * input, output or error, which may be closed and are the program's. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

/* In memory: for what is small. */
int run_memory_file(void);

/* In TMPDIR, or /tmp; in memory, if that cannot be had. */
int run_nameless_file(void);

#endif
