/* offload.h: LLVM's offload library (libomptarget), which a program with code for devices loads. It has the devices, their
 * memory, and functions of OpenMP about both. The program may call ours of the same names, which pass the call on. */
#ifndef BOMP_OFFLOAD_H
#define BOMP_OFFLOAD_H

#include <stdint.h>

/* The address of the library's function of that name; 0: it has none, or there is no such library. Cost: some 50 ns;
 * microseconds after a library was loaded or unloaded. */
uintptr_t bomp_offload_function(const char *name);

/* First in a function of that name: the library's own one takes the call. */
#define BOMP_OFFLOAD(name, arguments)                                                                        \
    __typeof__(&name) library_##name = (__typeof__(&name))bomp_offload_function(#name);                      \
    if (library_##name)                                                                                      \
    return library_##name arguments

#endif
