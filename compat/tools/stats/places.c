/* places.c: see places.h. A hash table with open addressing has the numbers of places.
 *
 * Pairing table
 *   XS1 add_place counts a new place   XS2 merging reads the counted ones   its address, sort and chunk */
#include "tools/stats/places.h"

#include <string.h>

static size_t place_size(const struct bomp_stats_places *places) {
    return sizeof(struct bomp_stats_place) + places->counted->count * sizeof(struct bz_a64);
}

struct bomp_stats_place *bomp_stats_places_at(const struct bomp_stats_places *places, unsigned i) {
    char *chunk = places->chunks[i / BOMP_STATS_PLACES_CHUNK];
    return (struct bomp_stats_place *)(void *)(chunk + i % BOMP_STATS_PLACES_CHUNK * place_size(places));
}

/* NULL: no room, or no memory. */
static struct bomp_stats_place *add_place(struct bomp_stats_places *places, uintptr_t address,
                                          uint32_t sort) {
    uint32_t i = places->count.v;
    if (i == BOMP_STATS_PLACES_MAX)
        return NULL;
    if (i % BOMP_STATS_PLACES_CHUNK == 0) {
        char *chunk = bz_os_alloc(BOMP_STATS_PLACES_CHUNK * place_size(places));
        if (!chunk)
            return NULL;
        places->chunks[i / BOMP_STATS_PLACES_CHUNK] = chunk;
    }
    struct bomp_stats_place *place = bomp_stats_places_at(places, i);
    place->address = address;
    place->sort = sort;
    bz_store_release(&places->count, i + 1); /* XS1: pairs with XS2 */
    return place;
}

bool bomp_stats_places_init(struct bomp_stats_places *places, enum bomp_stats_kind kind) {
    places->counted = &bomp_stats_counts[kind];
    return (places->last = add_place(places, 0, 0));
}

void bomp_stats_places_free(struct bomp_stats_places *places) {
    for (size_t i = 0; i < BOMP_STATS_PLACES_MAX / BOMP_STATS_PLACES_CHUNK; i++)
        bz_os_free(places->chunks[i], BOMP_STATS_PLACES_CHUNK * place_size(places));
}

void bomp_stats_places_clear(struct bomp_stats_places *places) {
    for (uint32_t i = 0; i < places->count.v; i++)
        for (unsigned c = 0; c < places->counted->count; c++)
            bz_store_relaxed(&bomp_stats_places_at(places, i)->counts[c], 0); /* relaxed: as all counts */
    bz_store_relaxed(&places->refused, 0);                                    /* relaxed: as all counts */
}

/* Fibonacci hashing: the upper bits of a product. */
static size_t slot_of(uintptr_t address, uint32_t sort) {
    uint64_t product = ((uint64_t)address + sort) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(product >> 32) % BOMP_STATS_PLACES_SLOTS;
}

struct bomp_stats_place *bomp_stats_places_find_slow(struct bomp_stats_places *places, uintptr_t address,
                                                     uint32_t sort) {
    size_t slot = slot_of(address, sort);
    struct bomp_stats_place *place = NULL;
    if (address == 0 && sort == 0)
        return places->last = bomp_stats_places_at(places, 0);
    for (; places->slots[slot] != 0; slot = (slot + 1) % BOMP_STATS_PLACES_SLOTS) {
        place = bomp_stats_places_at(places, places->slots[slot]);
        if (place->address == address && place->sort == sort)
            return places->last = place;
    }
    place = add_place(places, address, sort);
    if (!place) {
        bomp_stats_add(&places->refused, 1);
        return bomp_stats_places_at(places, 0);
    }
    places->slots[slot] = (uint16_t)(places->count.v - 1);
    return places->last = place;
}

bool bomp_stats_place_has(const struct bomp_stats_counts *counted, const struct bomp_stats_place *place) {
    uint64_t any = 0;
    for (unsigned c = 0; c < counted->count; c++)
        any |= place->counts[c].v;
    return any != 0;
}

void bomp_stats_place_merge(const struct bomp_stats_counts *counted, struct bz_a64 *sum,
                            const struct bz_a64 *more) {
    for (unsigned c = 0; c < counted->count; c++) {
        uint64_t value = bz_load_relaxed(&more[c]); /* relaxed: as all counts */
        if (counted->of[c].how == BOMP_STATS_MAX)
            bomp_stats_raise(&sum[c], value);
        else
            bomp_stats_add(&sum[c], value);
    }
}

void bomp_stats_places_merge(struct bomp_stats_places *sum, const struct bomp_stats_places *more) {
    uint32_t count = bz_load_acquire(&more->count); /* XS2: pairs with XS1 */
    for (uint32_t i = 0; i < count; i++) {
        const struct bomp_stats_place *place = bomp_stats_places_at(more, i);
        struct bomp_stats_place *into = bomp_stats_places_find(sum, place->address, place->sort);
        bomp_stats_set_site(into, place->sort, bz_load_relaxed(&place->site)); /* relaxed: as all counts */
        bomp_stats_place_merge(more->counted, into->counts, place->counts);
    }
    bomp_stats_add(&sum->refused, bz_load_relaxed(&more->refused)); /* relaxed: as all counts */
}
