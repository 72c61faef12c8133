/* exec.h: programs that a thread of ours starts, and signals that are sent to one. The system lets a program inherit
 * the CPUs of the thread that starts it, and the signals that it blocks, and no handler runs on the way. So the library
 * has functions of the C library's names for all ways to start one: each takes the pin and the mask off the calling
 * thread, calls the C library's function, and puts them back if that returns. So do raise and pthread_kill with the
 * mask: a signal that a thread sends to itself and blocks would wait forever. What sends one to another thread opens it
 * there (os/signals.h). */
#ifndef BOMP_EXEC_H
#define BOMP_EXEC_H

#include <stdbool.h>

/* Whether the program and its libraries find these functions before the C library's: where our library is preloaded or
 * linked, but not where it is brought in later by dlopen. Any thread. Cost: a search by the dynamic linker. */
bool bomp_exec_guarded(void);

#endif
