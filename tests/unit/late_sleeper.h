/* late_sleeper.h: a sleeper that comes late out of its sleep, for tests that are linked with
 * --wrap=bz_os_futex_wait_until. */
#ifndef LATE_SLEEPER_H
#define LATE_SLEEPER_H

#include <sched.h>

#include "base/atomic.h"

/* A thread sets the first before it sleeps. While the second is 0, a woken thread does not return. */
static struct bz_a32 sleeps, may_go_on = {1};

int __real_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits);
int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits);
int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits) {
    bz_store_release(&sleeps, 1);
    int rc = __real_bz_os_futex_wait_until(word, expected, deadline_ns, bits);
    while (!bz_load_acquire(&may_go_on))
        sched_yield();
    return rc;
}

/* The next sleeper returns only after may_go_on is set. */
static inline void be_late(void) {
    bz_store_release(&sleeps, 0);
    bz_store_release(&may_go_on, 0);
}

#endif
