/* stress_fork.c: forks at any moment. Host threads start and end, open regions of random size, nested or not, with
 * tasks, events and criticals, and use pools. Meanwhile these and the main thread fork. Each child does the same work,
 * some children fork again, and the parent goes on. A process that waits for a missing thread or finds state that a
 * thread left half done hangs or fails a check. */
#include "stress.h"

#include <blitz.h>
#include <sys/wait.h>

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/team/caller.h"

#define FORKS 40 /* of the main thread in a round */
#define HANG_SECONDS 250

static struct bz_a32 over;
static uint32_t name; /* of a critical */

static void count_one(void *data) {
    bz_fetch_add_relaxed(*(struct bz_a32 **)data, 1);
}

static void create(struct bz_a32 *count, unsigned tasks) {
    for (unsigned i = 0; i < tasks; i++)
        bomp_task_plain(count_one, &count, NULL, sizeof(void *), sizeof(void *), false);
}

/* ---- the work of threads ---- */

static void fulfill(void *data) {
    bomp_event_fulfill(*(void **)data);
}

/* Creates a detached task, and a task that fulfills its event on any thread of the team. */
static void create_detached(struct bz_a32 *count) {
    void *event;
    struct bomp_task_spec spec = {.fn = count_one,
                                  .data = &count,
                                  .size = sizeof(void *),
                                  .align = sizeof(void *),
                                  .detach = true,
                                  .handles = {&event}};
    bomp_task_create(&spec);
    bomp_task_plain(fulfill, &event, NULL, sizeof(void *), sizeof(void *), false);
}

struct region {
    uint64_t seed;
    unsigned tasks, size; /* size: of the team, written by its primary thread */
    struct bz_a32 members, done;
    unsigned named, unnamed;
};

static void open_region(struct stress_rng *rng, unsigned most);

static void run_member(void *data) {
    struct region *region = data;
    struct stress_rng rng = {region->seed + (unsigned)bomp_thread_num()};
    bz_fetch_add_relaxed(&region->members, 1);
    if (bomp_thread_num() == 0)
        region->size = (unsigned)bomp_num_threads();
    create(&region->done, region->tasks);
    create_detached(&region->done);
    bomp_critical_start();
    region->unnamed++;
    bomp_critical_end();
    bomp_critical_name_start(&name);
    region->named++;
    bomp_critical_name_end(&name);
    if (stress_random(&rng, 2) == 0)
        bomp_taskwait();
    bomp_barrier();
    if (bomp_level() == 1 && stress_random(&rng, 4) == 0)
        open_region(&rng, 3);
}

static void open_region(struct stress_rng *rng, unsigned most) {
    unsigned size = 1 + stress_random(rng, most);
    struct region region = {.seed = rng->state, .tasks = stress_random(rng, 40)};
    bomp_parallel(run_member, &region, size);
    stress_check(region.size == size || bomp_level() > 0);
    size = region.size;
    stress_check(region.members.v == size && region.named == size && region.unnamed == size);
    stress_check(region.done.v == size * (region.tasks + 1));
}

static int add_range(size_t lo, size_t hi, void *ctx) {
    bz_fetch_add_relaxed((struct bz_a32 *)ctx, (uint32_t)(hi - lo));
    return 0;
}

static void add_one(void *arg) {
    bz_fetch_add_relaxed((struct bz_a32 *)arg, 1);
}

static void use_pool(void) {
    struct bz_a32 sum = {0};
    stress_check(blitz_for(0, 500, 1, add_range, &sum) == 0);
    stress_check(blitz_call(NULL, add_one, &sum) == 0);
    stress_check(sum.v == 501);
}

static void use_own_pool(void) {
    static const blitz_config config = {.workers = 2};
    struct bz_a32 sum = {0};
    blitz_pool *pool;
    stress_check(blitz_pool_create(&config, &pool) == 0);
    for (unsigned i = 0; i < 20; i++)
        stress_check(blitz_submit(pool, add_one, &sum) == 0);
    stress_check(blitz_wait_idle(pool) == 0 && bz_load_relaxed(&sum) == 20);
    stress_check(blitz_pool_destroy(pool) == 0);
}

static intptr_t add_and_tell(void *arg) {
    add_one(arg);
    return 7;
}

/* One job with a waiter, one without, and a lease that soon ends. */
static void use_futures(struct stress_rng *rng) {
    static const blitz_config config = {.workers = 2};
    struct bz_a32 sum = {0};
    blitz_pool *pool;
    blitz_future *futures[2];
    intptr_t value = 0;
    stress_check(blitz_pool_create(&config, &pool) == 0);
    for (unsigned i = 0; i < 2; i++)
        stress_check(blitz_future_submit(pool, add_and_tell, &sum, NULL, &futures[i]) == 0);
    stress_check(blitz_pool_lend(pool, stress_random(rng, 50000)) == 0);
    while (blitz_future_wait_for(futures[0], stress_random(rng, 50000), &value) != 0)
        ;
    stress_check(value == 7);
    blitz_future_drop(futures[0]);
    blitz_future_drop(futures[1]);
    stress_check(blitz_pool_destroy(pool) == 0);
    stress_check(bz_load_relaxed(&sum) == 2);
}

static void *short_life(void *arg) {
    struct stress_rng rng = {*(uint64_t *)arg};
    open_region(&rng, 4);
    return NULL;
}

static void use_short_life(struct stress_rng *rng) {
    uint64_t seed = rng->state;
    pthread_t thread;
    stress_check(pthread_create(&thread, NULL, short_life, &seed) == 0);
    stress_check(pthread_join(thread, NULL) == 0);
}

static void do_something(struct stress_rng *rng) {
    switch (stress_random(rng, 9)) {
    case 0:
        use_pool();
        break;
    case 1:
        use_own_pool();
        break;
    case 2:
        use_short_life(rng);
        break;
    case 3:
        use_futures(rng);
        break;
    default:
        open_region(rng, stress.threads);
    }
}

/* ---- forks ---- */

static void fork_once(struct stress_rng *rng);

_Noreturn static void live_as_child(struct stress_rng *rng) {
    alarm(HANG_SECONDS); /* alarms are not inherited */
    for (unsigned i = 0; i < 3; i++)
        do_something(rng);
    if (stress_random(rng, 4) == 0)
        fork_once(rng);
    open_region(rng, stress.threads);
    _exit(0);
}

static void fork_once(struct stress_rng *rng) {
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        live_as_child(rng);
    rng->state++;
    stress_check(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void host(unsigned index, void *arg) {
    struct stress_rng rng = stress_rng(index);
    (void)arg;
    bomp_icv_set_max_active_levels(bomp_icv_own(), 2);
    if (index == 0) {
        for (unsigned i = 0; i < stress_scaled(FORKS); i++) {
            fork_once(&rng);
            if (i % 4 == 0)
                do_something(&rng);
        }
        bz_store_relaxed(&over, 1);
    }
    while (!bz_load_relaxed(&over)) {
        do_something(&rng);
        if (stress_random(&rng, 20) == 0)
            fork_once(&rng);
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    /* Threads of a region, and host threads that open regions. */
    stress.threads = stress.threads < 4 ? stress.threads : 4;
    for (unsigned round = 0; round < stress.iter; round++, stress.seed++) {
        bz_store_relaxed(&over, 0);
        stress_part("forks");
        stress_run(stress.threads, host, NULL);
    }
    return 0;
}
