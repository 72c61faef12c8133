/* Static loops that the caller runs through by itself: what its part is, and nothing is shared. Cost: that of a division. */
#include "omp/bomp.h"
#include "omp/loop/doacross.h"
#include "omp/state/split.h"
#include "omp/state/team.h"

static void share_by_capacity(const struct bomp_member *self, const struct bomp_loop *loop,
                              struct bomp_turns *turns) {
    struct bomp_part part = bomp_split_share(&self->team->split, loop, self->num, self->team->size);
    *turns = (struct bomp_turns){.first = part.first,
                                 .last = part.last - 1,
                                 .stride = loop->count,
                                 .any = part.first < part.last,
                                 .ends = part.first < part.last && part.last == loop->count};
}

/* More than arithmetic. */
BZ_COLD static void start_special(struct bomp_member *self, uint64_t last, uint64_t chunk,
                                  struct bomp_turns *turns) {
    struct bomp_loop loop = {.step = 1,
                             .count = last < UINT64_MAX ? last + 1 : UINT64_MAX,
                             .chunk = chunk,
                             .schedule = BOMP_LOOP_STATIC | BOMP_LOOP_BY_CAPACITY};
    if (self->ws.doacross)
        bomp_doacross_static(self, &loop);
    if (chunk == 0 && !bomp_split_is_even(&self->team->split, &loop, self->team->size))
        share_by_capacity(self, &loop, turns);
    else
        bomp_static_turns(last, chunk, self->num, self->team->size, turns);
}

void bomp_static_start(uint64_t last, uint64_t chunk, struct bomp_turns *turns) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(!self))
        bomp_static_turns(last, chunk, 0, 1, turns);
    else if (bz_unlikely(self->ws.doacross || self->team->split.sums))
        start_special(self, last, chunk, turns);
    else
        bomp_static_turns(last, chunk, self->num, self->team->size, turns);
}
