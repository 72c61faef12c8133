/* Host threads: the program's threads with a worker, and a registered main thread. When the last one has ended, cached
 * threads end: else a process whose main thread calls pthread_exit would never end. */
#ifndef BZ_HOST_H
#define BZ_HOST_H

/* Registers the caller if it is the main thread. Once, before its first bz_host_begin. Cost: two system calls. */
void bz_host_register_main(void);

/* The calling thread is a host thread until its end, which calls ended(arg); `ended` is the same for all. 0 or an errno. */
int bz_host_begin(void (*ended)(void *), void *arg);

/* In the child of a fork, by its one thread. Once or more. */
void bz_host_forget(void);

#endif
