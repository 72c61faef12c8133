/* judge.c: see judge.h. A check takes a few system calls for each thread.
 *
 * A program hangs if threads wait in OpenMP, no event has come, and no other thread has used CPU time; waiting and idle
 * threads may spin. A thread outside of OpenMP that uses no CPU time is in a system call. If that call has a time limit, it
 * is no hang; if not, it is one only if threads in OpenMP wait for each other in a ring. */
#include "tools/watchdog/judge.h"

#include <string.h>

#include "tools/common/threads.h"
#include "tools/watchdog/scene.h"

/* Threads that OpenMP does not know are still if all together used less CPU time in a period: a part of it, and the time of
 * a timer somewhere in the process. */
#define STILL_PART 500
#define STILL_NS 500000

/* The names of this library's own threads begin with this. */
#define OWN_NAME "blitz"

struct check {
    struct bomp_hang_judge *judge;
    uint64_t outside;       /* sum over threads outside: system call and CPU time */
    uint64_t others_ns;     /* CPU time of threads that OpenMP does not know */
    uint32_t waiting;       /* threads that wait */
    uint32_t blocked;       /* threads that are blocked outside */
    bool is_alive;          /* a thread runs, or will by itself */
    bool others_may_end_it; /* events that any thread may fulfil are outstanding */
};

/* CPU time counts, because a thread may have gone on and be in the same call again. */
static void check_outside(struct check *check, uint32_t thread, struct bomp_activity seen) {
    check->outside += seen.print + bomp_cpu_ns(thread);
    check->is_alive |= seen.doing != BOMP_BLOCKED;
    check->blocked++;
}

/* A waiting thread, or an idle one, that wants to run and gets no CPU may have been woken. */
static void check_waiting(struct check *check, struct bomp_hang_thread *thread) {
    uint32_t id = bz_load_relaxed(&thread->system_id);
    uint64_t cpu_ns = bomp_cpu_ns(id);
    check->is_alive |= cpu_ns == thread->seen_cpu_ns && bomp_activity_of(id).doing == BOMP_RUNS;
    thread->seen_cpu_ns = cpu_ns;
}

static void check_thread(struct check *check, struct bomp_hang_thread *thread) {
    switch (bomp_hang_standing(thread)) {
    case BOMP_HANG_WAITS:
        check->waiting++;
        check_waiting(check, thread);
        break;
    case BOMP_HANG_IDLE:
        if (bz_load_relaxed(&thread->is_alive))
            check_waiting(check, thread);
        break;
    case BOMP_HANG_OUTSIDE:
        check_outside(check, bz_load_relaxed(&thread->system_id),
                      bomp_activity_of(bz_load_relaxed(&thread->system_id)));
        break;
    }
}

static bool is_known(uint32_t id) {
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread; thread = thread->next)
        if (bz_load_relaxed(&thread->is_alive) && bz_load_relaxed(&thread->system_id) == id)
            return true;
    return false;
}

/* An idle thread of the library. A thread that a task has started has its creator's name, so the call counts as well. */
static bool is_own(uint32_t id, const struct bomp_activity *seen) {
    char name[sizeof OWN_NAME]; /* it is cut to this length */
    bomp_thread_name(id, name, sizeof name);
    return strcmp(name, OWN_NAME) == 0 && (seen->call[0] == '\0' || strcmp(seen->call, "futex") == 0);
}

/* A thread that OpenMP does not know may end another one's wait outside, or fulfil an event. */
static bool check_other(uint32_t id, void *arg) {
    struct check *check = arg;
    if (id == check->judge->monitor || is_known(id))
        return true;
    check->others_ns += bomp_cpu_ns(id);
    if (!check->others_may_end_it)
        return true;
    struct bomp_activity seen = bomp_activity_of(id);
    if (!is_own(id, &seen))
        check_outside(check, id, seen);
    return true;
}

static void check_others(struct check *check) {
    if (!bomp_each_thread(check_other, check) && check->others_may_end_it)
        check->is_alive = true; /* an unknown thread may end it */
}

static bool note_detached(void *record, void *arg) {
    const struct bomp_hang_item *item = record;
    struct check *check = arg;
    check->others_may_end_it |= bz_load_relaxed(&item->state) == BOMP_HANG_DETACHED;
    return !check->others_may_end_it;
}

static bool is_in_ring(void) {
    struct bomp_hang_scene scene;
    struct bomp_hang_cycle *cycle = bz_os_alloc(sizeof *cycle);
    bool found = false;
    if (bomp_hang_scene_take(&scene) && cycle) {
        bomp_hang_find_cycle(&scene, cycle);
        found = cycle->count > 0;
    }
    bomp_hang_scene_free(&scene);
    bz_os_free(cycle, sizeof *cycle);
    return found;
}

static bool differs(struct bomp_hang_judge *judge, const struct check *check, uint64_t moves,
                    uint64_t period_ns) {
    int64_t used_ns = (int64_t)(check->others_ns - judge->others_ns); /* less than 0: one has ended */
    int64_t still_ns = (int64_t)(period_ns / STILL_PART + STILL_NS);
    bool moved = moves != judge->moves || check->waiting != judge->waiting ||
                 check->outside != judge->outside || used_ns > still_ns || used_ns < -still_ns;
    judge->moves = moves;
    judge->waiting = check->waiting;
    judge->outside = check->outside;
    judge->others_ns = check->others_ns;
    return moved;
}

enum bomp_hang_verdict bomp_hang_check(struct bomp_hang_judge *judge, uint64_t period_ns) {
    struct check check = {.judge = judge};
    uint64_t moves = bomp_hang_moves();
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread; thread = thread->next)
        check_thread(&check, thread);
    if (check.waiting > 0)
        bomp_hang_each_item(note_detached, &check);
    if (check.waiting > 0 && (check.others_may_end_it || moves == judge->moves))
        check_others(&check);
    else
        check.others_ns = judge->others_ns; /* unchanged: not a hang */
    bool moved = differs(judge, &check, moves, period_ns);
    if (check.waiting == 0 || moved || check.is_alive)
        return BOMP_HANG_GOES_ON;
    return check.blocked == 0 || is_in_ring() ? BOMP_HANG_HANGS : BOMP_HANG_BLOCKED;
}
