/* budget.h: how many workers suit the process when neither the program nor the user sets a number: as many as there are CPUs
 * in its mask, or as its CPU quota grants, whichever are fewer. Both are read again at the first question that comes
 * BZ_BUDGET_NS after the last reading. The process's mask is that of its initial thread and of those cached threads that the
 * program has bound elsewhere: a program that gives each thread a CPU of its own has as many CPUs as before. While threads
 * are pinned, the CPUs are those that the process had before (os/cpus.h). */
#ifndef BZ_BUDGET_H
#define BZ_BUDGET_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "wait/tick.h"

/* Written and read by any thread; relaxed: nothing else depends on them. */
extern struct bz_a32 bz_budget_count; /* 0: never read */
extern struct bz_a64 bz_budget_due;   /* bz_tick_ns() of the next reading */

unsigned bz_budget_read(void);

/* At least 1. Any thread; leaves errno alone. Cost: some 5 ns; when a reading is due a system call and a few small files, 10
 * to 20 us, and some 100 us at the first one. */
static inline unsigned bz_budget(void) {
    uint32_t count = bz_load_relaxed(&bz_budget_count);
    bool holds = count != 0 && bz_tick_ns() < bz_load_relaxed(&bz_budget_due);
    return bz_likely(holds) ? count : bz_budget_read();
}

/* CPUs in the process's mask now, whatever the quota. Cost: a system call; one more for each cached thread if the initial
 * thread has lost CPUs. */
unsigned bz_budget_cpus(void);

#endif
