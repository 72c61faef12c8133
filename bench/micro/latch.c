/* Probes of latch.h. latch.set_probe is the set and the probe of a once latch by one thread; latch.wake is half of a
 * round trip: a thread sets the other's latch and waits for its own. */
#include "sched/latch.h"

#include <pthread.h>

#include "probe.h"

/* One direction: two latches in turn, since a latch is set once and its waiter prepares it again only after the other
 * side has been seen to use its twin. */
struct way {
    struct bz_once_latch latch[2];
};

static struct way there, back;
static pthread_t partner;
static uint64_t rounds;
static struct bz_a32 stop; /* written before a latch is set, read after it was waited for */

static void init_way(struct way *way) {
    bz_once_latch_init(&way->latch[0]);
    bz_once_latch_init(&way->latch[1]);
}

static void wait_for(struct way *way, uint64_t round) {
    bz_once_latch_wait(&way->latch[round % 2]);
    bz_once_latch_init(&way->latch[round % 2]);
}

static void *partner_main(void *arg) {
    (void)arg;
    for (uint64_t round = 0;; round++) {
        wait_for(&there, round);
        if (bz_load_relaxed(&stop)) /* relaxed: came with the latch */
            return NULL;
        bz_once_latch_set(&back.latch[round % 2]);
    }
}

static void open_partner(void) {
    init_way(&there);
    init_way(&back);
    rounds = 0;
    bz_store_relaxed(&stop, 0); /* relaxed: published by the thread's start */
    if (pthread_create(&partner, NULL, partner_main, NULL))
        probe_fail("no thread");
}

static void close_partner(void) {
    bz_store_relaxed(&stop, 1); /* relaxed: published by the latch */
    bz_once_latch_set(&there.latch[rounds % 2]);
    pthread_join(partner, NULL);
}

static void wake(uint64_t times) {
    for (uint64_t i = 0; i < times / 2; i++, rounds++) {
        bz_once_latch_set(&there.latch[rounds % 2]);
        wait_for(&back, rounds);
    }
}

static void set_probe(uint64_t times) {
    struct bz_once_latch latch;
    for (uint64_t i = 0; i < times; i++) {
        bz_once_latch_init(&latch);
        bz_once_latch_set(&latch);
        if (!bz_once_latch_probe(&latch))
            probe_fail("a latch was set and is not");
    }
}

static const struct probe probes[] = {
    {"latch.set_probe", NULL, set_probe, NULL},
    {"latch.wake", open_partner, wake, close_partner},
};
const struct probe_list probe_latch = {probes, sizeof probes / sizeof *probes};
