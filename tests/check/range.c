/* Ranges of dynamic loops (compat/omp/loop/range.c): each chunk runs once, and no group of members with chunks stays
 * marked as empty. Each member is a group, and has three parts. */
#include "omp/loop/range.h"
#include "check.h"

#include <string.h>

#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

enum { MEMBERS = 3, CHUNKS = 13 };

static struct bomp_team team;
static struct bomp_workshare construct;
static struct bomp_workshare_member shares[MEMBERS];
static struct bomp_member members[MEMBERS];
static struct bomp_range ranges[MEMBERS];
static unsigned ran[MEMBERS][CHUNKS]; /* each member's own */

static void begin_loop(unsigned size, uint64_t chunks) {
    memset(&construct, 0, sizeof construct);
    memset(ranges, 0, sizeof ranges);
    memset(ran, 0, sizeof ran);
    team.size = size;
    construct.ranges = ranges;
    for (unsigned i = 0; i < size; i++) {
        shares[i] = (struct bomp_workshare_member){.at = &construct, .chunks = chunks};
        members[i].team = &team;
        members[i].ws = &shares[i];
        members[i].num = i;
        bomp_range_begin(&members[i]);
    }
}
static void begin_two(void) {
    begin_loop(2, 5);
}
static void begin_three(void) {
    begin_loop(3, 4);
}

/* Two members have run their parts, and the third has four chunks. */
static void begin_one_sided(void) {
    begin_loop(3, 13);
    for (unsigned i = 0; i < 8; i++) {
        uint64_t chunk, expected = (i % 4 < 2 ? 0 : 6) + 2 * (i / 4) + i % 2;
        check_that(bomp_range_take(&members[i / 4], &chunk) && chunk == expected);
    }
}

static bool take(unsigned num) {
    uint64_t chunk;
    bool got = bomp_range_take(&members[num], &chunk);
    if (got)
        ran[num][chunk]++;
    return got;
}
static void take_all(unsigned num) {
    while (take(num))
        ;
}
static void first_takes_all(void) {
    take_all(0);
}
static void second_takes_all(void) {
    take_all(1);
}
static void third_takes_all(void) {
    take_all(2);
}
static void first_takes(void) {
    check_that(take(0));
}
static void second_takes(void) {
    check_that(take(1));
}

static void first_tries(void) {
    (void)take(0);
}

/* The first member is about to begin its second part of three; the second one has run its own. */
static void begin_own_part(void) {
    static const unsigned order[2][6] = {{0, 1}, {2, 3, 6, 7, 10, 11}};
    begin_loop(2, 13);
    for (unsigned num = 0; num < 2; num++)
        for (unsigned i = 0; i < (num == 0 ? 2 : 6); i++) {
            uint64_t chunk;
            check_that(bomp_range_take(&members[num], &chunk) && chunk == order[num][i]);
        }
}

static void end_all(void) {
    for (uint64_t chunk = 0; chunk < shares[0].chunks; chunk++)
        check_that(ran[0][chunk] + ran[1][chunk] + ran[2][chunk] == 1);
}
static void end_visible(void) {
    for (unsigned i = 0; i < team.size; i++) {
        uint64_t word = bz_load_relaxed(&ranges[i].word);
        bool has_chunks = word == 0 || word >> 32 < (uint32_t)word;
        check_that(!has_chunks || !bz_load_relaxed(&ranges[i].group_empty));
    }
}

static const struct check_test tests[] = {
    {"two", begin_two, {first_takes_all, second_takes_all}, end_all, 3, 0},
    {"three", begin_three, {first_takes_all, second_takes_all, third_takes_all}, end_all, 1, 0},
    {"own_part", begin_own_part, {first_tries, second_takes_all}, end_visible, 3, 0},
    {"visible", begin_one_sided, {first_takes, second_takes}, end_visible, 4, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
