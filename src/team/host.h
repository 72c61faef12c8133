/* Host threads: the threads of the program that the thread cache knows: the main thread, if it is registered, and all
 * that have a worker. When the last of them has ended, no thread can give the thread cache work, and its idle threads are
 * dismissed. Otherwise a process whose main thread ends by pthread_exit would never end. */
#ifndef BZ_HOST_H
#define BZ_HOST_H

/* If the caller is the process's main thread, the thread cache stays until that ends. Else does nothing. Once, before the
 * first bz_host_begin of the caller. Cost: two system calls. */
void bz_host_register_main(void);

/* The calling thread is a host thread until it ends, and ended(arg) is called then. The same `ended` for all. 0, or an
 * errno: it is no host thread. Any thread, again also from code that runs when it ends. */
int bz_host_begin(void (*ended)(void *), void *arg);

/* In the child of a fork, by its one thread. Once or more. */
void bz_host_forget(void);

#endif
