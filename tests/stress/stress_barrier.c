/* stress_barrier.c: barriers with work that creates work, with more threads than cores, and with members that arrive
 * while the others are anywhere on their way to sleep. No member passes a barrier before all work of the phase has
 * ended, none runs work of a later phase, and none stays asleep. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* CPU_SET */
#endif
#include "stress.h"

#include "../rig.h"
#include "env/options.h"
#include "team/barrier.h"

struct unit {
    struct bz_job job; /* first */
    unsigned phase, depth, children;
};

static struct {
    struct rig rig;
    struct bz_barrier barrier;
    unsigned phases;
    unsigned most; /* most units that a worker creates in a phase */
    bool idle_phases;
    bool grouped;
    bool spread; /* members arrive at different times, awake */
    struct bz_a32 started;
    unsigned *at; /* each worker's phase; only the worker reads it */
    struct phase {
        struct bz_a32 begun, ended, arrived;
    } * phase;
} world;

static void begin(struct bz_worker *self, unsigned phase, unsigned depth, unsigned children);

static void run_unit(struct bz_job *job, struct bz_worker *self) {
    struct unit unit = *(struct unit *)job;
    free(job);
    stress_check(world.at[self->index] == unit.phase); /* not of a phase after this barrier */
    for (unsigned i = 0; i < unit.children; i++)
        begin(self, unit.phase, unit.depth - 1, unit.depth > 1 ? i : 0);
    if ((unit.phase + unit.depth) % 7 == 0)
        sched_yield();
    bz_fetch_add_relaxed(&world.phase[unit.phase].ended, 1);
    bz_worker_end(self);
}

static void begin(struct bz_worker *self, unsigned phase, unsigned depth, unsigned children) {
    struct unit *unit = malloc(sizeof *unit);
    stress_check(unit);
    *unit = (struct unit){{run_unit}, phase, depth, children};
    bz_fetch_add_relaxed(&world.phase[phase].begun, 1);
    bz_worker_begin(self);
    bool pushed =
        (phase + depth) % 3 == 0 ? bz_worker_push(self, &unit->job) : bz_worker_push_public(self, &unit->job);
    if (!pushed)
        bz_worker_run(self, &unit->job);
}

/* Spreads the arrivals. A member that slept would always arrive last, long after the others are asleep again. So all
 * members first meet awake; each spins there, on its own CPU if there are enough, until all are there. Then each is
 * delayed by a random time, as often one microsecond as tens of them. */
static void come_late(struct stress_rng *rng, unsigned phase) {
    unsigned goal = (phase + 1) * world.rig.count;
    bz_fetch_add_release(&world.started, 1);
    for (unsigned i = 0; bz_load_acquire(&world.started) < goal; i++)
        if (i < 5000)
            bz_cpu_relax();
        else
            sched_yield();
    for (unsigned i = stress_random(rng, 1u << stress_random(rng, 12)); i > 0; i--)
        bz_cpu_relax();
}

static void run_phases(struct bz_worker *self, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(self->index);
    for (unsigned p = 0; p < world.phases; p++) {
        struct phase *phase = &world.phase[p];
        world.at[self->index] = p;
        bool idle = world.idle_phases && p % 3 != 0;
        unsigned count = idle || world.most == 0 ? 0 : stress_random(&rng, world.most + 1);
        for (unsigned i = 0; i < count; i++)
            begin(self, p, 1 + stress_random(&rng, 3), stress_random(&rng, 4));
        if (stress_random(&rng, 8) == 0)
            sched_yield();
        if (world.spread)
            come_late(&rng, p);
        bz_fetch_add_relaxed(&phase->arrived, 1);
        bz_barrier_wait(&world.barrier, self, NULL);
        stress_check(bz_load_relaxed(&phase->arrived) == world.rig.count);
        stress_check(bz_load_relaxed(&phase->begun) == bz_load_relaxed(&phase->ended));
    }
}

static void run_team(const char *what, unsigned threads, unsigned phases, uint64_t spin_ns) {
    stress_part(what);
    rig_init(&world.rig, threads, spin_ns);
    bz_barrier_init(&world.barrier);
    world.rig.domain.grouped = world.grouped;
    world.phases = stress_scaled(phases);
    world.phase = calloc(world.phases, sizeof *world.phase);
    world.at = calloc(threads, sizeof *world.at);
    stress_check(world.phase && world.at);
    rig_run(&world.rig, run_phases, NULL);
    unsigned long long units = 0, stolen = 0, parks = 0;
    for (unsigned p = 0; p < world.phases; p++)
        units += world.phase[p].begun.v;
    for (unsigned i = 0; i < world.rig.count; i++) {
        stolen += world.rig.workers[i].stats.stolen.v;
        parks += world.rig.workers[i].stats.parks.v;
    }
    printf("  %s: %u phases, %llu units, %llu stolen, %llu parks\n", what, world.phases, units, stolen,
           parks);
    stress_check(bz_counters_sleeping(world.rig.domain.counters.word.v) == 0);
    stress_check(bz_counters_inactive(world.rig.domain.counters.word.v) == 0);
    free(world.phase);
    free(world.at);
    rig_destroy(&world.rig);
}

static void run(const char *what, unsigned most, bool idle_phases, unsigned phases, uint64_t spin_ns) {
    world.most = most;
    world.idle_phases = idle_phases;
    run_team(what, stress.threads, phases, spin_ns);
}

/* 19 members: two groups of 8 and a part of a third. 10 members, when they never spin: groups of 4. */
static void run_grouped(const char *what, unsigned most, unsigned phases, uint64_t spin_ns) {
    world.grouped = true;
    world.most = most;
    world.idle_phases = most > 0;
    run_team(what, spin_ns == 0 ? 10 : 19, phases, spin_ns);
    world.grouped = false;
}

static void spread(const char *what, unsigned threads, unsigned phases, uint64_t spin_ns) {
    world.most = 0;
    world.spread = true;
    bz_store_relaxed(&world.started, 0);
    run_team(what, threads, phases, spin_ns);
    world.spread = false;
}

/* Threads on one CPU: a waiting member soon yields to the others, and sometimes sleeps instead. */
static void share_a_cpu(const char *what, unsigned threads, unsigned phases) {
    cpu_set_t all, one;
    stress_check(sched_getaffinity(0, sizeof all, &all) == 0);
    int cpu = sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    (void)sched_setaffinity(0, sizeof one, &one); /* the team's threads inherit that */
    world.most = 0;
    run_team(what, threads, phases, BZ_SPIN_AUTO);
    (void)sched_setaffinity(0, sizeof all, &all);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        rig_choose_fences(stress.seed % 3 != 0);
        run("no work", 0, false, 3000, 0);
        run("no work, short spins", 0, false, 3000, 5000);
        run("work", 6, false, 1500, 0);
        run("work, short spins", 6, false, 1500, 5000);
        run("work now and then", 3, true, 3000, 0);
        run_grouped("in groups, no work", 0, 400, 5000);
        run_grouped("in groups, work now and then", 3, 400, 0);
        run_grouped("in groups, work now and then, short spins", 3, 400, 5000);
        spread("two at different times", 2, 10000, 0);
        spread("two at different times, short spins", 2, 10000, 3000);
        spread("three at different times", 3, 5000, 0);
        spread("all at different times", stress.threads, 3000, 0);
        share_a_cpu("two on one CPU", 2, 5000);
        share_a_cpu("three on one CPU", 3, 3000);
        spread("all at different times, short spins", stress.threads, 3000, 3000);
    }
    return 0;
}
