/* Leases of CPUs, for host threads that open regions at once.
 *
 * Each host thread has a full team. On few CPUs the members of these teams wait for each other's CPUs, most of all if a
 * host thread spins outside of a region until another one's region has ended, as in OpenBLAS. With leases such teams run
 * one after the other (gang scheduling): a host thread begins a region when it holds a lease, which is for LEASE_NS, and
 * of which there are as many as the CPUs have room for such teams. Then the holder passes it on at the end of a region.
 * The other host threads queue, and the head of the queue also takes a lease whose holder is outside of regions.
 *
 * A host thread that asks how many threads its next team has (bz_team_expect) waits there, and not at the region: it
 * may take a lock of the program meanwhile.
 *
 * Leases can do harm: the CPUs idle while a holder computes alone, sleeps, or waits for another host thread. So phases
 * with and without leases take turns, and host threads compare how many regions they ended in each. The faster way stays
 * for longer. A phase with leases ends early if few regions end while the head of the queue waits. A holder that ends no
 * region for PHASE_NS beyond its time loses its lease to the head.
 *
 * Host threads that asked before a phase with leases may still spin for a lock of the program. They use up the CPUs that
 * its owner needs. So no host thread gets a lease until their regions have ended. Each such end begins the phase anew.
 * This wait ends after EXPECTED_NS, and earlier if none of these regions ends for long. A host thread that has not asked
 * goes on: it may own the lock.
 *
 * All shared words are hints: a wait for a lease ends by itself. */
#ifndef BZ_LEASE_H
#define BZ_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/compiler.h"

/* Of a host thread, and its own. */
struct bz_lease {
    struct bz_lease_slot *slot; /* that it last took; NULL: none */
    uint64_t asked_at;          /* clock when it asked while leases were off, since its last region; 0: no */
    uint32_t phase;             /* number of the last phase that it has seen */
    uint32_t ended;             /* regions in that phase */
    uint32_t before;            /* regions in the phase before it; UINT32_MAX: not known */
    bool counts;                /* the present region: several host threads are expected */
    bool asked;                 /* since its last region that counted */
};

extern _Thread_local struct bz_lease bz_own_lease __attribute__((tls_model("initial-exec")));

extern struct bz_leases {
    struct bz_a64 last;  /* host thread that began or asked, 0: none yet; written by each that differs */
    struct bz_a64 until; /* clock until which several are expected, 0: not expected; written with last */
    struct bz_a32 on;    /* regions need leases; written by the thread that changes the phase */
} bz_leases;

/* Before its thread ends. */
void bz_lease_drop(struct bz_lease *self);

/* Outside of regions; waits for a lease if leases are on. `threads`: of the next team. */
void bz_lease_ask_one_of_several(struct bz_lease *self, unsigned threads);

void bz_lease_begin_one_of_several(struct bz_lease *self, unsigned threads);
void bz_lease_end_one_of_several(struct bz_lease *self);

static inline bool bz_lease_is_one_of_several(const struct bz_lease *self) {
    return bz_unlikely(bz_load_relaxed(&bz_leases.last) != (uintptr_t)self || /* relaxed, both: hints */
                       bz_load_relaxed(&bz_leases.until) != 0);
}

/* Around an outermost region. */
static inline void bz_lease_begin(struct bz_lease *self, unsigned threads) {
    if (bz_lease_is_one_of_several(self))
        bz_lease_begin_one_of_several(self, threads);
}
static inline void bz_lease_end(struct bz_lease *self) {
    if (bz_unlikely(self->counts))
        bz_lease_end_one_of_several(self);
}

static inline bool bz_leases_are_on(void) {
    return bz_unlikely(bz_load_relaxed(&bz_leases.on)); /* relaxed: a hint */
}

/* Whether leases are on or will be tried. */
bool bz_leases_are_tried(void);

/* Whether several host threads open regions without leases: each may compute between its regions, on a CPU that no map of a
 * team shows. */
bool bz_hosts_alternate(void);

/* In the child of a fork. */
void bz_leases_forget(void);

#endif
