/* How a member of a team waits for its turn: that an earlier iteration of a loop is past (ordered.c, doacross.c), or that
 * the member before it has merged (merge.c). It spins, lets the other coroutines of its worker go on meanwhile, and sleeps
 * on an eventcount in the end.
 * It runs no tasks: one of them might wait for what the member holds. */
#ifndef BOMP_TURN_H
#define BOMP_TURN_H

#include "omp/state/team.h"
#include "omp/task/task.h"

struct bomp_turn {
    struct bomp_member *self;
    bool (*is_over)(const struct bomp_turn *turn); /* it has come, or will never come */
    /* Before a sleep, with the sleeper counted and the eventcount read: so that the waker sees the sleeper, or the sleeper
     * what the waker did. True: the turn has come. */
    bool (*announce)(const struct bomp_turn *turn);
    struct bz_a32 *eventcount;
    struct bz_a32 *sleepers; /* who sleeps there and on what is notified with it */
    unsigned owner;          /* the member that it waits for: of doacross.c */
    uint64_t key;            /* is_over's */
    const char *what;        /* for debuggers */
};

/* After it has spun in vain. */
void bomp_turn_sleep(struct bomp_turn *turn);

/* After a first look. Inlined, with the functions of the turn: they are constants, and a turn is passed on in 50 ns. Where
 * threads outnumber the CPUs it is spun for no less than elsewhere: turns follow each other closely, and if all sleep once
 * each of them is woken from then on, too late for its successor, which sleeps again (bench/decisions.md#loops). */
BZ_INLINE void bomp_turn_wait(struct bomp_turn *turn) {
    bool (*const is_over)(const struct bomp_turn *) = turn->is_over; /* before any call could change it */
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

/* After the change that ends a wait, and a look that somebody may sleep there. */
void bomp_turn_notify(struct bz_a32 *eventcount);

#endif
