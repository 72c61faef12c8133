/* What members share of a doacross nest, and the keys of its iterations. */
#ifndef BOMP_DOACROSS_NEST_H
#define BOMP_DOACROSS_NEST_H

#include "omp/icv/schedule.h"
#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

/* A member as the others see it. `wanted` has its own line: the poster's read of it must not fetch the position's line from
 * the waiters. */
struct bomp_doacross_member {
    BZ_ALIGN_LINE struct bz_a64 position; /* its iterations with smaller keys are past; written by it */
    struct bz_a64 chunk; /* NO_CHUNK, CLAIMING or CHUNKS + the number of its chunk; written by it */
    /* The complement of the least key that sleepers wait for; 0: none. Changed by any member. */
    BZ_ALIGN_LINE struct bz_a64 wanted;
};

/* The values of a loop's variable. */
struct dimension {
    uint64_t first, step, count;
};

/* Of one nest; constant. */
struct bomp_doacross {
    unsigned size;       /* of the team */
    unsigned dimensions; /* as the program counts them */
    bool perhaps_end;    /* last values may be ends: then one iteration too many is counted */
    struct bomp_doacross_member *members;
    struct dimension nest[];
};

static inline uint64_t count_of(const struct bomp_doacross *doacross, const struct bomp_doacross_keys *keys,
                                unsigned i) {
    return doacross->nest[i].count - keys->fewer;
}

/* The place of an iteration. */
struct spot {
    uint64_t iteration; /* of the loop */
    uint64_t key;
};

/* The number of a value in its dimension; of other values the count or more. */
static inline uint64_t number_of(const struct dimension *dimension, uint64_t value) {
    if (bz_likely(dimension->step == 1))
        return value - dimension->first;
    bool up = (int64_t)dimension->step > 0;
    uint64_t distance = up ? value - dimension->first : dimension->first - value;
    struct bomp_quotient steps = bomp_divide(distance, up ? dimension->step : -dimension->step);
    return steps.r == 0 ? steps.q : UINT64_MAX;
}

/* Corrects a number that is 2^32 too large: GCC extends the offset of an unsigned 32-bit variable by zeros, so that -3 is
 * 4294967293. */
static inline uint64_t unwrap(uint64_t number, uint64_t count) {
    return bz_unlikely(number >= count) && number >> 32 == 1 ? (uint32_t)number : number;
}

/* False: there is no such iteration. GCC 12 names some: it does not check bounds where the difference of unsigned long long
 * numbers wraps. clang checks no bounds. */
static inline bool find_spot(const struct bomp_member *self, const uint64_t *index, struct spot *spot) {
    const struct bomp_doacross *doacross = self->ws->doacross;
    const struct bomp_doacross_keys *keys = &self->ws->keys;
    spot->key = spot->iteration = 0;
    for (unsigned i = 0; i < doacross->dimensions; i++) {
        uint64_t count = count_of(doacross, keys, i);
        uint64_t number = unwrap(number_of(&doacross->nest[i], index[i]), count);
        if (number >= count)
            return false;
        if (i < keys->keyed)
            spot->key = spot->key * count + number;
        if (i < keys->outer)
            spot->iteration = spot->key;
    }
    return true;
}

#endif
