#include "omp/icv/schedule.h"

void bomp_loop_unsigned(struct bomp_loop *loop, bool up, uint64_t start, uint64_t end, uint64_t step) {
    loop->base = start;
    loop->step = step;
    loop->end = end;
    loop->count = 0;
    if (step != 0 && (up ? start < end : start > end))
        loop->count = up ? bomp_schedule_chunks(end - start, step) : bomp_schedule_chunks(start - end, -step);
}

/* Order is all that the sign changes: with the sign bit flipped, it is that of unsigned numbers. */
void bomp_loop_signed(struct bomp_loop *loop, int64_t start, int64_t end, int64_t step) {
    const uint64_t sign = UINT64_C(1) << 63;
    bomp_loop_unsigned(loop, step > 0, (uint64_t)start ^ sign, (uint64_t)end ^ sign, (uint64_t)step);
    loop->base ^= sign;
    loop->end ^= sign;
}

/* As bomp_schedule_share of last + 1, which may be 2^64: the remainder is that of `last` and 1, so no member gets
 * it where all get one more. */
static void share_turns(uint64_t last, unsigned num, unsigned size, struct bomp_turns *turns) {
    if (size == 1) {
        *turns = (struct bomp_turns){.last = last, .stride = last + 1, .any = true, .ends = true};
        return;
    }
    struct bomp_quotient each = bomp_divide(last, size);
    uint64_t more = each.r + 1, first = num * each.q + (num < more ? num : more);
    uint64_t length = each.q + (num < more);
    *turns = (struct bomp_turns){.first = first,
                                 .last = first + length - 1,
                                 .stride = last + 1,
                                 .any = length > 0,
                                 .ends = length > 0 && first + length - 1 == last};
}

/* The stride spans no chunks beyond the last one: it might not fit the type of the program's bounds. */
static void chunk_turns(uint64_t last, uint64_t chunk, unsigned num, unsigned size,
                        struct bomp_turns *turns) {
    if (chunk > last)
        chunk = last + 1;
    uint64_t last_chunk = bomp_divide(last, chunk).q;
    if (num > last_chunk) {
        *turns = (struct bomp_turns){.any = false};
        return;
    }
    uint64_t first = num * chunk, stride;
    if (__builtin_mul_overflow(chunk, last_chunk < size ? last_chunk + 1 : size, &stride))
        stride = UINT64_MAX; /* it has no other */
    *turns = (struct bomp_turns){.first = first,
                                 .last = num < last_chunk ? first + chunk - 1 : last,
                                 .stride = stride,
                                 .any = true,
                                 .more = last_chunk - num >= size,
                                 .ends = bomp_divide(last_chunk, size).r == num};
}

void bomp_static_turns(uint64_t last, uint64_t chunk, unsigned num, unsigned size, struct bomp_turns *turns) {
    if (chunk == 0 || size == 1)
        share_turns(last, num, size, turns);
    else
        chunk_turns(last, chunk, num, size, turns);
}

void bomp_schedule_resolve(struct bomp_loop *loop, const struct bomp_icv *icv) {
    uint32_t flags = loop->schedule & ~BOMP_LOOP_KIND, kind = loop->schedule & BOMP_LOOP_KIND;
    if (kind == BOMP_LOOP_RUNTIME && !icv->sched_said && flags & BOMP_LOOP_STATIC_UNSAID) {
        kind = BOMP_LOOP_STATIC;
        loop->chunk = 0;
    } else if (kind == BOMP_LOOP_RUNTIME) {
        flags |= icv->sched & BOMP_LOOP_MONOTONIC;
        kind = icv->sched & BOMP_LOOP_KIND;
        kind = kind == BOMP_SCHED_TRAPEZOIDAL ? BOMP_LOOP_GUIDED : kind;
        loop->chunk = icv->chunk > 0 ? (uint64_t)icv->chunk : 0;
    }
    if (kind == BOMP_LOOP_DYNAMIC || kind == BOMP_LOOP_GUIDED) {
        if (loop->chunk == 0)
            loop->chunk = 1;
    } else if (kind == BOMP_LOOP_AUTO && flags & BOMP_LOOP_BALANCED &&
               !(flags & (BOMP_LOOP_ORDERED | BOMP_LOOP_MONOTONIC))) {
        loop->chunk = 1;
    } else {
        if (kind != BOMP_LOOP_STATIC)
            loop->chunk = 0;
        kind = BOMP_LOOP_STATIC;
    }
    loop->schedule = kind | flags;
}
