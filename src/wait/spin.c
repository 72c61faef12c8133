#include "wait/spin.h"

#include "base/atomic.h"
#include "os/os.h"
#include "wait/load.h"

static struct bz_a64 chosen = {BZ_SPIN_AUTO}; /* set at start-up, read when domains are made */

void bz_set_spin_ns(uint64_t ns) {
    bz_store_relaxed(&chosen, ns);
}

uint64_t bz_spin_ns(void) {
    return bz_load_relaxed(&chosen);
}

struct bz_a64 bz_wake_ns = {BZ_WAKE_NS};

/* By a timer: it ends a sleep as late as another thread does, and load makes it only later. With twice that lateness as the
 * price the spins are those that bench/decisions.md found best. */
bool bz_wake_measure(uint32_t *word, uint32_t value, uint32_t bits) {
    enum { SLEEPS = 4, LEAST_NS = BZ_WAKE_NS / 4 };
    static struct bz_a32 sleeps; /* that have measured; written by each */
    if (bz_likely(bz_load_relaxed(&sleeps) >= SLEEPS) || bz_spin_ns() != BZ_SPIN_AUTO || bz_crowded())
        return false;
    bz_fetch_add_relaxed(&sleeps, 1); /* relaxed, all: hints */
    uint64_t end = bz_os_now_ns() + 2 * BZ_WAKE_NS;
    if (bz_os_futex_wait_until(word, value, end, bits) == 0)
        return true; /* what it waits for has come */
    uint64_t price = 2 * (bz_os_now_ns() - end);
    if (price < bz_load_relaxed(&bz_wake_ns))
        bz_store_relaxed(&bz_wake_ns, price > LEAST_NS ? price : LEAST_NS);
    return true;
}

/* A yield. handed_over: another thread ran meanwhile, and briefly: it may have needed this CPU for the event. Yields that
 * find no thread make the next ones rarer: the system counts each as run time, and later gives a nicer program a time
 * slice. */
static void hand_over(struct bz_spin *spin, bool shares) {
    uint64_t away = bz_competitor_yield(shares);
    spin->handed_over = away >= BZ_SWITCH_NS && away < 2 * BZ_WAKE_NS;
    if (away >= 2 * BZ_WAKE_NS)
        spin->doublings = 0;
    else if (away < BZ_SWITCH_NS && 1u << spin->doublings < BZ_RETRY_TIMES)
        spin->doublings++;
}

/* Reads the clock: for how long it has spun. */
static uint64_t spun_ns(struct bz_spin *spin) {
    spin->now = bz_os_now_ns();
    if (spin->started == 0)
        spin->started = spin->now;
    return spin->now - spin->started;
}

static void ask(struct bz_spin *spin) {
    spin->facts.wake_ns = bz_load_relaxed(&bz_wake_ns); /* relaxed: a hint */
    spin->facts.crowded = bz_crowded();
    spin->facts.competitor = bz_competitor_wants_parks();
    spin->plan = bz_wait_plan(&spin->facts);
    spin->asked = true;
}

_Static_assert((BZ_BRIEF_POLLS & (BZ_BRIEF_POLLS - 1)) == 0, "rounds are told apart by a mask");

/* Whether the failed polls end a round: some first, then an interval for each. */
static bool round_is_over(const struct bz_spin *spin, unsigned doublings) {
    const struct bz_wait_plan *plan = &spin->plan;
    unsigned polls = spin->rounds - plan->first + plan->interval, round = plan->interval << doublings;
    return spin->rounds >= plan->first && (polls & (round - 1)) == 0;
}

/* The awaited thread may need this CPU. False: it had better park, since a yield would give another program a time slice. */
static bool give_cpu_away(struct bz_spin *spin) {
    bool shares = spin->placement && bz_placement_note(spin->placement);
    if (bz_competitor_wants_parks() && (spin->facts.crowded || spin->facts.chosen_ns == BZ_SPIN_AUTO))
        return false;
    if (spin->facts.crowded)
        (void)bz_competitor_yield(false);
    else if (!bz_wait_keeps_cpu(&spin->facts) || (shares && !bz_placement_move(spin->placement)))
        hand_over(spin, shares);
    return true;
}

bool bz_spin_on(struct bz_spin *spin) {
    if (!spin->asked || spin->facts.crowded != bz_crowded())
        ask(spin);
    const struct bz_wait_plan *plan = &spin->plan;
    spin->rounds++;
    spin->handed_over = false;
    if (plan->spin_ns == 0)
        return false;
    bool yields = round_is_over(spin, spin->facts.crowded ? 0 : spin->doublings);
    if (yields && plan->keep_ns > 0) {
        uint64_t spun = spun_ns(spin);
        if (spun >= plan->spin_ns)
            return false; /* a yield may cost a time slice, a park does not */
        yields = spun >= plan->keep_ns;
    }
    if (yields && !give_cpu_away(spin))
        return false;
    return !(spin->dated || round_is_over(spin, 0)) || spun_ns(spin) < plan->spin_ns;
}
