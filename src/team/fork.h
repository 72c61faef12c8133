/* fork(): the child has one thread, and memory as the others left it in mid-work. It waits for no lost thread and keeps
 * their data; code that keeps threads compares generations and starts anew. See fork.md. */
#ifndef BZ_FORK_H
#define BZ_FORK_H

/* Registers what a child does first, once; later calls do nothing. */
void bz_fork_init(void);

#endif
