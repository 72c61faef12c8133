/* fork(): the child starts with no threads but its own. What belonged to the parent's threads is left alone there, never
 * joined and never freed; whoever keeps threads compares its generation and starts anew. */
#ifndef BZ_FORK_H
#define BZ_FORK_H

#include <stdint.h>

/* Counts the forks between this process and the first. Any thread. */
uint32_t bz_fork_generation(void);

/* Registers the fork handlers, once; later calls do nothing. */
void bz_fork_init(void);

#endif
