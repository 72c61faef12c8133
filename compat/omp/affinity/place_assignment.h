/* The place of each thread of a team, and the places that its regions may use. Arithmetic only, by OpenMP's rules (5.0,
 * 2.6.2) and libgomp's choices. */
#ifndef BOMP_PLACE_ASSIGNMENT_H
#define BOMP_PLACE_ASSIGNMENT_H

#include <stdint.h>

/* Thread affinity policies with their numbers in the ABI, as in omp_proc_bind_t. */
enum bomp_bind { BOMP_BIND_FALSE, BOMP_BIND_TRUE, BOMP_BIND_PRIMARY, BOMP_BIND_CLOSE, BOMP_BIND_SPREAD };

struct bomp_place_assignment {
    uint32_t place;        /* an index of the place list, in [first, first + count) */
    uint32_t first, count; /* the place partition; count 0: not bound */
};

/* The assignment of thread num in a team of size threads whose primary thread has the assignment primary. Not FALSE. If the
 * primary thread has none, nor has its team. */
struct bomp_place_assignment bomp_place_assignment_in_team(struct bomp_place_assignment primary,
                                                           enum bomp_bind policy, unsigned size,
                                                           unsigned num);

#endif
