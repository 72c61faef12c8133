/* Constructs in functions that compilers inline: reports show the names and lines of the functions in the source. With
 * an argument it hangs in the region. */
#include <omp.h>
#include <stddef.h>

static long done;

static inline __attribute__((always_inline)) void count_in_region(omp_lock_t *lock) {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(ledger)
        done++;
#pragma omp critical
        done++;
        if (lock)
            omp_set_lock(lock);
    }
}

static inline __attribute__((always_inline)) void count_in_loop(void) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
    for (int i = 0; i < 100; i++)
#pragma omp atomic
        done++;
}

static inline __attribute__((always_inline)) void count_twice(void) {
#pragma omp atomic
    done += 2;
}

static inline __attribute__((always_inline)) void count_in_task(void) {
#pragma omp task
#pragma omp atomic
    done++;
#pragma omp task
    count_twice();
#pragma omp taskwait
}

int main(int argc, char **argv) {
    omp_lock_t lock;
    (void)argv;
    omp_init_lock(&lock);
    count_in_region(NULL);
    count_in_loop();
    count_in_task();
    if (argc > 1) {
        omp_set_lock(&lock);
        count_in_region(&lock);
    }
    omp_destroy_lock(&lock);
    return done != 107;
}
