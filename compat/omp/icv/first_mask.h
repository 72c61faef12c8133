/* first_mask.h: the CPUs that the process was started with. Where GCC's runtime is loaded beside ours (by preloading), its
 * constructor has bound the initial thread to one CPU before any of our code is called, so that nobody can be asked any
 * more. So they are asked for while the library is relocated, before any constructor runs. */
#ifndef BOMP_FIRST_MASK_H
#define BOMP_FIRST_MASK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether GCC's runtime, a renamed copy of it or another copy of us under its name is loaded. Cost: some microseconds. */
bool bomp_libgomp_is_loaded(void);

/* The CPUs of the process (src/os/cpus.h), as before any thread was bound by an OpenMP runtime. 0 or an errno value. */
int bomp_process_cpus(uint64_t *set);

/* Those that it was started with, whatever has been done since, if they are remembered. 0 or an errno value. */
int bomp_first_cpus(uint64_t *set);

#endif
