/* The caller's part of a static loop that it divides by itself. */
#include "omp/bomp.h"
#include "omp/loop/doacross.h"
#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

/* In a doacross nest. */
BZ_COLD static void start_nested(struct bomp_member *self, uint64_t last, uint64_t chunk) {
    struct bomp_loop loop = {.step = 1,
                             .count = last < UINT64_MAX ? last + 1 : UINT64_MAX,
                             .chunk = chunk,
                             .schedule = BOMP_LOOP_STATIC};
    bomp_doacross_static(self, &loop);
}

void bomp_static_start(uint64_t last, uint64_t chunk, struct bomp_turns *turns) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(self && self->ws->doacross))
        start_nested(self, last, chunk);
    bomp_static_turns(last, chunk, self ? self->num : 0, self ? self->team->size : 1, turns);
}
