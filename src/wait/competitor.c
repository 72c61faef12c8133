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

static void note_slice(uint64_t away, uint64_t now);

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
        note_slice((uint64_t)away, now);
    return now - before;
}

/* ---- which costs less ---- */

/* Each way is tried for this long: a copy of this program makes progress in bursts, and the change to the other way takes
 * time to show. */
#define TRIAL_NS (32 * (uint64_t)BZ_SLICE_NS)
/* Parks that have won go on for this long, and each time that they win again for twice as long, up to BZ_RETRY_TIMES times,
 * or until their wakes have cost a quarter of that: the other program may go. */
#define PARKS_NS (16 * TRIAL_NS)
/* A phase with fewer waits goes on for longer. */
#define WAITS 16

/* Hints, written and read by the threads that end a wait or lose a slice. */
static struct {
    BZ_ALIGN_LINE struct bz_a64 began; /* clock */
    struct bz_a32 waits;               /* ended in this phase */
    struct bz_a64 lost;                /* ns that other programs have used up in it */
    struct bz_a64 with_yields;         /* ns from wait to wait in the last phase with yields */
    struct bz_a64 with_parks;          /* and in the last one with parks */
    struct bz_a64 parked;              /* clock at its end; 0: none yet */
    struct bz_a64 parks_ns;            /* how long parks go on when they win the next time */
} phase;

/* Relaxed, all: hints. */
static void begin(bool parks, uint64_t now, uint64_t end) {
    bz_store_relaxed(&phase.began, now);
    bz_store_relaxed(&phase.waits, 0);
    bz_store_relaxed(&phase.lost, 0);
    bz_store_relaxed(&bz_competitor.parks, parks);
    bz_store_relaxed(&bz_competitor.until, end);
}

/* Whether the last phase with parks says how fast the program is with them. */
static bool knows_parks(uint64_t now) {
    uint64_t parked = bz_load_relaxed(&phase.parked); /* relaxed: a hint */
    return parked != 0 && now - parked <= PARKS_NS;
}

static bool parks_won(void) {
    return bz_load_relaxed(&phase.with_parks) < bz_load_relaxed(&phase.with_yields); /* relaxed: hints */
}

/* Relaxed, all: hints. */
static void begin_winner(uint64_t now) {
    uint64_t parks_ns = bz_load_relaxed(&phase.parks_ns);
    if (!parks_won()) {
        begin(false, now, now + TRIAL_NS);
        return;
    }
    begin(true, now, now + parks_ns);
    if (parks_ns < BZ_RETRY_TIMES * PARKS_NS)
        bz_store_relaxed(&phase.parks_ns, 2 * parks_ns);
}

/* Relaxed, all: hints. */
static void end_yields(uint64_t per_wait, uint64_t now) {
    uint64_t lost = bz_load_relaxed(&phase.lost);
    bz_store_relaxed(&phase.with_yields, per_wait);
    if (lost < TRIAL_NS / 8) /* it has gone */
        begin(false, now, 0);
    else if (!knows_parks(now)) /* wakes for more waits would take longer than what is lost */
        begin(bz_load_relaxed(&phase.waits) * bz_load_relaxed(&bz_wake_ns) < lost, now, now + TRIAL_NS);
    else
        begin_winner(now);
}

/* Relaxed, all: hints. */
static void end_parks(uint64_t per_wait, bool trial, uint64_t now) {
    bz_store_relaxed(&phase.with_parks, per_wait);
    bz_store_relaxed(&phase.parked, now);
    if (trial)
        bz_store_relaxed(&phase.parks_ns, PARKS_NS);
    begin(false, now, now + TRIAL_NS / 2);
}

/* Only waits end a phase of parks: without them parks stop some time after its end was due. */
bool bz_competitor_tries_parks(void) {
    return bz_os_now_ns() < bz_load_relaxed(&bz_competitor.until) + 2 * TRIAL_NS; /* relaxed: a hint */
}

/* Whether the phase has to end. */
static bool is_over(bool parks, uint64_t began, uint64_t until, uint32_t waits, uint64_t now) {
    if (now >= until)
        return waits >= WAITS || now >= until + TRIAL_NS;
    return parks && waits * bz_load_relaxed(&bz_wake_ns) >= (until - began) / 4; /* relaxed: a hint */
}

/* Relaxed, all: hints. */
void bz_competitor_waited(void) {
    bool parks = bz_load_relaxed(&bz_competitor.parks);
    uint64_t now = bz_os_now_ns(), until = bz_load_relaxed(&bz_competitor.until);
    uint64_t began = bz_load_relaxed(&phase.began);
    if (until == 0 || until == UINT64_MAX)
        return;
    uint32_t waits = bz_fetch_add_relaxed(&phase.waits, 1) + 1;
    if (!is_over(parks, began, until, waits, now) ||
        !bz_cas_relaxed(&bz_competitor.until, &until, UINT64_MAX))
        return;
    if (now >= until + 2 * TRIAL_NS) /* it computed alone, or parks have stopped */
        begin(false, now, now + TRIAL_NS);
    else if (parks)
        end_parks((now - began) / waits, until - began <= TRIAL_NS, now);
    else
        end_yields((now - began) / waits, now);
}

/* A trial of yields that costs a lot before there are enough waits ends here. */
static void note_slice(uint64_t away, uint64_t now) {
    uint64_t until = 0;
    if (bz_cas_relaxed(&bz_competitor.until, &until, UINT64_MAX)) { /* relaxed, all: hints */
        if (knows_parks(now))
            begin_winner(now);
        else
            begin(false, now, now + TRIAL_NS);
    }
    uint64_t lost = bz_fetch_add_relaxed(&phase.lost, away) + away;
    uint32_t waits = bz_load_relaxed(&phase.waits);
    if (!bz_competitor_wants_parks() && lost >= TRIAL_NS && waits < WAITS && until != 0 &&
        until != UINT64_MAX && bz_cas_relaxed(&bz_competitor.until, &until, UINT64_MAX))
        end_yields((now - bz_load_relaxed(&phase.began)) / (waits + 1), now); /* this wait goes on */
}

void bz_competitor_forget(void) {
    for (unsigned i = 0; i < CPUS; i++)
        bz_store_relaxed(&places[i].yielding, 0); /* relaxed: the only thread */
    bz_store_relaxed(&phase.parked, 0);
    begin(false, 0, 0);
}
