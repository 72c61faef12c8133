/* child_signal.c: see child_signal.h. */
#include "run/child_signal.h"

#include <signal.h>
#include <stdbool.h>

static bool is_taken;
static struct sigaction inherited;

void run_child_signal_take(void) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    is_taken = sigaction(SIGCHLD, &usual, &inherited) == 0;
}

void run_child_signal_back(void) {
    if (is_taken)
        (void)sigaction(SIGCHLD, &inherited, NULL);
}
