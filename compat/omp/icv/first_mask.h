/* The CPUs that the process was started with. If GCC's runtime is loaded as well (by LD_PRELOAD), its constructor may
 * bind the initial thread before ours runs. So we ask the kernel while the library is relocated. */
#ifndef BOMP_FIRST_MASK_H
#define BOMP_FIRST_MASK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether GCC's runtime, a renamed copy of it or another copy of us with its name is loaded. Cost: microseconds. */
bool bomp_libgomp_is_loaded(void);

/* The CPUs of the process (src/os/cpus.h), as before any thread was bound by an OpenMP runtime. 0 or an errno value. */
int bomp_process_cpus(uint64_t *set);

/* Those that it was started with, if they are known. 0 or an errno value. */
int bomp_first_cpus(uint64_t *set);

#endif
