/* Probes of thread_team.h and barrier.h with two workers: team.run starts and ends a region with an empty body,
 * team.barrier is one meeting inside a region of many. */
#include "team/thread_team.h"

#include "probe.h"
#include "team/adopt.h"

static struct bz_team *team;

static void open_team(void) {
    unsigned size = 2;
    struct bz_worker *self = bz_worker_adopt();
    team = self ? bz_team_enter(self, &size) : NULL;
    if (!team || size != 2)
        probe_fail("no team of two");
}

static void run_team(bz_team_body *body, void *arg) {
    bz_team_begin(team, body, arg, NULL);
    body(0, arg);
    bz_team_end(team);
}

static void nothing(unsigned index, void *arg) {
    (void)index, (void)arg;
}
static void run_regions(uint64_t times) {
    for (uint64_t i = 0; i < times; i++)
        run_team(nothing, NULL);
}

static void meet(unsigned index, void *arg) {
    (void)index;
    for (uint64_t i = *(uint64_t *)arg; i > 0; i--)
        bz_barrier_wait(&team->barrier, bz_self, NULL);
}
static void run_barriers(uint64_t times) {
    run_team(meet, &times);
}

/* The team stays with the worker, as it does between a program's regions. */
static const struct probe probes[] = {
    {"team.run", open_team, run_regions, NULL},
    {"team.barrier", open_team, run_barriers, NULL},
};
const struct probe_list probe_team = {probes, sizeof probes / sizeof *probes};
