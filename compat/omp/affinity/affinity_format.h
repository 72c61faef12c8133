/* Expands OMP_AFFINITY_FORMAT for a thread. Fields, widths and messages are libgomp's, by experiment: an unknown field ends
 * the program. As libomp, it is "undefined", and the thread id is the system's. */
#ifndef BOMP_AFFINITY_FORMAT_H
#define BOMP_AFFINITY_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fields of a thread. */
struct bomp_affinity_facts {
    int team_num, num_teams, level, num, threads, ancestor;
    int process;
    uintptr_t thread; /* as debuggers show it */
    const char *host;
    const uint64_t *cpus; /* words words */
    size_t words;
    bool as_llvm;
};

/* Writes the format's first length bytes with its fields filled in: at most size bytes, null byte included. Returns the
 * whole length. */
size_t bomp_affinity_print(char *text, size_t size, const char *format, size_t length,
                           const struct bomp_affinity_facts *facts);

#endif
