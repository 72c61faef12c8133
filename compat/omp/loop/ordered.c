/* Waiting for the turn in an ordered loop: the number of the first iteration that is not past. Only the member whose chunk
 * starts there changes it. Members sleep on one of several eventcounts, chosen by their iteration, so that a turn wakes few.
 *
 *   sleeper   count itself (OR3); read its eventcount; read the turn (OR1); sleep if neither has changed
 *   passer    write the turn (OR2); read the count (OR5); advance the eventcount and wake
 *
 * OR1, OR2, OR3 and OR5 are sequentially consistent: the passer finds the sleeper counted and advances the eventcount
 * (turn.c), or the sleeper sees the new turn. So does a member that cancels the region or the loop (cancel.c). Model:
 * tests/model/ordered.pml.
 *
 * Pairing table
 *   OR1 is_turn, skip_gone      OR2 pass, skip_gone   what earlier iterations did in their ordered regions
 *   OR3 count_sleeper (turn.c)  OR5 notify            the sleeper is counted, unless it sees the turn
 */
#include "omp/loop/ordered.h"
#include "omp/task/cancelled.h"

#include "omp/bomp.h"
#include "omp/loop/cancel.h"
#include "omp/loop/turn.h"
#include "omp/tool/hooks.h"

static bool is_turn(struct bomp_member *self) {
    return bz_load_seq_cst(&self->ws->at->turn) == self->ws->first; /* OR1: pairs with OR2 */
}

static struct bz_a32 *eventcount_of(struct bomp_workshare *ws, uint64_t iteration) {
    return &ws->eventcounts[iteration * UINT64_C(0x9e3779b97f4a7c15) >> 60];
}
_Static_assert(BOMP_EVENTCOUNTS == 1 << (64 - 60), "the hash chooses among all eventcounts");

static void notify(struct bomp_workshare *ws, uint64_t turn) {
    if (bz_load_seq_cst(&ws->sleepers) == 0) /* OR5: pairs with OR3 */
        return;
    bomp_turn_notify(eventcount_of(ws, turn));
}

/* The end of a static chunk that begins at `first`. */
static uint64_t end_of_chunk(const struct bomp_member *self, uint64_t first, unsigned owner) {
    const struct bomp_loop *loop = &self->ws->loop;
    if (loop->chunk == 0)
        return bomp_schedule_share(loop->count, owner, self->team->size).last;
    return bomp_schedule_chunk(loop->count, loop->chunk, first / loop->chunk).last;
}

/* In a cancelled region, moves the turn past the static chunks of members that have gone. Of the waiters and passers, all of
 * which do so, one sees that the owner has gone. */
static void skip_gone(struct bomp_member *self) {
    const struct bomp_loop *loop = &self->ws->loop;
    struct bz_a64 *turn = &self->ws->at->turn;
    uint64_t now = bz_load_seq_cst(turn); /* OR1: pairs with OR2 */
    if ((loop->schedule & BOMP_LOOP_KIND) != BOMP_LOOP_STATIC)
        return;
    while (now < loop->count) {
        unsigned owner = bomp_schedule_owner(loop, now, self->team->size);
        if (!bomp_cancel_gone_num(self->team, owner))
            return;
        uint64_t last = end_of_chunk(self, now, owner);
        if (bz_cas_seq_cst(turn, &now, last)) { /* OR2: pairs with OR1 */
            now = last;
            notify(self->ws->at, last);
        }
    }
}

/* The turn has come, or will never come. */
static bool is_over(const struct bomp_turn *turn) {
    struct bomp_member *self = turn->self;
    if (is_turn(self))
        return true;
    if (bz_likely(!self->team->cancel.on))
        return false;
    if (bomp_cancel_seen(self))
        skip_gone(self);
    return is_turn(self) || bomp_cancel_construct_abandoned(self);
}

/* ---- waiting ---- */

/* The batch's time excludes the wait. */
BZ_COLD static void wait_for_turn(struct bomp_member *self) {
    struct bomp_chunk_batch *batch = &self->ws->batch;
    struct bomp_turn turn = {.self = self,
                             .is_over = is_over,
                             .eventcount = eventcount_of(self->ws->at, self->ws->first),
                             .sleepers = &self->ws->at->sleepers,
                             .what = "its turn in an ordered construct"};
    uint64_t began = batch->began_ns != 0 ? bz_os_now_ns() : 0;
    bomp_turn_wait(&turn);
    if (began != 0)
        batch->began_ns += bz_os_now_ns() - began;
}

/* Ends the member's turn. */
static void pass(struct bomp_member *self) {
    struct bomp_workshare *ws = self->ws->at;
    self->ws->pending = 0;
    bz_exchange_seq_cst(&ws->turn, self->ws->last); /* OR2: pairs with OR1 */
    notify(ws, self->ws->last);
    if (bz_unlikely(self->team->cancel.on) && bomp_cancel_seen(self))
        skip_gone(self);
}

void bomp_ordered_pass_slow(struct bomp_member *self) {
    if (!is_turn(self))
        wait_for_turn(self);
    pass(self);
}

static void start(struct bomp_member *self) {
    if (self->ws->pending == 0)
        return;
    if (!is_turn(self))
        wait_for_turn(self);
    bz_tsan_after(&self->ws->at->turn);
}

static void end(struct bomp_member *self) {
    if (self->ws->pending == 0)
        return;
    bz_tsan_before(&self->ws->at->turn);
    if (self->ws->pending > 1)
        self->ws->pending--;
    else
        pass(self);
}

/* The name of the turn for tools. */
static const void *name_of(const struct bomp_member *self) {
    return self->ws->unshared || !self->ws->at ? (const void *)self->ws : &self->ws->at->turn;
}

BZ_LINE_START
void bomp_ordered_start(void) {
    struct bomp_member *self = bomp_self();
    if (bz_likely(!bomp_hooks)) {
        start(self);
        return;
    }
    const void *site = BOMP_SITE;
    bomp_hooks->mutex->acquire(ompt_mutex_ordered, 0, false, name_of(self), site);
    start(self);
    bomp_hooks->mutex->acquired(ompt_mutex_ordered, 1, name_of(self), site);
}

BZ_LINE_START
void bomp_ordered_end(void) {
    struct bomp_member *self = bomp_self();
    if (bz_likely(!bomp_hooks)) {
        end(self);
        return;
    }
    end(self);
    bomp_hooks->mutex->released(ompt_mutex_ordered, 0, name_of(self), BOMP_SITE);
}
