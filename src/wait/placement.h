/* Where our threads are, and where they should be: apart from each other, and off the CPU of another program.
 *
 * The system moves threads when it wakes them rather than while they run. Two members of a team on one CPU stay there, since
 * each yields it to the other as it waits. So each member notes its CPU as it begins a run, which costs some ns, and moves
 * away if another member is there. It keeps the CPUs that it may use: this is no pin. The page is waiting.md, "Whose CPU it
 * is". */
#ifndef BZ_PLACEMENT_H
#define BZ_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/os.h"

/* A yield of this length ran another program: the system's time slices are 1.4 to 4 ms. Parks up to this length go without
 * a barrier on all threads, so a job waits for their end at most: that barrier takes a running thread 8 to 13 us on a
 * virtual machine. */
#define BZ_SLICE_NS 1000000

/* A thread acts after it has found the awaited thread on its CPU this many times in a row: about the cost of a move. */
#define BZ_MEETINGS 4

/* Moves take at most one part in this many of a thread's time. Most take 20 us; one to a busy CPU takes a time slice. */
#define BZ_MOVE_SHARE 100

/* Of one worker. Its thread alone uses the fields, unless a comment says otherwise. */
struct bz_placement {
    /* The CPU that it last noted, plus 1; 0: it is idle. Written by it, read by all: a hint. */
    struct bz_a32 cpu;
    bool moves;                   /* it may move: its thread is ours, and not a team's leader; constant */
    uint8_t beside_leader;        /* wakes on the leader's CPU, less those elsewhere */
    uint64_t due;                 /* clock, before which it does not move again */
    struct bz_placement_map *map; /* NULL: it has no others; constant */
};

/* Of the members of a team. */
struct bz_placement_map {
    uint32_t cpus; /* number of entries; constant */
    struct bz_a32
        members[]; /* for each CPU the members that are there. Written by these, read by all: a hint */
};

/* NULL: no memory; then the members do not move. */
struct bz_placement_map *bz_placement_map_new(void);
void bz_placement_map_free(struct bz_placement_map *map);

void bz_placement_change(struct bz_placement *self, uint32_t cpu);

/* The calling thread notes its CPU. True: another member is there. Cost: some ns. */
static inline bool bz_placement_note(struct bz_placement *self) {
    uint32_t cpu = bz_os_cpu();
    if (bz_unlikely(bz_load_relaxed(&self->cpu) != cpu + 1)) /* relaxed, both: own stores, or a hint */
        bz_placement_change(self, cpu);
    return self->map && cpu < self->map->cpus && bz_load_relaxed(&self->map->members[cpu]) > 1;
}

/* The calling thread will be idle for long. */
static inline void bz_placement_leave(struct bz_placement *self) {
    if (bz_load_relaxed(&self->cpu) != 0) /* relaxed: own stores */
        bz_placement_change(self, UINT32_MAX);
}

/* The thread that it waits for is on its CPU: it moves to one without a member. False: it may not, or did so just now. */
bool bz_placement_move(struct bz_placement *self);

/* Its waits ended in a yield, one after the other: it moves if that was for another member, or if it has no team. */
void bz_placement_meet(struct bz_placement *self);

/* Sleeps on a word until its leader wakes it: off the leader's CPU, if it has woken there too often. */
void bz_placement_sleep(struct bz_placement *self, const struct bz_placement *leader, uint32_t *word,
                        uint32_t value);

/* ---- other programs ---- */

/* Gives the CPU away, where threads of ours outnumber the CPUs, and notes whether none of ours has had it for long: then
 * another program computes there, and a yield gives that a time slice. */
void bz_competitor_yield(void);

/* Whether that was so on this CPU lately. A hint. */
bool bz_competitor_is_here(void);

/* In the child of a fork: no other thread is here. */
void bz_competitors_forget(void);

#endif
