/* test_split.c: shares of static loops by the capacity of CPUs (state/split.h, team/split.h, affinity/capacity.h), on a
 * made-up machine whose CPUs 0 and 1 do twice the work of the others. */
#include "crowd.h"

#include <stdio.h>
#include <sys/stat.h>

#include "omp/affinity/capacity.h"
#include "omp/state/split.h"
#include "omp/team/split.h"

enum { CPUS = 6 };

/* ---- the machine ---- */

static char root[64];
static unsigned cpu_now;

unsigned __wrap_bz_os_cpu(void);
unsigned __wrap_bz_os_cpu(void) {
    return cpu_now;
}

static void name_file(char *path, size_t size, unsigned cpu, const char *file) {
    snprintf(path, size, "%s/sys/devices/system/cpu/cpu%u%s", root, cpu, file);
}

static void make_machine(const unsigned *capacities) {
    static const char *const folders[] = {"", "/sys", "/sys/devices", "/sys/devices/system",
                                          "/sys/devices/system/cpu"};
    char path[200];
    strcpy(root, "/tmp/test_split_XXXXXX");
    assert_non_null(mkdtemp(root));
    for (unsigned i = 1; i < 5; i++) {
        snprintf(path, sizeof path, "%s%s", root, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    for (unsigned cpu = 0; cpu < CPUS; cpu++) {
        name_file(path, sizeof path, cpu, "");
        assert_int_equal(mkdir(path, 0700), 0);
        name_file(path, sizeof path, cpu, "/cpu_capacity");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "%u\n", capacities[cpu]);
        fclose(file);
    }
    bomp_capacity_load(root);
}

static void remove_machine(void) {
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
    bomp_capacity_load(root); /* nothing is known of any */
    assert_false(bomp_capacity_matters);
}

static const unsigned unlike[CPUS] = {1024, 1024, 512, 512, 512, 512},
                      alike[CPUS] = {512, 512, 512, 512, 512, 512};

static void capacities_matter_where_they_differ(void **state) {
    (void)state;
    uint64_t set[] = {0x5}, all[] = {0x3f}, beyond[] = {0x41}, none[] = {0};
    make_machine(alike);
    assert_false(bomp_capacity_matters);
    assert_int_equal(bomp_capacity_of_cpu(0), 0);
    remove_machine();
    make_machine(unlike);
    assert_true(bomp_capacity_matters);
    assert_int_equal(bomp_capacity_of_cpu(1), 1024);
    assert_int_equal(bomp_capacity_of_cpu(5), 512);
    assert_int_equal(bomp_capacity_of_cpu(6), 0);
    assert_int_equal(bomp_capacity_of_cpu(UINT_MAX), 0);
    assert_int_equal(bomp_capacity_of_set(set, 1), 768);
    assert_int_equal(bomp_capacity_of_set(all, 1), (2 * 1024 + 4 * 512) / 6);
    assert_int_equal(bomp_capacity_of_set(beyond, 1), 0);
    assert_int_equal(bomp_capacity_of_set(none, 1), 0);
    remove_machine();
}

/* ---- arithmetic ---- */

static void shares_cover_the_loop(void **state) {
    (void)state;
    static const uint64_t counts[] = {0, 1, 7, 40, 1000, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX};
    static const uint32_t sums[][5] = {{0, 1, 2, 3, 4},
                                       {0, 1024, 2048, 2560, 3072},
                                       {0, 1, 1025, 1026, UINT32_MAX},
                                       {0, UINT32_MAX - 3, UINT32_MAX - 2, UINT32_MAX - 1, UINT32_MAX}};
    for (size_t s = 0; s < 4; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            uint64_t next = 0;
            for (unsigned num = 0; num < 4; num++) {
                struct bomp_part part = bomp_split_part(sums[s], counts[c], num, 4);
                assert_true(part.first == next && part.last >= part.first);
                unsigned __int128 exact = (unsigned __int128)counts[c] * sums[s][num + 1] / sums[s][4];
                assert_true(part.last == (uint64_t)exact);
                if (part.first < part.last) {
                    assert_int_equal(bomp_split_owner_of(sums[s], counts[c], part.first, 4), num);
                    assert_int_equal(bomp_split_owner_of(sums[s], counts[c], part.last - 1, 4), num);
                }
                next = part.last;
            }
            assert_true(next == counts[c]);
        }
}

/* ---- teams ---- */

/* A region whose members are on these CPUs. */
static void region(struct crowd *crowd, unsigned size, const unsigned *cpus) {
    crowd->team->size = size;
    bomp_split_open(crowd->team);
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < size; i++) {
        bomp_workshare_member_start(crowd->members[i]);
        cpu_now = cpus[i];
        bomp_split_start(crowd->members[i]);
    }
}

static uint64_t static_share(struct crowd *crowd, unsigned num, uint64_t count, uint64_t *first) {
    struct bomp_turns turns;
    bz_become(crowd->workers[num]);
    bomp_static_start(count - 1, 0, &turns);
    bz_become(NULL);
    *first = turns.first;
    assert_true(turns.ends == (turns.any && turns.last == count - 1));
    return turns.any ? turns.last - turns.first + 1 : 0;
}

static void check_shares(struct crowd *crowd, unsigned size, uint64_t count, const uint64_t *expected) {
    uint64_t first, next = 0;
    struct bomp_loop loop = {
        .step = 1, .count = count, .end = count, .schedule = BOMP_LOOP_AUTO | BOMP_LOOP_BY_CAPACITY};
    struct bomp_chunk chunk;
    for (unsigned num = 0; num < size; num++) {
        assert_int_equal(static_share(crowd, num, count, &first), expected[num]);
        bz_become(crowd->workers[num]);
        bomp_loop_begin(&loop, loop.step);
        bool any = bomp_loop_chunk(&chunk);
        assert_true(any == (expected[num] > 0));
        assert_true(!any || (chunk.first == next && chunk.last == next + expected[num] - 1));
        assert_true(!any || !bomp_loop_chunk(&chunk));
        bz_become(NULL);
        assert_true(expected[num] == 0 || first == next);
        next += expected[num];
    }
    assert_int_equal(next, count);
}

static void shares_follow_the_last_region(void **state) {
    struct crowd *crowd = *state;
    crowd->team->thread_team = crowd_alloc(sizeof *crowd->team->thread_team);
    crowd->team->thread_team->members = crowd_alloc(CROWD_MAX * sizeof(struct bz_team_member *));
    for (unsigned i = 0; i < CROWD_MAX; i++)
        crowd->team->thread_team->members[i] = crowd->team_members[i];
    make_machine(unlike);
    region(crowd, 4, (unsigned[]){0, 2, 1, 3});
    check_shares(crowd, 4, 600, (uint64_t[]){150, 150, 150, 150}); /* nothing is known yet */
    region(crowd, 4, (unsigned[]){2, 3, 4, 5});
    check_shares(crowd, 4, 600, (uint64_t[]){200, 100, 200, 100});
    check_shares(crowd, 4, 15, (uint64_t[]){4, 4, 4, 3}); /* few */
    region(crowd, 4, (unsigned[]){0, 1, 2, 99});
    check_shares(crowd, 4, 600, (uint64_t[]){150, 150, 150, 150}); /* all alike */
    region(crowd, 4, (unsigned[]){0, 1, 2, 3});
    check_shares(crowd, 4, 600, (uint64_t[]){150, 150, 150, 150}); /* one is not known */
    region(crowd, 1, (unsigned[]){0});
    check_shares(crowd, 1, 600, (uint64_t[]){600});
    remove_machine();
    bomp_split_destroy(crowd->team);
    free(crowd->team->thread_team->members);
    free(crowd->team->thread_team);
}

/* A compiler that cuts such loops itself cuts them evenly, and a doacross loop's members know whose is what. */
static void even_loops_stay_even(void **state) {
    struct crowd *crowd = *state;
    static const uint32_t sums[] = {0, 1024, 1536, 2560, 3072};
    struct bomp_loop even = {.step = 1, .count = 600, .end = 600, .schedule = BOMP_LOOP_STATIC}, by = even;
    by.schedule |= BOMP_LOOP_BY_CAPACITY;
    struct bomp_split split = {.sums = sums};
    for (uint64_t i = 0; i < 600; i++) {
        assert_int_equal(bomp_split_owner(&split, &even, i, 4), i / 150);
        assert_int_equal(bomp_split_owner(&split, &by, i, 4), i < 200 ? 0 : i < 300 ? 1 : i < 500 ? 2 : 3);
    }
    struct bomp_span span;
    crowd->team->size = 4;
    crowd->team->split.sums = sums;
    bomp_workshare_team_start(crowd->team);
    bomp_workshare_member_start(crowd->members[1]);
    bomp_loop_meet(crowd->members[1], &even);
    assert_true(bomp_loop_take(crowd->members[1], &span));
    assert_true(span.first == 150 && span.end == 300);
    crowd->team->split.sums = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacities_matter_where_they_differ),
        cmocka_unit_test(shares_cover_the_loop),
        CROWD_TEST(shares_follow_the_last_region),
        CROWD_TEST(even_loops_stay_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
