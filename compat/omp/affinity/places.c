/* A list is checked for its syntax first and then made. Each take function takes one part off *at, or returns an errno. */
#include "omp/affinity/places.h"

#include <errno.h>
#include <string.h>

#include "omp/base/text.h"
#include "runtime.h"

/* The most repetitions of a place, and CPUs in GOMP_CPU_AFFINITY. */
#define LIST_MAX 65535

/* No CPU has such a number; sums and products of a list's numbers fit in 64 bits. */
#define NUMBER_MAX ((int64_t)INT32_MAX)

/* ---- lists ---- */

void bomp_places_free(struct bomp_places *places) {
    bz_free(places->sets);
    *places = (struct bomp_places){.words = places->words};
}

unsigned bomp_place_list_cpus(const uint64_t *set, size_t words, int *ids) {
    unsigned count = 0;
    for (unsigned cpu = bz_cpus_next(set, words, 0); cpu != UINT_MAX;
         cpu = bz_cpus_next(set, words, cpu + 1), count++)
        if (ids)
            ids[count] = (int)cpu;
    return count;
}

static size_t set_bytes(const struct bomp_places *places) {
    return places->words * sizeof(uint64_t);
}

/* A copy of set, or with NULL an empty place, at the end. */
static int append(struct bomp_places *places, const uint64_t *set) {
    if (places->count == places->room) {
        unsigned room = places->room ? 2 * places->room : 16;
        uint64_t *sets = bz_realloc(places->sets, room * set_bytes(places));
        if (!sets)
            return ENOMEM;
        places->sets = sets;
        places->room = room;
    }
    uint64_t *place = bomp_place(places, places->count++);
    memset(place, 0, set_bytes(places));
    if (set)
        memcpy(place, set, set_bytes(places));
    return 0;
}

static void remove_at(struct bomp_places *places, unsigned i) {
    places->count--;
    memmove(bomp_place(places, i), bomp_place(places, i + 1), (places->count - i) * set_bytes(places));
}

/* ---- what a list says ---- */

static int64_t limit(const struct bomp_places *places) {
    return (int64_t)places->words * BZ_CPUS_WORD_BITS;
}

static bool exists(struct bomp_places *places, int64_t cpu) {
    bool is_there = cpu >= 0 && cpu < limit(places);
    places->partly |= !is_there;
    return is_there;
}

/* Adds first, first + stride and so on to a place. */
static void add_cpus(struct bomp_places *places, uint64_t *place, int64_t first, int64_t count,
                     int64_t stride) {
    if (stride < 0) { /* the same from the other end */
        first += (count - 1) * stride;
        stride = -stride;
    }
    if (stride == 0)
        count = 1;
    else if (first < 0) {
        int64_t skipped = (-first + stride - 1) / stride;
        first += skipped * stride;
        count -= skipped;
        places->partly = true;
    }
    for (; count > 0 && exists(places, first); count--, first += stride)
        bz_cpus_add(place, (unsigned)first);
}

static int remove_cpu(struct bomp_places *places, uint64_t *place, int64_t cpu) {
    if (!exists(places, cpu))
        return 0;
    if (!bz_cpus_has(place, (unsigned)cpu)) {
        bz_warn("Logical CPU %lld to be removed is not in the set", (long long)cpu);
        return ENODEV;
    }
    bz_cpus_remove(place, (unsigned)cpu);
    return 0;
}

static bool is_empty(const struct bomp_places *places, unsigned i) {
    return bz_cpus_next(bomp_place(places, i), places->words, 0) == UINT_MAX;
}

/* Removes the last place, and the first one that is equal to it. */
static int remove_place(struct bomp_places *places) {
    const uint64_t *gone = bomp_place(places, --places->count);
    if (is_empty(places, places->count))
        return 0;
    for (unsigned i = 0; i < places->count; i++) {
        if (memcmp(bomp_place(places, i), gone, set_bytes(places)) == 0) {
            remove_at(places, i);
            return 0;
        }
    }
    bz_warn("Trying to remove a non-existing place from list of places");
    return ENODEV;
}

int bomp_places_restrict(struct bomp_places *places, const uint64_t *usable) {
    for (unsigned i = places->count; i-- > 0;) {
        uint64_t *place = bomp_place(places, i);
        for (size_t word = 0; word < places->words; word++) {
            places->partly |= (place[word] & ~usable[word]) != 0;
            place[word] &= usable[word];
        }
        if (is_empty(places, i)) {
            places->partly = true;
            remove_at(places, i);
        }
    }
    if (places->count == 0) {
        bz_warn("None of the places contain usable logical CPUs");
        return ENODEV;
    }
    return 0;
}

int bomp_places_add_empty(struct bomp_places *places) {
    return append(places, NULL);
}

static void drop_empty(struct bomp_places *places) {
    bool empty = is_empty(places, places->count - 1);
    places->count -= empty;
    places->partly |= empty;
}

/* ---- grammar; places NULL: only checked ---- */

/* A number, limited to NUMBER_MAX. */
static int take_number(const char **at, int64_t least, int64_t *number) {
    int rc = bz_scan_int(at, least, INT64_MAX, number);
    if (rc == 0)
        *number = *number > NUMBER_MAX ? NUMBER_MAX : *number < -NUMBER_MAX ? -NUMBER_MAX : *number;
    return rc;
}

/* [:count[:stride]] behind a place or a CPU. */
static int take_repetition(const char **at, int64_t most, int64_t *count, int64_t *stride) {
    *count = *stride = 1;
    int rc = 0;
    if (bz_scan_char(at, ':')) {
        rc = take_number(at, 1, count);
        if (rc == 0 && *count > most)
            rc = ERANGE;
        if (rc == 0 && bz_scan_char(at, ':'))
            rc = take_number(at, INT64_MIN + 1, stride);
    }
    return rc;
}

/* cpu[:count[:stride]], or !cpu to take it away again, each CPU `shift` further than it says. */
static int take_cpus(const char **at, struct bomp_places *places, int64_t shift) {
    bool remove = bz_scan_char(at, '!');
    int64_t cpu;
    int64_t count = 1;
    int64_t stride = 1;
    int rc = take_number(at, 0, &cpu);
    if (rc == 0 && !remove)
        rc = take_repetition(at, NUMBER_MAX, &count, &stride);
    if (rc != 0 || !places)
        return rc;
    uint64_t *place = bomp_place(places, places->count - 1);
    if (remove)
        return remove_cpu(places, place, cpu + shift);
    add_cpus(places, place, cpu + shift, count, stride);
    return 0;
}

/* {cpus, ...} or one cpu. */
static int take_place(const char **at, struct bomp_places *places, int64_t shift) {
    int rc = places ? append(places, NULL) : 0;
    if (rc != 0)
        return rc;
    if (!bz_scan_char(at, '{')) {
        int64_t cpu;
        rc = take_number(at, 0, &cpu);
        if (rc == 0 && places)
            add_cpus(places, bomp_place(places, places->count - 1), cpu + shift, 1, 1);
        return rc;
    }
    do {
        rc = take_cpus(at, places, shift);
    } while (rc == 0 && bz_scan_char(at, ','));
    return rc == 0 && !bz_scan_char(at, '}') ? EINVAL : rc;
}

/* place[:count[:stride]], or !place to take it away again. */
static int take_interval(const char **at, struct bomp_places *places) {
    int64_t count;
    int64_t stride;
    bool remove = bz_scan_char(at, '!');
    const char *place = *at;
    int rc = take_place(at, places, 0);
    if (rc == 0 && remove)
        return places ? remove_place(places) : 0;
    if (rc == 0)
        rc = take_repetition(at, LIST_MAX, &count, &stride);
    if (rc != 0 || !places)
        return rc;
    drop_empty(places);
    for (int64_t i = 1; i < count && rc == 0; i++) {
        const char *again = place;
        rc = take_place(&again, places, i * stride);
        if (rc == 0)
            drop_empty(places);
    }
    return rc;
}

static int take_list(const char *at, struct bomp_places *places) {
    int rc;
    do {
        rc = take_interval(&at, places);
    } while (rc == 0 && bz_scan_char(&at, ','));
    return rc == 0 && !bz_scan_end(&at) ? EINVAL : rc;
}

/* The character itself, without blanks before it. */
static bool take_next(const char **at, char c) {
    bool found = **at == c;
    *at += found;
    return found;
}

int bomp_places_take_range(const char **at, struct bomp_places *places, bool alone, bool blanks) {
    bool (*const next)(const char **, char) = blanks ? bz_scan_char : take_next;
    int64_t first, last, stride = 1;
    int rc = bz_scan_int(at, 0, LIST_MAX, &first);
    last = first;
    if (rc == 0 && next(at, '-')) {
        rc = bz_scan_int(at, first, LIST_MAX, &last);
        if (rc == 0 && next(at, ':'))
            rc = bz_scan_int(at, 1, LIST_MAX, &stride);
    }
    for (int64_t cpu = first; rc == 0 && places && cpu <= last && exists(places, cpu); cpu += stride) {
        rc = alone ? append(places, NULL) : 0;
        if (rc == 0)
            bz_cpus_add(bomp_place(places, places->count - 1), (unsigned)cpu);
    }
    return rc;
}

/* Separated by commas or blanks. */
static int take_ranges(const char *at, struct bomp_places *places) {
    int rc;
    do
        rc = bomp_places_take_range(&at, places, true, false);
    while (rc == 0 && (bz_scan_char(&at, ',') || (!bz_scan_end(&at) && (*at == ' ' || *at == '\t'))));
    return rc != 0 ? rc : bz_scan_end(&at) ? 0 : EINVAL;
}

/* ---- abstract names ---- */

enum { THREADS, CORES, SOCKETS, LL_CACHES, NUMA_DOMAINS, NAMES };
static const char *const names[NAMES] = {"threads", "cores", "sockets", "ll_caches", "numa_domains"};

static const struct bomp_words all_names = {THREADS, NAMES, names, NAMES};

struct named {
    struct bomp_places *places;
    uint64_t most;
    bool each; /* every CPU of a group is a place, not the group */
};

static int add_group(const uint64_t *group, void *arg) {
    struct named *named = arg;
    struct bomp_places *places = named->places;
    unsigned cpu = named->each ? bz_cpus_next(group, places->words, 0) : UINT_MAX;
    do {
        if (places->count == named->most)
            return ECANCELED; /* enough */
        int rc = append(places, named->each ? NULL : group);
        if (rc != 0)
            return rc;
        if (named->each) {
            bz_cpus_add(bomp_place(places, places->count - 1), cpu);
            cpu = bz_cpus_next(group, places->words, cpu + 1);
        }
    } while (cpu != UINT_MAX);
    return 0;
}

static int make_named(uint32_t name, uint64_t most, const uint64_t *usable, struct bomp_places *places) {
    static const enum bz_cpu_group groups[NAMES] = {BZ_GROUP_CORE, BZ_GROUP_CORE, BZ_GROUP_SOCKET,
                                                    BZ_GROUP_CACHE, BZ_GROUP_NODE};
    struct named named = {places, most, name == THREADS};
    int rc = bz_cpu_groups("", groups[name], usable, places->words, add_group, &named);
    places->partly = rc == 0 && most < UINT64_MAX && places->count < most;
    places->name = most == UINT64_MAX ? names[name] : NULL;
    return rc == ECANCELED ? 0 : rc;
}

/* [(count)] behind the name. */
static int parse_named(uint32_t name, const char *at, const uint64_t *usable, struct bomp_places *places) {
    uint64_t most = UINT64_MAX; /* all that there are */
    if (bz_scan_char(&at, '(')) {
        int rc = bz_scan_uint(&at, 1, UINT64_MAX, &most);
        if (rc != 0)
            return rc;
        if (!bz_scan_char(&at, ')'))
            return EINVAL;
    }
    return bz_scan_end(&at) ? make_named(name, most, usable, places) : EINVAL;
}

/* ---- the whole ---- */

static int parse(const char *text, const uint64_t *usable, struct bomp_places *places) {
    uint32_t name;
    if (bomp_take_word(&text, &all_names, &name))
        return parse_named(name, text, usable, places);
    int rc = take_list(text, NULL);
    rc = rc == 0 ? take_list(text, places) : rc;
    if (rc == 0 && places->count == 0 && !places->partly) {
        bz_warn("All places have been removed");
        rc = ENODEV;
    }
    return rc == 0 ? bomp_places_restrict(places, usable) : rc;
}

static int made(int rc, struct bomp_places *places) {
    if (rc != 0)
        bomp_places_free(places);
    return rc;
}

int bomp_places_parse(const char *text, const uint64_t *usable, size_t words, struct bomp_places *places) {
    *places = (struct bomp_places){.words = words};
    return made(parse(text, usable, places), places);
}

int bomp_places_nearest(const char *text, const uint64_t *usable, size_t words, struct bomp_places *places) {
    uint32_t name = CORES;
    (void)bomp_take_word(&text, &all_names, &name);
    *places = (struct bomp_places){.words = words};
    return made(make_named(name, UINT64_MAX, usable, places), places);
}

int bomp_places_parse_cpus(const char *text, const uint64_t *usable, size_t words,
                           struct bomp_places *places) {
    *places = (struct bomp_places){.words = words};
    int rc = take_ranges(text, NULL);
    rc = rc == 0 ? take_ranges(text, places) : rc;
    return made(rc == 0 ? bomp_places_restrict(places, usable) : rc, places);
}

int bomp_places_default(const uint64_t *usable, size_t words, struct bomp_places *places) {
    *places = (struct bomp_places){.words = words};
    return made(make_named(THREADS, UINT64_MAX, usable, places), places);
}
