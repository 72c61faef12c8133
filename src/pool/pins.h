/* Pins: a set of one CPU for each that the process may use, for pools whose threads are pinned. */
#ifndef BZ_PINS_H
#define BZ_PINS_H

#include <stdbool.h>

#include "blitz.h"

/* Whether the threads of a pool with this configuration are pinned. The first one that is asks for the CPUs, too; a failure
 * is for bz_pins_take to say. Any thread. */
bool bz_pins_find(const blitz_config *config);

/* Pins the calling thread to CPU number `index` of them, counted round, until bz_unpin. 0; ENOMEM, or the system's refusal.
 * After bz_pins_find. Cost: a system call. */
int bz_pins_take(unsigned index);

#endif
