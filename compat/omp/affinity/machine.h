/* The CPUs of the process as a tree: which socket, node of memory, last-level cache and core each is in, and orders and
 * parts of them, as KMP_AFFINITY and KMP_HW_SUBSET say them. Syntax and meaning are libomp's, where sockets, nodes, caches
 * and cores are concerned; other layers (dies, tiles, smaller caches, kinds of cores) are not known here. */
#ifndef BOMP_MACHINE_H
#define BOMP_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/affinity/place_assignment.h"
#include "omp/affinity/places.h"

/* From the outside in. */
enum bomp_layer { BOMP_SOCKET, BOMP_NODE, BOMP_CACHE, BOMP_CORE, BOMP_THREAD, BOMP_LAYERS };

/* The request of KMP_AFFINITY. */
struct bomp_affinity_wish {
    bool decides; /* whether and where threads are bound; false: OMP_PROC_BIND and OMP_PLACES do */
    bool binds;   /* false: none, or disabled */
    bool disabled;
    bool resets;           /* a thread gets its own CPUs back at the end of its outermost region */
    bool verbose;          /* say where threads go */
    enum bomp_bind policy; /* for the places, which are in the order of threads */
    struct bomp_places places;
    uint32_t first; /* the place of the initial thread */
    unsigned
        levels; /* innermost levels of the machine within which a bound thread may move: threads, cores, sockets */
};

/* Reads it for the CPUs `usable`, `words` words. 0; or ENODEV, EINVAL, ERANGE or ENOMEM, with no places. */
int bomp_machine_affinity(const char *text, const uint64_t *usable, size_t words,
                          struct bomp_affinity_wish *wish);

/* Leaves of the CPUs `usable` what KMP_HW_SUBSET says: "2s,4c@1,1t" are the first two sockets, of each the four cores after
 * the first, of these one thread each. 0; or EINVAL, ERANGE (there is less than that) or ENOMEM, and nothing is
 * different. */
int bomp_machine_subset(const char *text, uint64_t *usable, size_t words);

#endif
