/* ending.h: when the trace is written: at the end of the program, also where a signal ends it that the program has no
 * handler for; and what a fork means for it. */
#ifndef BOMP_TRACE_ENDING_H
#define BOMP_TRACE_ENDING_H

/* Before anything is traced. */
void bomp_trace_ending_begin(void);

/* Writes the file, once. */
void bomp_trace_ending_write(void);

/* client.c's part of a fork, in the child: nothing was noted yet. */
void bomp_trace_client_forget(void);

#endif
