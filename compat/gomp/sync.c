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

/* The region, construct or taskgroup that `which` names. */
static enum bomp_cancel cancel_of(int which) {
    return which & 1   ? BOMP_CANCEL_PARALLEL
           : which & 2 ? BOMP_CANCEL_LOOP
           : which & 4 ? BOMP_CANCEL_SECTIONS
                       : BOMP_CANCEL_TASKGROUP;
}

/* True, here and in the other ones: the region is cancelled, and the caller goes to its end. */
bool GOMP_barrier_cancel(void) {
    bomp_barrier();
    return bomp_cancelled();
}

/* do_cancel is the if clause: without it this is a cancellation point. */
bool GOMP_cancel(int which, bool do_cancel) {
    return do_cancel ? bomp_cancel(cancel_of(which)) : bomp_cancellation_point(cancel_of(which));
}

bool GOMP_cancellation_point(int which) {
    return bomp_cancellation_point(cancel_of(which));
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
