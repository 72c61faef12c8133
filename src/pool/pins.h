/* For pools with pinned threads: one CPU set for each CPU that the process may use. */
#ifndef BZ_PINS_H
#define BZ_PINS_H

#include <stdbool.h>

#include "blitz.h"

/* Whether such a configuration pins threads. Its first pool queries the CPUs; bz_pins_take returns an error of that. Any
 * thread. */
bool bz_pins_find(const blitz_config *config);

/* Pins the calling thread to CPU number `index`, modulo their count, until bz_unpin. 0, ENOMEM, or the system's error. After
 * bz_pins_find. Cost: a system call. */
int bz_pins_take(unsigned index);

#endif
