#include "wait/spin.h"

#include "base/atomic.h"
#include "env/options.h"
#include "os/os.h"
#include "wait/load.h"
#include "wait/rival.h"
#include "wait/tuning.h"

static struct bz_a64 spin_ns = {BZ_SPIN_AUTO}; /* set at start-up, read when domains are made */

void bz_set_spin_ns(uint64_t ns) {
    bz_store_relaxed(&spin_ns, ns);
}

uint64_t bz_spin_ns(void) {
    return bz_spin_adapts() ? BZ_SPIN_NS : bz_load_relaxed(&spin_ns);
}

bool bz_spin_adapts(void) {
    return bz_load_relaxed(&spin_ns) == BZ_SPIN_AUTO;
}

/* A yield. handed_over: another thread ran meanwhile, and briefly. If the event has happened by then, that thread
 * probably needed this CPU for it. Yields that find no thread make the next ones rarer: the system counts each as run
 * time, and after some hundred gives a nicer program a time slice. */
static void hand_over(struct bz_spin *spin) {
    uint64_t before = bz_os_now_ns();
    bz_os_yield();
    uint64_t away = bz_os_now_ns() - before;
    spin->handed_over = away >= BZ_SWITCH_NS && away < BZ_SPIN_NS;
    if (away >= BZ_SPIN_NS)
        spin->vain = 0;
    else if (away < BZ_SWITCH_NS && spin->vain < BZ_YIELD_DOUBLINGS)
        spin->vain++;
}

/* Reads the clock: for how long it has spun. */
static uint64_t spun_ns(struct bz_spin *spin) {
    spin->now = bz_os_now_ns();
    if (spin->started == 0)
        spin->started = spin->now;
    return spin->now - spin->started;
}

/* Until a thread that was woken may have come. */
static bool keeps_cpu(struct bz_spin *spin) {
    return spun_ns(spin) < (spin->limit_ns < BZ_WAKE_NS ? spin->limit_ns : BZ_WAKE_NS);
}

_Static_assert((BZ_YIELD_ROUNDS & (BZ_YIELD_ROUNDS - 1)) == 0, "rounds are told apart by a mask");

/* Whether that many failed polls end a round: some first, then BZ_YIELD_ROUNDS for each, doubled `doublings` times. */
static bool round_is_over(const struct bz_spin *spin, unsigned doublings) {
    unsigned first = spin->policy == BZ_YIELD_EARLY ? BZ_YIELD_EARLY_ROUNDS : BZ_SPIN_ROUNDS;
    unsigned looks = spin->rounds - first + BZ_YIELD_ROUNDS, round = BZ_YIELD_ROUNDS << doublings;
    return spin->rounds >= first && (looks & (round - 1)) == 0;
}

/* Whether to give the CPU away after that many. */
static bool yield_is_due(struct bz_spin *spin) {
    return round_is_over(spin, spin->vain) && (spin->policy != BZ_YIELD_LATE || !keeps_cpu(spin));
}

/* The awaited thread may need this CPU: we do not see what else the machine runs. False: it had better park. */
static bool give_cpu_away(struct bz_spin *spin, bool crowded) {
    if (bz_rival_is_here())
        return false;
    if (crowded)
        bz_rival_yield();
    else if (spin->make_room)
        return spin->make_room(spin->arg);
    else
        hand_over(spin);
    return true;
}

bool bz_spin_on(struct bz_spin *spin) {
    bool crowded = bz_crowded();
    uint64_t limit_ns = crowded ? spin->crowded_ns : spin->limit_ns;
    spin->rounds++;
    spin->handed_over = false;
    if (limit_ns == 0)
        return false;
    bool yields = crowded || yield_is_due(spin);
    /* A late spin past its limit parks without a yield, which may cost a time slice. It has just read the clock; if it is
     * crowded, at the poll before. */
    if (yields && spin->policy == BZ_YIELD_LATE && spin->now - spin->started >= limit_ns)
        return false;
    if (yields && !give_cpu_away(spin, crowded))
        return false;
    bool reads_clock = crowded || spin->dated || round_is_over(spin, 0);
    return !reads_clock || spun_ns(spin) < limit_ns;
}
