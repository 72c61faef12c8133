#include "wait/lease.h"

#include "os/os.h"
#include "wait/competitor.h"
#include "wait/load.h"
#include "wait/policy.h"

/* Long against the changes of threads on all CPUs with which it begins. */
#define LEASE_NS (2 * (uint64_t)BZ_SLICE_NS)
/* Its holder may be outside of regions for long: the head of the queue tries this often. */
#define TRY_NS (BZ_SLICE_NS / 4)
/* Each way is tried for this long. */
#define PHASE_NS (32 * (uint64_t)BZ_SLICE_NS)
/* After several host threads were seen they are expected for this long. */
#define EXPECTED_NS (16 * PHASE_NS)
/* A phase with fewer regions says little. */
#define ENOUGH 64
/* A host thread that has ended more counts this many at once. */
#define AT_ONCE (ENOUGH / 4)
/* A host thread may have had that many more by chance. */
#define CHANCE 2
/* Of a gain: the same speed. Leases must gain a quarter, since they can also do harm. */
#define SAME UINT64_C(64)

BZ_ALIGN_LINE struct bz_leases bz_leases;
_Thread_local struct bz_lease bz_own_lease;

/* ---- which way is faster ---- */

enum kind {
    NONE,   /* several host threads are not expected */
    FREE,   /* without leases */
    LEASED, /* with leases */
    CHECK,  /* without leases, after a phase with them */
};

/* More often than a phase begins anew. */
enum { AGAIN = 256 };

/* Hints, written and read by host threads that begin regions. */
static struct {
    BZ_ALIGN_LINE struct bz_a64 end; /* clock; 0: of NONE; UINT64_MAX: a thread is changing the phase */
    struct bz_a64 began;             /* clock */
    struct bz_a32 kind;              /* enum kind */
    struct bz_a32 number;      /* each phase has the next one that AGAIN divides; rises when it begins anew */
    struct bz_a32 regions;     /* ended in this phase */
    struct bz_a32 leases;      /* taken in this phase */
    struct bz_a32 unleased;    /* int32_t: host threads that asked while leases were off, no region since */
    struct bz_a64 given_up;    /* clock: questions before it do not count */
    struct bz_a64 unleased_ns; /* that one of them took until its region ended */
    struct bz_a64 drained;     /* clock: leases wait for them no longer */
    struct bz_a32 winner;      /* enum kind: of the last check */
    struct bz_a32 wins;        /* before it, in a row, up to a limit */
    struct bz_a64 free, leased; /* ns that the last phase without leases took, and the last with them */
    struct bz_a32 free_regions; /* ended in that phase without leases */
    struct bz_a32 gain;         /* int32_t: sum of all host threads that compared these phases */
} phase;

/* Of waiting host threads. Its head alone tries to take a lease. */
static struct {
    BZ_ALIGN_LINE struct bz_a32 has_head; /* set by the thread that becomes the head, cleared by it */
    struct bz_a32 passed;  /* a futex of the head: leases passed on; changed by their holders */
    struct bz_a32 waiting; /* host threads; changed by them */
    struct bz_a32 moved;   /* a futex of the others: heads that have left; changed by them */
} queue;

/* Relaxed, all: hints. */
static void begin(enum kind kind, uint64_t now, uint64_t length) {
    enum kind last = bz_load_relaxed(&phase.kind);
    bz_store_relaxed(last == LEASED ? &phase.leased : &phase.free,
                     bz_ns_minus(now, bz_load_relaxed(&phase.began)));
    if (last != LEASED)
        bz_store_relaxed(&phase.free_regions, bz_load_relaxed(&phase.regions));
    if (kind == LEASED)
        bz_store_relaxed(&phase.gain, 0);
    if (last == LEASED || kind == NONE) {
        bz_store_relaxed(&phase.unleased, 0);
        bz_store_relaxed(&phase.given_up, now);
    }
    bz_store_relaxed(&phase.kind, kind);
    bz_store_relaxed(&phase.began, now);
    bz_store_relaxed(&phase.drained, now + EXPECTED_NS);
    bz_store_relaxed(&phase.regions, 0);
    bz_store_relaxed(&phase.leases, 0);
    bz_store_relaxed(&phase.number, (bz_load_relaxed(&phase.number) | (AGAIN - 1)) + 1);
    bz_store_relaxed(&bz_leases.on, kind == LEASED);
    bz_store_relaxed(&phase.end, length != 0 ? now + length : 0);
}

/* Whether host threads that asked before this phase may still spin. Relaxed, all: hints. */
static bool drains(uint64_t now) {
    uint64_t gap = BZ_RETRY_TIMES * bz_ns_least(bz_load_relaxed(&phase.unleased_ns), PHASE_NS);
    return bz_leases_are_on() && (int32_t)bz_load_relaxed(&phase.unleased) > 0 &&
           now < bz_ns_least(bz_load_relaxed(&phase.began) + gap, bz_load_relaxed(&phase.drained));
}

/* The caller has waited for a lock: leases show what they are worth from now on. Relaxed, all: hints. */
static void begin_again(uint64_t now) {
    uint64_t end = bz_load_relaxed(&phase.end);
    uint32_t number = bz_load_relaxed(&phase.number);
    if ((number + 1) % AGAIN == 0 || end == UINT64_MAX || !bz_cas_relaxed(&phase.end, &end, UINT64_MAX))
        return;
    uint64_t length = end - bz_load_relaxed(&phase.began);
    bz_store_relaxed(&phase.began, now);
    bz_store_relaxed(&phase.regions, 0);
    bz_store_relaxed(&phase.leases, 0);
    bz_store_relaxed(&phase.number, number + 1);
    bz_store_relaxed(&phase.end, now + length);
}

/* Takes a question without leases back, if there is one. Returns whether it counted. Relaxed, both: hints. */
static bool forget_question(struct bz_lease *self) {
    bool counted = self->asked_at > bz_load_relaxed(&phase.given_up);
    self->asked_at = 0;
    if (counted)
        bz_fetch_sub_relaxed(&phase.unleased, 1);
    return counted;
}

static void end_unleased(struct bz_lease *self) {
    uint64_t now = bz_os_now_ns(), time = now - self->asked_at;
    bool drained = drains(now);
    if (!forget_question(self))
        return;
    if (drained)
        begin_again(now);
    else if (!bz_leases_are_on())
        bz_store_relaxed(&phase.unleased_ns, time); /* relaxed: a hint */
}

/* The holder of a lease may wait for a region of another host thread: leases are soon checked. */
static void shorten(uint64_t now) {
    uint64_t end = bz_load_relaxed(&phase.end); /* relaxed, both: hints */
    if (end != UINT64_MAX && end > now + PHASE_NS)
        (void)bz_cas_relaxed(&phase.end, &end, now + PHASE_NS);
}

/* For longer each time that it wins again, up to 4 s with leases and 16 s without. Relaxed, all: hints. */
static void begin_winner(uint64_t now) {
    enum kind winner = (int32_t)bz_load_relaxed(&phase.gain) > 0 ? LEASED : FREE;
    uint32_t wins = bz_load_relaxed(&phase.winner) == winner ? bz_load_relaxed(&phase.wins) : 0;
    bz_store_relaxed(&phase.winner, winner);
    bz_store_relaxed(&phase.wins, wins < (winner == LEASED ? 2 : 3) ? wins + 1 : wins);
    begin(winner, now, (BZ_RETRY_TIMES * PHASE_NS) << 2 * wins);
}

/* Relaxed, all: hints. */
static void change(uint64_t now) {
    switch ((enum kind)bz_load_relaxed(&phase.kind)) {
    case NONE:
        begin(FREE, now, BZ_RETRY_TIMES * PHASE_NS);
        break;
    case FREE:
        begin(LEASED, now, PHASE_NS);
        break;
    case LEASED:
        begin(CHECK, now, PHASE_NS);
        break;
    case CHECK:
        begin_winner(now);
        break;
    }
}

/* The caller has ended `regions` with leases and `before` without. One that got slower outweighs four that got faster by as
 * much. */
static void add_gain(uint64_t regions, uint64_t before) {
    uint64_t free = bz_load_relaxed(&phase.free), leased = bz_load_relaxed(&phase.leased); /* hints */
    uint64_t expected = before * leased / (free + 1) + CHANCE;
    int32_t speed = (int32_t)(SAME * bz_ns_least(regions + CHANCE, 2 * expected) / expected);
    int32_t gain = speed - (int32_t)(SAME + SAME / 4);
    bz_fetch_add_relaxed(&phase.gain, (uint32_t)(gain < 0 ? 4 * gain : gain));
}

/* Host threads that have had no lease would vote against leases, so there were two for each that waits. Relaxed, all:
 * hints. */
static bool says_enough(uint64_t now) {
    if (drains(now))
        return false;
    if (now >= bz_load_relaxed(&phase.began) + BZ_RETRY_TIMES * PHASE_NS)
        return true;
    return bz_load_relaxed(&phase.regions) >= ENOUGH &&
           bz_load_relaxed(&phase.leases) >= 2 * bz_load_relaxed(&queue.waiting);
}

/* Whether host threads end more than twice as many regions in that time without leases. AT_ONCE may not be counted yet.
 * Relaxed, both: hints. */
static bool are_few(uint64_t regions, uint64_t time) {
    uint64_t expected = time * bz_load_relaxed(&phase.free_regions) / (bz_load_relaxed(&phase.free) + 1);
    return expected / 2 > regions + AT_ONCE;
}

/* Ends a phase with leases that are slow, as when a holder waits in its region for the head of the queue. The head has come
 * at `since`, after `before` regions. Few since then: it is not the program that paused. Relaxed, all: hints. */
static void end_if_slow(uint64_t since, uint32_t before, uint64_t now) {
    uint64_t end = bz_load_relaxed(&phase.end), time = bz_ns_minus(now, bz_load_relaxed(&phase.began));
    uint32_t regions = bz_load_relaxed(&phase.regions), lately = regions - before;
    /* At first regions from before the phase use the CPUs. */
    bool slow = time >= PHASE_NS / 4 && are_few(regions, time) && are_few(lately, now - since);
    if (slow && bz_leases_are_on() && end != UINT64_MAX && bz_cas_relaxed(&phase.end, &end, UINT64_MAX))
        begin(CHECK, now, PHASE_NS);
}

/* Relaxed, all: hints. */
static void note_phase(struct bz_lease *self, uint64_t now) {
    uint64_t end = bz_load_relaxed(&phase.end);
    if (now >= end && says_enough(now) && bz_cas_relaxed(&phase.end, &end, UINT64_MAX))
        change(now);
    uint32_t number = bz_load_relaxed(&phase.number);
    if (self->phase == number)
        return;
    uint32_t later = number / AGAIN - self->phase / AGAIN;
    self->phase = number;
    if (later == 0) {
        self->ended = 0;
        return;
    }
    bool next = later == 1;
    if (next && self->before != UINT32_MAX && bz_load_relaxed(&phase.kind) == CHECK)
        add_gain(self->ended, self->before);
    self->before = next ? self->ended : UINT32_MAX;
    self->ended = 0;
}

/* Whether several are expected. */
static bool note_host(const struct bz_lease *self, uint64_t now) {
    uint64_t last = bz_load_relaxed(&bz_leases.last), end; /* relaxed, all: hints */
    if (last != (uintptr_t)self) {
        bz_store_relaxed(&bz_leases.last, (uintptr_t)self);
        if (last != 0)
            bz_store_relaxed(&bz_leases.until, now + EXPECTED_NS);
    } else if (now >= bz_load_relaxed(&bz_leases.until)) {
        bz_store_relaxed(&bz_leases.until, 0);
        end = bz_load_relaxed(&phase.end);
        if (end != UINT64_MAX && bz_cas_relaxed(&phase.end, &end, UINT64_MAX))
            begin(NONE, now, 0);
    }
    return bz_load_relaxed(&bz_leases.until) != 0;
}

/* ---- leases ---- */

/* As many leases as there are CPUs for, up to this number. */
enum { SLOTS = 64 };

/* A lease, held by a struct bz_lease. Hints, written by its holder and by who takes it. */
static struct bz_lease_slot {
    BZ_ALIGN_LINE struct bz_a64 holder;
    struct bz_a64 until;  /* clock when the holder passes it on */
    struct bz_a32 in_use; /* the holder is in a region, or has asked for one */
} slots[SLOTS];

static bool holds(const struct bz_lease *self) {
    return self->slot && bz_load_relaxed(&self->slot->holder) == (uintptr_t)self; /* relaxed: a hint */
}

/* Relaxed, all: hints. */
static bool take(struct bz_lease *self, struct bz_lease_slot *slot, uint64_t now) {
    uint64_t holder = bz_load_relaxed(&slot->holder), until = bz_load_relaxed(&slot->until);
    bool in_use = holder != 0 && bz_load_relaxed(&slot->in_use);
    if ((in_use && now < until + PHASE_NS) || drains(now) ||
        !bz_cas_relaxed(&slot->holder, &holder, (uintptr_t)self))
        return false;
    if (in_use)
        shorten(now);
    bz_fetch_add_relaxed(&phase.leases, 1);
    bz_store_relaxed(&slot->in_use, 1);
    bz_store_relaxed(&slot->until, now + LEASE_NS);
    self->slot = slot;
    return true;
}

static bool take_any(struct bz_lease *self, unsigned count, uint64_t now) {
    for (unsigned i = 0; i < count && i < SLOTS; i++)
        if (take(self, &slots[i], now))
            return true;
    return false;
}

/* To the head of the queue. False: nobody waits. Relaxed, all: hints. */
static bool pass_on(struct bz_lease *self) {
    if (!bz_load_relaxed(&queue.has_head))
        return false;
    bz_lease_drop(self);
    bz_fetch_add_relaxed(&queue.passed, 1);
    bz_os_futex_wake(&queue.passed.v, 1);
    return true;
}

static void try_until_taken(struct bz_lease *self, unsigned count, uint64_t now) {
    uint32_t before = bz_load_relaxed(&phase.regions); /* relaxed, all: hints */
    for (uint64_t since = now; bz_leases_are_on(); now = bz_os_now_ns()) {
        uint32_t passed = bz_load_relaxed(&queue.passed); /* the next try is due soon */
        if (take_any(self, count, now))
            break;
        if (drains(now)) {
            since = now;
            before = bz_load_relaxed(&phase.regions);
        } else {
            end_if_slow(since, before, now);
        }
        if (bz_leases_are_on())
            (void)bz_os_futex_wait_until(&queue.passed.v, passed, now + TRY_NS, 0);
    }
}

static void wait_for(struct bz_lease *self, unsigned count, uint64_t now) {
    if (!bz_load_relaxed(&queue.has_head) && take_any(self, count, now)) /* relaxed: a hint */
        return;
    bz_fetch_add_relaxed(&queue.waiting, 1); /* relaxed, both: hints */
    for (uint32_t none = 0;; none = 0) {
        uint32_t moved = bz_load_acquire(&queue.moved); /* QL2: pairs with QL1; before has_head */
        if (bz_cas_relaxed(&queue.has_head, &none, 1))  /* relaxed: QL1, QL2 */
            break;
        (void)bz_os_futex_wait_until(&queue.moved.v, moved, now + EXPECTED_NS, 0);
        now = bz_os_now_ns();
    }
    try_until_taken(self, count, now);
    bz_fetch_sub_relaxed(&queue.waiting, 1);
    bz_store_relaxed(&queue.has_head, 0);  /* relaxed: before QL1 */
    bz_fetch_add_release(&queue.moved, 1); /* QL1: pairs with QL2 */
    bz_os_futex_wake(&queue.moved.v, bz_leases_are_on() ? 1 : INT32_MAX);
}

/* Relaxed, all: hints. */
static void acquire(struct bz_lease *self, unsigned threads, uint64_t now) {
    if (holds(self) && !drains(now) && (now < bz_load_relaxed(&self->slot->until) || !pass_on(self)))
        bz_store_relaxed(&self->slot->in_use, 1);
    else
        wait_for(self, threads < bz_cpu_count() ? bz_cpu_count() / threads : 1, now);
}

void bz_lease_drop(struct bz_lease *self) {
    uint64_t holder = (uintptr_t)self;
    (void)forget_question(self);
    if (self->slot)
        (void)bz_cas_relaxed(&self->slot->holder, &holder, 0); /* relaxed: a hint */
}

/* No region has followed the last question. It may never come; or the caller owns a lock of the program, and must not wait.
 * Relaxed, all: hints. */
static void ask_again(struct bz_lease *self) {
    (void)forget_question(self);
    if (holds(self) && bz_os_now_ns() >= bz_load_relaxed(&self->slot->until))
        bz_store_relaxed(&self->slot->in_use, 0);
}

void bz_lease_ask_one_of_several(struct bz_lease *self, unsigned threads) {
    if (self->asked) {
        ask_again(self);
        return;
    }
    uint64_t now = bz_os_now_ns();
    if (!note_host(self, now))
        return;
    self->asked = true;
    if (bz_load_relaxed(&phase.kind) != NONE) /* relaxed: a hint. Questions alone begin no phase. */
        note_phase(self, now);
    if (bz_leases_are_on())
        acquire(self, threads, now);
    if (!bz_leases_are_on()) {
        self->asked_at = bz_os_now_ns();
        bz_fetch_add_relaxed(&phase.unleased, 1); /* relaxed: a hint */
    }
}

void bz_lease_begin_one_of_several(struct bz_lease *self, unsigned threads) {
    uint64_t now = bz_os_now_ns();
    if (!note_host(self, now))
        return;
    note_phase(self, now);
    if (bz_leases_are_on() && !self->asked && !drains(now))
        acquire(self, threads, now);
    self->counts = true;
}

void bz_lease_end_one_of_several(struct bz_lease *self) {
    self->ended++;
    if (self->ended <= ENOUGH)
        bz_fetch_add_relaxed(&phase.regions, 1); /* relaxed, both: hints */
    else if (self->ended % AT_ONCE == 0)
        bz_fetch_add_relaxed(&phase.regions, AT_ONCE);
    self->counts = self->asked = false;
    if (self->asked_at != 0)
        end_unleased(self);
    if (!holds(self))
        return;
    bz_store_relaxed(&self->slot->in_use, 0); /* relaxed, both: hints */
    uint64_t now = bz_os_now_ns();
    if (now >= bz_load_relaxed(&self->slot->until))
        (void)pass_on(self);
}

bool bz_leases_are_tried(void) {
    return bz_load_relaxed(&phase.kind) != NONE; /* relaxed: a hint */
}

bool bz_hosts_alternate(void) {
    uint64_t until = bz_load_relaxed(&bz_leases.until); /* relaxed: a hint */
    return bz_unlikely(until != 0) && !bz_leases_are_on() && bz_os_now_ns() < until;
}

/* Relaxed, all: the only thread. */
void bz_leases_forget(void) {
    for (unsigned i = 0; i < SLOTS; i++)
        bz_store_relaxed(&slots[i].holder, 0);
    bz_store_relaxed(&queue.has_head, 0);
    bz_store_relaxed(&queue.waiting, 0);
    bz_own_lease.asked_at = 0;
    bz_store_relaxed(&bz_leases.until, 0);
    begin(NONE, 0, 0);
}
