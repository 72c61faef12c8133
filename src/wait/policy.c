#include "wait/policy.h"

#include "env/options.h"
#include "wait/placement.h"

static bool adapts(const struct bz_wait_facts *facts) {
    return facts->chosen_ns == BZ_SPIN_AUTO;
}

static uint64_t usual(const struct bz_wait_facts *facts) {
    return adapts(facts) ? bz_usual_spin(facts->wake_ns) : facts->chosen_ns;
}

/* By yields each thread would run several times before the last one has run once. Who sleeps while its turn comes is late
 * for it, so that its successors sleep as well. */
static bool is_overcrowded(const struct bz_wait_facts *facts) {
    return facts->crowded && facts->team > BZ_OVERCROWDED * facts->cpus && facts->class != BZ_WAIT_TURN &&
           usual(facts) <= bz_usual_spin(facts->wake_ns);
}

/* Where threads outnumber the CPUs, a lock's holder has one, and its waiter need not. */
static bool sleeps_at_once(const struct bz_wait_facts *facts) {
    return facts->chosen_ns == 0 || facts->competitor || is_overcrowded(facts) ||
           (facts->crowded && facts->class == BZ_WAIT_LOCK);
}

static uint64_t spin_of(const struct bz_wait_facts *facts) {
    uint64_t ns = usual(facts);
    if (facts->class == BZ_WAIT_TURN && adapts(facts))
        ns = BZ_SLICE_NS; /* its owner may have lost its CPU for as long */
    else if (facts->class == BZ_WAIT_LOCK && adapts(facts))
        ns = bz_long_spin(facts->wake_ns);
    if (!facts->predicts || (facts->crowded && facts->predicted.spin_ns > ns))
        return ns;
    return facts->predicted.spin_ns;
}

/* If no more members are missing at a barrier than there are other CPUs, they may all be running there: a yield would pass
 * this CPU through all waiters before any can go on. */
static bool yields_first(const struct bz_wait_facts *facts) {
    return facts->class == BZ_WAIT_BARRIER && facts->crowded && facts->missing >= facts->cpus;
}

static uint32_t brief_of(const struct bz_wait_facts *facts) {
    if (facts->class == BZ_WAIT_BARRIER && facts->crowded)
        return yields_first(facts) ? 0 : BZ_BRIEF_POLLS;
    if (facts->crowded || facts->policy == BZ_YIELD_EARLY)
        return 0;
    return facts->class == BZ_WAIT_START ? BZ_POLLS : BZ_BRIEF_POLLS;
}

/* The owner of a turn runs, or waits for a CPU that no yield here gives it: unless that is this one. */
static bool may_yield(const struct bz_wait_facts *facts) {
    return facts->crowded || facts->partner || facts->class != BZ_WAIT_TURN || !adapts(facts);
}

struct bz_wait_plan bz_wait_plan(const struct bz_wait_facts *facts) {
    if (sleeps_at_once(facts))
        return (struct bz_wait_plan){0};
    uint64_t spin_ns = spin_of(facts), usual_ns = usual(facts);
    bool late = facts->policy == BZ_YIELD_LATE && !facts->crowded;
    return (struct bz_wait_plan){
        .spin_ns = spin_ns,
        .keep_ns = !late                ? 0
                   : spin_ns < usual_ns ? spin_ns
                                        : usual_ns,
        .brief = brief_of(facts),
        .first = facts->crowded || facts->policy == BZ_YIELD_EARLY ? 1 : BZ_POLLS,
        .interval = facts->crowded ? 1 : BZ_BRIEF_POLLS,
        .yields_first = yields_first(facts),
        .moves = facts->partner && !facts->crowded && adapts(facts),
        .yields = may_yield(facts),
    };
}
