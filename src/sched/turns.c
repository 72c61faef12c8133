#include "sched/turns.h"

#include "base/config.h"
#include "os/os.h"
#include "sched/worker.h"
#include "team/thread_cache.h"

/* ---- the row ---- */

static void row_add(struct bz_worker *self, struct bz_turn *turn) {
    struct bz_turns *turns = self->turns;
    turn->next = NULL;
    turn->previous = turns->last;
    if (turns->last)
        turns->last->next = turn;
    else
        turns->first = turn;
    turns->last = turn;
    self->suspended++;
}

static struct bz_turn *row_take(struct bz_worker *self, struct bz_turn *turn) {
    struct bz_turns *turns = self->turns;
    if (turn->previous)
        turn->previous->next = turn->next;
    else
        turns->first = turn->next;
    if (turn->next)
        turn->next->previous = turn->previous;
    else
        turns->last = turn->previous;
    self->suspended--;
    return turn;
}

/* ---- stacks ---- */

static void turn_free(struct bz_turns *turns, struct bz_turn *turn) {
    bz_fiber_destroy(&turn->fiber);
    bz_os_free(turn, sizeof *turn);
    turns->made--;
}

/* Gives back what is more than a worker keeps: by somebody who runs on none of them. */
static void trim(struct bz_turns *turns) {
    while (turns->spare > BZ_TURNS_SPARE) {
        struct bz_turn *turn = turns->unused;
        turns->unused = turn->next;
        turns->spare--;
        turn_free(turns, turn);
    }
}

/* `from` is in its place, wherever that is; `to` is in none. Returns when `from` runs again. */
static void change(struct bz_worker *self, struct bz_turn *from, struct bz_turn *to) {
    self->turns->running = to;
    self->stack_limit = to->stack_limit;
    bz_fiber_switch(&from->fiber, &to->fiber);
}

/* A stack's life: one job after the other, each time it is taken into use. */
static void turn_main(void *arg) {
    struct bz_turn *turn = arg;
    struct bz_worker *self = turn->worker;
    struct bz_turns *turns = self->turns;
    for (;;) {
        bz_os_set_control(turn->control);
        bz_worker_run(self, turn->job);
        turn->next = turns->unused;
        turns->unused = turn;
        turns->spare++;
        change(self, turn, row_take(self, turns->last));
    }
}

static struct bz_turn *turn_new(struct bz_worker *self) {
    struct bz_turns *turns = self->turns;
    struct bz_turn *turn = turns->unused;
    if (turn) {
        turns->unused = turn->next;
        turns->spare--;
        return turn;
    }
    if (turns->made >= BZ_TURNS_MAX || !(turn = bz_os_alloc(sizeof *turn)))
        return NULL;
    turn->worker = self;
    if (bz_fiber_init(&turn->fiber, bz_thread_cache_stack(), turn_main, turn)) {
        bz_os_free(turn, sizeof *turn);
        return NULL;
    }
    turn->stack_limit = bz_fiber_stack_limit(&turn->fiber);
    turns->made++;
    return turn;
}

bool bz_turns_prepare(struct bz_worker *self, const struct bz_turns_layer *layer) {
    if (bz_likely(self->turns != NULL))
        return true;
    struct bz_turns *turns = bz_fiber_possible() ? bz_os_alloc(sizeof *turns) : NULL;
    if (!turns)
        return false;
    turns->layer = layer;
    turns->running = &turns->own;
    self->turns = turns;
    return true;
}

void bz_turns_destroy(struct bz_turns *turns) {
    if (!turns)
        return;
    while (turns->unused) {
        struct bz_turn *turn = turns->unused;
        turns->unused = turn->next;
        turn_free(turns, turn);
    }
    bz_os_free(turns, sizeof *turns);
}

/* ---- turns ---- */

/* Suspends the running one, for `to`. */
static void suspend(struct bz_worker *self, struct bz_turn *to, bool open) {
    struct bz_turns *turns = self->turns;
    struct bz_turn *from = turns->running;
    from->kept = turns->layer->leave(self);
    from->open = open;
    from->stack_limit = self->stack_limit;
    row_add(self, from);
    change(self, from, to);
    trim(turns);
    turns->layer->enter(self, from->kept);
}

bool bz_turns_new_is_due(const struct bz_worker *self) {
    return self->suspended == 0 || self->turns->since > self->suspended / BZ_TURNS_PER_NEW;
}

bool bz_turns_begin(struct bz_worker *self, struct bz_job *job, bool open) {
    struct bz_turn *turn = turn_new(self);
    if (!turn)
        return false;
    turn->job = job;
    turn->control = bz_os_control();
    self->turns->since = 0;
    suspend(self, turn, open);
    return true;
}

void bz_turns_offer_cpu(struct bz_worker *self) {
    struct bz_turns *turns = self->turns;
    if (++turns->round < (self->suspended + 1) * BZ_OFFER_ROUNDS)
        return;
    turns->round = 0;
    bz_os_yield();
}

bool bz_turns_pass(struct bz_worker *self, bool open) {
    self->turns->since++;
    if (self->suspended == 0)
        return false;
    bz_turns_offer_cpu(self);
    suspend(self, row_take(self, self->turns->first), open);
    return true;
}
