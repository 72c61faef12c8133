/* stress_lock.c: locks of both protocols that share a bucket, which is made quiet again and again: unlocks by a plain
 * store meet threads that are about to sleep. One thread holds a lock at a time, and none stays asleep. */
#include "stress.h"

#include "wait/fence.h"

/* Called between the parts of an unlock, before its store and after it: delays as a preemption would. */
static void gap(void);

#pragma push_macro("bz_store_release")
#undef bz_store_release
#define bz_store_release(p, x) (gap(), __atomic_store_n(&(p)->v, (x), __ATOMIC_RELEASE))
#define bz_fence_light() (bz_fence_light(), gap())
#include "wait/parking.h"
#undef bz_fence_light
#pragma pop_macro("bz_store_release")

#include "omp/sync/lock.h"

enum { LOCKS = 2, SPREAD = 4 * BZ_PARKING_BUCKETS };

typedef void verb(uint32_t *word);

/* Wrappers of the inline functions, for pointers to them. */
static void mutex_lock(uint32_t *word) {
    bomp_mutex_lock(word);
}
static void mutex_unlock(uint32_t *word) {
    bomp_mutex_unlock(word);
}
static void owned_lock(uint32_t *word) {
    bomp_owned_lock(word);
}
static void owned_unlock(uint32_t *word) {
    bomp_owned_unlock(word);
}

static const struct kind {
    const char *name;
    verb *lock, *unlock;
} kinds[] = {
    {"mutex", mutex_lock, mutex_unlock},
    {"owned", owned_lock, owned_unlock},
};

static uint32_t words[SPREAD];

static struct world {
    const struct kind *kind;
    uint32_t *lock[LOCKS]; /* in one bucket */
    struct bz_a32 quiet;   /* how often an unlock was to find a quiet bucket */
    struct {               /* under lock i */
        bool inside;
        uint64_t count;
    } under[LOCKS];
    unsigned rounds;
} world;

static _Thread_local struct stress_rng gap_rng;

static void gap(void) {
    if (stress_random(&gap_rng, 64) == 0)
        usleep(stress_random(&gap_rng, 2) ? 30 : 0);
}

static void pause_for(unsigned n) {
    for (unsigned i = 0; i < n; i++)
        bz_cpu_relax();
}

/* As many threads as possible compete for a lock. Most hold it for about as long as the others spin before they
 * sleep. */
static void body(unsigned index, void *arg) {
    (void)arg;
    struct stress_rng rng = gap_rng = stress_rng(index);
    for (unsigned i = 0; i < world.rounds; i++) {
        unsigned l = stress_random(&rng, LOCKS);
        uint32_t *word = world.lock[l];
        world.kind->lock(word);
        stress_check(!world.under[l].inside);
        world.under[l].inside = true;
        world.under[l].count++;
        pause_for(stress_random(&rng, 4) ? stress_random(&rng, 200) : 0);
        if (stress_random(&rng, 50) == 0)
            sched_yield();
        world.under[l].inside = false;
        if (bz_load_relaxed(&bz_parking_of(bomp_mutex(word))->state) == BZ_PARKING_QUIET)
            bz_fetch_add_relaxed(&world.quiet, 1);
        world.kind->unlock(word);
        pause_for(stress_random(&rng, 100));
        for (unsigned j = 0; j < BZ_PARKING_UNLOCKS * bz_cpu_count() / 4;
             j++) /* as that many unlocks would do */
            bz_parking_note_unlock(bomp_mutex(word));
    }
}

static void begin(const struct kind *kind) {
    world = (struct world){.kind = kind, .rounds = stress_scaled(10000), .lock = {words}};
    for (unsigned i = 1, l = 1; l < LOCKS; i++) {
        stress_check(i < SPREAD);
        if (bz_parking_of(bomp_mutex(&words[i])) == bz_parking_of(bomp_mutex(words)))
            world.lock[l++] = &words[i];
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++)
        for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            uint64_t count = 0;
            stress_part(kinds[k].name);
            begin(&kinds[k]);
            stress_run(stress.threads, body, NULL);
            for (unsigned l = 0; l < LOCKS; l++) {
                count += world.under[l].count;
                stress_check(*world.lock[l] == 0);
            }
            stress_check(count == (uint64_t)stress.threads * world.rounds);
            stress_check(bz_load_relaxed(&bz_parking_of(bomp_mutex(words))->sleepers) == 0);
            printf("  %s: %u times by each, %u of all found the bucket quiet\n", kinds[k].name, world.rounds,
                   bz_load_relaxed(&world.quiet));
        }
    return 0;
}
