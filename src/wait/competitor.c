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
    struct bz_a64 slices;   /* ns that other programs had here, not yet noted, less an eighth of the time */
    struct bz_a64 seen;     /* clock of the last of them; 0: none yet */
    struct bz_a32 yielding; /* threads of ours that have given it away and have not come back */
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

static void note_slices(uint64_t away, uint64_t now);

/* A copy of this program soon waits as well, and gives the CPU back: its slices count together, if they are more than an
 * eighth of the time. Relaxed, all: hints. */
static void add_slice(struct place *place, uint64_t away, uint64_t now) {
    uint64_t sum =
        bz_ns_minus(bz_load_relaxed(&place->slices), (now - bz_load_relaxed(&place->seen)) / 8) + away;
    bz_store_relaxed(&place->seen, now);
    bz_store_relaxed(&place->slices, sum < BZ_SLICE_NS ? sum : 0);
    if (sum >= BZ_SLICE_NS)
        note_slices(sum, now);
}

void bz_competitor_leave(void) {
    bz_store_relaxed(&place_here()->left, bz_os_now_ns()); /* relaxed: a hint */
}

/* A thread of ours that worked here meanwhile yielded or parked later, or was interrupted. */
uint64_t bz_competitor_yield(bool shares) {
    struct place *place = place_here();
    bz_fetch_add_relaxed(&place->yielding, 1); /* relaxed, all: hints */
    uint64_t before = bz_os_now_ns();
    bz_store_relaxed(&place->left, before);
    bz_os_yield();
    uint64_t now = bz_os_now_ns();
    bz_fetch_sub_relaxed(&place->yielding, 1);
    uint64_t wake_ns = bz_load_relaxed(&bz_wake_ns);
    if (bz_likely(now - before < wake_ns) || (shares && !bz_competitor_is_known()))
        return now - before;
    /* Below 0: one of ours has just come and gone. */
    int64_t away = (int64_t)(now - bz_load_relaxed(&place->left));
    if (away >= (int64_t)wake_ns && bz_spin_ns() == BZ_SPIN_AUTO && place_here() == place && !may_be_ours())
        add_slice(place, (uint64_t)away, now);
    return now - before;
}

/* ---- which costs less ---- */

/* Yields are tried for SHORT_NS at least, until they have lost SLICES, or a third of these if parks were not tried lately,
 * and there were WAITS, but for LONG_NS more at most; parks for as long as that took, up to LONG_NS. Copies of this program
 * make progress in bursts: several must be seen. */
#define SHORT_NS (8 * (uint64_t)BZ_SLICE_NS)
#define LONG_NS (4 * SHORT_NS)
enum { WAITS = 16, SLICES = 6 };
/* Parks that have won go on for this long, or until their wakes have cost a quarter of that. Then a slice that a yield loses
 * shows that the other program is still there. After BZ_RETRY_TIMES such rounds both ways are compared again. */
#define PARKS_NS (16 * LONG_NS)

/* Hints, written and read by the threads that end a wait or lose a slice. */
static struct {
    BZ_ALIGN_LINE struct bz_a64 began; /* clock */
    struct bz_a32 waits;               /* ended in this phase */
    struct bz_a32 slices;              /* of BZ_SLICE_NS or more, lost in it */
    struct bz_a64 lost;                /* ns that other programs have used up in it */
    struct bz_a64 with_parks;          /* ns from wait to wait in the last phase with parks */
    struct bz_a64 parked;              /* clock at its end; 0: none yet */
    struct bz_a32 rounds;              /* of parks that still follow without a comparison */
} phase;

/* Relaxed, all: hints. */
static void begin(bool parks, uint64_t now, uint64_t end) {
    bz_store_relaxed(&phase.began, now);
    bz_store_relaxed(&phase.waits, 0);
    bz_store_relaxed(&phase.slices, 0);
    bz_store_relaxed(&phase.lost, 0);
    bz_store_relaxed(&bz_competitor.parks, parks);
    bz_store_relaxed(&bz_competitor.until, end);
}

/* Whether the last phase with parks says how fast the program is with them. */
static bool knows_parks(uint64_t now) {
    uint64_t parked = bz_load_relaxed(&phase.parked); /* relaxed: a hint */
    return parked != 0 && now - parked <= PARKS_NS;
}

/* Relaxed, all: hints. */
static void end_yields(uint32_t waits, uint64_t now) {
    uint64_t lost = bz_load_relaxed(&phase.lost), length = now - bz_load_relaxed(&phase.began);
    if (lost < length / 8) { /* it has gone */
        begin(false, now, 0);
        return;
    }
    /* Without a comparison: wakes for more waits would take longer than what is lost. */
    bool compares = knows_parks(now);
    bool parks = compares ? bz_load_relaxed(&phase.with_parks) < length / waits
                          : waits * bz_load_relaxed(&bz_wake_ns) < lost;
    uint64_t trial_ns = compares ? SHORT_NS : bz_ns_least(length, LONG_NS);
    bz_store_relaxed(&phase.rounds, compares && parks ? BZ_RETRY_TIMES - 1 : 0);
    begin(parks, now, now + (compares && parks ? PARKS_NS : trial_ns));
}

/* Relaxed, all: hints. */
static void end_parks(uint32_t waits, uint64_t now) {
    bz_store_relaxed(&phase.with_parks, (now - bz_load_relaxed(&phase.began)) / waits);
    bz_store_relaxed(&phase.parked, now);
    begin(false, now, now + SHORT_NS);
}

/* Only waits end a phase of parks: without them parks stop some time after its end was due. */
bool bz_competitor_tries_parks(void) {
    return bz_os_now_ns() < bz_load_relaxed(&bz_competitor.until) + 2 * LONG_NS; /* relaxed: a hint */
}

/* Whether the phase has to end. Relaxed, all: hints. */
static bool is_over(bool parks, uint64_t began, uint64_t until, uint32_t waits, uint64_t now) {
    if (now < until)
        return parks && waits * bz_load_relaxed(&bz_wake_ns) >= (until - began) / 4;
    uint32_t slices = knows_parks(now) ? SLICES : SLICES / 3;
    if (waits >= WAITS && (parks || bz_load_relaxed(&phase.slices) >= slices))
        return true;
    return now >= until + LONG_NS || (!parks && bz_load_relaxed(&phase.lost) < (now - began) / 8);
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
    if (now >= until + 2 * LONG_NS) /* it computed alone, or parks have stopped */
        begin(false, now, now + SHORT_NS);
    else if (parks)
        end_parks(waits, now);
    else
        end_yields(waits, now);
}

/* Relaxed, all: hints. Few are enough if parks have won lately, however fast they were since: the program may have computed
 * alone; or if they have used up the time of a trial before there were enough waits. */
static void note_slices(uint64_t away, uint64_t now) {
    uint64_t none = 0, until = bz_load_relaxed(&bz_competitor.until);
    uint32_t rounds = bz_load_relaxed(&phase.rounds);
    if (until == UINT64_MAX || bz_competitor_wants_parks())
        return;
    if (rounds > 0 && knows_parks(now)) {
        if (bz_cas_relaxed(&bz_competitor.until, &until, UINT64_MAX)) {
            bz_store_relaxed(&phase.rounds, rounds - 1);
            begin(true, now, now + PARKS_NS);
        }
        return;
    }
    if (until == 0 && bz_cas_relaxed(&bz_competitor.until, &none, UINT64_MAX))
        begin(false, now, now + SHORT_NS);
    uint64_t lost = bz_fetch_add_relaxed(&phase.lost, away) + away;
    uint32_t waits = bz_load_relaxed(&phase.waits);
    bz_fetch_add_relaxed(&phase.slices, 1);
    if (until != 0 && lost >= LONG_NS && waits < WAITS &&
        bz_cas_relaxed(&bz_competitor.until, &until, UINT64_MAX))
        end_yields(waits + 1, now); /* this wait goes on */
}

bool bz_competitor_seen_at(unsigned cpu) {
    uint64_t seen = bz_load_relaxed(&places[cpu % CPUS].seen); /* relaxed: a hint */
    return seen != 0 && bz_os_now_ns() - seen < 2 * PARKS_NS;
}

void bz_competitor_forget(void) {
    for (unsigned i = 0; i < CPUS; i++)
        bz_store_relaxed(&places[i].yielding, 0); /* relaxed: the only thread */
    bz_store_relaxed(&phase.parked, 0);
    begin(false, 0, 0);
}
