/* stress_sleep.c: posters and sleepers. A worker that finds no job soon parks. A poster blocks until its jobs have run
 * and runs none itself, so a lost wake-up is a hang. */
#include "stress.h"

#include "../rig.h"
#include "os/os.h"
#include "wait/load.h"

enum { PER_POST = 3 };

struct posted;

static struct {
    struct rig rig;
    unsigned posters; /* workers [0, posters); the others sleep and run jobs */
    unsigned rounds;
    bool full_fences;          /* as in a team that never spins */
    bool filtered;             /* every other sleeper but the last takes only marked jobs */
    struct bz_a32 event, seen; /* the last event; how often one was seen */
    struct bz_a32 posting, over;
    struct bz_a32 ran;
    struct posted **jobs; /* of each posting worker */
} world;

struct posted {
    struct bz_inject_node node; /* first */
    struct bz_a32 marked;       /* read by thieves that ask, also when it is gone */
    struct bz_a32 *left;        /* of its post: wakes a thread at 0 */
    struct posted *child;       /* pushed by whoever runs this one */
    unsigned together;          /* jobs that must run at once; 0: it does not care */
    struct bz_a32 *inside;
};

static void run_posted(struct bz_job *job, struct bz_worker *self) {
    struct posted *posted = (struct posted *)job;
    bz_fetch_add_relaxed(&world.ran, 1);
    if (posted->child && !bz_worker_push_public(self, &posted->child->node.job))
        bz_worker_run(self, &posted->child->node.job);
    if (posted->together) {
        bz_fetch_add_acq_rel(posted->inside, 1);
        while (bz_load_acquire(posted->inside) < posted->together)
            sched_yield();
    }
    uint32_t *word = &posted->left->v;
    if (bz_fetch_sub_release(posted->left, 1) == 1) /* gone, with its post */
        bz_os_futex_wake(word, 1);
}

static bool is_over(void *arg) {
    (void)arg;
    return bz_load_acquire(&world.over);
}

static bool is_marked(const struct bz_job *job, const void *arg) {
    (void)arg;
    return bz_load_relaxed(&((const struct posted *)job)->marked);
}

/* Delays, to arrive at any moment of another thread's way to sleep. */
static void dawdle(struct stress_rng *rng) {
    for (unsigned i = stress_random(rng, 4) ? stress_random(rng, 400) : 0; i > 0; i--)
        bz_cpu_relax();
}

/* Called between the last poll and the count, and again between the count and the commit: takes some time here. */
static bool stall(void *arg) {
    struct stress_rng *rng = arg;
    if (stress_random(rng, 2) == 0)
        dawdle(rng);
    if (stress_random(rng, 32) == 0)
        sched_yield();
    return false;
}

static struct bz_filter filter_of(const struct bz_worker *self) {
    if (world.filtered && self->index % 2 == 0 && self->index + 1 < world.rig.count)
        return (struct bz_filter){.may_take = is_marked};
    return (struct bz_filter){.injected = true};
}

static void sleeper(struct bz_worker *self) {
    struct stress_rng rng = stress_rng(1000 + self->index);
    struct bz_wait wait = {.done = is_over, .slow_check = stall, .arg = &rng, .filter = filter_of(self)};
    bz_worker_wait_until(self, &wait);
}

static void finish(void) {
    if (bz_fetch_sub_acq_rel(&world.posting, 1) != 1)
        return;
    bz_store_release(&world.over, 1);
    for (unsigned i = 0; i < world.rig.count; i++)
        bz_worker_wake(&world.rig.workers[i]);
}

static struct posted *spare_jobs(unsigned count) {
    struct posted *jobs = calloc(count, sizeof *jobs);
    stress_check(jobs);
    for (unsigned i = 0; i < count; i++)
        jobs[i].node.job.run = run_posted;
    return jobs;
}

/* Pushed jobs live until all threads have ended: a thief's filter may read one that has run. */
static struct posted *jobs_to_push(struct bz_worker *self, unsigned count) {
    return world.jobs[self->index] = spare_jobs(count);
}

static void prepare(struct posted *job, struct stress_rng *rng, struct bz_a32 *left) {
    bz_store_relaxed(&job->marked, stress_random(rng, 3) == 0);
    job->left = left;
    job->child = NULL;
}

/* Spins for a while first, so that the woken thread runs on another CPU at the same time. */
static void wait_for_jobs(const struct bz_a32 *left) {
    for (unsigned i = 0; bz_load_acquire(left) > 0; i++)
        if (i < 5000)
            bz_cpu_relax();
        else
            sched_yield();
}

static void poster(struct bz_worker *self, struct stress_rng *rng) {
    struct posted *jobs = jobs_to_push(self, 2 * PER_POST);
    for (unsigned round = 0; round < world.rounds; round++) {
        unsigned count = 1 + stress_random(rng, PER_POST), children = 0;
        struct bz_a32 left;
        for (unsigned i = 0; i < count; i++) {
            prepare(&jobs[i], rng, &left);
            if (stress_random(rng, 4) == 0) {
                struct posted *child = &jobs[PER_POST + children++];
                prepare(child, rng, &left);
                jobs[i].child = child;
            }
        }
        bz_store_relaxed(&left, count + children);
        dawdle(rng);
        for (unsigned i = 0; i < count; i++)
            stress_check(bz_worker_push_public(self, &jobs[i].node.job));
        wait_for_jobs(&left);
    }
    finish();
}

static void run_inside(struct bz_worker *self, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(self->index);
    if (self->index < world.posters)
        poster(self, &rng);
    else
        sleeper(self);
}

static void begin(const char *what, unsigned workers, unsigned posters, unsigned foreign, unsigned rounds,
                  uint64_t spin_ns) {
    stress_part(what);
    rig_init(&world.rig, workers, spin_ns);
    world.rig.domain.full_fences = world.full_fences;
    world.jobs = calloc(workers, sizeof(struct posted *));
    stress_check(world.jobs);
    world.posters = posters;
    world.rounds = stress_scaled(rounds);
    bz_store_relaxed(&world.posting, posters + foreign);
    bz_store_relaxed(&world.over, 0);
    bz_store_relaxed(&world.ran, 0);
}

static void end(void) {
    stress_check(bz_counters_sleeping(world.rig.domain.counters.word.v) == 0);
    stress_check(bz_counters_inactive(world.rig.domain.counters.word.v) == 0);
    unsigned long long parks = 0;
    for (unsigned i = 0; i < world.rig.count; i++)
        parks += world.rig.workers[i].stats.parks.v;
    printf("  %s: %u jobs, %llu parks\n", stress.what, bz_load_relaxed(&world.ran), parks);
    for (unsigned i = 0; i < world.rig.count; i++)
        free(world.jobs[i]);
    free(world.jobs);
    rig_destroy(&world.rig);
}

static void posts(const char *what, unsigned workers, unsigned posters, unsigned rounds, bool filtered,
                  uint64_t spin_ns) {
    begin(what, workers, posters, 0, rounds, spin_ns);
    world.filtered = filtered;
    rig_run(&world.rig, run_inside, NULL);
    world.filtered = false;
    end();
}

/* All sleepers must wake up: each job waits for all others. */
static void run_together(struct bz_worker *self, void *arg) {
    (void)arg;
    if (self->index > 0) {
        sleeper(self);
        return;
    }
    unsigned count = world.rig.count - 1;
    struct posted *jobs = jobs_to_push(self, count);
    struct stress_rng rng = stress_rng(0);
    for (unsigned round = 0; round < world.rounds; round++) {
        struct bz_a32 left = {count}, inside = {0};
        for (unsigned i = 0; i < count; i++) {
            prepare(&jobs[i], &rng, &left);
            jobs[i].together = count;
            jobs[i].inside = &inside;
            stress_check(bz_worker_push_public(self, &jobs[i].node.job));
        }
        wait_for_jobs(&left);
        if (round % 4 == 0) /* lets them go to sleep */
            for (unsigned i = stress_random(&rng, 30); i > 0; i--)
                sched_yield();
    }
    finish();
}

/* Events on a hot path: worker 0 sets one, and reads the counters after a light fence at most. */
struct expectation {
    struct stress_rng rng; /* first: for stall */
    uint32_t event;
};

static bool has_come(void *arg) {
    const struct expectation *expected = arg;
    return bz_load_acquire(&world.event) >= expected->event;
}

static void await_events(struct bz_worker *self) {
    struct expectation expected = {.rng = stress_rng(1000 + self->index)};
    struct bz_wait wait = {
        .done = has_come, .slow_check = stall, .arg = &expected, .filter = filter_of(self)};
    while (expected.event++ < world.rounds) {
        bz_worker_wait_until(self, &wait);
        bz_fetch_add_release(&world.seen, 1);
    }
}

static void bring_events(struct bz_worker *self, void *arg) {
    (void)arg;
    if (self->index > 0) {
        await_events(self);
        return;
    }
    struct stress_rng rng = stress_rng(0);
    uint32_t others = world.rig.count - 1;
    for (uint32_t event = 1; event <= world.rounds; event++) {
        dawdle(&rng);
        bz_store_release(&world.event, event);
        bz_domain_wake_first(&world.rig.domain, self, world.rig.count);
        for (unsigned i = 0; bz_load_acquire(&world.seen) < event * others; i++)
            if (i < 5000)
                bz_cpu_relax();
            else
                sched_yield();
    }
}

/* External threads inject a job and sleep until it has run. */
static void foreigner(unsigned index, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(100 + index);
    struct posted *job = spare_jobs(1);
    for (unsigned round = 0; round < world.rounds; round++) {
        struct bz_a32 left = {1};
        prepare(job, &rng, &left);
        dawdle(&rng);
        bz_domain_inject(&world.rig.domain, &job->node);
        bool sleeps = stress_random(&rng, 4) != 0;
        while (bz_load_acquire(&left) != 0)
            if (sleeps)
                bz_os_futex_wait(&left.v, 1);
            else
                sched_yield();
    }
    finish();
    free(job);
}

static void events(const char *what, unsigned workers, unsigned rounds, bool filtered, uint64_t spin_ns) {
    begin(what, workers, 1, 0, rounds, spin_ns);
    world.filtered = filtered;
    bz_store_relaxed(&world.event, 0);
    bz_store_relaxed(&world.seen, 0);
    rig_run(&world.rig, bring_events, NULL);
    world.filtered = false;
    end();
}

static void run_injected(unsigned index, void *arg) {
    if (index >= world.rig.count) {
        foreigner(index - world.rig.count, arg);
        return;
    }
    bz_become(&world.rig.workers[index]);
    sleeper(bz_self);
    bz_become(NULL);
}

static void injects(const char *what, unsigned workers, unsigned foreign, unsigned rounds, uint64_t spin_ns) {
    begin(what, workers, 0, foreign, rounds, spin_ns);
    stress_run(workers + foreign, run_injected, NULL);
    end();
}

/* Threads that count as awake and cease to, across the limit. While all of them count, each thread reads a crowd; while
 * none does, none. */
struct crowd {
    struct stress_meeting meeting;
    unsigned size, rounds;
};

static void come_and_go(unsigned index, void *arg) {
    struct crowd *crowd = arg;
    (void)index;
    for (unsigned round = 0; round < crowd->rounds; round++) {
        for (unsigned i = 0; i < 3; i++) {
            bz_awake_add(1);
            bz_awake_add(-1);
        }
        bz_awake_add(1);
        stress_meet(&crowd->meeting, crowd->size);
        stress_check(bz_crowded());
        stress_meet(&crowd->meeting, crowd->size);
        bz_awake_add(-1);
        stress_meet(&crowd->meeting, crowd->size);
        stress_check(!bz_crowded());
        stress_meet(&crowd->meeting, crowd->size);
    }
}

static void crowds(unsigned size) {
    stress_part("a crowd");
    uint32_t cpus = bz_cpu_count();
    bz_set_cpus(size / 2);
    struct crowd crowd = {.size = size, .rounds = stress_scaled(2000)};
    stress_run(size, come_and_go, &crowd);
    bz_set_cpus(cpus);
}

/* As in a team that never spins. */
static void with_full_fences(unsigned half) {
    world.full_fences = true;
    posts("posts, full fences", 2 * half, half, 1500, false, 0);
    posts("posts, filtered sleepers, full fences", 2 * half, half, 1500, true, 0);
    posts("posts from one to one, full fences", 2, 1, 10000, false, 0);
    events("events, full fences", 2 * half, 3000, false, 0);
    events("events for one, full fences", 2, 20000, false, 0);
    injects("injections from two to one, full fences", 1, 2, 5000, 0);
    world.full_fences = false;
}

static void everything(unsigned half) {
    posts("posts", 2 * half, half, 3000, false, 0);
    posts("posts, short spins", 2 * half, half, 3000, false, 3000);
    posts("posts, filtered sleepers", 2 * half, half, 3000, true, 0);
    /* No other thread makes up for a lost wake-up. */
    posts("posts from one to one", 2, 1, 20000, false, 0);
    posts("posts from one to one, short spins", 2, 1, 20000, false, 3000);
    posts("posts from two to one", 3, 2, 10000, false, 0);
    begin("posts of jobs that run together", 2 * half, 1, 0, 2000, stress.seed % 2 * 2000);
    rig_run(&world.rig, run_together, NULL);
    end();
    events("events", 2 * half, 3000, false, 0);
    events("events, short spins", 2 * half, 3000, false, 3000);
    events("events, filtered sleepers", 2 * half, 3000, true, 0);
    events("events for one", 2, 20000, false, 0);
    events("events for one, short spins", 2, 20000, false, 3000);
    injects("injections", half, half, 2000, 0);
    injects("injections, short spins", half, half, 2000, 3000);
    injects("injections from one to one", 1, 1, 10000, 0);
    injects("injections from two to one", 1, 2, 5000, 0);
    with_full_fences(half);
    crowds(2 * half);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    unsigned half = stress.threads > 3 ? stress.threads / 2 : 2;
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        rig_choose_fences(stress.seed % 3 != 0);
        everything(half);
    }
    return 0;
}
