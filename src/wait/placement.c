#include "wait/placement.h"

#include <string.h>

#include "os/cpus.h"
#include "wait/competitor.h"
#include "wait/lease.h"
#include "wait/load.h"
#include "wait/policy.h"
#include "wait/spin.h"

struct bz_placement_map *bz_placement_map_new(void) {
    uint32_t cpus = (uint32_t)(bz_cpus_words() * BZ_CPUS_WORD_BITS);
    struct bz_placement_map *map = bz_alloc_zero(1, sizeof *map + cpus * sizeof map->members[0]);
    if (map)
        map->cpus = cpus;
    return map;
}

static void count(struct bz_placement_map *map, uint32_t cpu, uint32_t change) {
    if (map && cpu < map->cpus)
        bz_fetch_add_relaxed(&map->members[cpu], change); /* relaxed: a hint */
}

/* UINT32_MAX: none, or not known. */
static uint32_t cpu_of(const struct bz_placement *of) {
    return bz_load_relaxed(&of->cpu) - 1; /* relaxed: own store, or a hint */
}

/* UINT32_MAX: none. */
void bz_placement_change(struct bz_placement *self, uint32_t cpu) {
    count(self->map, cpu_of(self), -1u);
    count(self->map, cpu, 1);
    bz_store_relaxed(&self->cpu, cpu + 1); /* relaxed: a hint */
}

/* Its own CPU, and all others with a member. */
static void add_occupied(const struct bz_placement *self, uint64_t *set) {
    struct bz_placement_map *map = self->map;
    bz_cpus_add(set, cpu_of(self));
    for (uint32_t cpu = 0; map && cpu < map->cpus; cpu++)
        if (bz_load_relaxed(&map->members[cpu]) > 0) /* relaxed: a hint */
            bz_cpus_add(set, cpu);
}

/* False: it may use no CPU without a member. */
static bool go_elsewhere(struct bz_placement *self) {
    size_t words = bz_cpus_words();
    uint64_t *occupied = __builtin_alloca(words * sizeof *occupied);
    memset(occupied, 0, words * sizeof *occupied);
    (void)bz_placement_note(self);
    if (cpu_of(self) >= words * BZ_CPUS_WORD_BITS)
        return false; /* the system does not say, or has more CPUs than it said */
    add_occupied(self, occupied);
    if (!bz_os_move_off(occupied))
        return false;
    (void)bz_placement_note(self);
    return true;
}

enum { LATE_MOVES = 5 };

/* On a busy CPU a move takes a time slice, and the system may bring the threads together again. */
bool bz_placement_move(struct bz_placement *self) {
    if (!self->moves || bz_crowded() || bz_competitor_wants_parks() || bz_hosts_alternate())
        return false;
    uint64_t now = bz_os_now_ns();
    if (now < self->due)
        return false;
    bool moved = go_elsewhere(self);
    uint64_t end = bz_os_now_ns();
    uint64_t rest = BZ_MOVE_SHARE * (end - now), most = (2 * (uint64_t)BZ_SLICE_NS) << self->late_moves;
    if (rest <= most)
        self->late_moves = 0;
    else if (self->late_moves < LATE_MOVES)
        self->late_moves++;
    self->due = end + bz_ns_least(rest, most);
    return moved;
}

void bz_placement_begin(struct bz_placement *self) {
    if (!self->brief)
        (void)bz_placement_move(self);
    self->began = bz_os_now_ns();
}

/* A move takes about a wake. */
void bz_placement_end(struct bz_placement *self) {
    self->brief = bz_os_now_ns() - self->began < bz_usual_spin();
}

void bz_placement_meet(struct bz_placement *self) {
    if (bz_placement_note(self) || !self->map)
        (void)bz_placement_move(self);
}

/* The CPU of the partner that it joins; UINT32_MAX: it stays. Where another program has work for both CPUs: on one of them
 * the two share its caches, and on two CPUs, two copies of a program soon have one each. The system alone would take 200 ms
 * for that, and it parts the two again. */
static uint32_t joins(struct bz_placement *self, const struct bz_placement *partner) {
    if (partner == self || !bz_competitor_wants_parks() || bz_crowded() || bz_hosts_alternate())
        return UINT32_MAX;
    uint32_t here = bz_os_cpu(), there = cpu_of(partner);
    uint64_t now = bz_os_now_ns();
    if (now < self->due || here == there || there == UINT32_MAX || !bz_competitor_seen_at(here) ||
        !bz_competitor_seen_at(there))
        return UINT32_MAX;
    self->due = now + 2 * (uint64_t)BZ_SLICE_NS;
    return there;
}

static void sleep_on_or_off(bool on, uint32_t cpu, uint32_t *word, uint32_t value) {
    size_t words = bz_cpus_words();
    uint64_t *off = __builtin_alloca(words * sizeof *off);
    if (cpu >= words * BZ_CPUS_WORD_BITS) {
        bz_os_futex_wait_off(word, value, NULL);
        return;
    }
    memset(off, on ? 0xff : 0, words * sizeof *off);
    if (on)
        bz_cpus_remove(off, cpu);
    else
        bz_cpus_add(off, cpu);
    bz_os_futex_wait_off(word, value, off);
}

/* The system takes a halted virtual CPU for a busy one, and wakes the thread on its waker's CPU each time. */
void bz_placement_sleep(struct bz_placement *self, const struct bz_placement *leader,
                        const struct bz_placement *partner, uint32_t *word, uint32_t value) {
    bool often = self->colocated_wakes >= BZ_MEETINGS;
    bool off = often && bz_cpus_left() && !bz_competitor_wants_parks() && !bz_hosts_alternate();
    uint32_t there = joins(self, partner);
    bool on = there != UINT32_MAX;
    sleep_on_or_off(on, on ? there : off ? cpu_of(leader) : UINT32_MAX, word, value);
    if (!self->map || often || on || bz_crowded() || bz_competitor_wants_parks())
        return;
    if (cpu_of(leader) == bz_os_cpu())
        self->colocated_wakes++;
    else if (self->colocated_wakes > 0)
        self->colocated_wakes--;
}
