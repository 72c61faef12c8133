/* Our threads that are awake, against the CPUs (waiting.md). */
#ifndef BZ_LOAD_H
#define BZ_LOAD_H

#include <stdbool.h>
#include <stdint.h>

void bz_awake_add(int delta);
void bz_awake_reset(uint32_t count);

/* CPUs that the process may use. */
void bz_set_cpus(uint32_t n);
uint32_t bz_cpu_count(void);

/* Whether an awaited thread may have no CPU. */
bool bz_crowded(void);

/* How many of `count` threads share a CPU, if the first one has its own: BZ_LARGE_TEAM at most. */
uint32_t bz_sharing(uint32_t count);

/* Whether `count` threads are far more than the CPUs. */
bool bz_far_outnumbers_cpus(uint32_t count);

/* Threads that are awake in addition to that many. */
uint32_t bz_awake_beyond(uint32_t count);

/* Whether there are more CPUs than these. */
bool bz_cpus_left(void);

#endif
