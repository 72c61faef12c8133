/* The load (src/wait/load.c): while no thread changes anything, the flag follows from the number of awake threads and
 * the CPUs. */
#include "wait/load.h"
#include "check.h"
#include "os/topology.h"

uint32_t bz_topology_affinity_count(void) {
    check_fail("the CPUs were set");
}

static void begin_one(void) {
    bz_set_cpus(1);
}
static void begin_two(void) {
    bz_set_cpus(2);
}
static void end(void) {
    check_that(bz_crowded() == (bz_awake_beyond(0) > bz_cpu_count()));
}

static void changes(void) {
    bz_awake_add(1);
    bz_awake_add(-1);
}
static void stays(void) {
    bz_awake_add(1);
}
static void sets_one(void) {
    bz_set_cpus(1);
}
static void sets_three(void) {
    bz_set_cpus(3);
}

static const struct check_test tests[] = {
    {"two", begin_one, {changes, stays}, end, -1, 0},
    {"three", begin_one, {changes, changes, stays}, end, 2, 0},
    {"three_of_two", begin_two, {changes, changes, stays}, end, 2, 0},
    {"cpus", begin_two, {stays, stays, sets_one}, end, 3, 0},
    {"cpus_changed", begin_two, {changes, stays, sets_one}, end, 2, 0},
    {"cpus_twice", begin_two, {stays, sets_one, sets_three}, end, 3, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
