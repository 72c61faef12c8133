/* Neighbours: members of a team that share a CPU, as far as is known. Each notes where it is as it begins a region, and when
 * it has waited for a while for its turn in a loop (bz_worker_note_cpu).
 *
 * On a busy machine other programs want the CPUs, too. Whoever yields there may be gone for milliseconds, and when it is
 * back the other one has yielded. So a waiter without a neighbour spins: either the other one runs, and will be done soon,
 * or no yield of ours gives it the CPU that it lacks. A neighbour can run only where this one does not: so this one moves to
 * another CPU, if it may and has not done so just now (bz_worker_part). Else it yields.
 *
 * Where there are more threads than CPUs, or the program's user has asked for long spins, all yield as ever. */
#ifndef BOMP_NEIGHBOUR_H
#define BOMP_NEIGHBOUR_H

#include "omp/state/team.h"

/* Anybody of the team. */
#define BOMP_ANYBODY UINT_MAX

/* The member that spins for a turn, for what member `owner` is to do, or BOMP_ANYBODY. */
struct bomp_neighbour {
    struct bomp_member *self;
    unsigned owner;
};

/* As it spins it gives its CPU to neighbours only. */
void bomp_neighbour_spin(struct bomp_neighbour *neighbour, struct bz_spin *spin);

#endif
