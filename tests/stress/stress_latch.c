/* stress_latch.c: latches that are set as early as possible, in memory that is reused right after the wait. A lost set
 * is a hang; a setter that touches the latch too late is detected. */
#include "stress.h"

#include "../rig.h"
#include "api/scope.h"

#define POISON 0x5eed5eedu

static struct {
    struct rig rig;
    struct stress_meeting meeting;
    unsigned rounds;
    struct bz_scope count;
    struct bz_a32 turn;
    unsigned written[64];
} world;

static bool is_zero(void *arg) {
    return bz_scope_is_done(arg);
}

/* Worker 0 waits for all others, who count down at the same time. */
static void count_down(struct bz_worker *self, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(self->index);
    unsigned others = world.rig.count - 1;
    for (unsigned round = 1; round <= world.rounds; round++) {
        if (self->index == 0)
            world.count = (struct bz_scope){.self = self, .left = {others}};
        stress_meet(&world.meeting, world.rig.count);
        if (self->index == 0) {
            struct bz_wait wait = {.done = is_zero, .arg = &world.count};
            bz_worker_wait_until(self, &wait);
            for (unsigned i = 1; i <= others; i++)
                stress_check(world.written[i] == round);
            bz_store_relaxed(&world.count.left, POISON);
            world.count.self = NULL;
        } else {
            for (unsigned i = stress_random(&rng, 4); i > 0; i--)
                sched_yield();
            world.written[self->index] = round;
            if (stress_random(&rng, 4) == 0) {
                bz_fetch_add_relaxed(&world.count.left, 1);
                bz_scope_end_task(&world.count);
            }
            bz_scope_end_task(&world.count);
        }
        stress_meet(&world.meeting, world.rig.count);
        stress_check(bz_load_relaxed(&world.count.left) == POISON);
        stress_meet(&world.meeting, world.rig.count);
    }
}

/* The turn goes round; everybody sleeps until it is theirs. */
struct round_robin {
    uint32_t mine;
};

static bool is_my_turn(void *arg) {
    return bz_load_acquire(&world.turn) == ((struct round_robin *)arg)->mine;
}

static void go_round(struct bz_worker *self, void *arg) {
    (void)arg;
    unsigned count = world.rig.count;
    struct stress_rng rng = stress_rng(self->index);
    for (unsigned round = 0; round < world.rounds; round++) {
        struct round_robin mine = {round * count + self->index};
        struct bz_wait wait = {.done = is_my_turn, .arg = &mine};
        bz_worker_wait_until(self, &wait);
        if (stress_random(&rng, 3) == 0) /* an extra wake does no harm */
            bz_worker_wake(&world.rig.workers[stress_random(&rng, count)]);
        bz_store_release(&world.turn, mine.mine + 1);
        bz_worker_wake(&world.rig.workers[(self->index + 1) % count]);
    }
    stress_meet(&world.meeting, count); /* no worker ends while another may still wake it */
}

static void run_workers(const char *what, rig_body *body, unsigned rounds, uint64_t spin_ns) {
    stress_part(what);
    rig_init(&world.rig, stress.threads, spin_ns);
    world.rounds = stress_scaled(rounds);
    memset(world.written, 0, sizeof world.written);
    bz_store_relaxed(&world.turn, 0);
    rig_run(&world.rig, body, NULL);
    unsigned long long parks = 0;
    for (unsigned i = 0; i < world.rig.count; i++)
        parks += world.rig.workers[i].stats.parks.v;
    printf("  %s: %u rounds, %llu parks\n", what, world.rounds, parks);
    stress_check(bz_counters_sleeping(world.rig.domain.counters.word.v) == 0);
    stress_check(bz_counters_inactive(world.rig.domain.counters.word.v) == 0);
    rig_destroy(&world.rig);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    stress.threads = stress.threads < 2 ? 2 : stress.threads > 64 ? 64 : stress.threads;
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        run_workers("count latch", count_down, 3000, 0);
        run_workers("core latch", go_round, 3000, 0);
        run_workers("core latch, short looks", go_round, 3000, 2000);
    }
    return 0;
}
