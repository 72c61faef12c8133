/* LLVM's offload library (libomptarget), which programs with code for devices load. This library's functions about devices
 * and their memory pass calls on to it. */
#ifndef BOMP_OFFLOAD_H
#define BOMP_OFFLOAD_H

#include <stdint.h>

/* The address of the library's function of that name; 0: not found. Cost: some 50 ns without that
 * library. */
uintptr_t bomp_offload_function(const char *name);

/* First in a function of that name: passes the call on to the library's. */
#define BOMP_OFFLOAD(name, arguments)                                                                        \
    __typeof__(&name) library_##name = (__typeof__(&name))bomp_offload_function(#name);                      \
    if (library_##name)                                                                                      \
    return library_##name arguments

#endif
