/* places.h: a table of places in the program with their counts, of one thread or of all. A place is an address and a sort:
 * the return address of a construct's call, or the address of a lock. Places beyond BOMP_STATS_PLACES_MAX share one. */
#ifndef BOMP_STATS_PLACES_H
#define BOMP_STATS_PLACES_H

#include "tools/stats/counts.h"

#define BOMP_STATS_PLACES_MAX 1024 /* with the one for all others */
#define BOMP_STATS_PLACES_CHUNK 64 /* places in one allocation */
/* Of the hash table: at most a quarter is in use. */
#define BOMP_STATS_PLACES_SLOTS (4 * BOMP_STATS_PLACES_MAX)

struct bomp_stats_place {
    uintptr_t address; /* 0: all others */
    uint32_t sort;     /* of work: ompt_work_t; of a mutex and of a wait: enum bomp_stats_state */
    /* Of a mutex: where it was first acquired. Of work: the region that it was first in. 0: not known, or all others.
     * Written once by the thread, read by the one that reports. */
    struct {
        uintptr_t v;
    } site;
    struct bz_a64 counts[];
};

struct bomp_stats_places {
    const struct bomp_stats_counts *counted;
    struct bomp_stats_place *last; /* the last result of a search */
    /* Place i is in chunk i / BOMP_STATS_PLACES_CHUNK. Written by the thread before the count, read by the one that
     * reports. */
    char *chunks[BOMP_STATS_PLACES_MAX / BOMP_STATS_PLACES_CHUNK];
    struct bz_a32 count;                     /* of places; the first one is that for all others */
    struct bz_a64 refused;                   /* searches that found no room for a new place */
    uint16_t slots[BOMP_STATS_PLACES_SLOTS]; /* number of the place; 0: none */
};

/* The memory is zeroed. False: no memory. */
bool bomp_stats_places_init(struct bomp_stats_places *places, enum bomp_stats_kind kind);
void bomp_stats_places_free(struct bomp_stats_places *places);

/* All counts become 0; the places stay. */
void bomp_stats_places_clear(struct bomp_stats_places *places);

/* Place i, below the count. */
struct bomp_stats_place *bomp_stats_places_at(const struct bomp_stats_places *places, unsigned i);

struct bomp_stats_place *bomp_stats_places_find_slow(struct bomp_stats_places *places, uintptr_t address,
                                                     uint32_t sort);

/* The place, a new one if need be; never NULL. Cost: some ns; 1 ns for the same one again. */
static inline struct bomp_stats_place *bomp_stats_places_find(struct bomp_stats_places *places,
                                                              uintptr_t address, uint32_t sort) {
    struct bomp_stats_place *last = places->last;
    if (bz_likely(last->address == address && last->sort == sort))
        return last;
    return bomp_stats_places_find_slow(places, address, sort);
}

/* Sets the site of a place, unless it has one or is the one for all others. */
static inline void bomp_stats_set_site(struct bomp_stats_place *place, uint32_t sort, uintptr_t site) {
    if (bz_unlikely(place->site.v == 0 && place->sort == sort))
        bz_store_relaxed(&place->site, site); /* relaxed: as all counts */
}

/* Adds the counts of another thread's table, which may be changing. */
void bomp_stats_places_merge(struct bomp_stats_places *sum, const struct bomp_stats_places *more);
/* False for a place from before a fork, and for the unused one of all others. */
bool bomp_stats_place_has(const struct bomp_stats_counts *counted, const struct bomp_stats_place *place);

void bomp_stats_place_merge(const struct bomp_stats_counts *counted, struct bz_a64 *sum,
                            const struct bz_a64 *more);

#endif
