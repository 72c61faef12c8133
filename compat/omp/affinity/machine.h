/* KMP_AFFINITY and KMP_HW_SUBSET, on a tree of sockets, nodes of memory, last-level caches and cores. Syntax and meaning are
 * libomp's, without other layers (dies, tiles, smaller caches, kinds of cores). */
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
    bool decides; /* about binding; false: OMP_PROC_BIND and OMP_PLACES do */
    bool binds;   /* false: none, or disabled */
    bool disabled;
    bool resets;           /* a thread gets its own CPUs back at the end of its outermost region */
    bool verbose;          /* print the places */
    enum bomp_bind policy; /* for the places, which are in the order of threads */
    struct bomp_places places;
    uint32_t first;  /* the place of the initial thread */
    unsigned levels; /* a bound thread may move within 0: nothing, 1: its core, 2: its socket */
};

/* Reads it for the CPUs `usable` of `words` words. 0; or ENODEV, EINVAL, ERANGE or ENOMEM, without places. */
int bomp_machine_affinity(const char *text, const uint64_t *usable, size_t words,
                          struct bomp_affinity_wish *wish);

/* Reduces the CPUs `usable` by KMP_HW_SUBSET: "2s,4c@1,1t" are the first two sockets, of each four cores after the first, of
 * these one thread each. 0; or EINVAL, ERANGE (there are fewer) or ENOMEM, without a change. */
int bomp_machine_subset(const char *text, uint64_t *usable, size_t words);

#endif
