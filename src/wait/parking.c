#include "wait/parking.h"

#include "os/os.h"
#include "wait/backoff.h"
#include "wait/load.h"
#include "wait/spin.h"
#include "wait/waiter.h"

struct bz_parking_bucket bz_parking[BZ_PARKING_BUCKETS];

/* By thread number. Threads that share a count may lose some. */
enum { COUNTS = 16 };
static struct count {
    BZ_ALIGN_LINE struct bz_a32 unlocks; /* at buckets that were not quiet */
    struct bz_a64 handed_over;           /* the clock at the last hand-over */
} counts[COUNTS];

static uint32_t own_reservation(void) {
    return BZ_PARKING_RESERVED | bz_thread_number();
}

static struct count *own_count(void) {
    return &counts[bz_thread_number() % COUNTS];
}

BZ_COLD void bz_parking_wake(struct bz_a32 *word) {
    bz_os_futex_wake(&word->v, 1); /* the word may be gone by now: harmless */
}

/* A thread that waits for a lock. */
struct park {
    struct bz_a32 *word;
    const struct bz_lock_kind *kind;
    bool slept;
};

/* With a mark only if it has slept: else it keeps no thread asleep. */
static bool take(void *arg) {
    const struct park *park = arg;
    return park->kind->take(park->word, park->slept);
}

/* Not after a recent failure. It yields late: on a busy CPU a yield costs a time slice. */
static bool spin_long(struct park *park) {
    struct bz_a32 *skips = &bz_parking_of(park->word)->skips;
    uint32_t left = bz_load_relaxed(skips); /* relaxed, all: hints */
    if (left > 0) {
        bz_store_relaxed(skips, left - 1);
        return false;
    }
    struct bz_spin spin = {
        .facts = {.class = BZ_WAIT_LOCK, .policy = BZ_YIELD_LATE, .chosen_ns = bz_spin_ns()},
        .rounds = BZ_POLLS - 1};
    if (bz_load_relaxed(park->word) == own_reservation() && spin.facts.chosen_ns > bz_usual_spin())
        spin.facts.chosen_ns = bz_usual_spin(); /* the waiter may be on its way, or need this CPU */
    while (bz_spin_on(&spin)) {
        bz_backoff(BZ_LATER_BACKOFFS);
        if (take(park))
            return true;
    }
    if (spin.plan.spin_ns > 0 && spin.now - spin.started >= spin.plan.spin_ns) /* its time has ended it */
        bz_store_relaxed(skips, BZ_RETRY_TIMES);
    return false;
}

/* Publishes that a thread may sleep. True: all unlocking threads see that already. */
static bool call(struct bz_parking_bucket *bucket) {
    uint32_t state = bz_load_seq_cst(&bucket->state); /* M6: pairs with M6; M7: pairs with M8 */
    while (state != BZ_PARKING_CALLED && state != BZ_PARKING_KNOWN) {
        bool quieting = state == BZ_PARKING_QUIETING;
        /* M7: pairs with M8, also if it fails */
        if (bz_cas_acq_rel(&bucket->state, &state, quieting ? BZ_PARKING_KNOWN : BZ_PARKING_CALLED))
            return quieting;
    }
    return state == BZ_PARKING_KNOWN;
}

void bz_parking_enter(const struct bz_a32 *word) {
    struct bz_parking_bucket *bucket = bz_parking_of(word);
    uint32_t called = BZ_PARKING_CALLED;
    bz_thread_init(); /* asymmetric fences are on, if they ever are, before the heavy one below */
    bz_fetch_add_seq_cst(&bucket->sleepers,
                         1); /* M6: pairs with M6: we see the quieting thread, or it sees us */
    if (call(bucket))
        return;
    bz_fence_heavy();                                                /* M5: pairs with M4 */
    (void)bz_cas_acq_rel(&bucket->state, &called, BZ_PARKING_KNOWN); /* M8: pairs with M7 (that M5 is done) */
}

/* ---- locks that are handed over ---- */

/* In `awaited` the address stands above the count, without its top byte. */
#define WAITERS_MOST 0x3ffu
static uint64_t name_of(const struct bz_a32 *word) {
    return (uint64_t)(uintptr_t)word << 8;
}

/* Relaxed, here and below: the threads that hand over have the lock, and so had those that no longer wait. */
static bool is_awaited(const struct bz_a32 *word) {
    uint64_t seen = bz_load_relaxed(&bz_parking_of(word)->awaited);
    return (seen & WAITERS_MOST) > 0 && (seen & ~(uint64_t)WAITERS_MOST) == name_of(word);
}

/* False: threads wait for another lock here, or too many for this one. */
static bool begin_to_wait(const struct bz_a32 *word) {
    struct bz_a64 *awaited = &bz_parking_of(word)->awaited;
    uint64_t seen = bz_load_relaxed(awaited), next;
    do {
        next = ((seen & WAITERS_MOST) == 0 ? name_of(word) : seen) + 1;
        if ((seen & WAITERS_MOST) == WAITERS_MOST || (next & ~(uint64_t)WAITERS_MOST) != name_of(word))
            return false;
    } while (!bz_cas_relaxed(awaited, &seen, next));
    return true;
}

/* A reserved word without waiters is the parent's of a fork. */
bool bz_parking_is_free(const struct bz_a32 *word, uint32_t seen) {
    if (seen == 0)
        return true;
    return (seen & ~(BZ_THREAD_NUMBERS - 1)) == BZ_PARKING_RESERVED &&
           (seen != own_reservation() || !is_awaited(word));
}

/* Whether to hand over: after enough unlocks, or so long after the last time that it costs little. In the second case
 * sections may be long: the next unlock reads the clock as well. */
static bool is_due(struct count *count, bool enough) {
    uint64_t now = bz_os_now_ns();
    uint64_t since = now - bz_load_relaxed(&count->handed_over); /* relaxed, all: a count of its own */
    if (!enough && since < BZ_RETRY_TIMES * BZ_WAKE_NS)
        return false;
    if (!enough)
        bz_store_relaxed(&count->unlocks, bz_load_relaxed(&count->unlocks) | (BZ_RETRY_TIMES - 1));
    bz_store_relaxed(&count->handed_over, now);
    return true;
}

bool bz_parking_hand_over(struct bz_a32 *word) {
    struct count *count = own_count();
    uint32_t unlocks = bz_load_relaxed(&count->unlocks) + 1; /* relaxed, both: a count of its own */
    bool enough = unlocks % BZ_PARKING_UNLOCKS == 0;
    bz_store_relaxed(&count->unlocks, unlocks);
    if ((unlocks % BZ_RETRY_TIMES != 0 && !enough) || !is_awaited(word) || !is_due(count, enough))
        return false;
    bz_exchange_release(word, own_reservation()); /* M2: pairs with M3 */
    bz_parking_wake(word);
    return true;
}

/* ---- the park ---- */

/* After a wake a spinning thread may have been faster. */
static bool parks_on_lock(void *arg, uint32_t *value) {
    struct park *park = arg;
    if (park->slept ? spin_long(park) : take(park))
        return false;
    park->slept = true;
    return !park->kind->mark(park->word, value);
}

BZ_COLD void bz_parking_wait(struct bz_a32 *word, const struct bz_lock_kind *kind) {
    struct bz_parking_bucket *bucket = bz_parking_of(word);
    struct park park = {.word = word, .kind = kind};
    const struct bz_waiter waiter = {.parks = parks_on_lock, .word = &word->v, .arg = &park};
    if (bz_spin_briefly(take, &park, BZ_BRIEF_POLLS, BZ_POLLS))
        return;
    bool awaited = begin_to_wait(word);
    if (!spin_long(&park)) {
        bz_parking_enter(word);
        (void)bz_waiter_park(&waiter, 0);
        bz_fetch_sub_relaxed(&bucket->sleepers, 1); /* relaxed: early or late, it only costs time */
    }
    if (awaited)
        bz_fetch_sub_relaxed(&bucket->awaited, 1);
}

/* Makes the bucket quiet if no thread sleeps there. */
BZ_COLD static bool try_quiet(struct bz_parking_bucket *bucket) {
    uint32_t known = BZ_PARKING_KNOWN, quieting = BZ_PARKING_QUIETING;
    bool quiet = false;
    if (bz_exchange_acquire(&bucket->quieting_lock, true)) /* M9: pairs with M9: one at a time */
        return false;
    /* M6: pairs with M6: a sleeper sees this, or we see the sleeper */
    if (bz_cas_seq_cst(&bucket->state, &known, BZ_PARKING_QUIETING)) {
        quiet = bz_load_seq_cst(&bucket->sleepers) == 0; /* M6: pairs with M6 */
        /* M8: pairs with M7, as the fencer's M8, which it only passes on; if it fails a sleeper has come */
        quiet &= bz_cas_acq_rel(&bucket->state, &quieting, quiet ? BZ_PARKING_QUIET : BZ_PARKING_KNOWN);
    }
    bz_store_release(&bucket->quieting_lock, false); /* M9: pairs with M9 */
    return quiet;
}

void bz_parking_note_unlock(const struct bz_a32 *word) {
    struct bz_parking_bucket *bucket = bz_parking_of(word);
    struct bz_a32 *count = &own_count()->unlocks;
    uint32_t unlocks = bz_load_relaxed(count); /* relaxed, both: a count of its own */
    /* After a failed attempt the next comes an unlock sooner: it meets another one of locks that take turns. */
    if (unlocks % BZ_PARKING_UNLOCKS == 0 && unlocks >= BZ_PARKING_UNLOCKS * bz_cpu_count())
        bz_store_relaxed(count, try_quiet(bucket) ? 0 : 1);
}

void bz_parking_forget(void) {
    for (unsigned i = 0; i < BZ_PARKING_BUCKETS; i++) {
        struct bz_parking_bucket *bucket = &bz_parking[i];
        bz_store_relaxed(&bucket->state, BZ_PARKING_QUIET); /* relaxed, all: there is one thread */
        bz_store_relaxed(&bucket->sleepers, 0);
        bz_store_relaxed(&bucket->quieting_lock, false);
        bz_store_relaxed(&bucket->skips, 0);
        bz_store_relaxed(&bucket->awaited, 0);
    }
}
