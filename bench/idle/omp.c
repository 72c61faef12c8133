/* A team while one task sleeps. idle.task.cpu is the CPU time of all threads per second of sleep, idle.task the wall
 * time. The sleep lasts five times as long as other measurements, 1 s by default. Argument: MS. */
#include <errno.h>

#include "harness.h"

static uint64_t sleeper(void *arg) {
    uint64_t done = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(done)
        {
            struct timespec left = *(struct timespec *)arg;
            while (nanosleep(&left, &left) != 0 && errno == EINTR)
                ;
            done = 1;
        }
#pragma omp taskwait
    }
    return done;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    double seconds = 5 * harness_budget;
    struct timespec shortly = {.tv_nsec = 1000000};
    struct timespec long_time = {.tv_sec = (time_t)seconds};
    long_time.tv_nsec = (long)((seconds - (double)long_time.tv_sec) * 1e9);
    harness_check("idle.task", sleeper(&shortly), 1);
    double wall = harness_wall(), cpu = harness_cpu();
    harness_check("idle.task", sleeper(&long_time), 1);
    harness_report("idle.task", (harness_wall() - wall) / seconds * 1e9, "ns");
    harness_report("idle.task.cpu", (harness_cpu() - cpu) / seconds * 1e9, "ns");
    return harness_end();
}
