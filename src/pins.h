/* Pins: a set of one CPU for each that the process may use, for pools whose threads are pinned. */
#ifndef BZ_PINS_H
#define BZ_PINS_H

/* Asks which CPUs these are, the first time; any thread. A failure is for bz_pins_take to say. */
void bz_pins_find(void);

/* Pins the calling thread to CPU number `index` of them, counted round, until bz_unpin. 0; ENOMEM, or the system's refusal.
 * After bz_pins_find. Cost: a system call. */
int bz_pins_take(unsigned index);

#endif
