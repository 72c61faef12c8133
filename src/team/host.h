/* Host threads: the threads of the program, as far as the thread cache knows of them. These are the main thread, if it is
 * registered, and all that have a worker. When the last of them has ended nobody is left to give the thread cache work: its
 * idle threads are dismissed, or a process whose main thread ends by pthread_exit would never end. */
#ifndef BZ_HOST_H
#define BZ_HOST_H

/* If the caller is the process's main thread, the thread cache stays until that ends. Else does nothing. Once, before the
 * first bz_host_begin of the caller. Cost: two system calls. */
void bz_host_register_main(void);

/* The calling thread is a host thread until it ends, and ended(arg) is called then. The same `ended` for all. 0, or an
 * errno: it is none. Any thread, again also from what runs when it ends. */
int bz_host_begin(void (*ended)(void *), void *arg);

/* In the child of a fork, whose one thread this is. Once or more. */
void bz_host_forget(void);

#endif
