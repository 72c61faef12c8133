/* workload.h of `find`: the first match in an array. Each measurement is the time of a search divided by the number of
 * elements up to the match, all that a serial search reads.
 *
 *   cheap    the match is the only number that is 7: a comparison for each element of some MiB
 *   costly   a body of work of about 0.1 us for each element, which decides whether it matches
 *   .early, .middle, .none   the match is at a 16th of the array, just beyond its half, or nowhere
 *
 * Arguments: MS. */
#ifndef BENCH_FIND_H
#define BENCH_FIND_H

#include "harness.h"

struct find {
    const uint32_t *numbers; /* of cheap searches */
    uint32_t wanted;
    size_t size;
    size_t match; /* of costly ones, which compute it */
};

enum { FIND_WANTED = 7, FIND_STEPS = 80 };

/* No work comes to 0, but the compiler does not know that. */
static inline int find_costly(const struct find *find, size_t i) {
    return harness_work(i, FIND_STEPS) == 0 || i == find->match;
}

/* The first match in [lo, hi), or hi. Four at a time, with the rounds counted beforehand and the wanted number in a
 * register, as in std::find: 11 instructions for four elements, and 13 if each round compares hi - lo with 4. */
static inline size_t find_cheap_in(const struct find *find, size_t lo, size_t hi) {
    const uint32_t *numbers = find->numbers, wanted = find->wanted;
    for (size_t rounds = (hi - lo) / 4; rounds > 0; rounds--, lo += 4) {
        if (numbers[lo] == wanted)
            return lo;
        if (numbers[lo + 1] == wanted)
            return lo + 1;
        if (numbers[lo + 2] == wanted)
            return lo + 2;
        if (numbers[lo + 3] == wanted)
            return lo + 3;
    }
    while (lo < hi && numbers[lo] != wanted)
        lo++;
    return lo;
}

static inline size_t find_costly_in(const struct find *find, size_t lo, size_t hi) {
    while (lo < hi && !find_costly(find, lo))
        lo++;
    return lo;
}

/* A way to search, and its name; "" if it is the only one. */
struct find_way {
    const char *name;
    uint64_t (*cheap)(void *find);
    uint64_t (*costly)(void *find);
};

static inline int find_main(int argc, char **argv, const struct find_way *ways, int count) {
    static const char *const places[] = {"early", "middle", "none"};
    enum { CHEAP = 1 << 22, COSTLY = 1 << 14 };
    uint32_t *numbers = (uint32_t *)harness_memory(CHEAP * sizeof *numbers);
    struct find find = {numbers, FIND_WANTED, CHEAP, 0};
    for (size_t i = 0; i < CHEAP; i++)
        numbers[i] = (uint32_t)harness_mix(i) | 8;
    harness_begin(argc, argv);
    for (int is_costly = 0; is_costly < 2; is_costly++)
        for (int place = 0; place < 3; place++) {
            find.size = is_costly ? COSTLY : CHEAP;
            size_t at = place == 0 ? find.size / 16 : place == 1 ? find.size / 2 + find.size / 64 : find.size;
            find.match = at;
            if (at < CHEAP)
                numbers[at] = FIND_WANTED;
            for (int i = 0; i < count; i++) {
                char name[48];
                snprintf(name, sizeof name, "find.%s.%s%s%s", is_costly ? "costly" : "cheap", places[place],
                         ways[i].name[0] ? ".by_" : "", ways[i].name);
                harness_measure(name, is_costly ? ways[i].costly : ways[i].cheap, &find, at, (double)at);
            }
            if (at < CHEAP)
                numbers[at] = 8;
        }
    free(numbers);
    return harness_end();
}

#endif
