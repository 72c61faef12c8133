/* A member's waits between two runs: for the next start, or for its call if it is parked. See thread_team.md. */
#include "team/thread_team.h"

#include "os/os.h"
#include "wait/competitor.h"
#include "wait/load.h"
#include "wait/placement.h"
#include "wait/spin.h"

/* In a member's `call`. */
#define CALL_ASLEEP 1u
#define ONE_CALL 2u

struct bz_history *bz_history_after(struct bz_team_member *member, const void *site) {
    return member->predictors ? bz_predictor_history(&member->predictors->starts, site) : NULL;
}

struct start_wait {
    struct bz_team_member *member;
    uint32_t word; /* the start word that it knows; a parked member's: that ended its wait */
};

/* ---- a parked member's ---- */

static bool is_called(void *arg) {
    struct start_wait *wait = arg;
    struct bz_team_member *member = wait->member;
    wait->word = bz_load_acquire(&member->team->start);         /* G5: pairs with G6 */
    if (bz_load_relaxed(&member->state) == BZ_MEMBER_RECLAIMED) /* relaxed: G3 orders it after G4 */
        wait->word = 0;
    return bz_start_size(wait->word) == 0 || bz_start_size(wait->word) > member->worker.index;
}

/* Announces its sleep, unless it was called since its last check. */
static bool parks_uncalled(void *arg, uint32_t *value) {
    struct bz_team_member *member = ((struct start_wait *)arg)->member;
    uint32_t call = bz_load_acquire(&member->call); /* G3: pairs with G4 */
    do {
        if (is_called(arg))
            return false;
        *value = call | CALL_ASLEEP;
    } while (call != *value && !bz_cas_acq_rel(&member->call, &call, *value)); /* G3: pairs with G4 */
    return true;
}

static inline struct bz_wait_facts facts_of(const struct bz_worker *self, enum bz_wait_class class) {
    return (struct bz_wait_facts){.class = class,
                                  .policy = self->spin_policy,
                                  .chosen_ns = self->domain->spin_ns,
                                  .crowded = bz_crowded(),
                                  .competitor = bz_competitor_wants_parks()};
}

/* Waits; debuggers see for what. */
static void wait_for_region(struct bz_worker *self, const struct bz_waiter *waiter, struct bz_spin *spin,
                            struct bz_predicted *predicted) {
    spin->doublings = self->doublings;
    spin->dated = true;
    self->awaited.what = "the next region";
    bz_predicted_begin(predicted, bz_os_now_ns(), &spin->facts);
    bz_waiter_wait(waiter, spin, predicted);
    self->awaited.what = NULL;
    bz_worker_note_wait(self, spin);
}

uint32_t bz_start_wait_parked(struct bz_team_member *member) {
    struct bz_team *team = member->team;
    struct start_wait wait = {.member = member};
    const struct bz_waiter waiter = {
        .done = is_called, .parks = parks_uncalled, .word = &member->call.v, .arg = &wait};
    struct bz_spin spin = {.facts = facts_of(&member->worker, BZ_WAIT_CALL)};
    spin.facts.sharing = bz_sharing(team->domain.capacity);
    struct bz_predicted predicted = {.history = bz_history_after(member, &member->call)};
    bz_placement_leave(&member->worker.placement);
    /* In alternating regions of one thread and of all, the call follows closely. */
    if (bz_spin_briefly(is_called, &wait, bz_wait_brief(&spin.facts), 1))
        return wait.word;
    wait_for_region(&member->worker, &waiter, &spin, &predicted);
    bz_predicted_learn(&predicted);
    return wait.word;
}

void bz_start_call(struct bz_team_member *member) {
    uint32_t now = bz_load_relaxed(&member->call); /* relaxed: the swap decides */
    while (!bz_cas_release(&member->call, &now, (now + ONE_CALL) & ~CALL_ASLEEP)) /* G4: pairs with G3 */
        ;
    if (now & CALL_ASLEEP)
        bz_os_futex_wake(&member->call.v, 1);
}

/* ---- for the next start word ---- */

static bool is_started(const struct start_wait *wait) {
    return bz_load_relaxed(&wait->member->team->start) != wait->word; /* relaxed: read again at the end */
}

/* Polls for less time than the checks between two rounds take. */
static bool has_started(void *arg) {
    const struct start_wait *wait = arg;
    const struct bz_a32 *start = &wait->member->team->start;
    uint32_t seen = wait->word;
    for (unsigned i = 0; i < BZ_POLLS; i++) {
        if (bz_load_relaxed(start) != seen) /* relaxed: read again at the end */
            return true;
        bz_cpu_relax();
    }
    return false;
}

static bool parks_for_start(void *arg, uint32_t *value) {
    const struct start_wait *wait = arg;
    *value = wait->word;
    return !is_started(wait);
}

static void count_parked(void *arg, bool in) {
    struct bz_team *team = ((struct start_wait *)arg)->member->team;
    if (in) {
        bz_fetch_add_relaxed(&team->asleep, 1); /* relaxed: G8 */
        bz_fence_seq_cst(); /* G8: pairs with G9: either the leader sees us parked or we see its start */
    } else {
        bz_fetch_sub_relaxed(&team->asleep, 1); /* relaxed: too high a count only costs the leader a wake */
    }
}

static void sleep_for_start(void *arg, uint32_t seen) {
    struct bz_team_member *member = ((struct start_wait *)arg)->member;
    struct bz_team *team = member->team;
    struct bz_team_member *partner = team->members[member->worker.index & ~1u];
    bz_placement_sleep(&member->worker.placement, &team->members[0]->worker.placement,
                       &partner->worker.placement, &team->start.v, seen);
}

/* An early start pays for no clock. */
uint32_t bz_start_wait(struct bz_team_member *member, uint32_t seen, struct bz_predicted *predicted) {
    struct bz_team *team = member->team;
    struct start_wait wait = {member, seen};
    const struct bz_wait_facts facts = facts_of(&member->worker, BZ_WAIT_START);
    uint32_t polls = bz_wait_brief(&facts);
    if (!bz_spin_briefly(has_started, &wait, polls, 0) && !is_started(&wait)) {
        if (bz_team_is_forgotten(team))
            return 0; /* no thread is left to start a run */
        const struct bz_waiter waiter = {.done = has_started,
                                         .parks = parks_for_start,
                                         .count = count_parked,
                                         .sleep = sleep_for_start,
                                         .word = &team->start.v,
                                         .arg = &wait};
        if (facts.chosen_ns == 0) { /* no clock, no prediction */
            (void)bz_waiter_park(&waiter, 0);
            return bz_load_acquire(&team->start); /* G5: pairs with G6 */
        }
        struct bz_spin spin = {.facts = facts, .rounds = polls};
        spin.facts.sharing = bz_sharing(bz_start_size(seen));
        wait_for_region(&member->worker, &waiter, &spin, predicted);
        bz_predicted_came(predicted, &team->woke);
    }
    return bz_load_acquire(&team->start); /* G5: pairs with G6 */
}
