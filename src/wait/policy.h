/* How to wait for another thread: one answer for all waiters, from what they know. It is a pure function: no clock, no
 * state, no thread. The reasons are in waiting.md. */
#ifndef BZ_POLICY_H
#define BZ_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "wait/predictor.h"

/* ---- constants: *_NS in nanoseconds; bench/decisions.md#waits has what each one decides ---- */

/* Length of a back-off, the pause between two polls of a line that another thread writes. On an Intel Xeon a barrier of
 * two threads takes 190 ns with 10 ns between polls, 90 with 70, 125 with 160. */
#define BZ_BACKOFF_NS 70

/* Failed polls before the first clock and yield: 2 us, the length of most waits for a running thread. Of a start word,
 * each is as many pauses. The back-offs of a lock's waiter double up to as many. */
#define BZ_POLLS 16

/* Polls between two yields, and polls of a barrier's or lock's word before anything else: half a microsecond. A power of
 * two. A yield on an otherwise idle CPU costs 0.25 us; with a competing program, a barrier takes 133 us without yields and
 * 1 to 3 us with them. */
#define BZ_BRIEF_POLLS 8

/* Pauses before the second poll for a turn, so that it does not take the line from the thread about to write it. A turn
 * passes between two threads in 50 ns with 2, 76 with 1, 61 with 3. */
#define BZ_TURN_PAUSES 2

/* How late a woken thread comes, until this machine has shown it (bz_wake_ns). A sleep costs its two threads about two
 * such times. */
#define BZ_WAKE_NS 25000

/* A spin of this many wakes is worth it for a lock, or a member whose waits are irregular: the CPU of a sleeper
 * idles, and all threads that wait for it are late as well. */
#define BZ_LONG_WAKES 16

/* A guess that failed is not repeated for this many times its cost: a long spin that ended in a sleep, a yield that another
 * program took. A yield that found no thread doubles the polls up to the next one, up to this many times. A power of two. */
#define BZ_VAIN_TIMES 8

/* A yield of this length ran another thread: one that finds none takes 0.25 to 0.55 us, a switch there and back 2 to 4. */
#define BZ_SWITCH_NS 1000

/* Added to both sides of a prediction: the error of a clock that is read every microsecond or so. */
#define BZ_PARK_MARGIN_NS 2000

/* A wait is irregular if its prediction needs a longer spin than the usual one and this part of the wait. */
#define BZ_SPIN_SHARE 4

/* Threads for each CPU above which waiters sleep at once. With 4, yields save switches; with hundreds, each thread runs
 * three times before the last one has run once. Up to this many, we choose the first CPU of each, by three system calls and
 * two switches; the system spreads the rest. */
#define BZ_OVERCROWDED 16

/* ---- the question ---- */

/* What the awaited thread does. */
enum bz_wait_class {
    BZ_WAIT_START,   /* it begins a region of the waiter's team */
    BZ_WAIT_BARRIER, /* it works for the same team, and so does the waiter afterwards */
    BZ_WAIT_TURN,    /* it passes on a loop's turn: turns follow each other closely */
    BZ_WAIT_LOCK,
    BZ_WAIT_JOIN, /* it finishes a job that the waiter needs */
    BZ_WAIT_WORK, /* it may have some: a pool's idle worker */
};

/* Whose CPU it is, to judge by the last wait. */
enum bz_spin_policy {
    BZ_YIELD_USUAL,
    BZ_YIELD_EARLY, /* the awaited thread may need it: that wait ended after a yield */
    BZ_YIELD_LATE   /* the waiter has just woken that thread: a yield would be to another program */
};

struct bz_wait_facts {
    enum bz_wait_class class;
    enum bz_spin_policy policy;
    uint64_t chosen_ns; /* the spin that the user chose; BZ_SPIN_AUTO: none */
    uint64_t wake_ns;   /* how late a woken thread comes */
    bool predicts;      /* it is a start or a barrier, and there is a prediction */
    struct bz_prediction predicted;
    uint32_t team;    /* its threads; 0: no team */
    uint32_t missing; /* members that have not arrived at a barrier */
    uint32_t cpus;
    bool crowded;    /* more threads awake than CPUs */
    bool competitor; /* another program on this CPU */
    bool partner;    /* a thread that it may wait for on this CPU */
};

/* ---- the answer ---- */

struct bz_wait_plan {
    uint64_t
        spin_ns; /* spins for that long after the first reading of the clock, then sleeps; 0: sleeps at once */
    uint64_t keep_ns;  /* keeps its CPU for that long, and at the end of its spin; 0: does not */
    uint32_t brief;    /* polls before anything else, without a clock */
    uint32_t first;    /* failed polls until the first clock and yield */
    uint32_t interval; /* failed polls from one yield to the next: a power of two */
    bool yields_first; /* yields before it polls */
    bool moves;        /* asks for another CPU; refused, it yields */
    bool yields;
};

struct bz_wait_plan bz_wait_plan(const struct bz_wait_facts *facts);

/* Two wakes: at most twice the best choice for any wait (ski rental). */
static inline uint64_t bz_usual_spin(uint64_t wake_ns) {
    return 2 * wake_ns;
}
static inline uint64_t bz_long_spin(uint64_t wake_ns) {
    return BZ_LONG_WAKES * wake_ns;
}

#endif
