/* test_place_assignment.c: place_assignment.h, compared with samples from libgomp, and for many sizes with OpenMP's
 * rules. */
#include "omp/affinity/place_assignment.h"

#include <stdio.h>
#include <string.h>

#include "../asserts.h"

/* "place[first..last]" for each thread. */
static void write_team(char *text, size_t size, struct bomp_place_assignment primary, enum bomp_bind policy,
                       unsigned threads) {
    size_t used = 0;
    for (unsigned i = 0; i < threads; i++) {
        struct bomp_place_assignment assignment = bomp_place_assignment_in_team(primary, policy, threads, i);
        used += (size_t)snprintf(text + used, size - used, "%s%u[%u..%u]", i > 0 ? " " : "", assignment.place,
                                 assignment.first, assignment.first + assignment.count - 1);
    }
}

static void samples_of_libgomp(void **state) {
    (void)state;
    static const struct {
        struct bomp_place_assignment primary;
        enum bomp_bind policy;
        unsigned threads;
        const char *assignments;
    } samples[] = {
        {{0, 0, 8}, BOMP_BIND_SPREAD, 1, "0[0..7]"},
        {{0, 0, 8}, BOMP_BIND_SPREAD, 3, "0[0..2] 3[3..5] 6[6..7]"},
        {{0, 0, 8}, BOMP_BIND_SPREAD, 5, "0[0..1] 2[2..3] 4[4..5] 6[6..6] 7[7..7]"},
        {{2, 0, 5}, BOMP_BIND_SPREAD, 1, "2[0..4]"},
        {{2, 0, 5}, BOMP_BIND_SPREAD, 2, "2[0..2] 3[3..4]"},
        {{3, 0, 5}, BOMP_BIND_SPREAD, 2, "3[3..4] 0[0..2]"},
        {{4, 0, 5}, BOMP_BIND_SPREAD, 2, "4[3..4] 0[0..2]"},
        {{3, 0, 5}, BOMP_BIND_SPREAD, 4, "3[3..3] 4[4..4] 0[0..1] 2[2..2]"},
        {{4, 0, 5}, BOMP_BIND_SPREAD, 7, "4[4..4] 0[0..0] 1[1..1] 2[2..2] 3[3..3] 4[4..4] 0[0..0]"},
        {{1, 0, 2}, BOMP_BIND_SPREAD, 5, "1[1..1] 1[1..1] 0[0..0] 0[0..0] 1[1..1]"},
        {{4, 4, 4}, BOMP_BIND_CLOSE, 3, "4[4..7] 5[4..7] 6[4..7]"},
        {{6, 4, 4}, BOMP_BIND_CLOSE, 3, "6[4..7] 7[4..7] 4[4..7]"},
        {{0, 0, 3}, BOMP_BIND_TRUE, 5, "0[0..2] 1[0..2] 2[0..2] 0[0..2] 1[0..2]"},
        {{4, 0, 5},
         BOMP_BIND_CLOSE,
         12,
         "4[0..4] 4[0..4] 0[0..4] 0[0..4] 1[0..4] 1[0..4] 2[0..4] 2[0..4] 3[0..4] 3[0..4] 4[0..4] 0[0..4]"},
        {{1, 0, 3}, BOMP_BIND_PRIMARY, 4, "1[0..2] 1[0..2] 1[0..2] 1[0..2]"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char assignments[500];
        write_team(assignments, sizeof assignments, samples[i].primary, samples[i].policy,
                   samples[i].threads);
        assert_string_equal(assignments, samples[i].assignments);
    }
}

#define MOST 70

/* The assignments of one team to each partition. */
static void check_team(struct bomp_place_assignment primary, enum bomp_bind policy, unsigned threads) {
    unsigned users[2 * MOST] = {0};
    unsigned covered = 0;
    for (unsigned i = 0; i < threads; i++) {
        struct bomp_place_assignment assignment = bomp_place_assignment_in_team(primary, policy, threads, i);
        assert_true(assignment.count > 0 && assignment.place >= assignment.first &&
                    assignment.place < assignment.first + assignment.count);
        assert_true(assignment.first >= primary.first &&
                    assignment.first + assignment.count <= primary.first + primary.count);
        assert_true(i > 0 || assignment.place == primary.place);
        assert_true(policy != BOMP_BIND_PRIMARY || assignment.place == primary.place);
        if (policy != BOMP_BIND_SPREAD || threads == 1) {
            assert_true(assignment.first == primary.first && assignment.count == primary.count);
        }
        users[assignment.place]++;
        covered += assignment.count;
    }
    if (policy == BOMP_BIND_PRIMARY) {
        return;
    }
    /* As evenly as possible; with spread, each place has a thread. */
    for (unsigned p = primary.first; p < primary.first + primary.count; p++) {
        assert_true(users[p] >= threads / primary.count);
        assert_true(users[p] <= (threads + primary.count - 1) / primary.count);
    }
    if (policy == BOMP_BIND_SPREAD && threads <= primary.count) {
        assert_int_equal(covered, primary.count);
    }
}

static void promises(void **state) {
    (void)state;
    for (uint32_t count = 1; count <= MOST; count += count < 12 ? 1 : 7) {
        for (uint32_t own = 0; own < count; own++) {
            for (unsigned threads = 1; threads <= 2 * MOST; threads += threads < 30 ? 1 : 11) {
                for (int policy = BOMP_BIND_TRUE; policy <= BOMP_BIND_SPREAD; policy++) {
                    check_team((struct bomp_place_assignment){count + own - 1, count - 1, count},
                               (enum bomp_bind)policy, threads);
                }
            }
        }
    }
}

static void without_an_assignment_there_are_none(void **state) {
    (void)state;
    struct bomp_place_assignment assignment =
        bomp_place_assignment_in_team((struct bomp_place_assignment){0}, BOMP_BIND_SPREAD, 4, 2);
    assert_int_equal(assignment.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_of_libgomp),
        cmocka_unit_test(promises),
        cmocka_unit_test(without_an_assignment_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
