/* stress_slab.c: objects that one thread allocates and another frees. No two objects in use overlap, all return to
 * their slab, and memory stops growing once each thread has enough. */
#include "stress.h"

#include "os/os.h"
#include "sched/slab.h"

enum { BOXES = 64, MAX_THREADS = 64 };

struct stamp {
    uint64_t value;
    size_t size;
};

static struct {
    struct bz_slabs *slabs; /* one for each thread */
    struct {
        struct stamp *v;
    } box[BOXES]; /* objects in transit */
    struct stress_meeting meeting;
    struct bz_a32 over;
    unsigned threads, rounds;
} world;

/* Writes the whole object; another owner of any part of it would spoil the pattern. */
static void fill(struct stamp *stamp, uint64_t value, size_t size) {
    unsigned char *bytes = (unsigned char *)(stamp + 1);
    *stamp = (struct stamp){value, size};
    memset(bytes, (int)(value % 251), size - sizeof *stamp);
}

static void check(const struct stamp *stamp) {
    const unsigned char *bytes = (const unsigned char *)(stamp + 1);
    stress_check(stamp->size >= sizeof *stamp && stamp->size <= BZ_SLAB_MAX);
    for (size_t i = 0; i < stamp->size - sizeof *stamp; i++)
        stress_check(bytes[i] == stamp->value % 251);
}

static void release(struct bz_slabs *self, struct stamp *stamp) {
    check(stamp);
    fill(stamp, stamp->value + 1, stamp->size); /* it is ours until the end */
    bz_slabs_free(self, stamp);
}

static unsigned slabs(const struct bz_slabs *slabs) {
    unsigned count = 0;
    for (const struct bz_slab *slab = slabs->list; slab; count++)
        slab = *(const struct bz_slab *const *)slab; /* its first member points to the next slab */
    return count;
}

/* Each thread allocates, puts the object into a random box, and frees the one that it replaces. */
static void exchange(unsigned index, void *arg) {
    (void)arg;
    struct bz_slabs *self = &world.slabs[index];
    struct stress_rng rng = stress_rng(index);
    for (unsigned i = 0; i < world.rounds; i++) {
        size_t size = sizeof(struct stamp) + stress_random(&rng, stress_random(&rng, 8) ? 290 : 990);
        struct stamp *stamp = bz_slabs_alloc(self, size);
        stress_check(stamp);
        fill(stamp, (uint64_t)index << 32 | i, size);
        if (stress_random(&rng, 4) > 0)
            stamp = bz_exchange_acq_rel(&world.box[stress_random(&rng, BOXES)], stamp);
        if (stamp)
            release(self, stamp);
    }
    stress_meet(&world.meeting, world.threads);
    if (index == 0)
        for (unsigned i = 0; i < BOXES; i++) {
            struct stamp *stamp = bz_exchange_acq_rel(&world.box[i], NULL);
            if (stamp)
                release(self, stamp);
        }
}

/* Thread 0 produces for all others; no thread frees its own objects. */
static void produce_all(struct bz_slabs *self) {
    for (unsigned i = 0; i < world.rounds; i++) {
        struct stamp *stamp = bz_slabs_alloc(self, 100), *none = NULL;
        stress_check(stamp);
        fill(stamp, i, 100);
        while (!bz_cas_acq_rel(&world.box[i % BOXES], &none, stamp)) {
            none = NULL;
            sched_yield();
        }
    }
    for (unsigned i = 0; i < BOXES; i++)
        while (bz_load_acquire(&world.box[i]))
            sched_yield();
    bz_store_release(&world.over, 1);
}

static void consume(struct bz_slabs *self, unsigned index) {
    for (unsigned at = index; !bz_load_acquire(&world.over); at += world.threads - 1) {
        struct stamp *stamp = bz_exchange_acq_rel(&world.box[at % BOXES], NULL);
        if (stamp)
            release(self, stamp);
        else
            sched_yield();
    }
}

static void produce(unsigned index, void *arg) {
    (void)arg;
    if (index > 0) {
        consume(&world.slabs[index], index);
        return;
    }
    produce_all(&world.slabs[0]);
    /* In transit: one object in each box and in each consumer's hand, and each consumer's batch. */
    unsigned under_way = BOXES + 34 * world.threads;
    stress_check(slabs(&world.slabs[0]) <= 2 + under_way / 127);
}

static void run(const char *what, stress_body *body, unsigned rounds) {
    stress_part(what);
    world.rounds = stress_scaled(rounds);
    world.slabs = bz_os_alloc(world.threads * sizeof *world.slabs);
    stress_check(world.slabs);
    bz_store_relaxed(&world.over, 0);
    stress_run(world.threads, body, NULL);
    unsigned total = 0;
    for (unsigned i = 0; i < world.threads; i++)
        total += slabs(&world.slabs[i]);
    printf("  %s: %u times by each, %u slabs\n", what, world.rounds, total);
    for (unsigned i = 0; i < world.threads; i++)
        bz_slabs_destroy(&world.slabs[i]);
    bz_os_free(world.slabs, world.threads * sizeof *world.slabs);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    world.threads = stress.threads < 2 ? 2 : stress.threads > MAX_THREADS ? MAX_THREADS : stress.threads;
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        run("exchanged", exchange, 100000);
        run("produced and consumed", produce, 300000);
    }
    return 0;
}
