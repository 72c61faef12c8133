// threads: 1 2 8
// repeat: 20
// beyond libgomp: its taskyield runs nothing: a task that waits by it for a later task waits forever
// Reads and writes around a taskyield of static variables whose addresses do not escape, so that the compiler may keep
// them in registers. Atomics, flushes, volatile accesses and the implied flushes of other constructs still hold.
#include "../check.h"

static int by_atomic, by_flush, by_c11, count, counted_by_flush, waited, locked;
static volatile int by_volatile;

static void set_by_atomics(void) {
#pragma omp task
    {
#pragma omp atomic write
        by_atomic = 1;
    }
#pragma omp task
    __atomic_store_n(&by_c11, 1, __ATOMIC_RELEASE);
}

static void set_by_others(void) {
#pragma omp task
    {
        by_flush = 1;
#pragma omp flush
    }
#pragma omp task
    by_volatile = 1;
}

static void wait_by_atomic(void) {
    for (int seen = 0; !seen;) {
#pragma omp atomic read
        seen = by_atomic;
        if (!seen) {
#pragma omp taskyield
        }
    }
}

static void wait_by_flush(void) {
    while (!by_flush) {
#pragma omp flush
#pragma omp taskyield
#pragma omp flush
    }
}

static void wait_by_volatile(void) {
    while (!by_volatile) {
#pragma omp taskyield
    }
}

static void wait_by_c11(void) {
    while (!__atomic_load_n(&by_c11, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
    }
}

static void polls_others(void) {
    by_atomic = by_c11 = 0;
#pragma omp parallel
#pragma omp single
    {
        set_by_atomics();
        wait_by_atomic();
        wait_by_c11();
    }
}

/* Polls variables that tasks of the same thread set. */
static void polls_its_own(void) {
    by_flush = by_volatile = 0;
#pragma omp parallel num_threads(1)
    {
        set_by_others();
        wait_by_flush();
        wait_by_volatile();
    }
}

/* Two tasks of one thread count, each while the other has yielded. */
static void count_up_between(int times) {
    for (int i = 0; i < times; i++) {
#pragma omp atomic
        count++;
        counted_by_flush++;
#pragma omp flush
#pragma omp taskyield
#pragma omp flush
    }
}

static void counts(int times) {
    count = counted_by_flush = 0;
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < 3; i++) {
#pragma omp task
            count_up_between(times);
        }
    }
    CHECK_EQ(count, 3 * times);
    CHECK_EQ(counted_by_flush, 3 * times);
}

/* Constructs that the compiler itself handles. */
static void other_constructs(void) {
#pragma omp parallel num_threads(1)
    {
        waited = 0;
#pragma omp task
        waited++;
#pragma omp taskwait
        CHECK_EQ(waited, 1);
#pragma omp task
        waited++;
#pragma omp barrier
        CHECK_EQ(waited, 2);
#pragma omp taskgroup
        {
#pragma omp task
            waited++;
        }
        CHECK_EQ(waited, 3);
        locked = 0;
#pragma omp task
        {
#pragma omp critical
            locked++;
        }
        for (int seen = 0; !seen;) {
#pragma omp critical
            seen = locked;
#pragma omp taskyield
        }
    }
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 200);
    for (int i = 0; i < rounds; i++) {
        polls_others();
        polls_its_own();
        counts(10);
        other_constructs();
    }
    return check_done("yield_reads");
}
