#include "wait/parking.h"

#include "os/os.h"
#include "sched/sleep.h"
#include "team/fork.h"
#include "wait/rest.h"

struct bz_parking_bay bz_parking[BZ_PARKING_BAYS];

/* Unlocks that found a bay not quiet, and no mark, since the last doubt: for each thread number modulo COUNTS, as
 * thread-local memory is scarce. Threads that share one may lose some. */
enum { COUNTS = 16 };
static struct { BZ_ALIGN_LINE struct bz_a32 unlocks; } counts[COUNTS];

BZ_COLD void bz_parking_wake(struct bz_a32 *word) {
    bz_os_futex_wake(&word->v, 1); /* the word may be gone by now: harmless */
}

/* A look after so many rests. */
static bool look_once(struct bz_a32 *word, bool (*take)(struct bz_a32 *word), unsigned rests) {
    bz_rest(rests);
    return bz_load_relaxed(word) == 0 && take(word);
}

static uint64_t long_look_ns(void) {
    return bz_look_adapts() ? BZ_LOCK_LOOK_NS : bz_look_ns();
}

BZ_COLD bool bz_parking_look(struct bz_a32 *word, bool (*take)(struct bz_a32 *word)) {
    for (unsigned looks = 0, rests = 1; looks < BZ_MUTEX_LOOKS; looks++) {
        if (look_once(word, take, rests))
            return true;
        rests = rests < BZ_MUTEX_RESTS ? 2 * rests : rests;
    }
    return false;
}

/* Not where that was in vain of late. */
BZ_COLD bool bz_parking_look_on(struct bz_a32 *word, bool (*take)(struct bz_a32 *word)) {
    struct bz_a32 *doubts = &bz_parking_of(word)->doubts;
    struct bz_idle idle = {.rounds = BZ_LOOK_ROUNDS - 1}; /* the short looks took longer */
    uint32_t left = bz_load_relaxed(doubts);              /* relaxed, all: hints */
    if (left > 0) {
        bz_store_relaxed(doubts, left - 1);
        return false;
    }
    while (!bz_crowded()) {
        if (!bz_look_on(&idle, long_look_ns())) {
            bz_store_relaxed(doubts, BZ_LOCK_DOUBTS);
            return false;
        }
        if (look_once(word, take, BZ_LOOK_RESTS))
            return true;
    }
    return false;
}

/* The bay was quiet until now: whether that was worth the fence that is to follow. */
static void note_end_of_quiet(struct bz_parking_bay *bay) {
    uint64_t quiet_ns = bz_os_now_ns() - bz_load_relaxed(&bay->quiet_since); /* relaxed, all: hints */
    uint32_t patience = bz_load_relaxed(&bay->patience);
    if (quiet_ns >= BZ_PARKING_WORTH_NS)
        patience = 0;
    else if (patience < BZ_PARKING_PATIENCE)
        patience++;
    bz_store_relaxed(&bay->patience, patience);
}

/* Says that somebody may sleep. True if all who unlock know that already. */
static bool call(struct bz_parking_bay *bay) {
    uint32_t state = bz_load_seq_cst(&bay->state); /* M6: pairs with M6; M7: pairs with M8 */
    while (state != BZ_PARKING_CALLED && state != BZ_PARKING_KNOWN) {
        bool doubted = state == BZ_PARKING_DOUBTED;
        /* M7: pairs with M8, also if it fails */
        if (bz_cas_acq_rel(&bay->state, &state, doubted ? BZ_PARKING_KNOWN : BZ_PARKING_CALLED)) {
            if (!doubted)
                note_end_of_quiet(bay);
            return doubted;
        }
    }
    return state == BZ_PARKING_KNOWN;
}

void bz_parking_enter(const struct bz_a32 *word) {
    struct bz_parking_bay *bay = bz_parking_of(word);
    uint32_t called = BZ_PARKING_CALLED;
    bz_fork_init(); /* so that asymmetric fences are on, if they ever are, before the heavy one below */
    bz_fetch_add_seq_cst(&bay->sleepers, 1); /* M6: pairs with M6: we see who doubts, or are seen */
    if (call(bay))
        return;
    bz_fence_heavy();                                             /* M5: pairs with M4 */
    (void)bz_cas_acq_rel(&bay->state, &called, BZ_PARKING_KNOWN); /* M8: pairs with M7 (that M5 is done) */
}

void bz_parking_leave(const struct bz_a32 *word) {
    bz_fetch_sub_relaxed(&bz_parking_of(word)->sleepers, 1); /* relaxed: early or late, it only costs time */
}

/* Makes the bay quiet if nobody sleeps there. */
BZ_COLD static bool doubt(struct bz_parking_bay *bay) {
    uint32_t known = BZ_PARKING_KNOWN, doubted = BZ_PARKING_DOUBTED;
    bool quiet = false;
    if (bz_exchange_acquire(&bay->doubter, true)) /* M9: pairs with M9: what is doubted is so once */
        return false;
    /* M6: pairs with M6: who comes sees this, or we see who comes */
    if (bz_cas_seq_cst(&bay->state, &known, BZ_PARKING_DOUBTED)) {
        quiet = bz_load_seq_cst(&bay->sleepers) == 0; /* M6: pairs with M6 */
        if (quiet)
            bz_store_relaxed(&bay->quiet_since, bz_os_now_ns()); /* relaxed: a hint */
        /* M8: pairs with M7, as the fencer's M8, which it only passes on; if it fails somebody has come */
        quiet &= bz_cas_acq_rel(&bay->state, &doubted, quiet ? BZ_PARKING_QUIET : BZ_PARKING_KNOWN);
    }
    bz_store_release(&bay->doubter, false); /* M9: pairs with M9 */
    return quiet;
}

/* Of so many unlocks, a multiple of BZ_PARKING_CALM. */
static bool is_calm(const struct bz_parking_bay *bay, uint32_t unlocks) {
    uint32_t patience = bz_load_relaxed(&bay->patience); /* relaxed: a hint */
    return unlocks >> patience >= BZ_PARKING_CALM * bz_cpu_count();
}

void bz_parking_calm(const struct bz_a32 *word) {
    struct bz_parking_bay *bay = bz_parking_of(word);
    struct bz_a32 *count = &counts[bz_thread_number() % COUNTS].unlocks;
    uint32_t unlocks = bz_load_relaxed(count) + 1; /* relaxed, both: a count of its own */
    /* After a doubt in vain the next comes an unlock sooner: of locks that take turns it meets another one. */
    if (unlocks % BZ_PARKING_CALM == 0 && is_calm(bay, unlocks))
        unlocks = doubt(bay) ? 0 : 1;
    bz_store_relaxed(count, unlocks);
}

void bz_parking_forget(void) {
    for (unsigned i = 0; i < BZ_PARKING_BAYS; i++) {
        struct bz_parking_bay *bay = &bz_parking[i];
        bz_store_relaxed(&bay->state, BZ_PARKING_QUIET); /* relaxed, all: there is one thread */
        bz_store_relaxed(&bay->sleepers, 0);
        bz_store_relaxed(&bay->doubter, false);
        bz_store_relaxed(&bay->quiet_since, 0);
        bz_store_relaxed(&bay->patience, 0);
        bz_store_relaxed(&bay->doubts, 0);
    }
}
