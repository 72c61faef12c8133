/* Where our threads are, and should be (waiting.md, "Whose CPU it is"). A moved thread keeps the CPUs that it may
 * use. */
#ifndef BZ_PLACEMENT_H
#define BZ_PLACEMENT_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/os.h"

/* A thread moves after this many meetings on its CPU, less those elsewhere. */
#define BZ_MEETINGS 4

/* Moves take at most one part in this many of a thread's time. */
#define BZ_MOVE_SHARE 100

/* Of one worker; owner only, unless a comment says otherwise. */
struct bz_placement {
    /* The CPU that it last noted, plus 1; 0: it is idle. Read by all: a hint. */
    struct bz_a32 cpu;
    bool moves;                   /* its thread is ours, and no leader; constant in a team */
    bool brief;                   /* its last run on a shared CPU was not worth a move */
    uint8_t late_moves;           /* in a row: each doubles the longest rest */
    uint8_t colocated_wakes;      /* wakes on the leader's CPU, less those elsewhere */
    uint64_t began;               /* clock, on a shared CPU */
    uint64_t due;                 /* clock of the next move at the earliest */
    struct bz_placement_map *map; /* NULL: no team; constant */
};

/* Of a team. */
struct bz_placement_map {
    uint32_t cpus;           /* number of entries; constant */
    struct bz_a32 members[]; /* on each CPU. Written by these, read by all: a hint */
};

/* For bz_free; NULL: no memory. */
struct bz_placement_map *bz_placement_map_new(void);

void bz_placement_change(struct bz_placement *self, uint32_t cpu);

/* The calling thread notes its CPU. True: another member is there. */
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

/* Moves to a CPU without a member. False: it may not, or did so just now. */
bool bz_placement_move(struct bz_placement *self);

/* Around a run on a shared CPU: moves, if that paid last time. */
void bz_placement_begin(struct bz_placement *self);
void bz_placement_end(struct bz_placement *self);

/* Its last waits ended in yields: it moves if a member is here, or if it has no team. */
void bz_placement_meet(struct bz_placement *self);

/* Sleeps until its leader wakes it; off the leader's CPU, if it has woken there too often. While waits park
 * (competitor.h), a sleep may end on the CPU of its partner; that may be the thread itself: then on any. */
void bz_placement_sleep(struct bz_placement *self, const struct bz_placement *leader,
                        const struct bz_placement *partner, uint32_t *word, uint32_t value);

#endif
