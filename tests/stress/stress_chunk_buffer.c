/* stress_chunk_buffer.c: one thread takes chunks from a chunk buffer that all others steal from whenever something is in
 * it, as thieves of loops do only when it is late. Each chunk runs once: where the owner and a thief want the same one,
 * where two thieves come at once, where a thief comes as the buffer gets empty and is filled again. */
#include "omp/loop/chunk_buffer.h"
#include "stress.h"
#include "wait/fence.h"

enum { CHUNKS = 300, MOST = 6 };

static struct {
    BZ_ALIGN_LINE struct bomp_chunk_buffer buffer;
    BZ_ALIGN_LINE struct bz_a32 over; /* set by the owner */
    struct bz_a32 thefts, disputes;
    struct bz_a32 hits[CHUNKS];
    struct stress_meeting meeting;
    unsigned threads, rounds;
} world;

static void hit(uint64_t chunk) {
    stress_check(chunk < CHUNKS);
    bz_fetch_add_relaxed(&world.hits[chunk], 1);
}

static void dawdle(struct stress_rng *rng) {
    for (unsigned i = stress_random(rng, 4) == 0 ? stress_random(rng, 60) : 0; i > 0; i--)
        bz_cpu_relax();
    if (stress_random(rng, 100) == 0)
        sched_yield();
}

/* One at a time, as single chunks are, once it has decided. */
static void own(struct stress_rng *rng) {
    bool disputed = false;
    for (uint64_t first = 0, last; first < CHUNKS; first = last) {
        uint64_t n = disputed ? 1 : 1 + stress_random(rng, MOST), chunk;
        last = n < CHUNKS - first ? first + n : CHUNKS;
        if (last - first > 1)
            bomp_chunk_buffer_open(&world.buffer, first + 1, last);
        hit(first);
        dawdle(rng);
        while (bomp_chunk_buffer_take(&world.buffer, &chunk) ||
               bomp_chunk_buffer_resolve(&world.buffer, chunk, &disputed)) {
            hit(chunk);
            dawdle(rng);
        }
    }
    bz_fetch_add_relaxed(&world.disputes, disputed);
    bz_store_release(&world.over, 1);
}

static void steal(struct stress_rng *rng) {
    while (!bz_load_acquire(&world.over)) {
        uint64_t first, last;
        if (bomp_chunk_buffer_holds(&world.buffer) && bomp_chunk_buffer_steal(&world.buffer, &first, &last)) {
            bz_fetch_add_relaxed(&world.thefts, 1);
            for (; first < last; first++)
                hit(first);
        }
        dawdle(rng);
    }
}

static void check_and_clear(void) {
    for (unsigned i = 0; i < CHUNKS; i++) {
        stress_check(bz_load_relaxed(&world.hits[i]) == 1);
        bz_store_relaxed(&world.hits[i], 0);
    }
    bomp_chunk_buffer_clear(&world.buffer);
    bz_store_relaxed(&world.over, 0);
}

static void body(unsigned index, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(index);
    for (unsigned round = 0; round < world.rounds; round++) {
        stress_meet(&world.meeting, world.threads);
        if (index == 0)
            own(&rng);
        else
            steal(&rng);
        stress_meet(&world.meeting, world.threads);
        if (index == 0)
            check_and_clear();
    }
}

static void run(const char *what, unsigned threads) {
    stress_part(what);
    world.threads = threads;
    world.rounds = stress_scaled(400);
    bz_store_relaxed(&world.thefts, 0);
    bz_store_relaxed(&world.disputes, 0);
    stress_run(threads, body, NULL);
    printf("  %s: %u rounds, %u thefts, %u disputes\n", what, world.rounds, bz_load_relaxed(&world.thefts),
           bz_load_relaxed(&world.disputes));
    stress_check(bz_load_relaxed(&world.thefts) > 0);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        run("with full fences", 2); /* as they are until this: */
        bz_fence_init();
        run("one thief", 2);
        run("many thieves", stress.threads < 3 ? 3 : stress.threads);
        bz_store_relaxed(&bz_fence_symmetric, true); /* no other thread is there */
    }
    return 0;
}
