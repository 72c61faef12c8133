/* procs.h: how many threads suit the process: as many as CPUs in its mask or in its quota, whichever are fewer
 * (src/os/topology.h). Found out when it is first asked for, and again
 *   - after the program has set the mask of one of its threads itself: the library has the C library's functions for
 *     that, too;
 *   - when the program asks for it (omp_get_max_threads, omp_get_num_procs), for a mask that was changed from outside or
 *     by a system call of the program's own, if the last answer is older than BOMP_PROCS_PERIOD_NS;
 *   - as long as it has never asked, now and then when a region begins, for the same reason: about every
 *     BOMP_PROCS_PERIOD_NS, and after twice BOMP_PROCS_REGIONS regions at most.
 * No region gets more than the program was last told: it may have sized its arrays by that. While threads are bound, the
 * CPUs are those of the places, and no other mask counts. A mask that the main thread sets for itself within a region of
 * several threads is where this thread shall run, as those that the other threads set: the number stays until the program
 * sets that mask elsewhere. */
#ifndef BOMP_PROCS_H
#define BOMP_PROCS_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/base/tuning.h"
#include "runtime.h"

/* The number, and above it how often the program has set a mask; the number is 0 after that, and at first. Written and
 * read by any thread. */
extern struct bz_a64 bomp_procs_word;

/* When a thread looks at the clock next, and perhaps at the mask. Its own; all zero at first. */
struct bomp_procs_clock {
    uint8_t left; /* regions until then */
    uint8_t span; /* regions between the last two looks */
};

unsigned bomp_procs_find(void);
unsigned bomp_procs_look(struct bomp_procs_clock *clock);

/* At least 1. Cost: a load; some 100 us if it is not known. */
static inline unsigned bomp_procs(void) {
    uint32_t count = (uint32_t)bz_load_relaxed(&bomp_procs_word); /* relaxed: the number alone counts */
    return bz_likely(count != 0) ? count : bomp_procs_find();
}

/* The same at the beginning of a region. Cost: a load and a subtraction, nearly always. */
static inline unsigned bomp_procs_for_region(struct bomp_procs_clock *clock) {
    if (bz_unlikely(clock->left == 0))
        return bomp_procs_look(clock);
    clock->left--;
    return bomp_procs();
}

/* An answer to the program. Written and read by any thread, its parts one after the other: an answer that two make at the
 * same time is right for both. */
struct bomp_procs_answer {
    struct bz_a64 word; /* as bomp_procs_word was then; 0: none yet */
    struct bz_a64 made; /* when, by bz_tick_ns */
};

/* What it was told of the number, and of the CPUs in the mask. */
extern struct bomp_procs_answer bomp_procs_told, bomp_procs_mask;

unsigned bomp_procs_tell_anew(void);
unsigned bomp_procs_count_anew(void);

/* Whether the program has set no mask since, and the answer is not old. Relaxed: numbers that nothing else hangs on. */
static inline bool bomp_procs_holds(const struct bomp_procs_answer *answer, uint64_t word) {
    return (uint32_t)word != 0 && word >> 32 == bz_load_relaxed(&bomp_procs_word) >> 32 &&
           bz_tick_ns() - bz_load_relaxed(&answer->made) < BOMP_PROCS_PERIOD_NS;
}

/* CPUs in the process's mask, whatever the quota. Cost: about 8 ns; a system call if the answer does not hold any more. */
static inline unsigned bomp_procs_in_mask(void) {
    uint64_t word = bz_load_relaxed(&bomp_procs_mask.word); /* relaxed: as above */
    return bz_likely(bomp_procs_holds(&bomp_procs_mask, word)) ? (uint32_t)word : bomp_procs_count_anew();
}

/* The number, for the program: it keeps to the answer until it asks again. Cost: the same. */
static inline unsigned bomp_procs_tell(void) {
    uint64_t word = bz_load_relaxed(&bomp_procs_told.word); /* relaxed: as above */
    return bz_likely(bomp_procs_holds(&bomp_procs_told, word)) ? (uint32_t)word : bomp_procs_tell_anew();
}

/* A mask that the program is setting. */
struct bomp_mask_change {
    bool own;        /* of the calling thread, not of one in the child of vfork */
    bool counts;     /* as the process's: the main thread's */
    bool pin;        /* and is where that shall run: it sets its own within a region */
    uint32_t before; /* for bomp_mask_end */
};

/* Around the C library's call: thread `thread` gets another mask (0: not known which one). If it counts and is the caller's
 * own, and that is in a region of several threads, it is a pin. May be called in a signal handler and in the child of
 * vfork. */
struct bomp_mask_change bomp_mask_begin(uint32_t thread);
void bomp_mask_pin(struct bomp_mask_change *change);
void bomp_mask_end(const struct bomp_mask_change *change, bool done);

#endif
