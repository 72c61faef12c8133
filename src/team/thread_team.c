#include "team/thread_team.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "env/error.h"
#include "os/os.h"
#include "sched/stack.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "wait/fence.h"
#include "wait/load.h"
#include "wait/mutex.h"
#include "wait/spin.h"
#include "wait/thread.h"
#include "wait/tuning.h"
#include "wait/waiter.h"

#define SIZE_MASK 0xffffu
#define ONE_EPOCH 0x10000u

static struct {
    struct bz_a32 lock; /* guards the list; taken inside the thread cache's lock, never around it */
    struct bz_team *first;
} teams;

/* A worker of a team is the first part of its member. */
static struct bz_team_member *member_of(struct bz_worker *worker) {
    return (struct bz_team_member *)worker;
}

static uint32_t start_size(uint32_t word) {
    return word & SIZE_MASK;
}

/* From before a fork: nobody is there but, if it was inside, the calling thread. */
static bool is_forgotten(const struct bz_team *team) {
    return team->generation != bz_fork_generation();
}

/* ---- the member's side ---- */

/* A member's wait while it is parked: until a run includes it, or it is reclaimed (0), or the team ends (0). */
struct parked_wait {
    struct bz_team_member *member;
    uint32_t word; /* the start word that ended it */
};

static bool parks_on_growth(void *arg, uint32_t *value) {
    struct parked_wait *wait = arg;
    struct bz_team *team = wait->member->team;
    *value = bz_load_acquire(&team->grown);                           /* G3: pairs with G4 */
    wait->word = bz_load_acquire(&team->start);                       /* G5: pairs with G6 */
    if (bz_load_acquire(&wait->member->state) == BZ_MEMBER_RECLAIMED) /* G7: pairs with G1 */
        wait->word = 0;
    return start_size(wait->word) != 0 && start_size(wait->word) <= wait->member->worker.index;
}

static uint32_t wait_parked(struct bz_team_member *member) {
    struct parked_wait wait = {.member = member};
    const struct bz_waiter waiter = {.parks = parks_on_growth, .word = &member->team->grown.v, .arg = &wait};
    (void)bz_waiter_park(&waiter, 0);
    return wait.word;
}

/* A member's wait for another start word than `seen`. */
struct start_wait {
    struct bz_team_member *member;
    uint32_t seen;
};

static bool is_started(const struct start_wait *wait) {
    return bz_load_relaxed(&wait->member->team->start) != wait->seen; /* relaxed: read again at the end */
}

/* Looks for some time that costs less than the questions between. */
static bool has_started(void *arg) {
    const struct start_wait *wait = arg;
    const struct bz_a32 *start = &wait->member->team->start;
    uint32_t seen = wait->seen;
    for (unsigned i = 0; i < BZ_START_SPINS; i++) {
        if (bz_load_relaxed(start) != seen) /* relaxed: read again at the end */
            return true;
        bz_cpu_relax();
    }
    return false;
}

static bool parks_for_start(void *arg, uint32_t *value) {
    const struct start_wait *wait = arg;
    *value = wait->seen;
    return !is_started(wait);
}

static void count_parked(void *arg, bool in) {
    struct bz_team *team = ((struct start_wait *)arg)->member->team;
    if (in) {
        bz_fetch_add_seq_cst(&team->asleep, 1); /* G8: pairs with G9 */
        bz_fence_seq_cst();                     /* G8: either the leader sees us parked or we see its start */
    } else {
        bz_fetch_sub_relaxed(&team->asleep, 1); /* relaxed: too high a count only costs the leader a wake */
    }
}

/* Sleeps on the start word. A member that has found itself on its leader's CPU too often, although others are idle as far as
 * we know, is put on another one from then on (spin.md, "Whose CPU it is"). */
static void sleep_off_leader(void *arg, uint32_t seen) {
    struct bz_team_member *member = ((struct start_wait *)arg)->member;
    struct bz_team *team = member->team;
    bool off = member->on_leader_cpu >= BZ_WAKES_ON_LEADER_CPU && bz_cpus_left();
    uint32_t cpu = bz_load_relaxed(&team->leader_cpu); /* relaxed: a hint */
    bz_os_futex_wait_off(&team->start.v, seen, off ? cpu : UINT32_MAX);
    if (member->on_leader_cpu >= BZ_WAKES_ON_LEADER_CPU || bz_crowded())
        return;
    if (bz_load_relaxed(&team->leader_cpu) == bz_os_cpu())
        member->on_leader_cpu++;
    else if (member->on_leader_cpu > 0)
        member->on_leader_cpu--;
}

/* Until the start word differs from `seen`; what follows closely shall not pay for a clock. */
static uint32_t wait_for_start(struct bz_team_member *member, uint32_t seen, struct bz_predicted *predicted) {
    struct bz_team *team = member->team;
    struct bz_worker *self = &member->worker;
    struct start_wait wait = {member, seen};
    uint64_t usual_ns = team->domain.spin_ns;
    unsigned rounds = self->spin_policy == BZ_YIELD_EARLY ? 1 : BZ_SPIN_ROUNDS;
    bool briefly = usual_ns > 0 && !bz_crowded();
    if (!(briefly && bz_spin_briefly(has_started, &wait, rounds, 0)) && !is_started(&wait)) {
        if (is_forgotten(team))
            return 0; /* nobody is there to start anything */
        const struct bz_waiter waiter = {.done = has_started,
                                         .parks = parks_for_start,
                                         .count = count_parked,
                                         .sleep = sleep_off_leader,
                                         .word = &team->start.v,
                                         .arg = &wait};
        /* In a crowd it yields at each look, and spins for as long. */
        struct bz_spin spin = {
            .crowded_ns = UINT64_MAX, .policy = self->spin_policy, .dated = true, .rounds = rounds};
        bz_predicted_begin(predicted, bz_os_now_ns(), usual_ns, 0);
        bz_waiter_wait(&waiter, &spin, predicted);
        bz_predicted_came(predicted, &team->woke);
        self->spin_policy = spin.handed_over ? BZ_YIELD_EARLY : BZ_YIELD_USUAL;
    }
    return bz_load_acquire(&team->start); /* G5: pairs with G6 */
}

/* The waits after runs from that call site, where they are predicted. */
static struct bz_history *history_after(struct bz_team_member *member, const void *site) {
    return member->team->predicts ? bz_predictor_history(&member->predictor, site) : NULL;
}

static void member_main(void *arg) {
    struct bz_team_member *member = arg;
    struct bz_team *team = member->team;
    struct bz_worker *self = &member->worker;
    uint32_t word =
        bz_load_relaxed(&member->finished); /* relaxed: written before this thread was given the member */
    struct bz_predicted wait = {.history = history_after(member, NULL)};
    bz_self = self; /* its context may just be being made */
    self->stack_limit = bz_stack_bound();
    for (;;) {
        bool waits = self->index < start_size(word);
        word = waits ? wait_for_start(member, word, &wait) : wait_parked(member);
        if (start_size(word) == 0)
            break;
        if (self->index < start_size(word)) {
            const void *site = team->site;
            bz_become(self); /* with the context that it has now */
            team->body(self->index, team->arg);
            bz_barrier_join(&team->barrier, self, site);
            if (waits) /* not sooner: the run was waiting for us */
                bz_predicted_learn(&wait);
            wait = (struct bz_predicted){.history = history_after(member, site)};
        }
        bz_store_release(&member->finished, word); /* G10: pairs with G11 */
    }
    bz_team_destroy(self->inner);
    self->inner = NULL;
    bz_become(NULL);
    bz_store_release(&member->attached, 0); /* G12: pairs with G13; the member may be gone now */
}

/* ---- the leader's side ---- */

static bool is_attached(struct bz_team_member *member) {
    return member && bz_load_acquire(&member->attached); /* G13: pairs with G12 */
}

static void wait_detached(struct bz_team_member *member) {
    while (is_attached(member))
        bz_os_yield();
}

static struct bz_team_member *member_new(struct bz_team *team, unsigned index) {
    struct bz_team_member *member = bz_os_alloc(sizeof *member);
    if (!member)
        return NULL;
    if (bz_worker_init(&member->worker, &team->domain, index)) {
        bz_os_free(member, sizeof *member);
        return NULL;
    }
    member->team = team;
    if (team->predicts)
        member->worker.predictor = &member->within;
    team->members[index] = member;
    bz_domain_enter(&team->domain, &member->worker);
    return member;
}

/* A thread at place `index`, in whatever way. 0 or an errno. */
static int attach(struct bz_team *team, unsigned index) {
    struct bz_team_member *member = team->members[index];
    if (!member && !(member = member_new(team, index)))
        return ENOMEM;
    if (is_attached(member)) {
        uint32_t state = BZ_MEMBER_PARKED;
        if (bz_cas_acq_rel(&member->state, &state, BZ_MEMBER_IN)) { /* G2: pairs with G1 */
            bz_fetch_sub_relaxed(&team->parked, 1);                 /* relaxed: a hint */
            return 0;
        }
        if (state == BZ_MEMBER_IN)
            return 0;
        wait_detached(member); /* reclaimed */
    }
    bz_store_relaxed(&member->state, BZ_MEMBER_IN); /* relaxed: given to the thread by the thread cache */
    bz_store_relaxed(&member->finished, team->word);
    bz_store_relaxed(&member->attached, 1);
    int error = bz_thread_cache_run_below(team->domain.root, index, member_main, member);
    if (error)
        bz_store_relaxed(&member->attached, 0);
    return error;
}

/* A member that leaves the team must have left its last run first: it could still be looking for jobs. */
static void wait_finished(struct bz_team *team, struct bz_team_member *member) {
    while (is_attached(member) &&
           bz_load_acquire(&member->finished) != team->word) { /* G11: pairs with G10 */
        bz_domain_wake_if_asleep(&member->worker);
        bz_os_yield();
    }
}

static void wake_members(struct bz_team *team) {
    bz_fence_seq_cst(); /* G9: pairs with G8; S4: pairs with S3 */
    struct bz_worker *self = &team->members[0]->worker;
    if (bz_load_relaxed(&team->asleep)) {
        self->spin_policy = BZ_YIELD_LATE;
        bz_store_relaxed(&team->leader_cpu, bz_os_cpu()); /* relaxed: a hint */
        bz_store_relaxed(&team->woke, bz_os_now_ns());    /* relaxed: a hint for predictions */
        bz_os_futex_wake(&team->start.v, INT_MAX);
    }
    if (bz_counters_sleeping(bz_load_relaxed(&team->domain.counters.word)))
        for (unsigned i = 1; i < team->capacity; i++)
            if (team->members[i] && bz_domain_wake_if_asleep(&team->members[i]->worker))
                self->spin_policy = BZ_YIELD_LATE;
}

/* A new start word. A member that the last runs left out may not have looked since the last one that it was in: the word
 * that it knows must not come back with it in. */
static uint32_t next_start(const struct bz_team *team, uint32_t old, uint32_t size) {
    uint32_t word = old;
    bool known;
    do {
        word = ((word + ONE_EPOCH) & ~SIZE_MASK) | size;
        known = false;
        for (unsigned i = start_size(old); i < size && !known; i++) /* relaxed: wait_finished acquired it */
            known = bz_load_relaxed(&team->members[i]->finished) == word;
    } while (known);
    return word;
}

static void let_park(struct bz_team *team, unsigned index) {
    bz_fetch_add_relaxed(&team->parked, 1);                           /* relaxed: a hint */
    bz_store_release(&team->members[index]->state, BZ_MEMBER_PARKED); /* G1: pairs with G2 */
}

/* Publishes a start word: those whom it leaves out are parked. Size 0 sends everybody home. */
static void announce(struct bz_team *team, uint32_t size) {
    uint32_t old = team->word;
    team->word = next_start(team, old, size);
    /* Before the word: whoever runs by it may need a thread at once. One that is reclaimed already waits for it. */
    for (unsigned i = size; size > 0 && i < start_size(old); i++)
        let_park(team, i);
    bz_store_release(&team->start, team->word); /* G6: pairs with G5 */
    if (size == 0 || size > start_size(old)) {
        bz_fetch_add_release(&team->grown, 1); /* G4: pairs with G3 */
        bz_os_futex_wake(&team->grown.v, INT_MAX);
    }
    wake_members(team);
}

/* Members beyond `size` leave the team. Those of the last run will see the next start word and are parked. */
static void shrink(struct bz_team *team, unsigned size) {
    uint32_t last = start_size(team->word);
    for (unsigned i = size; i < team->size; i++)
        if (i < last)
            wait_finished(team, team->members[i]);
        else
            let_park(team, i);
    if (size == 1 && last > 1)
        announce(team, 1); /* a run of one announces nothing, and the members shall be parked */
}

static unsigned resize(struct bz_team *team, unsigned size) {
    shrink(team, size);
    for (unsigned i = team->size; i < size; i++) {
        int error = attach(team, i);
        if (error) {
            bz_thread_cache_warn(i + 1, size, error);
            size = i;
        }
    }
    team->size = size;
    bz_domain_limit(&team->domain,
                    size); /* quiet now, and only then do the counts of those who stay add up */
    return size;
}

void bz_team_begin(struct bz_team *team, bz_team_body *body, void *arg) {
    struct bz_worker *outer = bz_self;
    struct bz_worker *self = &team->members[0]->worker;
    team->outer = outer;
    self->stack_limit = outer->stack_limit;
    if (team->size > 1) {
        team->body = body;
        team->arg = arg;
        announce(team, team->size);
    }
    if (outer->domain->host)
        bz_awake_add(1); /* cached threads count anyway */
    bz_become(self);
}

void bz_team_end(struct bz_team *team) {
    bz_barrier_join(&team->barrier, &team->members[0]->worker, team->site);
    bz_become(team->outer);
    if (team->outer->domain->host)
        bz_awake_add(-1);
    bz_store_release(&team->led, 0); /* G16: pairs with G15 */
}

void bz_team_run(struct bz_team *team, bz_team_body *body, void *arg) {
    bz_team_begin(team, body, arg);
    body(0, arg);
    bz_team_end(team);
}

/* The worker itself, or the one that its thread is while isolated from it. */
static const struct bz_worker *current_of(const struct bz_worker *worker) {
    while (worker->isolated && worker->isolated->isolated_from)
        worker = worker->isolated;
    return worker;
}

bool bz_team_is_open(const struct bz_worker *outer) {
    bool awaited = false;
    for (const struct bz_team *team = current_of(outer)->inner; team;) {
        const struct bz_worker *first = current_of(&team->members[0]->worker);
        awaited |= team->size > 1 && !is_forgotten(team);
        if (first == bz_self)
            return awaited;
        team = first->inner;
    }
    return false;
}

/* ---- creation and end ---- */

static struct bz_team *team_new(const struct bz_worker *self, unsigned capacity, uint64_t spin_ns) {
    struct bz_team *team = bz_os_alloc(sizeof *team);
    if (!team)
        return NULL;
    team->members = bz_alloc_zero(capacity, sizeof *team->members);
    if (!team->members || bz_domain_init(&team->domain, capacity, spin_ns))
        goto no_domain;
    team->capacity = capacity;
    team->predicts = bz_spin_adapts();
    team->domain.root = self->domain->root;
    if (!member_new(team, 0))
        goto no_member;
    team->size = 1;
    bz_store_relaxed(&team->led, 1);            /* relaxed: by the list's lock */
    team->word = 1;                             /* a run of one, before the first */
    bz_store_relaxed(&team->start, team->word); /* relaxed: not shared yet */
    team->generation = bz_fork_generation();
    bz_barrier_init(&team->barrier);
    bz_mutex_lock(&teams.lock);
    team->next = teams.first;
    if (team->next)
        team->next->previous = team;
    bz_signal_fence(); /* a child may find the list at any moment */
    teams.first = team;
    bz_mutex_unlock(&teams.lock);
    return team;

no_member:
    bz_domain_destroy(&team->domain);
no_domain:
    bz_free(team->members);
    bz_os_free(team, sizeof *team);
    return NULL;
}

static void unlist(struct bz_team *team) {
    bz_mutex_lock(&teams.lock);
    if (team->previous)
        team->previous->next = team->next;
    else if (teams.first == team)
        teams.first = team->next;
    if (team->next)
        team->next->previous = team->previous;
    bz_mutex_unlock(&teams.lock);
}

void bz_team_destroy(struct bz_team *team) {
    if (!team)
        return;
    if (is_forgotten(team)) { /* its threads are not here to leave, its memory is the parent's affair */
        bz_team_drop(
            bz_team_worker(team, 0)); /* but this may be of a run here: the child was forked inside */
        return;
    }
    unlist(team);
    unsigned members = 0;
    for (unsigned i = 1; i < team->capacity; i++)
        members +=
            is_attached(team->members[i]) && bz_load_relaxed(&team->members[i]->state) != BZ_MEMBER_RECLAIMED;
    bz_thread_cache_expect(members);
    announce(team, 0);
    bz_team_destroy(team->members[0]->worker.inner);
    bz_domain_wait_external(&team->domain);
    for (unsigned i = 1; i < team->capacity; i++)
        wait_detached(team->members[i]); /* all, before any goes: they look at each other until they leave */
    for (unsigned i = 0; i < team->capacity; i++) {
        struct bz_team_member *member = team->members[i];
        if (!member)
            continue;
        bz_worker_destroy_all(&member->worker);
        bz_os_free(member, sizeof *member);
    }
    bz_domain_destroy(&team->domain);
    bz_free(team->members);
    bz_os_free(team, sizeof *team);
}

void bz_team_drop(struct bz_worker *worker) {
    bz_team_destroy(worker->inner);
    worker->inner = NULL;
}

/* The team is the leader's alone until the end of the run. */
static inline void lead(struct bz_team *team) {
    bz_store_relaxed(&team->led, 1); /* relaxed: by the fence */
    bz_fence_light();                /* G14: pairs with G15: either a resizer sees us here or we see it */
    while (bz_unlikely(bz_load_acquire(&team->resizer))) /* G14: pairs with G17 */
        bz_os_yield();
}

/* As many of `wanted` as a team may have. Said before any of the threads is there: thousands take a while. */
static unsigned most_of(unsigned wanted) {
    static struct bz_aflag warned;
    if (bz_likely(wanted <= SIZE_MASK))
        return wanted;
    bz_warn_once(&warned, "a team of %u threads: one may have %u, and gets these if the system has them",
                 wanted, (unsigned)SIZE_MASK);
    return SIZE_MASK;
}

struct bz_team *bz_team_enter(struct bz_worker *self, unsigned *size) {
    unsigned wanted = most_of(*size);
    struct bz_team *team = self->inner;
    if (team && is_forgotten(team)) {
        bz_team_destroy(team);
        team = self->inner = NULL;
    }
    if (team)
        lead(team);
    if (!team || team->capacity < wanted) {
        unsigned capacity = team && 2 * team->capacity > wanted ? 2 * team->capacity : wanted;
        bz_team_destroy(team);
        self->inner = team = team_new(self, capacity < SIZE_MASK ? capacity : SIZE_MASK, bz_spin_ns());
        if (!team)
            return NULL;
    }
    *size = wanted == team->size ? wanted : resize(team, wanted);
    return team;
}

/* ---- threads for others, with the list's lock held ---- */

/* Tells one parked member to leave. False: there is none. It goes on behind the last one: from a team of thousands one after
 * the other may be taken. */
static bool reclaim_from(struct bz_team *team) {
    if (bz_load_relaxed(&team->parked) == 0) /* relaxed: a hint */
        return false;
    for (unsigned n = 1; n < team->capacity; n++) {
        team->reclaimed = team->reclaimed + 1 < team->capacity ? team->reclaimed + 1 : 1;
        struct bz_team_member *member =
            member_of(bz_load_acquire(&team->domain.slots[team->reclaimed])); /* W2: pairs with W1 */
        uint32_t state = BZ_MEMBER_PARKED;
        if (!is_attached(member) ||
            !bz_cas_acq_rel(&member->state, &state, BZ_MEMBER_RECLAIMED)) /* G1: pairs with G2 and G7 */
            continue;
        bz_fetch_sub_relaxed(&team->parked, 1); /* relaxed: a hint */
        bz_fetch_add_release(&team->grown, 1);  /* G4: pairs with G3 */
        bz_os_futex_wake(&team->grown.v, INT_MAX);
        return true;
    }
    return false;
}

/* All members are parked, unless the team is in a run or its leader just enters it. */
static void leave_all_out(struct bz_team *team) {
    if (bz_load_relaxed(&team->led)) /* relaxed: a hint */
        return;
    bz_store_relaxed(&team->resizer, 1); /* relaxed: by the fence */
    bz_fence_heavy();                    /* G15: pairs with G14 */
    if (!bz_load_acquire(&team->led)) {  /* G15: pairs with G16 */
        shrink(team, 1);
        team->size = 1;
        bz_domain_limit(&team->domain, 1);
    }
    bz_store_release(&team->resizer, 0); /* G17: pairs with G14 */
}

bool bz_team_reclaim_one(unsigned *expected, uint64_t root) {
    bool found = false;
    bz_mutex_lock(&teams.lock);
    for (struct bz_team *team = teams.first; team && !found; team = team->next)
        found = reclaim_from(team);
    for (struct bz_team *team = teams.first; team && !found; team = team->next)
        if (team->domain.root == root && team->capacity > 1) {
            leave_all_out(team);
            found = reclaim_from(team);
        }
    *expected += found;
    bz_mutex_unlock(&teams.lock);
    return found;
}

static struct bz_team *team_of(const struct bz_domain *domain) {
    struct bz_team *team = teams.first;
    while (team && &team->domain != domain)
        team = team->next;
    return team;
}

void bz_team_forget(void) {
    for (struct bz_worker *self = bz_self; self;) {
        struct bz_team *team = team_of(self->domain);
        if (!team) {
            self = self->isolated_from;
            continue;
        }
        bz_domain_keep_only(&team->domain, self);
        bz_barrier_abandon(&team->barrier);
        self = self->index == 0 ? team->outer : NULL;
    }
    bz_store_relaxed(&teams.lock, BZ_MUTEX_FREE);
    teams.first = NULL;
}
