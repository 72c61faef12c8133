/* Other programs on our CPUs (waiting.md, "More threads than CPUs"). To yield to one costs a time slice, to park costs a
 * wake. Which is less is measured. */
#ifndef BZ_COMPETITOR_H
#define BZ_COMPETITOR_H

#include "base/atomic.h"
#include "base/compiler.h"

/* Yields of this length, alone or together, ran another program. Parks up to this length go without a barrier on all
 * threads. */
#define BZ_SLICE_NS 1000000

/* Hints, read by all waiters, written by threads that lose a slice or end a wait. */
extern struct bz_competitor {
    struct bz_a64 until; /* clock at the end of this phase; 0: no other program is known */
    struct bz_a32 parks; /* this phase tries parks */
} bz_competitor;

/* Yields. If that takes longer than a wake and none of ours had the CPU, another program computes there. Returns the time
 * in ns. shares: a member of the team may have had the CPU. */
uint64_t bz_competitor_yield(bool shares);

/* The calling thread is about to park, and gives its CPU away. */
void bz_competitor_leave(void);

/* Whether another program was seen on that CPU lately. */
bool bz_competitor_seen_at(unsigned cpu);

/* Whether this phase, which tries parks, goes on. */
bool bz_competitor_tries_parks(void);

/* Waits had better park than yield, and threads had better stay where they are. */
static inline bool bz_competitor_wants_parks(void) {
    return bz_unlikely(bz_load_relaxed(&bz_competitor.parks)) &&
           bz_competitor_tries_parks(); /* relaxed: a hint */
}

static inline bool bz_competitor_is_known(void) {
    return bz_unlikely(bz_load_relaxed(&bz_competitor.until) != 0); /* relaxed: a hint */
}

/* Called when a wait for other members is over, while another program is known. */
void bz_competitor_waited(void);

/* In the child of a fork. */
void bz_competitor_forget(void);

#endif
