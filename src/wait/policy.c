#include "wait/policy.h"

#include "wait/competitor.h"

static bool adapts(const struct bz_wait_facts *facts) {
    return facts->chosen_ns == BZ_SPIN_AUTO;
}

static uint64_t two_wakes(const struct bz_wait_facts *facts) {
    return 2 * facts->wake_ns;
}

static uint64_t usual(const struct bz_wait_facts *facts) {
    if (!adapts(facts))
        return facts->chosen_ns;
    return bz_shared_spin(facts->wake_ns, facts->crowded ? facts->sharing : 1);
}

/* In a crowd a lock's holder has a CPU, and a thread that no region needs must not take any. */
static bool sleeps_at_once(const struct bz_wait_facts *facts) {
    return facts->chosen_ns == 0 || bz_wait_shuns_yields(facts) ||
           (facts->crowded && (facts->class == BZ_WAIT_LOCK || facts->class == BZ_WAIT_CALL));
}

static uint64_t spin_of(const struct bz_wait_facts *facts) {
    uint64_t ns = usual(facts);
    if (facts->class == BZ_WAIT_TURN && adapts(facts))
        ns = BZ_SLICE_NS; /* its owner may have lost its CPU for as long */
    else if (facts->class == BZ_WAIT_LOCK && adapts(facts))
        ns = BZ_LONG_WAKES * facts->wake_ns;
    if (!facts->predicts)
        return ns;
    return facts->crowded ? bz_ns_least(facts->predicted.spin_ns, ns) : facts->predicted.spin_ns;
}

/* An early yield is not the first step, since the other thread may have moved. */
static uint32_t first_of(const struct bz_wait_facts *facts) {
    if (facts->crowded)
        return 1;
    return facts->policy == BZ_YIELD_EARLY ? 2 : BZ_POLLS;
}

struct bz_wait_plan bz_wait_plan(const struct bz_wait_facts *facts) {
    if (sleeps_at_once(facts))
        return (struct bz_wait_plan){0};
    uint64_t spin_ns = spin_of(facts);
    bool keeps = facts->policy == BZ_YIELD_LATE && !facts->crowded;
    return (struct bz_wait_plan){
        .spin_ns = spin_ns,
        .keep_ns = keeps ? bz_ns_least(spin_ns, two_wakes(facts)) : 0,
        .first = first_of(facts),
        .interval = facts->crowded ? 1 : BZ_BRIEF_POLLS,
    };
}

/* The owner of a turn runs, or waits for another CPU: no yield here helps it. */
bool bz_wait_keeps_cpu(const struct bz_wait_facts *facts) {
    return facts->class == BZ_WAIT_TURN && !facts->crowded && adapts(facts);
}
