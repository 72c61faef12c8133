/* Members of a team that find themselves on one CPU part, if the process may use others.
 *
 * The system moves threads when it wakes them rather than while they run. Two members on one CPU stay there, since each
 * yields it to the other as it waits; a thread of low priority on the other CPU can keep them there for hundreds of
 * milliseconds. So each member notes its CPU as it begins a run, which costs some ns. If it finds that another member has
 * noted the same, it moves away. It keeps the CPUs that it may use: this is no pin. The page is waiting.md, "Whose CPU it
 * is". */
#ifndef BZ_PARTING_H
#define BZ_PARTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/os.h"

/* Of one member. Unless a comment says otherwise, its thread alone uses the fields. */
struct bz_parting {
    /* The CPU that it last noted, plus 1; 0: it is idle. Written by it, read by all: a hint. */
    struct bz_a32 cpu;
    bool stays;                 /* it does not move: others ask for its CPUs; constant */
    bool brief;                 /* its last run on a shared CPU was too short for a move */
    uint32_t vain;              /* its last moves, one after the other, that were late or refused */
    uint64_t moved;             /* clock, when it last moved */
    uint64_t began;             /* clock, when it began to run on a shared CPU */
    struct bz_parting_map *map; /* NULL: it has no others; constant */
};

/* Of the members of a team. */
struct bz_parting_map {
    uint32_t cpus; /* number of entries; constant */
    /* For each CPU the member that noted it last; NULL: not noted yet. Written and read by all: a hint. Members in it
     * stay as long as the map is in use. */
    struct {
        struct bz_parting *v;
    } last[];
};

/* NULL: no memory; then no member moves. */
struct bz_parting_map *bz_parting_map_new(void);
void bz_parting_map_free(struct bz_parting_map *map);

bool bz_parting_note_slow(struct bz_parting *self, uint32_t cpu);

/* The calling thread notes its CPU. True: another member has noted the same, and no other CPU since. Cost: some ns. */
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

/* Before and after a run on a shared CPU, which bz_parting_note has found: moves, if that was worthwhile the last time.
 * Cost: a reading of the clock each, and the move. */
void bz_parting_begin(struct bz_parting *self);
void bz_parting_end(struct bz_parting *self);

/* Successive waits ended in a yield: notes the CPU, and moves if another member is there. */
void bz_parting_meet(struct bz_parting *self);

/* Another member is on the CPU that it noted last: the calling thread moves, unless it has done so just now. True: it
 * did. */
bool bz_parting_move(struct bz_parting *self);

#endif
