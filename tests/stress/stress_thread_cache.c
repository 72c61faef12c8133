/* stress_thread_cache.c: many threads take and leave places. Each job for the thread cache runs once, and there are
 * never more threads than places taken at one time. */
#include "stress.h"

#include "team/thread_cache.h"

enum { PLACES = 4, MAX_THREADS = 64 };

struct place {
    struct bz_a32 leave, runs;
    bool taken; /* the caller's */
};

static struct {
    struct place places[MAX_THREADS][PLACES];
    pthread_mutex_t lock;
    unsigned taken, peak; /* under the lock */
    unsigned steps;
    struct bz_a32 runs, given;
} world = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void stay(void *arg) {
    struct place *place = arg;
    stress_check(bz_fetch_add_relaxed(&place->runs, 1) == 0);
    bz_fetch_add_relaxed(&world.runs, 1);
    while (!bz_load_acquire(&place->leave))
        sched_yield();
    bz_store_release(&place->leave, 2); /* the place is not touched after this */
}

static void count(int change) {
    pthread_mutex_lock(&world.lock);
    world.taken += (unsigned)change;
    if (world.taken > world.peak)
        world.peak = world.taken;
    pthread_mutex_unlock(&world.lock);
}

static void take(struct place *place) {
    *place = (struct place){.taken = true};
    count(1);
    stress_check(bz_thread_cache_run(1, stay, place) == 0);
    bz_fetch_add_relaxed(&world.given, 1);
}

static void leave(struct place *place) {
    bz_thread_cache_expect(1);
    count(-1);
    bz_store_release(&place->leave, 1);
    while (bz_load_acquire(&place->leave) != 2)
        sched_yield();
    stress_check(bz_load_relaxed(&place->runs) == 1);
    place->taken = false;
}

static void body(unsigned index, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(index);
    for (unsigned i = 0; i < world.steps; i++) {
        struct place *place = &world.places[index][stress_random(&rng, PLACES)];
        if (place->taken)
            leave(place);
        else
            take(place);
    }
    for (unsigned i = 0; i < PLACES; i++)
        if (world.places[index][i].taken)
            leave(&world.places[index][i]);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    unsigned threads = stress.threads > MAX_THREADS ? MAX_THREADS : stress.threads;
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        stress_part("places");
        world.steps = stress_scaled(1000);
        stress_run(threads, body, NULL);
        stress_check(world.taken == 0);
        stress_check(bz_load_relaxed(&world.runs) == bz_load_relaxed(&world.given));
        stress_check(bz_thread_cache_size() <= world.peak);
        printf("  %u places taken, %u at once, %u threads\n", bz_load_relaxed(&world.given), world.peak,
               bz_thread_cache_size());
    }
    return 0;
}
