/* Threads of this process that use the runtime and are not parked, against the CPUs that it may use. (waiting.md,
 * "More threads than CPUs") */
#ifndef BZ_LOAD_H
#define BZ_LOAD_H

#include <stdbool.h>
#include <stdint.h>

void bz_awake_add(int delta);
void bz_awake_reset(uint32_t count);

/* The CPUs that the process may use are now that many. Without this, those that it had when it was first asked for. */
void bz_set_cpus(uint32_t n);
uint32_t bz_cpu_count(void);

/* Whether some thread that we might wait for may have no CPU: then spinning for long is harmful. */
bool bz_crowded(void);

/* Whether `count` threads are far more than the CPUs. */
bool bz_far_outnumbers_cpus(uint32_t count);

/* The same, while some threads that are awake have no CPU: then waiters of such a team sleep at once. By yields, each
 * would run several times before the last one has run once. */
bool bz_overcrowded(uint32_t count);

/* How many threads are awake in addition to that many. */
uint32_t bz_awake_beside(uint32_t count);

/* Whether there are more CPUs than threads that are awake. */
bool bz_cpus_left(void);

#endif
