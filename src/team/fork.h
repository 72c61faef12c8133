/* fork(): the child has one thread, and memory as all the others left it, in the middle of their work. It starts with
 * that thread alone, makes more when it needs them, and waits for no lost thread. The parent's threads' data is left
 * alone, never joined and never freed; code that keeps threads compares its generation and starts anew. The parent does
 * nothing. How, and why it is safe: fork.md. */
#ifndef BZ_FORK_H
#define BZ_FORK_H

/* Registers what a child does first, once; later calls do nothing. */
void bz_fork_init(void);

#endif
