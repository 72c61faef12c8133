/* affinity_format.h: where a thread runs, in words, as OMP_AFFINITY_FORMAT says. Fields, widths and complaints are
 * libgomp's, as found out by running it: a field that does not exist ends the program. LLVM's runtime says that it is
 * undefined, has no complaints, and shows the number of a thread that the system knows it by. */
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

/* Write the format's first length bytes with its fields filled in to text: at most size bytes, with a null byte at the
 * end if size is not 0. Returns the length that there was to write. */
size_t bomp_affinity_print(char *text, size_t size, const char *format, size_t length,
                           const struct bomp_affinity_facts *facts);

#endif
