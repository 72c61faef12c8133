/* place_assignment.h: the places of a team's threads: which one each has, and between which places the regions that it
 * opens may choose. Arithmetic only, by OpenMP's rules (5.0, 2.6.2) and, where these leave a choice, as libgomp makes it.
 */
#ifndef BOMP_PLACE_ASSIGNMENT_H
#define BOMP_PLACE_ASSIGNMENT_H

#include <stdint.h>

/* Thread affinity policies with their numbers in the ABI, as in omp_proc_bind_t. */
enum bomp_bind { BOMP_BIND_FALSE, BOMP_BIND_TRUE, BOMP_BIND_PRIMARY, BOMP_BIND_CLOSE, BOMP_BIND_SPREAD };

struct bomp_place_assignment {
    uint32_t place;        /* its place, as an index of the place list, in [first, first + count) */
    uint32_t first, count; /* the place partition; count 0: the thread is not bound to anything */
};

/* The assignment of thread num in a team of size threads that a thread opens from the assignment primary, with one of the
 * policies TRUE, PRIMARY, CLOSE and SPREAD. A primary thread without one has a team without assignments. */
struct bomp_place_assignment bomp_place_assignment_in_team(struct bomp_place_assignment primary,
                                                           enum bomp_bind policy, unsigned size,
                                                           unsigned num);

#endif
