/* stress_cancel.c: regions that are cancelled at random points, between uncancelled regions with the same constructs.
 * Members loop, divide sections, meet, create tasks and groups. One or several members cancel the region, a loop or a
 * group; the others notice at cancellation points. Nothing runs twice, whatever has begun ends, and the next region is
 * complete. */
#include <string.h>

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/team/caller.h"
#include "runtime.h"
#include "stress.h"

#define ROW 12
#define ITERATIONS 64
#define MEMBERS 64

enum what { LOOP, ORDERED, SECTIONS, SINGLE, BARRIER, TASKS, GROUP, KINDS };

static struct step {
    enum what what;
    struct bomp_loop loop;
    unsigned count;
    bool nowait;
    bool cancelled;  /* an iteration or a task cancelled the loop, sections or group */
    unsigned cancel; /* the iteration or task that cancels */
    struct bz_a32 hits[ITERATIONS];
    struct bz_a32 begun, ended, created;
} row[ROW];

/* The member that cancels the region, and the step and iteration where it does; quit_at ROW: none. */
static unsigned quitter, quit_at, quit_iteration;
static unsigned members;
static struct bz_a32 reached[MEMBERS];

static void plan(struct stress_rng *rng, struct step *step) {
    static const uint32_t schedules[] = {BOMP_LOOP_STATIC, BOMP_LOOP_DYNAMIC,
                                         BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC, BOMP_LOOP_GUIDED,
                                         BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC};
    memset(step, 0, sizeof *step);
    step->what = (enum what)stress_random(rng, KINDS);
    step->count = 1 + stress_random(rng, ITERATIONS);
    step->nowait = stress_random(rng, 2);
    step->cancelled = !step->nowait && step->what != ORDERED && stress_random(rng, 3) == 0;
    step->cancel = stress_random(rng, step->count);
    bomp_loop_signed(&step->loop, 0, step->count, 1);
    step->loop.chunk = stress_random(rng, 4);
    step->loop.schedule = schedules[stress_random(rng, sizeof schedules / sizeof *schedules)] |
                          (step->what == ORDERED ? BOMP_LOOP_ORDERED : 0);
}

/* True: the member must go to the end of the region. */
static bool quits(struct step *step, unsigned index, unsigned i) {
    if (step == &row[quit_at % ROW] && quit_at < ROW && index == quitter && i == quit_iteration)
        return bomp_cancel(BOMP_CANCEL_PARALLEL);
    return bomp_cancellation_point(BOMP_CANCEL_PARALLEL);
}

/* Unless the region is cancelled, all members have been here. */
static bool met(struct step *step) {
    if (bomp_cancelled())
        return false;
    for (uint32_t i = 0; i < members; i++)
        stress_check(bz_load_relaxed(&reached[i]) >= (uint32_t)(step - row));
    return true;
}

static void hit(struct step *step, uint64_t i) {
    stress_check(i < step->count);
    stress_check(bz_fetch_add_relaxed(&step->hits[i], 1) == 0);
}

static bool run_loop(struct step *step, unsigned index) {
    struct bomp_span span;
    bool quit = false, cancelled = false;
    for (bool more = bomp_loop_start(&step->loop, &span); more && !quit && !cancelled;
         more = !quit && !cancelled && bomp_loop_next(&span.first, &span.end))
        for (uint64_t i = span.first; i < span.end && !quit && !cancelled; i++) {
            hit(step, i);
            if (step->what == ORDERED && i % 3 != 1) {
                bomp_ordered_start();
                bomp_ordered_end();
            }
            quit = quits(step, index, (unsigned)i);
            if (step->cancelled && i == step->cancel)
                cancelled = bomp_cancel(BOMP_CANCEL_LOOP);
            else if (step->cancelled)
                cancelled = bomp_cancellation_point(BOMP_CANCEL_LOOP);
        }
    if (quit)
        return false; /* to the end of the region; the loop stays open */
    if (step->nowait) {
        bomp_loop_end_nowait();
        return true;
    }
    bomp_loop_end();
    return met(step);
}

static bool run_sections(struct step *step, unsigned index) {
    for (unsigned s = bomp_sections_start(step->count); s; s = bomp_sections_next()) {
        hit(step, s - 1);
        if (quits(step, index, s - 1))
            return false;
        if (step->cancelled && s - 1 == step->cancel && bomp_cancel(BOMP_CANCEL_SECTIONS))
            break;
    }
    if (step->nowait) {
        bomp_sections_end_nowait();
        return true;
    }
    bomp_sections_end();
    return met(step);
}

static void a_task(void *arg) {
    struct step *step = *(struct step **)arg;
    bz_fetch_add_relaxed(&step->begun, 1);
    bz_fetch_add_relaxed(&step->ended, 1);
}

static void a_parent(void *arg) {
    struct step *step = *(struct step **)arg;
    uint32_t number = bz_fetch_add_relaxed(&step->begun, 1);
    for (unsigned i = 0; i < 3; i++) {
        bz_fetch_add_relaxed(&step->created, 1);
        bomp_task_plain(a_task, &step, NULL, sizeof step, 8, false);
        if (step->what == GROUP && step->cancelled && number == step->cancel &&
            bomp_cancel(BOMP_CANCEL_TASKGROUP))
            break;
    }
    if (number % 4 == 0)
        bomp_taskwait();
    bz_fetch_add_relaxed(&step->ended, 1);
}

static bool run_tasks(struct step *step, unsigned index) {
    if (step->what == GROUP)
        bomp_taskgroup_start();
    for (unsigned i = 0; i < step->count; i++) {
        bz_fetch_add_relaxed(&step->created, 1);
        bomp_task_plain(i % 3 ? a_task : a_parent, &step, NULL, sizeof step, 8, false);
        if (step->what == TASKS && quits(step, index, i))
            return false;
    }
    if (step->what == GROUP)
        bomp_taskgroup_end();
    else if (step->nowait)
        return true;
    bomp_barrier();
    return met(step);
}

static bool run_step(struct step *step, unsigned index) {
    switch (step->what) {
    case LOOP:
    case ORDERED:
        return run_loop(step, index);
    case SECTIONS:
        return run_sections(step, index);
    case TASKS:
    case GROUP:
        return run_tasks(step, index);
    case SINGLE:
        if (bomp_single_start())
            hit(step, 0);
        if (step->nowait)
            return true;
        break;
    default:
        if (quits(step, index, quit_iteration))
            return false;
    }
    bomp_barrier();
    return met(step);
}

static void member_main(void *arg) {
    unsigned index = (unsigned)bomp_thread_num();
    (void)arg;
    for (struct step *step = row; step < row + ROW; step++) {
        bz_store_relaxed(&reached[index], (uint32_t)(step - row));
        if (!run_step(step, index))
            return;
    }
}

static void check(struct step *step, bool cancelled) {
    unsigned hits = 0;
    for (unsigned i = 0; i < ITERATIONS; i++)
        hits += bz_load_relaxed(&step->hits[i]);
    stress_check(bz_load_relaxed(&step->begun) == bz_load_relaxed(&step->ended));
    if (cancelled || step->cancelled)
        return;
    stress_check(bz_load_relaxed(&step->begun) == bz_load_relaxed(&step->created));
    if (step->what == LOOP || step->what == ORDERED || step->what == SECTIONS)
        stress_check(hits == step->count);
    if (step->what == SINGLE)
        stress_check(hits == 1);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    bomp_global()->cancellation = true;
    unsigned regions = stress_scaled(2000);
    for (unsigned round = 0; round < stress.iter; round++, stress.seed++) {
        struct stress_rng rng = stress_rng(0);
        stress_part("rows of constructs, some cancelled");
        for (unsigned region = 0; region < regions; region++) {
            unsigned size = region % 20 < 15 ? stress.threads : 1 + stress_random(&rng, stress.threads);
            for (unsigned i = 0; i < ROW; i++)
                plan(&rng, &row[i]);
            quitter = stress_random(&rng, size);
            quit_at = stress_random(&rng, 2 * ROW);
            quit_iteration = stress_random(&rng, 4);
            memset(reached, 0, sizeof reached);
            members = size;
            bomp_parallel(member_main, NULL, size);
            for (unsigned i = 0; i < ROW; i++)
                check(&row[i], quit_at < ROW);
        }
    }
    puts("ok");
    return 0;
}
