/* stress_thread_team.c: host threads come and go. Each starts, resizes, nests and ends teams, and takes spare threads
 * of the others. Each body runs once on each member, a run returns after its work is done, and no thread waits
 * forever. */
#include "stress.h"

#include "../rig.h"
#include "../team_run.h"
#include "env/options.h"
#include "os/os.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/load.h"
#include "wait/spin.h"

enum { MAX_TEAM = 40, MAX_UNITS = 4, PHASES = 3 };

static unsigned largest;        /* threads */
static const char barrier_site; /* as in a program: the waits at this site are predicted */

struct run {
    struct bz_team *team;
    unsigned size, phases, units;
    bool nest;
    uint32_t seed;
    struct bz_a32 ran[MAX_TEAM], arrived[PHASES], ended;
};

struct unit {
    struct bz_job job; /* first */
    struct run *run;
};

static void run_unit(struct bz_job *job, struct bz_worker *self) {
    struct unit *unit = (struct unit *)job;
    stress_check(bz_load_relaxed(&unit->run->ran[self->index]) == 1); /* this run has begun here */
    bz_fetch_add_relaxed(&unit->run->ended, 1);
    free(unit);
    bz_worker_end(self);
}

static void begin_units(struct run *run) {
    for (unsigned i = 0; i < run->units; i++) {
        struct unit *unit = malloc(sizeof *unit);
        stress_check(unit);
        *unit = (struct unit){{run_unit}, run};
        bz_worker_begin(bz_self);
        bool pushed =
            i % 2 ? bz_worker_push(bz_self, &unit->job) : bz_worker_push_public(bz_self, &unit->job);
        if (!pushed)
            bz_worker_run(bz_self, &unit->job);
    }
}

static void run_team(struct stress_rng *rng, unsigned size, bool nest);

/* Members left out of the run are available to other teams from its start. */
static void check_left_out(const struct run *run) {
    for (unsigned i = run->size; i < run->team->domain.capacity; i++)
        stress_check(!run->team->members[i] || !bz_load_acquire(&run->team->members[i]->state) ||
                     bz_load_acquire(&run->team->members[i]->state) != BZ_MEMBER_IN);
}

static void body(unsigned index, void *arg) {
    struct run *run = arg;
    struct bz_worker *self = bz_self;
    check_left_out(run);
    stress_check(self == &run->team->members[index]->worker);
    bz_fetch_add_relaxed(&run->ran[index], 1);
    for (unsigned p = 0; p < run->phases; p++) {
        bz_fetch_add_relaxed(&run->arrived[p], 1);
        begin_units(run);
        bz_barrier_wait(&run->team->barrier, self, &barrier_site);
        stress_check(bz_load_relaxed(&run->arrived[p]) == run->size);
        stress_check(bz_load_relaxed(&run->ended) >= run->size * run->units * (p + 1));
    }
    begin_units(run);
    if (run->nest) {
        struct stress_rng rng = {run->seed + index};
        run_team(&rng, 1 + stress_random(&rng, 3), false);
        stress_check(bz_self == self);
    }
}

static void run_team(struct stress_rng *rng, unsigned size, bool nest) {
    struct bz_worker *outer = bz_worker_adopt();
    struct run run = {.size = size, .nest = nest, .seed = stress_random(rng, 1000000)};
    run.phases = stress_random(rng, 4) ? 0 : stress_random(rng, PHASES + 1);
    run.units = stress_random(rng, 4) ? 0 : stress_random(rng, MAX_UNITS + 1);
    run.team = bz_team_enter(outer, &run.size);
    stress_check(run.team && run.size == size);
    team_run(run.team, body, &run);
    stress_check(bz_self == outer);
    for (unsigned i = 0; i < MAX_TEAM; i++)
        stress_check(run.ran[i].v == (i < size));
    stress_check(run.ended.v == size * run.units * (run.phases + 1));
}

static void one_step(struct stress_rng *rng) {
    unsigned size = 1 + stress_random(rng, largest);
    switch (stress_random(rng, 16)) {
    case 0:
        bz_team_destroy(bz_worker_adopt()->inner);
        bz_self->inner = NULL;
        break;
    case 1: /* the host changes its mind */
        stress_check(bz_team_enter(bz_worker_adopt(), &size));
        break;
    case 2:
        for (unsigned i = stress_random(rng, 50); i > 0; i--)
            sched_yield();
        break;
    case 3:
        run_team(rng, size, true);
        break;
    default:
        run_team(rng, size, false);
        break;
    }
}

static unsigned steps;

static void host(unsigned index, void *arg) {
    struct stress_rng rng = stress_rng(*(unsigned *)arg * 100 + index);
    for (unsigned i = 0; i < steps; i++)
        one_step(&rng);
}

/* Checks the cache's size: at most `needed` threads were in use at one time. */
static void check_thread_cache(unsigned needed) {
    static unsigned most; /* in all parts so far */
    most = most > needed ? most : needed;
    stress_check(bz_thread_cache_size() <= most);
}

/* Several lives of `hosts` threads each. */
static void hosts(const char *what, unsigned count, unsigned lives, unsigned each, uint64_t spin_ns) {
    stress_part(what);
    bz_set_spin_ns(spin_ns);
    steps = stress_scaled(each);
    for (unsigned life = 0; life < lives; life++)
        stress_run(count, host, &life);
    check_thread_cache(count * (largest - 1 + 2 * largest)); /* all hosts at once, with all nested teams */
    printf("  %s: %u lives of %u hosts, %u steps each, %u threads\n", what, lives, count, steps,
           bz_thread_cache_size());
}

/* Simulates a CPU for each thread: large teams meet in groups. */
static void hosts_with_cpus(const char *what, unsigned count, unsigned lives, unsigned each,
                            uint64_t spin_ns) {
    bz_set_cpus(MAX_TEAM);
    hosts(what, count, lives, each, spin_ns);
    bz_set_cpus(0); /* read the machine's again */
}

/* Simulates more than BZ_LARGE_TEAM threads on a CPU: the members of most teams are there long before their run, and
 * some runs have no members. */
static void hosts_with_one_cpu(const char *what, unsigned count, unsigned lives, unsigned each,
                               uint64_t spin_ns) {
    unsigned usual = largest;
    bz_set_cpus(1);
    largest = MAX_TEAM;
    hosts(what, count, lives, each, spin_ns);
    largest = usual;
    bz_set_cpus(0); /* read the machine's again */
}

static void wait_until(uint64_t time) {
    while (bz_os_now_ns() < time)
        bz_cpu_relax();
}

static void count_run(unsigned index, void *arg) {
    struct bz_a32 *ran = arg;
    bz_fetch_add_relaxed(&ran[index], 1);
}

/* Runs at regular times, so that members park with a deadline. Every fourth run starts about when their parks end, or
 * the spins after these: whichever comes first, no member misses a start. */
static void on_time(unsigned threads) {
    stress_part("starts against timed parks");
    bz_set_spin_ns(BZ_SPIN_AUTO);
    struct stress_rng rng = stress_rng(stress.seed);
    struct bz_a32 ran[MAX_TEAM] = {{0}};
    unsigned size = threads, runs = stress_scaled(10000), asleep = 0;
    struct bz_team *team = bz_team_enter(bz_worker_adopt(), &size);
    stress_check(team && size == threads);
    uint64_t due = bz_os_now_ns();
    for (unsigned i = 0; i < runs; i++) {
        due += 60000;
        uint64_t early = i % 4 ? 0 : stress_random(&rng, 30000);
        uint64_t now = bz_os_now_ns();
        due = due > now ? due : now;
        wait_until(due - early);
        asleep += bz_load_relaxed(&team->asleep) != 0;
        team_run(team, count_run, ran);
        for (unsigned k = 0; k < MAX_TEAM; k++)
            stress_check(ran[k].v == (k < threads ? i + 1 : 0));
    }
    bz_team_destroy(team);
    bz_self->inner = NULL;
    printf("  starts against timed parks: %u runs of %u, %u of them with members asleep\n", runs, threads,
           asleep);
}

/* Members that have not yet left the last run see the jobs of the next one: a member that pushes jobs keeps some for
 * others. */
static void push_and_dawdle(unsigned index, void *arg) {
    struct run *run = arg;
    bz_fetch_add_relaxed(&run->ran[index], 1);
    begin_units(run);
    if (index % 2)
        sched_yield();
}

static void in_a_row(unsigned threads) {
    stress_part("runs in a row");
    bz_set_spin_ns(BZ_SPIN_AUTO);
    unsigned size = threads, runs = stress_scaled(10000);
    struct bz_team *team = bz_team_enter(bz_worker_adopt(), &size);
    stress_check(team && size == threads);
    for (unsigned i = 0; i < runs; i++) {
        struct run run = {.team = team, .size = threads, .units = 1 + i % MAX_UNITS};
        team_run(team, push_and_dawdle, &run);
        stress_check(run.ended.v == threads * run.units);
    }
    bz_team_destroy(team);
    bz_self->inner = NULL;
    printf("  runs in a row: %u of %u\n", runs, threads);
}

/* ---- timed parks at barriers ---- */

enum { LATE_NS = 150000, LATE_ROUNDS = 50 };

static void spin_until(uint64_t end) {
    while (bz_os_now_ns() < end)
        bz_cpu_relax();
}

/* In each round another member is late, always by the same time, so that the others park with a deadline. Meanwhile it
 * begins units, which wake them. */
static void come_late(unsigned index, void *arg) {
    struct run *run = arg;
    bz_fetch_add_relaxed(&run->ran[index], 1);
    for (unsigned round = 0; round < LATE_ROUNDS; round++) {
        if (round % run->size == index) {
            uint64_t began = bz_os_now_ns();
            if (round % 2)
                spin_until(began + LATE_NS / 2);
            begin_units(run);
            spin_until(began + LATE_NS);
        }
        bz_barrier_wait(&run->team->barrier, bz_self, &barrier_site);
        stress_check(bz_load_relaxed(&run->ended) >= run->units * (round + 1));
    }
}

static uint64_t parks_in(const struct bz_team *team, unsigned size) {
    uint64_t parks = 0;
    for (unsigned i = 0; i < size; i++)
        parks += bz_load_relaxed(&team->members[i]->worker.stats.parks);
    return parks;
}

static void late_ones(unsigned threads) {
    stress_part("timed parks at barriers");
    bz_set_spin_ns(BZ_SPIN_AUTO);
    unsigned size = threads, runs = stress_scaled(20);
    struct bz_team *team = bz_team_enter(bz_worker_adopt(), &size);
    stress_check(team && size == threads);
    for (unsigned i = 0; i < runs; i++) {
        struct run run = {.team = team, .size = threads, .units = i % (MAX_UNITS + 1)};
        team_run(team, come_late, &run);
        stress_check(run.ended.v == LATE_ROUNDS * run.units);
    }
    printf("  timed parks at barriers: %u runs of %u, %u meetings each, %" PRIu64 " sleeps\n", runs, threads,
           LATE_ROUNDS, parks_in(team, threads));
    bz_team_destroy(team);
    bz_self->inner = NULL;
}

/* ---- resizers ---- */

enum { LEADERS = 4, NESTED = 4 };

static struct {
    struct bz_a32 runs, visited; /* all runs; those after a resizer */
    struct bz_a32 met;           /* runs whose leader came while a resizer was there */
} resizers;

/* The size of the last start; a resizer sets it to 1. */
static unsigned last_size(const struct bz_team *team) {
    return (uint16_t)bz_load_relaxed(&team->start);
}

/* Leads one small team after the other. A leader that needs more threads takes those of a leader between two runs,
 * whose next run may begin at any time during that. */
static void lead_teams(unsigned index, void *arg) {
    struct stress_rng rng = stress_rng(index);
    struct bz_worker *self = bz_self;
    unsigned before = 1; /* the last size that this thread announced */
    for (unsigned i = *(unsigned *)arg; i > 0; i--) {
        unsigned size = 1 + stress_random(&rng, NESTED);
        const struct bz_team *team = self->inner;
        if (team) {
            bz_fetch_add_relaxed(&resizers.met, bz_load_relaxed(&team->resizer) != 0);
            bz_fetch_add_relaxed(&resizers.visited, before > 1 && last_size(team) == 1);
        }
        run_team(&rng, size, false);
        before = last_size(self->inner);
        if (stress_random(&rng, 2))
            sched_yield();
    }
    bz_fetch_add_relaxed(&resizers.runs, *(unsigned *)arg);
}

/* Dismisses idle threads before each round; otherwise there would soon be enough for all. */
static void be_resizers(uint64_t spin_ns) {
    stress_part("resizers");
    bz_set_spin_ns(spin_ns);
    for (unsigned round = stress_scaled(50), each = 40; round > 0; round--) {
        bz_thread_cache_dismiss(false);
        unsigned size = LEADERS;
        struct bz_team *team = bz_team_enter(bz_worker_adopt(), &size);
        stress_check(team && size == LEADERS);
        team_run(team, lead_teams, &each);
        bz_team_destroy(team);
        bz_self->inner = NULL;
        check_thread_cache(LEADERS - 1 + LEADERS * (NESTED - 1));
    }
    printf("  resizers: %u runs, %u of them after a resizer, %u met one\n", bz_load_relaxed(&resizers.runs),
           bz_load_relaxed(&resizers.visited), bz_load_relaxed(&resizers.met));
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    stress_check(
        bz_worker_adopt()); /* the thread cache ends with the last host thread, but not before main */
    largest = stress.threads > MAX_TEAM ? MAX_TEAM : stress.threads;
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        hosts("one host", 1, 2, 1500, 0);
        hosts("one host, short spins", 1, 2, 1500, 5000);
        hosts("two hosts", 2, 3, 500, 0);
        hosts_with_cpus("two hosts, in groups", 2, 2, 500, 0);
        hosts("hosts", 4, 4, 150, stress.seed % 2 * 5000);
        hosts("hosts that predict", 2, 2, 300, BZ_SPIN_AUTO);
        hosts_with_one_cpu("one host, early members", 1, 2, 150, BZ_SPIN_AUTO);
        hosts_with_one_cpu("hosts, early members", 3, 2, 50, BZ_SPIN_AUTO);
        be_resizers(0);
        be_resizers(BZ_SPIN_AUTO);
        on_time(2);
        on_time(largest);
        late_ones(2);
        late_ones(largest);
        in_a_row(2);
        in_a_row(largest);
    }
    return 0;
}
