/* What the members of a team share of a doacross nest, and the keys of its iterations. */
#ifndef BOMP_DOACROSS_NEST_H
#define BOMP_DOACROSS_NEST_H

#include "omp/icv/schedule.h"
#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

/* What a member tells the others, and what they tell it. Two lines: whoever posts looks at the wish, and in the position's
 * line that look would take it back from whoever waits, before the write that takes it once more. */
struct bomp_doacross_member {
    BZ_ALIGN_LINE struct bz_a64 position; /* its iterations with smaller keys are past; written by it */
    struct bz_a64 chunk; /* NO_CHUNK, CLAIMING or CHUNKS + the number of its chunk; written by it */
    /* The complement of the least key that sleepers wait for; 0: none. Any member. */
    BZ_ALIGN_LINE struct bz_a64 wanted;
};

/* The values of a loop's variable. */
struct dimension {
    uint64_t first, step, count;
};

/* Of one nest; constant but for the atomic words. */
struct bomp_doacross {
    unsigned size;       /* of the team */
    unsigned dimensions; /* as the program counts them */
    bool counted;        /* all values are numbers from 0 */
    bool perhaps_end;    /* the last value of each may be its end: counted as one iteration too many */
    unsigned places;     /* for owners: a power of two */
    struct bomp_doacross_member *members;
    /* Round (chunk number / places, + 1) and owner of a chunk: raised by whoever claims one. A round has 48 bits, more than
     * can be counted up to one by one. */
    struct bz_a64 *owners;
    struct dimension nest[];
};

static inline uint64_t count_of(const struct bomp_doacross *doacross, const struct bomp_doacross_keys *keys,
                                unsigned i) {
    return doacross->nest[i].count - keys->fewer;
}

/* Where an iteration is. */
struct spot {
    uint64_t iteration; /* of the loop */
    uint64_t key;
};

/* The number of a value in its dimension; as large as its count or more: it has none. */
static inline uint64_t number_of(const struct dimension *dimension, uint64_t value) {
    bool up = (int64_t)dimension->step > 0;
    uint64_t distance = up ? value - dimension->first : dimension->first - value;
    struct bomp_quotient steps = bomp_divide(distance, up ? dimension->step : -dimension->step);
    return steps.r == 0 ? steps.q : UINT64_MAX;
}

/* A number that is 2^32 too large: GCC extends the offset of an unsigned 32-bit variable by zeros, -3 is 4294967293. */
static inline uint64_t unwrap(uint64_t number, uint64_t count) {
    return bz_unlikely(number >= count) && number >> 32 == 1 ? (uint32_t)number : number;
}

/* As find_spot, whatever the nest. */
static __attribute__((noinline)) bool find_any_spot(const struct bomp_member *self, const uint64_t *index,
                                                    struct spot *spot) {
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

/* False: nobody runs such an iteration. GCC 12 asks for some: it does not check bounds where the difference of unsigned long
 * long numbers wraps. clang checks none. */
static inline bool find_spot(const struct bomp_member *self, const uint64_t *index, struct spot *spot) {
    const struct bomp_doacross *doacross = self->ws->doacross;
    const struct bomp_doacross_keys *keys = &self->ws->keys;
    if (bz_unlikely(!keys->simple))
        return find_any_spot(self, index, spot);
    uint64_t count = count_of(doacross, keys, 0), key = unwrap(index[0], count);
    if (key >= count)
        return false;
    spot->iteration = key;
    for (unsigned i = 1; i < doacross->dimensions; i++) {
        count = count_of(doacross, keys, i);
        uint64_t number = unwrap(index[i], count);
        if (number >= count)
            return false;
        key = key * count + number;
    }
    spot->key = key;
    return true;
}

/* Of an iteration that there is, in a nest that is simple. */
static inline uint64_t key_of(const struct bomp_member *self, const uint64_t *index) {
    const struct bomp_doacross *doacross = self->ws->doacross;
    uint64_t key = index[0];
    for (unsigned i = 1; i < doacross->dimensions; i++)
        key = key * count_of(doacross, &self->ws->keys, i) + index[i];
    return key;
}

#endif
