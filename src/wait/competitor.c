#include "wait/competitor.h"

#include "os/cpus.h"
#include "os/os.h"
#include "wait/load.h"
#include "wait/policy.h"
#include "wait/spin.h"

BZ_ALIGN_LINE struct bz_competitor bz_competitor;

/* ---- seen by a yield ---- */

enum { CPUS = 64 };

/* Of a CPU, or of several. Hints, written by the threads that are there. */
static struct place {
    BZ_ALIGN_LINE struct bz_a64 left; /* clock when one of ours last gave it away */
    struct bz_a32 yielding;           /* threads of ours that have given it away and have not come back */
} places[CPUS];

static struct place *place_here(void) {
    return &places[bz_os_cpu() % CPUS];
}

/* Whether one of ours may have been interrupted here: more work than there are other CPUs. */
static bool may_be_ours(void) {
    uint32_t yielding = 0;
    for (unsigned i = 0; i < CPUS; i++)
        yielding += bz_load_relaxed(&places[i].yielding); /* relaxed: a hint */
    return bz_awake_beyond(yielding + 1) >= bz_cpu_count();
}

static void note_slice(uint64_t now);

/* A thread of ours that worked here meanwhile yielded later, or was interrupted. */
uint64_t bz_competitor_yield(bool shares) {
    struct place *place = place_here();
    bz_fetch_add_relaxed(&place->yielding, 1); /* relaxed, all: hints */
    uint64_t before = bz_os_now_ns();
    bz_store_relaxed(&place->left, before);
    bz_os_yield();
    uint64_t now = bz_os_now_ns();
    bz_fetch_sub_relaxed(&place->yielding, 1);
    if (bz_likely(now - before < BZ_SLICE_NS) || (shares && !bz_competitor_is_known()))
        return now - before;
    /* Below 0: one of ours has just come and gone. */
    int64_t away = (int64_t)(now - bz_load_relaxed(&place->left));
    if (away >= BZ_SLICE_NS && bz_spin_ns() == BZ_SPIN_AUTO && place_here() == place && !may_be_ours())
        note_slice(now);
    return now - before;
}

/* ---- which costs less ---- */

/* Parks are tried for this long, yields for YIELDS times as long: a copy of this program makes progress in bursts. */
#define TRIAL_NS ((uint64_t)BZ_RETRY_TIMES * BZ_SLICE_NS)
#define YIELDS 4
/* A phase with fewer waits says nothing. */
#define WAITS 16

/* Hints, written and read by the threads that end a wait or lose a slice. */
static struct {
    BZ_ALIGN_LINE struct bz_a64 began; /* clock */
    struct bz_a64 waited;              /* ns, in this phase */
    struct bz_a32 waits;               /* in this phase */
    struct bz_a32 slices;              /* that other programs have used up in it */
    struct bz_a32 wins;                /* of parks, in a row */
    struct bz_a64 mean_yields;         /* ns of a wait in the last phase with yields */
    struct bz_a64 mean_parks;
    struct bz_a64 parked; /* clock at the end of the last phase with parks; 0: none yet */
} phase;

/* Relaxed, all: hints. */
static void begin(bool parks, uint32_t wins, uint64_t now, uint64_t end) {
    bz_store_relaxed(&phase.began, now);
    bz_store_relaxed(&phase.waited, 0);
    bz_store_relaxed(&phase.waits, 0);
    bz_store_relaxed(&phase.slices, 0);
    bz_store_relaxed(&phase.wins, wins);
    bz_store_relaxed(&bz_competitor.parks, parks);
    bz_store_relaxed(&bz_competitor.until, end);
}

static void begin_yields(uint32_t wins, uint64_t now) {
    begin(false, wins, now, now + YIELDS * TRIAL_NS);
}

/* For longer when they win again, up to a limit: the other program may go. */
static void begin_parks(uint32_t wins, uint64_t now) {
    uint64_t times = wins == 0 ? 1 : wins == 1 ? BZ_RETRY_TIMES : BZ_RETRY_TIMES * BZ_RETRY_TIMES;
    begin(true, wins, now, now + times * TRIAL_NS);
}

/* Relaxed, all: hints. */
static void end_yields(uint64_t mean, uint64_t now) {
    uint64_t parked = bz_load_relaxed(&phase.parked);
    bz_store_relaxed(&phase.mean_yields, mean);
    if (bz_load_relaxed(&phase.slices) < 2) { /* it has gone */
        bz_store_relaxed(&phase.parked, 0);
        begin(false, 0, now, 0);
    } else if (parked == 0 || now - parked > BZ_RETRY_TIMES * BZ_RETRY_TIMES * TRIAL_NS) {
        begin_parks(0, now);
    } else if (bz_load_relaxed(&phase.mean_parks) < mean) {
        begin_parks(bz_load_relaxed(&phase.wins) + 1, now);
    } else {
        begin_yields(0, now);
    }
}

/* Relaxed, all: hints. */
static void end_parks(uint64_t mean, uint64_t now) {
    uint32_t wins = bz_load_relaxed(&phase.wins);
    bz_store_relaxed(&phase.mean_parks, mean);
    bz_store_relaxed(&phase.parked, now);
    if (wins == 0 && mean < bz_load_relaxed(&phase.mean_yields))
        begin_parks(1, now);
    else
        begin_yields(wins, now);
}

/* Only waits end a phase: without them parks stop some time after it was due. */
bool bz_competitor_tries_parks(void) {
    return bz_os_now_ns() <
           bz_load_relaxed(&bz_competitor.until) + BZ_RETRY_TIMES * TRIAL_NS; /* relaxed: a hint */
}

/* Relaxed, all: hints. A wait that began in the last phase says nothing. */
void bz_competitor_waited(uint64_t began) {
    bool parks = bz_load_relaxed(&bz_competitor.parks);
    uint64_t now = bz_os_now_ns(), until = bz_load_relaxed(&bz_competitor.until);
    if (until == 0 || until == UINT64_MAX || began < bz_load_relaxed(&phase.began))
        return;
    uint64_t waited = bz_fetch_add_relaxed(&phase.waited, now - began) + now - began;
    uint32_t waits = bz_fetch_add_relaxed(&phase.waits, 1) + 1;
    if (now < until || waits < WAITS || !bz_cas_relaxed(&bz_competitor.until, &until, UINT64_MAX))
        return;
    if (!parks)
        end_yields(waited / waits, now);
    else if (now < until + BZ_RETRY_TIMES * TRIAL_NS)
        end_parks(waited / waits, now);
    else
        begin_yields(0, now); /* it waited with yields since */
}

/* If no waits say what costs less, as in a program of tasks, many slices begin a trial of parks. */
static void note_slice(uint64_t now) {
    uint64_t until = 0;
    if (bz_cas_relaxed(&bz_competitor.until, &until, UINT64_MAX)) /* relaxed, all: hints */
        begin_yields(0, now);
    uint32_t slices = bz_fetch_add_relaxed(&phase.slices, 1) + 1;
    if (slices >= BZ_RETRY_TIMES && bz_load_relaxed(&phase.waits) < WAITS && until != 0 &&
        until != UINT64_MAX && bz_cas_relaxed(&bz_competitor.until, &until, UINT64_MAX))
        begin_parks(0, now);
}

void bz_competitor_forget(void) {
    for (unsigned i = 0; i < CPUS; i++)
        bz_store_relaxed(&places[i].yielding, 0); /* relaxed: the only thread */
    begin(false, 0, 0, 0);
}
