/* stress_lease.c: host threads that open regions at once, with and without a question before, and threads that end with
 * a lease: none waits forever in the queue, and leases are tried. */
#include "stress.h"

#include "wait/lease.h"
#include "wait/load.h"

static struct {
    unsigned rounds;
    struct bz_a32 tried; /* threads that have seen that leases are on */
} world;

static void region(struct bz_lease *lease, struct stress_rng *rng) {
    unsigned threads = 1 + stress_random(rng, 3);
    if (stress_random(rng, 4) == 0)
        bz_lease_ask_one_of_several(lease, threads);
    bz_lease_begin(lease, threads);
    for (unsigned i = stress_random(rng, 8); i > 0; i--)
        sched_yield();
    if (stress_random(rng, 500) == 0)
        usleep(1000);
    bz_lease_end(lease);
}

/* Goes on until all have seen leases: the first phase takes its time. */
static void body(unsigned index, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(index);
    struct bz_lease lease = {0};
    bool seen = false;
    for (unsigned i = 0; i < world.rounds || bz_load_relaxed(&world.tried) < stress.threads; i++) {
        region(&lease, &rng);
        if (!seen && bz_leases_are_on()) {
            seen = true;
            bz_fetch_add_relaxed(&world.tried, 1);
        }
        if (stress_random(&rng, 1000) == 0) { /* as if another thread took its place */
            bz_lease_drop(&lease);
            lease = (struct bz_lease){0};
        }
    }
    bz_lease_drop(&lease);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    bz_set_cpus(3);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        stress_part("regions");
        world.rounds = stress_scaled(5000);
        bz_leases_forget(); /* or leases might rest for long */
        bz_store_relaxed(&world.tried, 0);
        stress_run(stress.threads, body, NULL);
        printf("  regions: %u by each\n", world.rounds);
    }
    return 0;
}
