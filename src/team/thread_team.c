#include "team/thread_team.h"

#include <errno.h>
#include <limits.h>

#include "env/error.h"
#include "os/os.h"
#include "sched/stack.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "wait/fence.h"
#include "wait/load.h"
#include "wait/mutex.h"
#include "wait/spin.h"

#define ONE_EPOCH 0x10000u

/* Members of the smallest team that meets in groups, each with a CPU (bench/decisions.md#barriers). */
#define GROUPED_LEAST 5

static struct {
    struct bz_a32 lock; /* guards the list; taken inside the thread cache's lock */
    struct bz_team *first;
    struct bz_a32 count;  /* written under the lock, a hint to others */
    struct bz_a32 parked; /* the sum of all teams' `parked`: a hint */
} teams;

/* A worker of a team is the first part of its member. */
static struct bz_team_member *member_of(struct bz_worker *worker) {
    return (struct bz_team_member *)worker;
}

/* ---- the member's side ---- */

/* One run. */
static void take_part(struct bz_team *team, struct bz_worker *self) {
    bool shares_cpu = bz_placement_note(&self->placement) && !bz_crowded();
    if (bz_unlikely(shares_cpu))
        bz_placement_begin(&self->placement);
    bz_become(self); /* with its present context */
    team->body(self->index, team->arg);
    if (bz_unlikely(shares_cpu))
        bz_placement_end(&self->placement);
}

static void member_main(void *arg) {
    struct bz_team_member *member = arg;
    struct bz_team *team = member->team;
    struct bz_worker *self = &member->worker;
    uint32_t word = bz_load_relaxed(&member->finished); /* relaxed: written before this thread came */
    struct bz_predicted wait = {.history = NULL};
    bz_self = self; /* its context may not exist yet */
    self->stack.limit = bz_stack_bound();
    for (;;) {
        bool waits = self->index < bz_start_size(word);
        word = waits ? bz_start_wait(member, word, &wait) : bz_start_wait_parked(member);
        if (bz_start_size(word) == 0)
            break;
        if (self->index < bz_start_size(word)) {
            const void *site = team->site;
            take_part(team, self);
            bz_barrier_join(&team->barrier, self, site);
            if (waits) /* now, since the run waited for us */
                bz_predicted_learn(&wait);
            wait = (struct bz_predicted){.history = bz_history_after(member, site)};
        }
        bz_store_release(&member->finished, word); /* G10: pairs with G11 */
    }
    bz_team_destroy(self->inner);
    self->inner = NULL;
    bz_become(NULL);
    bz_store_release(&member->state,
                     BZ_MEMBER_DETACHED); /* G12: pairs with G13; the member may be gone now */
}

/* ---- the leader's side ---- */

static bool is_attached(struct bz_team_member *member) {
    return member && bz_load_acquire(&member->state) != BZ_MEMBER_DETACHED; /* G13: pairs with G12 */
}

static void wait_detached(struct bz_team_member *member) {
    while (is_attached(member))
        bz_os_yield();
}

static struct bz_team_member *member_new(struct bz_team *team, unsigned index) {
    struct bz_team_member *member = bz_os_alloc(sizeof *member);
    if (!member)
        return NULL;
    bz_worker_init(&member->worker, &team->domain, index);
    member->team = team;
    if (index > 0)
        member->worker.placement.map = team->members[0]->worker.placement.map;
    member->worker.placement.moves = index > 0; /* the first may be the initial thread */
    if (team->domain.spin_ns == BZ_SPIN_AUTO && !bz_far_outnumbers_cpus(index))
        member->predictors = bz_os_alloc(sizeof *member->predictors);
    if (member->predictors)
        member->worker.predictor = &member->predictors->within;
    team->members[index] = member;
    bz_domain_enter(&team->domain, &member->worker);
    return member;
}

static void count_parked_ones(struct bz_team *team, int delta) {
    bz_fetch_add_relaxed(&team->parked, (uint32_t)delta); /* relaxed, both: hints */
    bz_fetch_add_relaxed(&teams.parked, (uint32_t)delta);
}

/* Gets a thread for member `index`; `more` are wanted, this one included. 0 or an errno. */
static int attach(struct bz_team *team, unsigned index, unsigned more) {
    struct bz_team_member *member = team->members[index];
    bool had_one = member;
    if (!member && !(member = member_new(team, index)))
        return ENOMEM;
    if (is_attached(member)) {
        uint32_t state = BZ_MEMBER_PARKED;
        if (bz_cas_relaxed(&member->state, &state, BZ_MEMBER_IN)) { /* relaxed: one of two who claim */
            count_parked_ones(team, -1);
            return 0;
        }
        if (state == BZ_MEMBER_IN)
            return 0;
        wait_detached(member); /* reclaimed */
    }
    bz_store_relaxed(&member->state, BZ_MEMBER_IN); /* relaxed, all: published by the thread cache */
    bz_store_relaxed(&member->finished, team->word);
    /* Else two large teams, or many teams, would take threads from each other each time. */
    bool is_last_resort =
        (had_one && bz_far_outnumbers_cpus(index + more)) || bz_load_relaxed(&teams.count) > BZ_TEAMS_ASKED;
    int error =
        bz_thread_cache_run_below(team->domain.root, index, more, is_last_resort, member_main, member);
    if (error)
        bz_store_relaxed(&member->state, BZ_MEMBER_DETACHED);
    return error;
}

/* Before a member leaves the team: in its last run it may still search for jobs. */
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
    /* Read before the wake: members that it starts may sleep in this run's join, and must stay asleep. */
    bool in_join = bz_counters_sleeping(bz_load_relaxed(&team->domain.counters.word)) != 0;
    if (bz_load_relaxed(&team->asleep)) {
        self->spin_policy = BZ_YIELD_LATE;
        bz_store_relaxed(&team->woke, bz_os_now_ns()); /* relaxed: a hint for predictions */
        bz_os_futex_wake(&team->start.v, INT_MAX);
    }
    if (in_join && bz_domain_wake_all(&team->domain, self, team->domain.capacity))
        self->spin_policy = BZ_YIELD_LATE;
}

/* A new start word: no word of the last run of a parked member that it includes. */
static uint32_t next_start(const struct bz_team *team, uint32_t old, uint32_t size) {
    uint32_t first = bz_start_size(old), word = ((old + ONE_EPOCH) & ~BZ_START_SIZE_MASK) | size;
    for (uint32_t i = first; i < size; i++)
        if (bz_load_relaxed(&team->members[i]->finished) == word) { /* relaxed: wait_finished acquired it */
            word += ONE_EPOCH;
            i = first - 1; /* all again */
        }
    return word;
}

static void let_park(struct bz_team *team, unsigned index) {
    count_parked_ones(team, 1);
    bz_store_relaxed(&team->members[index]->state, BZ_MEMBER_PARKED); /* relaxed: the state alone counts */
}

/* Publishes a start word, and parks the members beyond its size. Size 0 ends the team. */
static void announce(struct bz_team *team, uint32_t size) {
    uint32_t old = team->word;
    team->word = next_start(team, old, size);
    /* Before the word, since started members may need a thread at once. A reclaimed member waits for the word. */
    for (unsigned i = size; size > 0 && i < bz_start_size(old); i++)
        let_park(team, i);
    bz_store_release(&team->start, team->word); /* G6: pairs with G5 */
    for (unsigned i = bz_start_size(old); i < (size == 0 ? team->domain.capacity : size); i++)
        if (team->members[i])
            bz_start_call(team->members[i]);
    wake_members(team);
}

/* Members beyond `size`: the next start word parks those of the last run, this function the others. */
static void shrink(struct bz_team *team, unsigned size) {
    uint32_t last = bz_start_size(team->word);
    for (unsigned i = size; i < team->size; i++)
        if (i < last)
            wait_finished(team, team->members[i]);
        else
            let_park(team, i);
    if (size == 1 && last > 1)
        announce(team, 1); /* a run of one announces nothing */
}

static unsigned resize(struct bz_team *team, unsigned size) {
    shrink(team, size);
    for (unsigned i = team->size; i < size; i++) {
        int error = attach(team, i, size - i);
        if (error) {
            bz_thread_cache_warn(i + 1, size, error);
            size = i;
        }
    }
    team->size = size;
    bz_domain_limit(&team->domain, size);
    team->domain.grouped = size >= GROUPED_LEAST && size <= bz_cpu_count();
    return size;
}

void bz_team_begin(struct bz_team *team, bz_team_body *body, void *arg, const void *site) {
    struct bz_worker *outer = bz_self;
    struct bz_worker *self = &team->members[0]->worker;
    team->outer = outer;
    self->stack.limit = outer->stack.limit;
    if (team->size > 1) {
        /* Members poll the line. For small teams it is being fetched, and a comparison would wait for it. */
        if (team->size <= BZ_START_FETCHED || team->body != body || team->arg != arg || team->site != site) {
            team->body = body;
            team->arg = arg;
            team->site = site;
        }
        (void)bz_placement_note(&self->placement);
        if (outer->domain->host)
            bz_lease_begin(&bz_own_lease, team->size);
        announce(team, team->size);
    } else {
        team->site = site;
    }
    if (outer->domain->host)
        bz_awake_add(1); /* cached threads count anyway */
    bz_become(self);
}

void bz_team_end(struct bz_team *team) {
    bz_barrier_join(&team->barrier, &team->members[0]->worker, team->site);
    bz_become(team->outer);
    if (team->outer->domain->host) {
        bz_awake_add(-1);
        bz_lease_end(&bz_own_lease);
    }
    bz_store_release(&team->led, 0); /* G16: pairs with G15 */
}

/* A thread that counts for leases or gets one is adopted, since its end takes that back. */
void bz_team_expect_one_of_several(unsigned size) {
    struct bz_worker *self = bz_leases_are_tried() ? bz_worker_adopt() : bz_self;
    if (bz_is_outside(self))
        bz_lease_ask_one_of_several(&bz_own_lease, size);
}

/* The worker, or that of its thread while isolated from it. */
static const struct bz_worker *current_of(const struct bz_worker *worker) {
    while (worker->isolation.worker && worker->isolation.worker->isolation.from)
        worker = worker->isolation.worker;
    return worker;
}

bool bz_team_is_open(const struct bz_worker *outer) {
    bool awaited = false;
    for (const struct bz_team *team = current_of(outer)->inner; team;) {
        const struct bz_worker *first = current_of(&team->members[0]->worker);
        awaited |= team->size > 1 && !bz_team_is_forgotten(team);
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
    team->domain.root = self->domain->root;
    team->domain.full_fences = spin_ns == 0;
    if (!member_new(team, 0))
        goto no_member;
    if (spin_ns > 0)
        team->members[0]->worker.placement.map = bz_placement_map_new();
    team->size = 1;
    bz_store_relaxed(&team->led, 1);            /* relaxed: by the list's lock */
    team->word = 1;                             /* a run of one, before the first */
    bz_store_relaxed(&team->start, team->word); /* relaxed: not shared yet */
    team->generation = bz_fork_generation();
    bz_mutex_lock(&teams.lock);
    team->next = teams.first;
    if (team->next)
        team->next->previous = team;
    bz_signal_fence(); /* a child may find the list at any moment */
    teams.first = team;
    bz_store_relaxed(&teams.count, bz_load_relaxed(&teams.count) + 1); /* relaxed, both: a hint */
    bz_mutex_unlock(&teams.lock);
    return team;

no_member:
    bz_domain_destroy(&team->domain);
no_domain:
    bz_free(team->members);
    bz_os_free(team, sizeof *team);
    return NULL;
}

/* Ends the reclaiming of members. Returns how many will leave. */
static unsigned unlist(void *arg) {
    struct bz_team *team = arg;
    unsigned members = 0;
    bz_mutex_lock(&teams.lock);
    *(team->previous ? &team->previous->next : &teams.first) = team->next;
    if (team->next)
        team->next->previous = team->previous;
    bz_store_relaxed(&teams.count, bz_load_relaxed(&teams.count) - 1);   /* relaxed, both: a hint */
    bz_fetch_sub_relaxed(&teams.parked, bz_load_relaxed(&team->parked)); /* relaxed, all: hints */
    bz_mutex_unlock(&teams.lock);
    for (unsigned i = 1; i < team->domain.capacity; i++) {
        /* Read once: a reclaimed member may leave meanwhile. Relaxed: only the caller and the cache change these two. */
        uint32_t state = team->members[i] ? bz_load_relaxed(&team->members[i]->state) : BZ_MEMBER_DETACHED;
        members += state == BZ_MEMBER_IN || state == BZ_MEMBER_PARKED;
    }
    return members;
}

void bz_team_destroy(struct bz_team *team) {
    if (!team)
        return;
    if (bz_team_is_forgotten(team)) {          /* its threads and memory are the parent's */
        bz_team_drop(bz_team_worker(team, 0)); /* a team of the child, if that was forked inside */
        return;
    }
    bz_thread_cache_expect_of(unlist, team);
    announce(team, 0);
    bz_team_destroy(team->members[0]->worker.inner);
    bz_domain_wait_external(&team->domain);
    struct bz_placement_map *map = team->members[0]->worker.placement.map;
    for (unsigned i = 1; i < team->domain.capacity; i++)
        wait_detached(team->members[i]); /* all before any is freed: they access each other */
    for (unsigned i = 0; i < team->domain.capacity; i++) {
        struct bz_team_member *member = team->members[i];
        if (!member)
            continue;
        bz_worker_destroy_all(&member->worker);
        bz_os_free(member->predictors, sizeof *member->predictors);
        bz_os_free(member, sizeof *member);
    }
    bz_domain_destroy(&team->domain);
    bz_free(map);
    bz_free(team->members);
    bz_os_free(team, sizeof *team);
}

void bz_team_drop(struct bz_worker *worker) {
    bz_team_destroy(worker->inner);
    worker->inner = NULL;
}

/* The team is its leader's alone until the run's end. */
static inline void lead(struct bz_team *team) {
    bz_store_relaxed(&team->led, 1); /* relaxed: by the fence */
    bz_fence_light();                /* G14: pairs with G15: either a resizer sees us here or we see it */
    while (bz_unlikely(bz_load_acquire(&team->resizer))) /* G14: pairs with G17 */
        bz_os_yield();
}

/* `wanted`, up to a team's limit. */
static unsigned most_of(unsigned wanted) {
    static struct bz_aflag warned;
    if (bz_likely(wanted <= BZ_START_SIZE_MASK))
        return wanted;
    bz_warn_once(&warned, "a team of %u threads was requested; using at most %u", wanted,
                 (unsigned)BZ_START_SIZE_MASK);
    return BZ_START_SIZE_MASK;
}

struct bz_team *bz_team_enter(struct bz_worker *self, unsigned *size) {
    unsigned wanted = most_of(*size);
    struct bz_team *team = self->inner;
    if (team && bz_team_is_forgotten(team)) {
        bz_team_destroy(team);
        team = self->inner = NULL;
    }
    if (team)
        lead(team);
    if (!team || team->domain.capacity < wanted) {
        unsigned capacity = team && 2 * team->domain.capacity > wanted ? 2 * team->domain.capacity : wanted;
        bz_team_destroy(team);
        self->inner = team =
            team_new(self, capacity < BZ_START_SIZE_MASK ? capacity : BZ_START_SIZE_MASK, bz_spin_ns());
        if (!team)
            return NULL;
    }
    *size = wanted == team->size ? wanted : resize(team, wanted);
    return team;
}

/* ---- threads for others, with the list's lock held ---- */

/* Makes up to `most` parked members leave. Returns how many. */
static unsigned reclaim_from(struct bz_team *team, unsigned most) {
    unsigned found = 0;
    if (bz_load_relaxed(&team->parked) == 0) /* relaxed: a hint */
        return 0;
    for (unsigned n = 1; n < team->domain.capacity && found < most; n++) {
        struct bz_team_member *member =
            member_of(bz_load_acquire(&team->domain.slots[n])); /* W2: pairs with W1 */
        uint32_t state = BZ_MEMBER_PARKED;
        if (!member || !bz_cas_relaxed(&member->state, &state, BZ_MEMBER_RECLAIMED)) /* relaxed: before G4 */
            continue;
        count_parked_ones(team, -1);
        bz_start_call(member);
        found++;
    }
    return found;
}

/* Parks all members, unless the leader is in the team or enters it. */
static void leave_all_out(struct bz_team *team) {
    bz_store_relaxed(&team->resizer, 1); /* relaxed: by the fence */
    bz_fence_heavy();                    /* G15: pairs with G14 */
    if (!bz_load_acquire(&team->led))    /* G15: pairs with G16 */
        (void)resize(team, 1);
    bz_store_release(&team->resizer, 0); /* G17: pairs with G14 */
}

/* A hint. */
static bool has_threads(const struct bz_team *team) {
    for (unsigned i = 1; i < team->domain.capacity; i++)
        if (is_attached(member_of(bz_load_acquire(&team->domain.slots[i])))) /* W2: pairs with W1 */
            return true;
    return false;
}

static unsigned reclaim_unused(struct bz_team *team, uint64_t root, unsigned most) {
    if (bz_load_relaxed(&team->led) || team->domain.root != root || !has_threads(team)) /* relaxed: a hint */
        return 0;
    leave_all_out(team);
    return reclaim_from(team, most);
}

/* Up to `most` threads, of the first team that has any. */
static unsigned search(bool unused, uint64_t root, unsigned most) {
    unsigned found = 0;
    for (struct bz_team *team = teams.first; team && found == 0; team = team->next)
        found = unused ? reclaim_unused(team, root, most) : reclaim_from(team, most);
    return found;
}

bool bz_team_reclaim(unsigned *expected, uint64_t root, unsigned most) {
    unsigned found = 0;
    bz_mutex_lock(&teams.lock);
    if ((int32_t)bz_load_relaxed(&teams.parked) > 0) /* relaxed: a hint */
        found = search(false, root, most);
    if (found == 0 && root != 0)
        found = search(true, root, most);
    *expected += found;
    bz_mutex_unlock(&teams.lock);
    return found > 0;
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
            self = self->isolation.from;
            continue;
        }
        bz_domain_keep_only(&team->domain, self);
        bz_barrier_abandon(&team->barrier);
        self = self->index == 0 ? team->outer : NULL;
    }
    bz_store_relaxed(&teams.lock, BZ_MUTEX_FREE);
    teams.first = NULL;
    bz_store_relaxed(&teams.count, 0);
    bz_store_relaxed(&teams.parked, 0);
}
