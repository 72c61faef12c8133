/* The loop without tasks. */
#include "workload.h"

static uint64_t loop(void *arg) {
    const struct series *series = arg;
    for (int i = 0; i < series->iterations; i++)
        body(i);
    return 0;
}

int main(int argc, char **argv) {
    return taskloop_main(argc, argv, loop, 1);
}
