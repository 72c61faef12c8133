/* How to wait, and who gets the CPU meanwhile (waiting.md). */
#ifndef BZ_POLICY_H
#define BZ_POLICY_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "env/options.h"
#include "wait/predictor.h"

/* ---- constants (bench/decisions.md#waits) ---- */

/* The pause between two polls of a line that another thread writes. */
#define BZ_BACKOFF_NS 70
/* Such pauses per poll after the first BZ_POLLS. */
#define BZ_LATER_BACKOFFS 3

/* Failed polls before the first clock and yield: 2 us. Also pauses per poll of a start word, and a lock's longest
 * back-off. */
#define BZ_POLLS 16
/* Polls between two yields, and of a barrier or lock before anything else: 0.5 us. A power of two. */
#define BZ_BRIEF_POLLS 8

/* Before the second poll for a turn. */
#define BZ_TURN_PAUSES 2

/* The price of a wake, unless this machine shows that it costs less (bz_wake_measure). */
#define BZ_WAKE_NS 25000
/* A spin of this many wakes pays where others wait for the sleeper: locks, irregular waits of members. */
#define BZ_LONG_WAKES 16

/* A failed long spin or yield is not repeated for this many times its cost. A power of two. */
#define BZ_RETRY_TIMES 8

/* A yield of this length ran another thread. */
#define BZ_SWITCH_NS 1000

/* Added to both sides of a prediction. */
#define BZ_PARK_MARGIN_NS 2000
/* A wait is irregular if its prediction needs a longer spin than the usual one and this part of the wait. */
#define BZ_SPIN_SHARE 4

/* ---- the question ---- */

/* What the awaited thread does. */
enum bz_wait_class {
    BZ_WAIT_START,   /* it begins a region of the waiter's team */
    BZ_WAIT_CALL,    /* it may use the waiter, which it has no region for now */
    BZ_WAIT_BARRIER, /* it works for the waiter's team */
    BZ_WAIT_TURN,    /* it passes on a loop's turn */
    BZ_WAIT_LOCK,
    BZ_WAIT_JOIN, /* it finishes a job that the waiter needs */
    BZ_WAIT_WORK, /* it may have some: a pool's idle worker */
};

/* By the last wait. */
enum bz_spin_policy {
    BZ_YIELD_USUAL,
    BZ_YIELD_EARLY, /* it ended after a yield: the awaited thread may need this CPU */
    BZ_YIELD_LATE   /* the waiter has just woken that thread */
};

struct bz_wait_facts {
    enum bz_wait_class class;
    enum bz_spin_policy policy;
    uint64_t wake_ns;               /* the price of a wake */
    uint64_t chosen_ns;             /* the spin that the user chose; BZ_SPIN_AUTO: none */
    bool predicts;                  /* there is a prediction */
    struct bz_prediction predicted; /* its timed park is over if park_ns is 0 */
    bool crowded;                   /* more threads awake than CPUs */
    uint32_t sharing;               /* threads of the team for each CPU but its leader's; 0: one */
    bool some_here;                 /* some missing members of a crowded barrier must be on this CPU */
    bool skips;                     /* keeping its CPU at a crowded barrier failed lately */
    bool competitor;                /* another program is on our CPUs, and parks cost less */
};

/* Constant after the first sleeps of the process. Written by bz_wake_measure, read by all waiters. */
extern struct bz_a64 bz_wake_ns;

/* At most twice the best choice for any wait (ski rental). */
static inline uint64_t bz_usual_spin(void) {
    return 2 * bz_load_relaxed(&bz_wake_ns); /* relaxed, both: a hint */
}
static inline uint64_t bz_long_spin(void) {
    return BZ_LONG_WAKES * bz_load_relaxed(&bz_wake_ns);
}

/* Threads that spin on one CPU in turns take the time of one. */
static inline uint64_t bz_shared_spin(uint64_t wake_ns, uint32_t sharing) {
    return 2 * wake_ns * (sharing > 1 ? sharing : 1);
}

/* ---- the answers ---- */

/* A yield would give another program a time slice. A thread that sleeps while its turn comes delays its successors. */
static inline bool bz_wait_shuns_yields(const struct bz_wait_facts *facts) {
    return facts->competitor && facts->class != BZ_WAIT_TURN && facts->chosen_ns == BZ_SPIN_AUTO;
}

static inline bool bz_wait_yields_first(const struct bz_wait_facts *facts) {
    return facts->some_here && !facts->competitor && facts->chosen_ns != 0;
}

/* Polls before anything else. If the missing members of a crowded barrier run elsewhere, a yield would pass this CPU through
 * all waiters. */
static inline uint32_t bz_wait_brief(const struct bz_wait_facts *facts) {
    bool is_barrier = facts->class == BZ_WAIT_BARRIER, early = facts->policy == BZ_YIELD_EARLY;
    if (facts->chosen_ns == 0 || bz_unlikely(bz_wait_shuns_yields(facts)))
        return 0;
    if (bz_unlikely(facts->crowded))
        return is_barrier && !facts->some_here && !facts->skips ? BZ_POLLS : 0;
    if (is_barrier)
        return early ? 0 : BZ_BRIEF_POLLS;
    return early && facts->class == BZ_WAIT_START ? 1 : BZ_POLLS;
}

struct bz_wait_plan {
    uint64_t spin_ns;  /* from the first reading of the clock, then it sleeps; 0: at once */
    uint64_t keep_ns;  /* keeps its CPU for that long, and at the end of its spin */
    uint32_t first;    /* failed polls until the first clock and yield */
    uint32_t interval; /* and from one yield to the next: a power of two */
};

struct bz_wait_plan bz_wait_plan(const struct bz_wait_facts *facts);

/* Whether it keeps its CPU when a yield is due, unless a member of its team is there. */
bool bz_wait_keeps_cpu(const struct bz_wait_facts *facts);

#endif
