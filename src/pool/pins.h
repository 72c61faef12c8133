/* For pools with pinned threads: one CPU set for each CPU that the process may use. */
#ifndef BZ_PINS_H
#define BZ_PINS_H

#include <stdbool.h>

#include "blitz.h"

/* Whether the threads of a pool with this configuration are pinned. The first such pool also queries the CPUs; bz_pins_take
 * returns that error. Any thread. */
bool bz_pins_find(const blitz_config *config);

/* Pins the calling thread to CPU number `index`, modulo their count, until bz_unpin. 0, ENOMEM, or the system's error. After
 * bz_pins_find. Cost: a system call. */
int bz_pins_take(unsigned index);

#endif
