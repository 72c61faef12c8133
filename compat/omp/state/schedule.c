#include "omp/state/schedule.h"

/* Iterations from a distance and a step, both in the loop's direction. */
static uint64_t trips(uint64_t distance, uint64_t step) {
    return distance / step + (distance % step != 0);
}

void bomp_loop_unsigned(struct bomp_loop *loop, bool up, uint64_t start, uint64_t end, uint64_t step) {
    loop->base = start;
    loop->step = step;
    loop->end = end;
    loop->count = 0;
    if (step != 0 && (up ? start < end : start > end))
        loop->count = up ? trips(end - start, step) : trips(start - end, -step);
}

/* Order is all that the sign changes: with the sign bit flipped, it is that of unsigned numbers. */
void bomp_loop_signed(struct bomp_loop *loop, int64_t start, int64_t end, int64_t step) {
    const uint64_t sign = UINT64_C(1) << 63;
    bomp_loop_unsigned(loop, step > 0, (uint64_t)start ^ sign, (uint64_t)end ^ sign, (uint64_t)step);
    loop->base ^= sign;
    loop->end ^= sign;
}

void bomp_schedule_resolve(struct bomp_loop *loop, const struct bomp_icv *icv) {
    uint32_t flags = loop->schedule & ~BOMP_LOOP_KIND, kind = loop->schedule & BOMP_LOOP_KIND;
    if (kind == BOMP_LOOP_RUNTIME) {
        flags |= icv->sched & BOMP_SCHED_MONOTONIC;
        kind = icv->sched & BOMP_LOOP_KIND;
        loop->chunk = icv->chunk > 0 ? (uint64_t)icv->chunk : 0;
    }
    if (kind == BOMP_LOOP_DYNAMIC || kind == BOMP_LOOP_GUIDED) {
        if (loop->chunk == 0)
            loop->chunk = 1;
    } else {
        if (kind != BOMP_LOOP_STATIC)
            loop->chunk = 0;
        kind = BOMP_LOOP_STATIC;
    }
    loop->schedule = kind | flags;
}
