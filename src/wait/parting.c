/* parting.c: see parting.h.
 *
 * Pairing table
 *   A5 who notes where it is   A6 who finds it in the map   the other's first note */
#include "wait/parting.h"

#include <string.h>

#include "os/cpus.h"
#include "wait/load.h"
#include "wait/rival.h"
#include "wait/tuning.h"

struct bz_parting_map *bz_parting_map_new(void) {
    uint32_t cpus = (uint32_t)(bz_cpus_words() * BZ_CPUS_WORD_BITS);
    struct bz_parting_map *map = bz_alloc_zero(1, sizeof *map + cpus * sizeof map->last[0]);
    if (map)
        map->cpus = cpus;
    return map;
}

void bz_parting_map_free(struct bz_parting_map *map) {
    bz_free(map);
}

/* The member that noted the CPU last, if it has noted no other since; NULL: no such member. */
static struct bz_parting *occupant(struct bz_parting_map *map, uint32_t cpu) {
    struct bz_parting *last = bz_load_acquire(&map->last[cpu]); /* A6: pairs with A5 */
    return last && bz_parting_cpu(last) == cpu ? last : NULL;
}

bool bz_parting_note_slow(struct bz_parting *self, uint32_t cpu) {
    struct bz_parting_map *map = self->map;
    if (bz_load_relaxed(&self->cpu) != cpu + 1) /* relaxed, both: own store, and a hint */
        bz_store_relaxed(&self->cpu, cpu + 1);
    if (!map || cpu >= map->cpus || bz_crowded() || bz_rival_is_here())
        return false;
    struct bz_parting *other = occupant(map, cpu);
    if (other == self)
        return false;
    bz_store_release(&map->last[cpu], self); /* A5: pairs with A6 */
    return other;
}

/* Its own CPU, and all others with a member. */
static void add_occupied(const struct bz_parting *self, uint64_t *set) {
    struct bz_parting_map *map = self->map;
    uint32_t here = bz_parting_cpu(self);
    if (here / BZ_CPUS_WORD_BITS < bz_cpus_words())
        bz_cpus_add(set, here);
    for (uint32_t cpu = 0; map && cpu < map->cpus; cpu++)
        if (occupant(map, cpu))
            bz_cpus_add(set, cpu);
}

/* To a CPU without a member. False: it may use no such CPU. */
static bool go_elsewhere(struct bz_parting *self) {
    size_t words = bz_cpus_words();
    uint64_t *occupied = __builtin_alloca(words * sizeof *occupied);
    memset(occupied, 0, words * sizeof *occupied);
    add_occupied(self, occupied);
    if (!bz_os_move_off(occupied))
        return false;
    (void)bz_parting_note(self);
    return true;
}

/* A CPU with other threads of equal priority makes it wait for a time slice. The system may also bring members together
 * again at once. So a late or refused move makes the next ones rarer. */
bool bz_parting_move(struct bz_parting *self) {
    uint64_t now = bz_os_now_ns();
    if (self->stays || now - self->moved < (uint64_t)BZ_PARTING_NS << self->vain)
        return false;
    bool moves = go_elsewhere(self);
    self->moved = bz_os_now_ns();
    if (moves && self->moved - now < BZ_PARTING_LATE_NS)
        self->vain = 0;
    else if (self->vain < BZ_PARTING_VAIN_MOST)
        self->vain++;
    return moves;
}

void bz_parting_begin(struct bz_parting *self) {
    if (!self->brief)
        (void)bz_parting_move(self);
    self->began = bz_os_now_ns();
}

void bz_parting_end(struct bz_parting *self) {
    self->brief = bz_os_now_ns() - self->began < BZ_PARTING_BRIEF_NS;
}

void bz_parting_meet(struct bz_parting *self) {
    if (bz_parting_note(self) && !bz_crowded() && !bz_rival_is_here())
        (void)bz_parting_move(self);
}
