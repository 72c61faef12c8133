/* fork(): the child has one thread, and memory as all the others left it, in the middle of whatever they were doing. It
 * starts with no threads but its own, makes more when it needs them, and waits for nobody who is not there. What belonged to
 * the parent's threads is left alone, never joined and never freed; whoever keeps threads compares its generation and starts
 * anew. The parent does nothing at all. How that is done, and why it is safe: fork.md. */
#ifndef BZ_FORK_H
#define BZ_FORK_H

/* Registers what a child does first, once; later calls do nothing. */
void bz_fork_init(void);

#endif
