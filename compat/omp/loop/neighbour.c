#include "omp/loop/neighbour.h"

/* A CPU's number and 1; 0: the worker has not said. */
static uint32_t cpu_of(const struct bz_worker *worker) {
    return bz_worker_cpu(worker) + 1;
}

static bool has_neighbour(struct bomp_member *self, unsigned owner) {
    struct bz_team *threads = self->team->thread_team;
    bz_worker_note_cpu(self->worker);
    uint32_t cpu = cpu_of(self->worker);
    if (owner != BOMP_ANYBODY)
        return cpu_of(bz_team_worker(threads, owner)) == cpu;
    for (unsigned i = 0; i < self->team->size; i++)
        if (i != self->num && cpu_of(bz_team_worker(threads, i)) == cpu)
            return true;
    return false;
}

static bool make_room(void *arg) {
    struct bomp_neighbour *neighbour = arg;
    if (has_neighbour(neighbour->self, neighbour->owner) && !bz_worker_part(neighbour->self->worker))
        bz_os_yield();
    return true;
}

void bomp_neighbour_spin(struct bomp_neighbour *neighbour, struct bz_spin *spin) {
    if (spin->limit_ns > BZ_TURN_SPIN_NS)
        return;
    spin->make_room = make_room;
    spin->arg = neighbour;
}
