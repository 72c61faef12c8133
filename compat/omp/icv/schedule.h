/* The arithmetic of schedules: iterations, numbered from 0, in chunks. Counts go up to 2^64 - 1, so functions count
 * chunks and compare before they add. */
#ifndef BOMP_SCHEDULE_H
#define BOMP_SCHEDULE_H

#include "omp/base/tuning.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"

/* Numbers [first, last): iterations or chunks. */
struct bomp_part {
    uint64_t first, last;
};

/* A division of 64 bits takes up to four times as long as one of 32, even of small numbers. */
struct bomp_quotient {
    uint64_t q, r;
};
static inline struct bomp_quotient bomp_divide(uint64_t a, uint64_t b) {
    if (bz_likely((a | b) >> 32 == 0))
        return (struct bomp_quotient){(uint32_t)a / (uint32_t)b, (uint32_t)a % (uint32_t)b};
    return (struct bomp_quotient){a / b, a % b};
}

/* Chunks of `chunk` (at least 1) in a loop; the last one may be smaller. */
static inline uint64_t bomp_schedule_chunks(uint64_t count, uint64_t chunk) {
    return count / chunk + (count % chunk != 0);
}

static inline struct bomp_part bomp_schedule_chunk(uint64_t count, uint64_t chunk, uint64_t index) {
    uint64_t first = index * chunk;
    return (struct bomp_part){first, chunk < count - first ? first + chunk : count};
}

/* The even share of thread `num` of `size`: the first count % size get one more, as where compilers divide. */
static inline struct bomp_part bomp_schedule_share(uint64_t count, uint64_t num, uint64_t size) {
    struct bomp_quotient each = bomp_divide(count, size);
    uint64_t first = num * each.q + (num < each.r ? num : each.r);
    return (struct bomp_part){first, first + each.q + (num < each.r)};
}

/* The next chunk of a guided loop with `left` (at least 1) iterations: an even share, rounded up, or `chunk` if more. */
static inline uint64_t bomp_schedule_guided(uint64_t left, uint64_t chunk, unsigned size) {
    uint64_t share = bomp_divide(left - 1, size).q + 1;
    uint64_t n = share > chunk ? share : chunk;
    return n < left ? n : left;
}

/* The same rounded up to a multiple of `chunk`, but not beyond the loop's end. */
static inline uint64_t bomp_schedule_multiple(uint64_t left, uint64_t chunk, uint64_t n) {
    uint64_t over = n % chunk;
    return over == 0 || left - n <= chunk - over ? (over == 0 ? n : left) : n - over + chunk;
}

/* As values of the program's variable. The last chunk ends with the program's bound: a later value may not fit its
 * type. */
static inline struct bomp_span bomp_schedule_span(const struct bomp_loop *loop, struct bomp_part part) {
    uint64_t end = part.last == loop->count ? loop->end : loop->base + part.last * loop->step;
    return (struct bomp_span){loop->base + part.first * loop->step, end};
}

/* The chunk of a loop that the runtime balances. */
static inline uint64_t bomp_schedule_balanced(uint64_t count, unsigned size) {
    uint64_t chunks = (uint64_t)BOMP_BALANCED_CHUNKS * size;
    return count > 0 ? bomp_schedule_chunks(count, chunks) : 1;
}

/* Makes the schedule definite: runtime becomes the ICV's, auto static unless balanced, a missing chunk the kind's own.
 * Afterwards chunk is 0 only for static, with even shares. */
void bomp_schedule_resolve(struct bomp_loop *loop, const struct bomp_icv *icv);

/* The member that runs iteration `index` of a static loop. */
static inline unsigned bomp_schedule_owner(const struct bomp_loop *loop, uint64_t index, unsigned size) {
    if (loop->chunk != 0)
        return (unsigned)bomp_divide(loop->chunk == 1 ? index : bomp_divide(index, loop->chunk).q, size).r;
    struct bomp_quotient each = bomp_divide(loop->count, size);
    uint64_t larger = bomp_divide(index, each.q + 1).q;
    return (unsigned)(larger < each.r ? larger : bomp_divide(index - each.r, each.q).q);
}

#endif
