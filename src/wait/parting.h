/* Apart: members of a team that find themselves on one CPU part, while the process may use others.
 *
 * The system moves threads when it wakes them rather than while they run. Two members that are on one CPU once stay there:
 * each gives it to the other as it waits, and a thread of low priority on the other CPU is enough to keep them there for
 * hundreds of milliseconds. So each member notes where it is as it begins a run, which costs next to nothing, and whoever
 * finds that another one has noted the same moves away. It keeps the CPUs that it may have: this is no pin. The page is
 * waiting.md, "Whose CPU it is". */
#ifndef BZ_PARTING_H
#define BZ_PARTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/os.h"

/* Of one that parts. The fields without a word on that are its own. */
struct bz_parting {
    /* Where it was when it last noted that, and 1; 0: it is not about. Written by it, read by all: a hint. */
    struct bz_a32 cpu;
    bool stays;                 /* it does not move: others ask for its CPUs; constant */
    bool brief;                 /* what it last ran beside another one was not worth a move */
    uint32_t vain;              /* its last moves, one after the other, that brought it nothing */
    uint64_t moved;             /* clock, when it last moved */
    uint64_t began;             /* clock, when it began to run beside another one */
    struct bz_parting_map *map; /* NULL: it is alone; constant */
};

/* Of those who part from each other. */
struct bz_parting_map {
    uint32_t cpus; /* that there are entries for; constant */
    /* For each CPU who noted last that it is there, NULL: nobody has. Written and read by all: a hint. Who is in it stays
     * as long as the map is in use. */
    struct {
        struct bz_parting *v;
    } last[];
};

/* NULL: no memory; then nobody parts. */
struct bz_parting_map *bz_parting_map_new(void);
void bz_parting_map_free(struct bz_parting_map *map);

bool bz_parting_note_slow(struct bz_parting *self, uint32_t cpu);

/* The calling thread notes where it is. Whether another one has noted the same, and has not gone since. Cost: some ns. */
static inline bool bz_parting_note(struct bz_parting *self) {
    uint32_t cpu = bz_os_cpu();
    const struct bz_parting_map *map = self->map;
    if (bz_likely(bz_load_relaxed(&self->cpu) == cpu + 1 && /* relaxed, both: own stores, or a hint */
                  (!map || cpu >= map->cpus || bz_load_relaxed(&map->last[cpu]) == self)))
        return false;
    return bz_parting_note_slow(self, cpu);
}

/* The CPU that it last noted; UINT32_MAX: none. Any thread. */
static inline uint32_t bz_parting_cpu(const struct bz_parting *of) {
    return bz_load_relaxed(&of->cpu) - 1; /* relaxed: a hint */
}

/* The calling thread will be idle for long. */
static inline void bz_parting_leave(struct bz_parting *self) {
    if (bz_load_relaxed(&self->cpu) != 0) /* relaxed, both: own stores, and a hint */
        bz_store_relaxed(&self->cpu, 0);
}

/* Before and after what the calling thread runs beside another one, as bz_parting_note has said: it moves, if that was worth
 * it the last time. Cost: a reading of the clock each, and the move. */
void bz_parting_begin(struct bz_parting *self);
void bz_parting_end(struct bz_parting *self);

/* Its waits are ended by yields, again and again: notes where it is, and moves if another one is there. */
void bz_parting_meet(struct bz_parting *self);

/* Another one is where it is, as it noted last: the calling thread moves, unless it has done so just now. Whether it did. */
bool bz_parting_move(struct bz_parting *self);

#endif
