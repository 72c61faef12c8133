/* stress_mutex.c: mutual exclusion, and no thread left asleep, with locks that are tried, held across a yield, and
 * passed from thread to thread. */
#include "stress.h"

#include "wait/mutex.h"

static struct {
    struct bz_a32 mutex;
    struct bz_a32 tries;
    bool inside; /* guarded by the mutex, like all below */
    uint64_t count;
    unsigned rounds;
} world;

static void enter(struct stress_rng *rng) {
    stress_check(!world.inside);
    world.inside = true;
    world.count++;
    if (stress_random(rng, 100) == 0)
        sched_yield();
    world.inside = false;
}

static void body(unsigned index, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(index);
    for (unsigned i = 0; i < world.rounds; i++) {
        if (stress_random(&rng, 4) == 0) {
            while (!bz_mutex_trylock(&world.mutex)) {
                bz_fetch_add_relaxed(&world.tries, 1);
                sched_yield();
            }
        } else {
            bz_mutex_lock(&world.mutex);
        }
        enter(&rng);
        bz_mutex_unlock(&world.mutex);
    }
}

/* The lock as a semaphore: another thread unlocks. */
static void ping(unsigned index, void *arg) {
    struct bz_a32 *sides = arg;
    for (unsigned i = 0; i < world.rounds; i++) {
        bz_mutex_lock(&sides[index]);
        world.count++;
        bz_mutex_unlock(&sides[1 - index]);
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        stress_part("lock");
        world.rounds = stress_scaled(60000);
        world.count = 0;
        bz_store_relaxed(&world.tries, 0);
        stress_run(stress.threads, body, NULL);
        stress_check(world.count == (uint64_t)stress.threads * world.rounds);
        stress_check(bz_load_relaxed(&world.mutex) == BZ_MUTEX_FREE);
        printf("  lock: %u times by each, %u tries failed\n", world.rounds, bz_load_relaxed(&world.tries));

        stress_part("handed over");
        struct bz_a32 sides[2] = {{BZ_MUTEX_FREE}, {BZ_MUTEX_HELD}};
        world.count = 0;
        stress_run(2, ping, sides);
        stress_check(world.count == 2 * (uint64_t)world.rounds);
        printf("  handed over: %u times\n", world.rounds);
    }
    return 0;
}
