/* child_signal.h: SIGCHLD. If the command inherits it ignored, it cannot wait for children. */
#ifndef RUN_CHILD_SIGNAL_H
#define RUN_CHILD_SIGNAL_H

/* Lets the command wait for children. */
void run_child_signal_take(void);

/* Before each exec: restores the inherited handling for the program. */
void run_child_signal_back(void);

#endif
