#include "omp/loop/neighbour.h"

uint32_t bomp_neighbour_cpu(const struct bomp_member *self, unsigned num) {
    return bz_worker_cpu(bz_team_worker(self->team->thread_team, num)) + 1;
}

uint32_t bomp_neighbour_note(struct bomp_member *self) {
    bz_worker_note_cpu(self->worker);
    return bz_worker_cpu(self->worker) + 1;
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

/* Lets a neighbour run. False: by a sleep, although that is more expensive than a yield, since another program took the
 * CPU. */
static bool let_run(struct bomp_member *self) {
    if (bz_worker_part(self->worker))
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
