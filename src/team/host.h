/* Host threads: the program's threads that have a worker, and the main thread if it is registered. When the last one has
 * ended, the thread cache's threads end: else a process whose main thread calls pthread_exit would never end. */
#ifndef BZ_HOST_H
#define BZ_HOST_H

/* Registers the caller if it is the main thread. Once, before its first bz_host_begin. Cost: two system calls. */
void bz_host_register_main(void);

/* The calling thread is a host thread until it ends; then ended(arg) is called, the same `ended` for all. 0 or an errno. */
int bz_host_begin(void (*ended)(void *), void *arg);

/* In the child of a fork, by its one thread. Once or more. */
void bz_host_forget(void);

#endif
