/* judge.c: see judge.h. A check takes a few system calls for each thread.
 *
 * A program hangs if threads wait in OpenMP, and nothing of the rest can end that: no event has come, and the threads that
 * do not wait have used no CPU time. Waiting threads may use some, where they spin, and so may idle ones. A thread that is
 * outside of OpenMP and uses none is in a system call: one that ends by itself after some time is no hang; one without an
 * end is one only if threads in OpenMP wait for each other in a ring. */
#include "tools/watchdog/judge.h"

#include <string.h>

#include "tools/watchdog/scene.h"

/* CPU time per look of all threads that OpenMP knows nothing of, below which they are still: a part of the period, and
 * what a timer somewhere in the process may take. */
#define STILL_PART 500
#define STILL_NS 500000

/* The names of this library's own threads begin with this. */
#define OWN_NAME "blitz"

struct look {
    struct bomp_hang_judge *judge;
    uint64_t outside;       /* sum of what threads outside are at, and of their CPU time */
    uint64_t others_ns;     /* CPU time of threads that OpenMP knows nothing of */
    uint32_t waiting;       /* how many wait */
    uint32_t blocked;       /* how many are blocked outside */
    bool is_alive;          /* some thread runs, or will by itself */
    bool others_may_end_it; /* events that any thread may fulfil are outstanding */
};

/* One that has used CPU time has gone on, though it may be in the same call again. */
static void look_outside(struct look *look, uint32_t thread) {
    struct bz_os_activity seen = bz_os_activity_of(thread);
    look->outside += seen.print + bz_os_cpu_ns(thread);
    look->is_alive |= seen.doing != BZ_OS_BLOCKED;
    look->blocked++;
}

/* A waiting thread, or an idle one, that wants to run and gets no CPU may have been woken. */
static void look_waiting(struct look *look, struct bomp_hang_thread *thread) {
    uint32_t id = bz_load_relaxed(&thread->system_id);
    uint64_t cpu_ns = bz_os_cpu_ns(id);
    look->is_alive |= cpu_ns == thread->seen_cpu_ns && bz_os_activity_of(id).doing == BZ_OS_RUNS;
    thread->seen_cpu_ns = cpu_ns;
}

static void look_at_thread(struct look *look, struct bomp_hang_thread *thread) {
    switch (bomp_hang_standing(thread)) {
    case BOMP_HANG_WAITS:
        look->waiting++;
        look_waiting(look, thread);
        break;
    case BOMP_HANG_IDLE:
        if (bz_load_relaxed(&thread->is_alive))
            look_waiting(look, thread);
        break;
    case BOMP_HANG_OUTSIDE:
        look_outside(look, bz_load_relaxed(&thread->system_id));
        break;
    }
}

static bool is_known(uint32_t id) {
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread; thread = thread->next)
        if (bz_load_relaxed(&thread->is_alive) && bz_load_relaxed(&thread->system_id) == id)
            return true;
    return false;
}

/* A thread that OpenMP knows nothing of may do what another one waits for outside. It may still fulfil an event. */
static bool look_at_other(uint32_t id, void *arg) {
    struct look *look = arg;
    char name[sizeof OWN_NAME];
    if (id == look->judge->monitor || is_known(id))
        return true;
    look->others_ns += bz_os_cpu_ns(id);
    if (!look->others_may_end_it)
        return true;
    bz_os_thread_name(id, name, sizeof name);
    if (strcmp(name, OWN_NAME) != 0) /* which is cut to this length */
        look_outside(look, id);
    return true;
}

static void look_at_others(struct look *look) {
    if (!bz_os_each_thread(look_at_other, look) && look->others_may_end_it)
        look->is_alive = true; /* who may end it is not known */
}

static bool note_detached(struct bomp_hang_item *item, void *arg) {
    struct look *look = arg;
    look->others_may_end_it |= bz_load_relaxed(&item->state) == BOMP_HANG_DETACHED;
    return !look->others_may_end_it;
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

static bool differs(struct bomp_hang_judge *judge, const struct look *look, uint64_t moves,
                    uint64_t period_ns) {
    int64_t used_ns = (int64_t)(look->others_ns - judge->others_ns); /* less than 0: one has ended */
    int64_t still_ns = (int64_t)(period_ns / STILL_PART + STILL_NS);
    bool moved = moves != judge->moves || look->waiting != judge->waiting ||
                 look->outside != judge->outside || used_ns > still_ns || used_ns < -still_ns;
    judge->moves = moves;
    judge->waiting = look->waiting;
    judge->outside = look->outside;
    judge->others_ns = look->others_ns;
    return moved;
}

enum bomp_hang_verdict bomp_hang_look(struct bomp_hang_judge *judge, uint64_t period_ns) {
    struct look look = {.judge = judge};
    uint64_t moves = bomp_hang_moves();
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread; thread = thread->next)
        look_at_thread(&look, thread);
    if (look.waiting > 0)
        bomp_hang_each_item(note_detached, &look);
    if (look.waiting > 0 && (look.others_may_end_it || moves == judge->moves))
        look_at_others(&look);
    else
        look.others_ns = judge->others_ns; /* it goes on anyhow */
    bool moved = differs(judge, &look, moves, period_ns);
    if (look.waiting == 0 || moved || look.is_alive)
        return BOMP_HANG_GOES_ON;
    return look.blocked == 0 || is_in_ring() ? BOMP_HANG_HANGS : BOMP_HANG_BLOCKED;
}
