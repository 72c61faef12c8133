/* Probes of gang.h and barrier.h with two workers: gang.run starts and ends a region with an empty body, gang.barrier
 * is one meeting inside a region of many. */
#include "team/gang.h"

#include "probe.h"

static struct bz_gang *gang;

static void open_gang(void) {
    unsigned size = 2;
    struct bz_worker *self = bz_worker_adopt();
    gang = self ? bz_gang_enter(self, &size) : NULL;
    if (!gang || size != 2)
        probe_fail("no gang of two");
}

static void nothing(unsigned index, void *arg) {
    (void)index, (void)arg;
}
static void run_regions(uint64_t times) {
    for (uint64_t i = 0; i < times; i++)
        bz_gang_run(gang, nothing, NULL);
}

static void meet(unsigned index, void *arg) {
    (void)index;
    for (uint64_t i = *(uint64_t *)arg; i > 0; i--)
        bz_barrier_wait(&gang->barrier, bz_self, NULL);
}
static void run_barriers(uint64_t times) {
    bz_gang_run(gang, meet, &times);
}

/* The gang stays with the worker, as it does between a program's regions. */
static const struct probe probes[] = {
    {"gang.run", open_gang, run_regions, NULL},
    {"gang.barrier", open_gang, run_barriers, NULL},
};
const struct probe_list probe_gang = {probes, sizeof probes / sizeof *probes};
