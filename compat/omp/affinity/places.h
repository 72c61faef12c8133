/* Place lists of OMP_PLACES and GOMP_CPU_AFFINITY. A place is a set of CPUs (src/os/cpus.h). Syntax and effects are
 * libgomp's, by experiment, except for ll_caches and for CPUs that the machine lacks. */
#ifndef BOMP_PLACES_H
#define BOMP_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bomp_places {
    size_t words;     /* of each set */
    unsigned count;   /* of places */
    unsigned room;    /* for places in `sets` */
    bool partly;      /* there is less than was asked for */
    const char *name; /* of a list of all places of a kind, "cores" and so on, or NULL; constant */
    uint64_t *sets;
};

/* Place i, less than count. */
static inline uint64_t *bomp_place(const struct bomp_places *places, unsigned i) {
    return places->sets + i * places->words;
}

/* The number of CPUs in a set; stores their numbers in `ids` unless NULL. */
unsigned bomp_place_list_cpus(const uint64_t *set, size_t words, int *ids);

/* The list in text, without CPUs that are not usable (a set of `words` words) and places that become empty. 0; or ENODEV,
 * with a message, for CPUs or places that do not exist, EINVAL, ERANGE or ENOMEM, with an empty list. *places holds no list
 * before. */
int bomp_places_parse(const char *text, const uint64_t *usable, size_t words, struct bomp_places *places);

/* As libomp for a text that is no list: the kind of place whose name it begins with, or cores. 0 or ENOMEM. */
int bomp_places_nearest(const char *text, const uint64_t *usable, size_t words, struct bomp_places *places);

/* A list of CPUs and ranges, as GOMP_CPU_AFFINITY: one place for each CPU. */
int bomp_places_parse_cpus(const char *text, const uint64_t *usable, size_t words,
                           struct bomp_places *places);

/* One place for each usable CPU, those of a core together. */
int bomp_places_default(const uint64_t *usable, size_t words, struct bomp_places *places);

/* For lists of other grammars. Adds an empty place; takes cpu[-cpu[:stride]] off *at and adds each CPU as a place or to the
 * last place (`places` NULL: not at all); leaves out what is not usable, with a message. 0, EINVAL, ERANGE, ENOMEM or
 * ENODEV. */
int bomp_places_add_empty(struct bomp_places *places);
int bomp_places_take_range(const char **at, struct bomp_places *places, bool alone, bool blanks);
int bomp_places_restrict(struct bomp_places *places, const uint64_t *usable);

/* An empty list; all-zero is one. */
void bomp_places_free(struct bomp_places *places);

#endif
