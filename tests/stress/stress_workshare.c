/* stress_workshare.c: random rows of worksharing constructs on real teams. Each member runs the same row at its own
 * pace: some constructs end with a barrier, some do not, some members delay. At the end of a row each iteration and
 * section has run once, and one member has run each single. Plain variables check the memory guarantees of each
 * construct. */
#include <string.h>

#include "omp/bomp.h"
#include "stress.h"

#define ROW 60
#define ITERATIONS 1500 /* at most: enough for batches of all members */
#define FEW 96

enum what { LOOP, ORDERED, DOACROSS, SECTIONS, SINGLE, COPY, CRITICAL, MEMORY, BARRIER, KINDS };

static struct step {
    enum what what;
    struct bomp_loop loop;
    unsigned count; /* iterations or sections */
    bool nowait;
    bool dawdle;

    /* Results. */
    struct bz_a32 hits[ITERATIONS];
    unsigned cells[ITERATIONS][3]; /* plain: the waits of doacross loops guard them */
    unsigned in_order;             /* plain: the order, the critical or the barriers guard it */
} row[ROW];

static struct bz_a32 members;
static uint64_t round_number;

static void plan(struct stress_rng *rng, struct step *step) {
    static const uint32_t schedules[] = {BOMP_LOOP_STATIC,  BOMP_LOOP_DYNAMIC,
                                         BOMP_LOOP_DYNAMIC, BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC,
                                         BOMP_LOOP_GUIDED,  BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC,
                                         BOMP_LOOP_RUNTIME, BOMP_LOOP_AUTO};
    memset(step, 0, sizeof *step);
    step->what = stress_random(rng, 3) ? LOOP : (enum what)stress_random(rng, KINDS);
    step->count = stress_random(rng, stress_random(rng, 2) ? FEW + 1 : 8);
    if (stress_random(rng, 10) == 0)
        step->count = stress_random(rng, ITERATIONS + 1);
    step->nowait = stress_random(rng, 3) != 0;
    step->dawdle = stress_random(rng, 4) == 0;
    bomp_loop_signed(&step->loop, 0, step->count, 1);
    step->loop.chunk = stress_random(rng, 5);
    step->loop.schedule = schedules[stress_random(rng, sizeof schedules / sizeof *schedules)] |
                          (step->what == ORDERED ? BOMP_LOOP_ORDERED : 0);
}

static void hit(struct step *step, uint64_t i) {
    stress_check(i < step->count);
    bz_fetch_add_relaxed(&step->hits[i], 1);
}

static void run_loop(struct step *step, struct stress_rng *rng) {
    struct bomp_span span;
    for (bool more = bomp_loop_start(&step->loop, &span); more; more = bomp_loop_next(&span.first, &span.end))
        for (uint64_t i = span.first; i < span.end; i++) {
            hit(step, i);
            if (step->what == ORDERED && i % 4 != 2) {
                bomp_ordered_start();
                stress_check(step->in_order <= i);
                step->in_order = (unsigned)i + 1;
                bomp_ordered_end();
            }
            if (step->dawdle && stress_random(rng, 8) == 0)
                sched_yield();
        }
    if (step->nowait)
        bomp_loop_end_nowait();
    else
        bomp_loop_end();
}

/* Rows of WIDTH iterations; each waits for those above it and before it. The waits guard its plain accesses. */
enum { WIDTH = 3 };

static void run_doacross(struct step *step, struct stress_rng *rng) {
    struct bomp_span span;
    uint64_t counts[2] = {step->count, WIDTH};
    unsigned distance = 1 + step->count % 5;
    for (bool more = bomp_doacross_start(&step->loop, 2, counts, &span); more;
         more = bomp_loop_next(&span.first, &span.end))
        for (uint64_t i = span.first; i < span.end; i++)
            for (uint64_t j = 0; j < WIDTH; j++) {
                if (j == 0)
                    hit(step, i);
                if (i >= distance)
                    bomp_doacross_wait((uint64_t[]){i - distance, j});
                unsigned above = i >= distance ? step->cells[i - distance][j] : 0;
                stress_check(i < distance || above == (i - distance) / distance + 1);
                step->cells[i][j] = above + 1;
                if (i % 7 != 3) /* wait also for the iteration after it, or for the chunk */
                    bomp_doacross_post((uint64_t[]){i, j});
                if (step->dawdle && stress_random(rng, 16) == 0)
                    sched_yield();
            }
    if (step->nowait)
        bomp_loop_end_nowait();
    else
        bomp_loop_end();
}

/* A static loop that the program divides itself, with shared memory: each member writes its part, and all members see
 * the whole after a barrier inside it. */
static void run_memory(struct step *step, unsigned size) {
    bomp_construct_start(true);
    struct bz_a32 *sum = bomp_construct_memory(step->count * sizeof *sum + 4);
    bool last = bz_fetch_add_relaxed(sum, 1) + 1 == size, whole = true;
    if (!step->nowait) {
        bomp_barrier();
        whole = bz_load_relaxed(sum) == size;
    }
    if (last && whole)
        bz_fetch_add_relaxed(&step->hits[0], 1);
    if (step->nowait)
        bomp_loop_end_nowait();
    else
        bomp_loop_end();
}

static void run_sections(struct step *step) {
    for (unsigned s = bomp_sections_start(step->count); s; s = bomp_sections_next())
        hit(step, s - 1);
    if (step->nowait)
        bomp_sections_end_nowait();
    else
        bomp_sections_end();
}

static void run_single(struct step *step) {
    if (bomp_single_start())
        bz_fetch_add_relaxed(&step->hits[0], 1);
    if (!step->nowait)
        bomp_barrier();
}

static void run_copy(struct step *step) {
    unsigned mine = step->count + 7, *result = bomp_single_copy_start();
    if (!result) {
        bz_fetch_add_relaxed(&step->hits[0], 1);
        bomp_single_copy_end(&mine);
    } else {
        stress_check(*result == mine);
    }
    bomp_barrier();
}

static void run_critical(struct step *step) {
    static uint32_t name;
    bomp_critical_name_start(&name);
    step->in_order++;
    bomp_critical_name_end(&name);
}

static void member_main(void *arg) {
    unsigned index = bz_fetch_add_relaxed(&members, 1);
    struct stress_rng rng = stress_rng(1000 + (unsigned)round_number * 64 + index);
    for (struct step *step = row; step < row + ROW; step++) {
        if (step->dawdle && stress_random(&rng, 3) == 0)
            for (unsigned n = stress_random(&rng, 4); n > 0; n--)
                sched_yield();
        switch (step->what) {
        case LOOP:
        case ORDERED:
            run_loop(step, &rng);
            break;
        case DOACROSS:
            run_doacross(step, &rng);
            break;
        case MEMORY:
            run_memory(step, *(unsigned *)arg);
            break;
        case SECTIONS:
            run_sections(step);
            break;
        case SINGLE:
            run_single(step);
            break;
        case COPY:
            run_copy(step);
            break;
        case CRITICAL:
            run_critical(step);
            break;
        default:
            bomp_barrier();
        }
    }
}

static void check(struct step *step, unsigned size) {
    bool numbered =
        step->what == LOOP || step->what == ORDERED || step->what == SECTIONS || step->what == DOACROSS;
    unsigned expected =
        numbered ? step->count : step->what == SINGLE || step->what == COPY || step->what == MEMORY;
    for (unsigned i = 0; i < ITERATIONS; i++)
        stress_check(bz_load_relaxed(&step->hits[i]) == (i < expected));
    if (step->what == CRITICAL)
        stress_check(step->in_order == size);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    unsigned regions = stress_scaled(600);
    for (unsigned round = 0; round < stress.iter; round++, stress.seed++) {
        struct stress_rng rng = stress_rng(0);
        stress_part("rows of constructs");
        for (unsigned region = 0; region < regions; region++, round_number++) {
            /* Mostly teams of one size, which keep their state from region to region. Some have groups (range.c). */
            unsigned size = region % 20 < 15 ? stress.threads : 1 + stress_random(&rng, stress.threads);
            size = region % 40 == 39 ? 3 * stress.threads : size;
            for (unsigned i = 0; i < ROW; i++)
                plan(&rng, &row[i]);
            bz_store_relaxed(&members, 0);
            bomp_parallel(member_main, &size, size);
            stress_check(bz_load_relaxed(&members) == size);
            for (unsigned i = 0; i < ROW; i++)
                check(&row[i], size);
        }
    }
    puts("ok");
    return 0;
}
