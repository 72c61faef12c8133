/* The default number of workers: the CPUs of the process or its CPU quota, whichever is less, read again after BZ_BUDGET_NS.
 * Its CPUs are those of the initial thread and of cached threads that the program has bound; with pinned threads, those
 * before the pinning (os/cpus.h). */
#ifndef BZ_BUDGET_H
#define BZ_BUDGET_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/os.h"

/* Written and read by any thread; relaxed: nothing else depends on them. */
extern struct bz_a32 bz_budget_count; /* 0: never read */
extern struct bz_a64 bz_budget_due;   /* bz_os_tick_ns() of the next reading */

unsigned bz_budget_read(void);

/* At least 1. Any thread; keeps errno. Cost: 10 ns; when a reading is due, 10 to 20 us. */
static inline unsigned bz_budget(void) {
    uint32_t count = bz_load_relaxed(&bz_budget_count);
    bool holds = count != 0 && bz_os_tick_ns() < bz_load_relaxed(&bz_budget_due);
    return bz_likely(holds) ? count : bz_budget_read();
}

/* The process's CPUs now. Cost: a system call; one for each cached thread if the initial thread has lost CPUs. */
unsigned bz_budget_cpus(void);

#endif
