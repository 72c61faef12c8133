/* GOMP_cancel*, barriers that say more. */
#include "omp/bomp.h"

/* The region, construct or taskgroup that `which` names. */
static enum bomp_cancel cancel_of(int which) {
    if (which & ~15)
        bomp_unknown_bits("GOMP_cancel", "constructs", (unsigned)which & ~15u);
    return which & 1   ? BOMP_CANCEL_PARALLEL
           : which & 2 ? BOMP_CANCEL_LOOP
           : which & 4 ? BOMP_CANCEL_SECTIONS
                       : BOMP_CANCEL_TASKGROUP;
}

/* True, here and in the other ones: the region is cancelled, and the caller goes to its end. */
BOMP_EXPORT bool GOMP_barrier_cancel(void) {
    BOMP_ENTERED();
    bomp_barrier();
    return bomp_cancelled();
}

/* Which kind of barrier it is, is for tools: 0 at the end of a region, 1 of a worksharing construct, 2 the program's own. */
static void say_kind(int kind) {
    bomp_entered.barrier = kind == 2   ? BOMP_BARRIER_EXPLICIT
                           : kind == 1 ? BOMP_BARRIER_WORKSHARE
                                       : BOMP_BARRIER_OTHER;
}

BOMP_EXPORT void GOMP_barrier_ext(int kind) {
    if (BOMP_OBSERVED)
        say_kind(kind);
    bomp_barrier();
}

BOMP_EXPORT bool GOMP_barrier_cancel_ext(int kind) {
    BOMP_ENTERED();
    if (BOMP_OBSERVED)
        say_kind(kind);
    bomp_barrier();
    return bomp_cancelled();
}

/* do_cancel is the if clause: without it this is a cancellation point. */
BOMP_EXPORT bool GOMP_cancel(int which, bool do_cancel) {
    BOMP_ENTERED();
    return do_cancel ? bomp_cancel(cancel_of(which)) : bomp_cancellation_point(cancel_of(which));
}

BOMP_EXPORT bool GOMP_cancellation_point(int which) {
    BOMP_ENTERED();
    return bomp_cancellation_point(cancel_of(which));
}
