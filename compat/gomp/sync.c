/* GOMP_barrier*, GOMP_critical*, GOMP_atomic*, GOMP_ordered*, GOMP_cancel*. */
#include "bomp.h"

BOMP_EXPORT void GOMP_barrier(void);
BOMP_EXPORT bool GOMP_barrier_cancel(void), GOMP_cancel(int, bool), GOMP_cancellation_point(int);
BOMP_EXPORT void GOMP_critical_start(void), GOMP_critical_end(void);
BOMP_EXPORT void GOMP_critical_name_start(void **), GOMP_critical_name_end(void **);
BOMP_EXPORT void GOMP_atomic_start(void), GOMP_atomic_end(void);
BOMP_EXPORT void GOMP_ordered_start(void), GOMP_ordered_end(void);

void GOMP_barrier(void) {
    bomp_barrier();
}

/* Cancellation is not served: omp_get_cancellation says so, and nothing is ever cancelled. */

bool GOMP_barrier_cancel(void) {
    bomp_barrier();
    return false;
}

bool GOMP_cancel(int which, bool do_cancel) {
    (void)which, (void)do_cancel;
    return false;
}

bool GOMP_cancellation_point(int which) {
    (void)which;
    return false;
}

void GOMP_critical_start(void) {
    bomp_critical_start();
}

void GOMP_critical_end(void) {
    bomp_critical_end();
}

/* The compiler's variable of a name is as large as a pointer, zero at first, and ours alone: the lock lies in it. */

void GOMP_critical_name_start(void **name) {
    bomp_critical_name_start((uint32_t *)name);
}

void GOMP_critical_name_end(void **name) {
    bomp_critical_name_end((uint32_t *)name);
}

void GOMP_atomic_start(void) {
    bomp_atomic_start();
}

void GOMP_atomic_end(void) {
    bomp_atomic_end();
}

void GOMP_ordered_start(void) {
    bomp_ordered_start();
}

void GOMP_ordered_end(void) {
    bomp_ordered_end();
}
