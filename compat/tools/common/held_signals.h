/* held_signals.h: blocks SIGPIPE and SIGXFSZ while a report is written: a pipe without a reader, or a file beyond its size
 * limit, must not end the program. */
#ifndef BOMP_HELD_SIGNALS_H
#define BOMP_HELD_SIGNALS_H

#include <signal.h>

struct bomp_held_signals {
    sigset_t before, pending; /* the thread's mask; the signals already pending */
};

/* Blocks both in the calling thread, and restores its mask. `error`: the errno value of the last write in between, whose
 * signal is discarded. Cost: three system calls. Also in signal handlers; with cancellation held. */
void bomp_signals_hold(struct bomp_held_signals *held);
void bomp_signals_let(const struct bomp_held_signals *held, int error);

#endif
