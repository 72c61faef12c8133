// flags: -rdynamic
// threads: 2
// env: OMP_MAX_ACTIVE_LEVELS=8
// beyond libgomp: it creates a thread for nearly every change of a team's size and every nested region
// Team sizes that change, and regions nested in regions, create no more threads than were ever needed at one time.
#define _GNU_SOURCE
#include "../check.h"

#include "../../sanitized.h"
#include "../created.h"

static int inside;

static void region(int size) {
#pragma omp parallel num_threads(size)
    count_up(&inside);
}

static void nested(int outer, int inner) {
#pragma omp parallel num_threads(outer)
    region(inner);
}

/* The outer threads open nested regions one after the other. */
static void nested_in_turn(int outer, int inner) {
#pragma omp parallel num_threads(outer)
#pragma omp critical
    region(inner);
}

static void three_levels(void) {
#pragma omp parallel num_threads(2)
    nested(2, 2);
}

static void check_created(const char *after, int most) {
    int count = created();
    if (count > most)
        fprintf(stderr, "after %s: %d threads created where %d are enough\n", after, count, most);
    CHECK(count <= most);
}

int main(void) {
    for (int i = 0; i < 500; i++)
        region(i % 2 ? 2 : 4);
    check_created("teams of 2 and 4", 3);
    for (int i = 0; i < 200; i++) {
        nested(2, 2);
        region(4);
    }
    check_created("2x2 and 4", 3);
    for (int i = 0; i < 100; i++)
        region(1 + (int)(scramble((unsigned)i) % 4));
    for (int i = 0; i < 100; i++)
        nested_in_turn(3, 2);
    check_created("3x2 in turn", 3);
    for (int i = 0; i < 100; i++)
        nested(1 + i % 4, 1);
    for (int i = 0; i < 100; i++)
        nested(1, 1 + i % 4);
    check_created("4x1 and 1x4", 3);
    for (int i = 0; i < 100; i++) {
        three_levels();
        region(8);
        nested(4, 2);
        nested(2, 4);
    }
    check_created("2x2x2, 8, 4x2 and 2x4", 7);
    CHECK_EQ(entries_of("/proc/self/task"), created() + 1 + UNDER_TSAN); /* TSan has a thread of its own */
    printf("members %d\n", inside);
    return check_done("threads_peak");
}
