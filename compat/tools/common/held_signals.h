/* held_signals.h: blocks the signals that would end the program while a report is written: of a pipe without a reader, and
 * of a file beyond the size limit (ulimit -f). */
#ifndef BOMP_HELD_SIGNALS_H
#define BOMP_HELD_SIGNALS_H

#include <signal.h>

struct bomp_held_signals {
    sigset_t before, pending; /* the thread's mask; what waited already */
};

/* The calling thread takes neither of the two from here on, and from the other one on as before; `error` is an errno value
 * of the last write in between: the signal that it raised has no effect. Cost: three system calls. Also in signal handlers;
 * with cancellation held. */
void bomp_signals_hold(struct bomp_held_signals *held);
void bomp_signals_let(const struct bomp_held_signals *held, int error);

#endif
