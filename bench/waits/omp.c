/* Waits for a thread that works, about as long as its work: waits.WHAT.30us is the time of a round with a wait of about
 * 30 us, and so on. Others (sync) measure rounds with nearly empty bodies. Argument: MS. */
#include <omp.h>

#include "harness.h"

enum { STEPS_PER_US = 667, ROUNDS_NS = 5000000 };

struct size {
    long steps; /* of a body */
    int rounds;
};

static uint64_t body(long steps) {
    return harness_work((uint64_t)steps, steps);
}

/* The other threads work twice as long as the first. */
static long share(const struct size *size) {
    return omp_get_thread_num() ? 2 * size->steps : size->steps;
}

static uint64_t joins(void *arg) {
    const struct size *size = arg;
    uint64_t sum = 0;
    for (int i = 0; i < size->rounds; i++) {
#pragma omp parallel reduction(+ : sum)
        sum += body(share(size));
    }
    return sum;
}

static uint64_t barriers(void *arg) {
    const struct size *size = arg;
    uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
    for (int i = 0; i < size->rounds; i++) {
        sum += body(share(size));
#pragma omp barrier
    }
    return sum;
}

/* Between almost nothing and twice a body; each thread has its own sequence. */
static long random_steps(const struct size *size, int round, int thread) {
    return (long)(harness_mix((uint64_t)round << 8 | (unsigned)thread) % (uint64_t)(2 * size->steps));
}

static uint64_t irregular(void *arg) {
    const struct size *size = arg;
    uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
    for (int i = 0; i < size->rounds; i++) {
        sum += body(random_steps(size, i, omp_get_thread_num()));
#pragma omp barrier
    }
    return sum;
}

static uint64_t criticals(void *arg) {
    const struct size *size = arg;
    uint64_t sum = 0, all = 0;
#pragma omp parallel reduction(+ : sum)
    for (int i = 0; i < size->rounds; i++) {
        sum += body(size->steps / 2);
#pragma omp critical
        all += body(size->steps);
    }
    return sum + all;
}

static uint64_t ordered(void *arg) {
    const struct size *size = arg;
    uint64_t sum = 0, all = 0;
#pragma omp parallel for ordered schedule(static, 1) reduction(+ : sum)
    for (int i = 0; i < size->rounds; i++) {
        sum += body(size->steps / 2);
#pragma omp ordered
        all += body(size->steps);
    }
    return sum + all;
}

static uint64_t taskwaits(void *arg) {
    const struct size *size = arg;
    uint64_t sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < size->rounds; i++) {
        uint64_t child;
#pragma omp task shared(child)
        child = body(2 * size->steps);
        sum += body(size->steps);
#pragma omp taskwait
        sum += child;
    }
    return sum;
}

static void measure(const char *what, int us, uint64_t (*work)(void *arg), struct size *size,
                    uint64_t expected) {
    char name[40];
    snprintf(name, sizeof name, "waits.%s.%dus", what, us);
    harness_measure(name, work, size, expected, size->rounds);
}

int main(int argc, char **argv) {
    static const int sizes[] = {30, 100, 300};
    harness_begin(argc, argv);
    uint64_t threads = (uint64_t)omp_get_max_threads();
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int us = sizes[k];
        struct size size = {(long)us * STEPS_PER_US, ROUNDS_NS / 1000 / us};
        uint64_t rounds = (uint64_t)size.rounds, half = body(size.steps / 2);
        uint64_t one = body(size.steps), two = body(2 * size.steps), random = 0;
        for (int i = 0; i < size.rounds; i++)
            for (unsigned thread = 0; thread < threads; thread++)
                random += body(random_steps(&size, i, (int)thread));
        measure("join", us, joins, &size, rounds * (one + (threads - 1) * two));
        measure("barrier", us, barriers, &size, rounds * (one + (threads - 1) * two));
        measure("irregular", us, irregular, &size, random);
        measure("critical", us, criticals, &size, rounds * threads * (half + one));
        measure("ordered", us, ordered, &size, rounds * (half + one));
        measure("taskwait", us, taskwaits, &size, rounds * (one + two));
    }
    return harness_end();
}
