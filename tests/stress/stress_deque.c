/* stress_deque.c: one owner and THREADS - 1 thieves. Each job is taken exactly once, whatever the deque's first
 * capacity, and a deque without public jobs has a steal request. */
#include "sched/deque.h"

#include <malloc.h>

#include "stress.h"
#include "wait/fence.h"

#define MAX_JOBS 4096

struct numbered {
    struct bz_job job; /* first */
    struct bz_a32 taken;
};

static struct numbered jobs[MAX_JOBS];

enum mode { EAGER, LAZY, MIXED, SLOW };

static struct game {
    struct bz_deque deque;
    struct stress_meeting meeting;
    enum mode mode;
    int64_t capacity;    /* the first one */
    unsigned rounds;     /* deques, in sequence */
    unsigned count;      /* jobs in each */
    bool choosy;         /* thieves filter */
    struct bz_a32 over;  /* the owner has emptied the deque for the last time */
    struct bz_a32 asked; /* calls of the thieves' filter */
    struct bz_a32 stolen;
    struct bz_a32 exposed; /* times, from outside */
} game;

static void take(struct bz_job *job) {
    struct numbered *numbered = (struct numbered *)job;
    stress_check(numbered >= jobs && numbered < jobs + MAX_JOBS);
    bz_fetch_add_relaxed(&numbered->taken, 1);
}

/* The filter sees only jobs, though one may already be taken. */
static bool agree(const struct bz_job *job, const void *arg) {
    (void)arg;
    const struct numbered *numbered = (const struct numbered *)job;
    stress_check(numbered >= jobs && numbered < jobs + MAX_JOBS);
    /* Refuses now and then. */
    return bz_load_relaxed(&game.over) || bz_fetch_add_relaxed(&game.asked, 1) % 8 != 3;
}

static void thief_round(struct stress_rng *rng) {
    for (;;) {
        struct bz_job *job = NULL;
        bool over = bz_load_acquire(&game.over);
        enum bz_steal result = bz_deque_steal(&game.deque, game.choosy ? agree : NULL, NULL, &job);
        stress_check((result == BZ_STEAL_TAKEN) == (job != NULL));
        if (job) {
            take(job);
            bz_fetch_add_relaxed(&game.stolen, 1);
        } else if (over && result == BZ_STEAL_EMPTY) {
            return;
        } else if (game.mode == SLOW && stress_random(rng, 4) == 0) {
            bz_fetch_add_relaxed(&game.exposed, bz_deque_expose_for(&game.deque));
        } else if (stress_random(rng, 8) == 0) {
            sched_yield();
        }
    }
}

/* Whether the owner serves a steal request; a slow owner seldom does. */
static bool answers(struct stress_rng *rng) {
    return game.mode != SLOW || stress_random(rng, 16) == 0;
}

static void push(struct bz_job *job, struct stress_rng *rng) {
    struct bz_deque *deque = &game.deque;
    bool eager = game.mode == EAGER || (game.mode == MIXED && stress_random(rng, 4) == 0);
    if (game.mode == SLOW && bz_deque_has_room(deque) && bz_deque_is_requested(deque) && answers(rng)) {
        bz_deque_put_requested(deque, job);
        return;
    }
    stress_check(eager ? bz_deque_push_public(deque, job) : bz_deque_push(deque, job));
    if (bz_deque_wanted(deque) && answers(rng))
        bz_deque_expose(deque);
}

static bool pop(struct stress_rng *rng) {
    struct bz_job *job = bz_deque_pop(&game.deque);
    if (job)
        take(job);
    if (bz_deque_wanted(&game.deque) && answers(rng))
        bz_deque_expose(&game.deque);
    return job;
}

static void owner_round(struct stress_rng *rng) {
    unsigned next = 0;
    while (next < game.count) {
        unsigned burst = 1 + stress_random(rng, stress_random(rng, 8) ? 4 : 200);
        while (burst-- > 0 && next < game.count)
            push(&jobs[next++].job, rng);
        for (burst = stress_random(rng, 6); burst > 0; burst--)
            pop(rng);
        if (stress_random(rng, 16) == 0)
            sched_yield();
    }
    while (pop(rng))
        ;
    bz_store_release(&game.over, 1);
}

static void check_round(void) {
    stress_check(bz_deque_bottom(&game.deque) == game.deque.top.v);
    stress_check(game.deque.split == bz_deque_bottom(&game.deque));
    for (unsigned i = 0; i < game.count; i++) {
        stress_check(bz_load_relaxed(&jobs[i].taken) == 1);
        bz_store_relaxed(&jobs[i].taken, 0);
    }
    bz_deque_destroy(&game.deque);
}

static void play(unsigned index, void *arg) {
    (void)arg;
    struct stress_rng rng = stress_rng(index);
    for (unsigned round = 0; round < game.rounds; round++) {
        if (index == 0) {
            bz_deque_init(&game.deque, game.capacity);
            bz_store_relaxed(&game.over, 0);
        }
        stress_meet(&game.meeting, stress.threads);
        if (index == 0)
            owner_round(&rng);
        else
            thief_round(&rng);
        stress_meet(&game.meeting, stress.threads);
        if (index == 0)
            check_round();
    }
}

static void run_mode(const char *what, enum mode mode, bool choosy, unsigned count, unsigned rounds) {
    stress_part(what);
    game.mode = mode;
    game.choosy = choosy;
    game.count = count;
    game.rounds = stress_scaled(rounds);
    game.capacity = 1 << stress.seed % 3; /* 1, 2 or 4: it has to grow */
    bz_store_relaxed(&game.stolen, 0);
    bz_store_relaxed(&game.exposed, 0);
    stress_run(stress.threads, play, NULL);
    printf("  %s: %u deques of %u jobs, %u stolen, %u times exposed from outside\n", what, game.rounds, count,
           bz_load_relaxed(&game.stolen), bz_load_relaxed(&game.exposed));
    stress_check(stress.threads == 1 || bz_load_relaxed(&game.stolen) > 0);
}

/* One to three jobs, wanted by all threads. */
static void fight(unsigned index, void *arg) {
    unsigned rounds = *(unsigned *)arg;
    struct stress_rng rng = stress_rng(index);
    for (unsigned round = 0; round < rounds; round++) {
        unsigned count = 1 + round % 3;
        struct bz_job *job;
        for (unsigned i = 0; index == 0 && i < count; i++)
            stress_check(bz_deque_push_public(&game.deque, &jobs[i].job));
        stress_meet(&game.meeting, stress.threads);
        for (unsigned i = stress_random(&rng, 100); i > 0; i--)
            bz_cpu_relax();
        if (index == 0)
            while (pop(&rng))
                ;
        for (unsigned i = 0; index > 0 && i < 2; i++)
            if (bz_deque_steal(&game.deque, NULL, NULL, &job) == BZ_STEAL_TAKEN)
                take(job);
        stress_meet(&game.meeting, stress.threads);
        for (unsigned i = 0; index == 0 && i < count; i++)
            stress_check(bz_exchange_relaxed(&jobs[i].taken, 0) == 1);
    }
}

/* The owner exposes and pops, and one thief steals. If no job is public when both stop, a steal is requested. Otherwise
 * the owner would keep its next jobs private while the thief sleeps. */
static void starve(unsigned index, void *arg) {
    unsigned rounds = *(unsigned *)arg;
    struct stress_rng rng = stress_rng(index);
    for (unsigned round = 0; round < rounds; round++) {
        struct bz_job *job;
        stress_meet(&game.meeting, 2);
        if (index == 0) {
            unsigned count = 1 + stress_random(&rng, 3);
            for (unsigned i = 0; i < count; i++)
                stress_check(bz_deque_push(&game.deque, &jobs[i].job));
            bz_deque_expose(&game.deque);
            for (unsigned i = stress_random(&rng, 3); i > 0; i--)
                (void)bz_deque_pop(&game.deque);
        } else {
            for (unsigned i = 1 + stress_random(&rng, 40); i > 0; i--)
                (void)bz_deque_steal(&game.deque, NULL, NULL, &job);
        }
        stress_meet(&game.meeting, 2);
        if (index == 0)
            stress_check(bz_deque_has_public(&game.deque) || bz_deque_is_requested(&game.deque));
    }
}

/* The owner pushes and then never polls for requests: thieves still take all jobs. */
static void silence(unsigned index, void *arg) {
    unsigned rounds = *(unsigned *)arg;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned count = 1 + round % 20;
        struct bz_job *job;
        for (unsigned i = 0; index == 0 && i < count; i++)
            stress_check(bz_deque_push(&game.deque, &jobs[i].job));
        if (index == 0) {
            bz_deque_clear_request(&game.deque, game.deque.split);
            bz_store_relaxed(&game.stolen, 0);
        }
        stress_meet(&game.meeting, stress.threads);
        while (bz_load_relaxed(&game.stolen) < count) {
            if (index > 0 && bz_deque_steal(&game.deque, NULL, NULL, &job) == BZ_STEAL_TAKEN) {
                take(job);
                bz_fetch_add_relaxed(&game.stolen, 1);
            } else if (index == 0 || !bz_deque_expose_for(&game.deque)) {
                sched_yield();
            }
        }
        stress_meet(&game.meeting, stress.threads);
        stress_check(index > 0 || !bz_deque_pop(&game.deque));
        for (unsigned i = 0; index == 0 && i < count; i++)
            stress_check(bz_exchange_relaxed(&jobs[i].taken, 0) == 1);
    }
}

static void run_fixed(const char *what, stress_body *body, unsigned threads, unsigned rounds) {
    unsigned before = stress.threads;
    stress.threads = threads;
    stress_part(what);
    rounds = stress_scaled(rounds);
    bz_deque_init(&game.deque, 2);
    stress_run(threads, body, &rounds);
    bz_deque_destroy(&game.deque);
    stress.threads = before;
    printf("  %s: %u times\n", what, rounds);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    bz_fence_init();
    mallopt(M_PERTURB, 0xa5); /* memory that was never written holds no job */
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        run_mode("eager", EAGER, false, MAX_JOBS, 60);
        run_mode("lazy", LAZY, false, MAX_JOBS, 60);
        run_mode("mixed", MIXED, false, MAX_JOBS, 60);
        run_mode("slow", SLOW, false, MAX_JOBS, 60);
        run_mode("slow, growth", SLOW, false, 150, 1000);
        run_mode("eager, choosy thieves", EAGER, true, MAX_JOBS, 60);
        run_mode("growth, choosy thieves", MIXED, true, 150, 1000);
        run_fixed("the last jobs", fight, stress.threads, 10000);
        run_fixed("the last jobs, two thieves", fight, 3, 30000);
        run_fixed("steal requests", starve, 2, 100000);
        if (stress.threads > 1 &&
            !bz_load_relaxed(&bz_fence_symmetric)) /* else no thread can expose jobs of another */
            run_fixed("silence", silence, stress.threads, 2000);
    }
    return 0;
}
