/* child_signal.h: SIGCHLD. Where it is ignored, as the command may inherit it, children cannot be waited for. */
#ifndef RUN_CHILD_SIGNAL_H
#define RUN_CHILD_SIGNAL_H

/* From here on children can be waited for. */
void run_child_signal_take(void);

/* Before each exec: the program gets the signal as we have got it. */
void run_child_signal_back(void);

#endif
