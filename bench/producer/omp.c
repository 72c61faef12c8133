/* One thread makes all tasks, the team runs them; bodies of 0.1, 1, 10, 100 and 1000 us, and bodies of 1 us, with every
 * 64th 100 times longer. producer.GRAIN is the time per task. Argument: MS. */
#include "harness.h"

enum { STEPS_PER_US = 770, SEEDS = 8, TASKS_MAX = 50000 };

struct series {
    const char *name;
    int tasks;
    long steps;
    int long_every; /* one task in this many has 100 times the steps; 0: none */
};

static const struct series all_series[] = {
    {"producer.0.1us", TASKS_MAX, STEPS_PER_US / 10, 0}, {"producer.1us", 8192, STEPS_PER_US, 0},
    {"producer.10us", 1024, STEPS_PER_US * 10, 0},       {"producer.100us", 128, STEPS_PER_US * 100, 0},
    {"producer.1000us", 16, STEPS_PER_US * 1000, 0},     {"producer.skewed", 4096, STEPS_PER_US, 64},
};

static uint64_t results[TASKS_MAX];

static uint64_t body(const struct series *series, int i) {
    int is_long = series->long_every && i % series->long_every == 0;
    return harness_work((uint64_t)(i % SEEDS), series->steps * (is_long ? 100 : 1));
}

static uint64_t region(void *arg) {
    const struct series *series = arg;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < series->tasks; i++) {
#pragma omp task
        results[i] = body(series, i);
    }
    uint64_t sum = 0;
    for (int i = 0; i < series->tasks; i++)
        sum += results[i];
    return sum;
}

static uint64_t serial(const struct series *series) {
    uint64_t sum = 0;
    for (int i = 0; i < series->tasks; i++)
        sum += body(series, i);
    return sum;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    for (size_t i = 0; i < sizeof all_series / sizeof *all_series; i++) {
        const struct series *series = &all_series[i];
        harness_measure(series->name, region, (void *)series, serial(series), series->tasks);
    }
    return harness_end();
}
