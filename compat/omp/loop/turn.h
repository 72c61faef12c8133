/* A turn: what a member of an ordered or doacross loop or a reduction waits for. A waiter spins, runs other coroutines of
 * its worker, and finally sleeps on an eventcount. It runs no tasks: one might wait for what the member holds. */
#ifndef BOMP_TURN_H
#define BOMP_TURN_H

#include "omp/task/task.h"
#include "omp/team/team_data.h"

struct bomp_turn {
    struct bomp_member *self;
    /* The turn has come, or will never come. Without `announce`, its loads are sequentially consistent. */
    bool (*is_over)(const struct bomp_turn *turn);
    /* Called by a counted sleeper before is_over, so that one of waker and sleeper sees the other. NULL: the order of those
     * loads suffices. */
    void (*announce)(const struct bomp_turn *turn);
    struct bz_a32 *eventcount;
    struct bz_a32 *sleepers; /* the count that wakers of this eventcount read */
    unsigned owner;          /* doacross.c: the member that it waits for */
    uint64_t key;            /* for is_over */
    const char *what;        /* for debuggers */
};

/* Sleeps until the turn is over. */
void bomp_turn_sleep(struct bomp_turn *turn);

/* Waits for a turn that is probably not over yet. Inlined with the turn's constant functions: a turn passes in 50 ns. It
 * spins as long on a crowded machine: once all members sleep, each wakes too late for the next turn
 * (bench/decisions.md#loops). */
BZ_INLINE void bomp_turn_wait(struct bomp_turn *turn) {
    bool (*const is_over)(const struct bomp_turn *) = turn->is_over; /* before a call could change it */
    for (unsigned i = 0; i < BZ_TURN_PAUSES && !bz_crowded(); i++)
        bz_cpu_relax();
    if (is_over(turn))
        return;
    struct bz_spin spin = bz_spin_for_turn(turn->self->worker);
    bz_note_wait(turn->what, NULL);
    while (!is_over(turn)) {
        if (bomp_task_let_others())
            continue;
        if (!bz_spin_on(&spin)) {
            bomp_turn_sleep(turn);
            break;
        }
        bz_cpu_relax();
    }
    bz_note_wait(NULL, NULL);
}

/* After the change that ends a wait, if a member may sleep. */
void bomp_turn_notify(struct bz_a32 *eventcount);

#endif
