/* The caller's part of a static loop that it divides by itself. */
#include "omp/bomp.h"
#include "omp/loop/doacross.h"
#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

void bomp_static_start(uint64_t last, uint64_t chunk, struct bomp_turns *turns) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(self && self->ws->doacross))
        bomp_doacross_static(self, last, chunk);
    bomp_static_turns(last, chunk, self ? self->num : 0, self ? self->team->size : 1, turns);
}
