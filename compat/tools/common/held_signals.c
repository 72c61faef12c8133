/* held_signals.c: see held_signals.h. */
#include "tools/common/held_signals.h"

#include <errno.h>
#include <time.h>

static int signal_of(int error) {
    return error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
}

void bomp_signals_hold(struct bomp_held_signals *held) {
    sigset_t both;
    (void)sigemptyset(&both);
    (void)sigaddset(&both, SIGPIPE);
    (void)sigaddset(&both, SIGXFSZ);
    (void)pthread_sigmask(SIG_BLOCK, &both, &held->before);
    (void)sigemptyset(&held->pending);
    (void)sigpending(&held->pending);
}

void bomp_signals_let(const struct bomp_held_signals *held, int error) {
    static const struct timespec at_once = {0, 0};
    int raised = signal_of(error);
    if (raised != 0 && !sigismember(&held->pending, raised)) {
        sigset_t one;
        (void)sigemptyset(&one);
        (void)sigaddset(&one, raised);
        (void)sigtimedwait(&one, NULL, &at_once);
    }
    (void)pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}
