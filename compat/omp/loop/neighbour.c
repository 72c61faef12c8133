#include "omp/loop/neighbour.h"

/* All accesses to where members are: relaxed, hints. */
uint32_t bomp_neighbour_cpu(const struct bomp_member *self, unsigned num) {
    const struct bomp_member *other = bz_worker_context(bz_team_worker(self->team->thread_team, num));
    return bz_load_relaxed(&other->cpu);
}

uint32_t bomp_neighbour_note(struct bomp_member *self) {
    uint32_t cpu = (uint32_t)bz_os_cpu() + 1;
    if (bz_load_relaxed(&self->cpu) != cpu)
        bz_store_relaxed(&self->cpu, cpu);
    return cpu;
}

static bool has_neighbour(struct bomp_member *self, unsigned owner) {
    uint32_t cpu = bomp_neighbour_note(self);
    if (owner != BOMP_ANYBODY)
        return bomp_neighbour_cpu(self, owner) == cpu;
    for (unsigned i = 0; i < self->team->size; i++)
        if (i != self->num && bomp_neighbour_cpu(self, i) == cpu)
            return true;
    return false;
}

/* Now and then: the system may put them together again. The initial thread is always member 0. */
static bool move_away(struct bomp_member *self, uint64_t now) {
    if (self->num == 0 || now - self->moved_ns < BOMP_MOVE_NS)
        return false;
    self->moved_ns = now;
    if (!bz_os_move_off(bz_load_relaxed(&self->cpu) - 1))
        return false;
    bomp_neighbour_note(self);
    return true;
}

/* Lets a neighbour run. False: by a sleep, although that is more expensive than a yield, since another program took the
 * CPU. */
static bool let_run(struct bomp_member *self) {
    if (move_away(self, bz_os_now_ns()))
        return true;
    if (self->yield_skips > 0) {
        self->yield_skips--;
        return false;
    }
    uint64_t before = bz_os_now_ns();
    bz_os_yield();
    if (bz_os_now_ns() - before >= BZ_SPIN_NS)
        self->yield_skips = BOMP_YIELD_SKIPS;
    return true;
}

static bool make_room(void *arg) {
    struct bomp_neighbour *neighbour = arg;
    return !has_neighbour(neighbour->self, neighbour->owner) || let_run(neighbour->self);
}

void bomp_neighbour_spin(struct bomp_neighbour *neighbour, struct bz_spin *spin) {
    if (spin->limit_ns > BZ_TURN_SPIN_NS)
        return;
    spin->make_room = make_room;
    spin->arg = neighbour;
}
