/* merge.c: see merge.h. Waiting is as in ordered.c: the sleeper counts itself (OR3), reads the eventcount and the turn
 * (MG4); whoever passes the turn on writes it (MG2) and looks whether somebody sleeps (MG3). All four are sequentially
 * consistent. In a cancelled region nobody waits: members may have left it without a merge.
 *
 * Pairing table
 *   MG1 is_turn, MG4 look_again       MG2 pass   the merges of all members before
 *   OR3 count_sleeper (turn.c)        MG3 pass   the sleeper is counted, unless it sees the turn */
#include "omp/loop/merge.h"

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/loop/turn.h"
#include "omp/sync/lock.h"

static uint32_t turn_of(const struct bomp_member *self) {
    return self->merges * self->team->size + self->num;
}

static bool is_turn(const struct bomp_member *self) {
    return bz_load_acquire(&self->team->merge.turn) == turn_of(self); /* MG1: pairs with MG2 */
}

static bool is_over(const struct bomp_turn *turn) {
    const struct bomp_member *self = turn->self;
    return is_turn(self) || (self->team->cancel.on && bomp_cancel_seen(self));
}

static bool look_again(const struct bomp_turn *turn) {
    const struct bomp_member *self = turn->self;
    return bz_load_seq_cst(&self->team->merge.turn) == turn_of(self); /* MG4: pairs with MG2 */
}

BZ_COLD static void wait_for_turn(struct bomp_member *self) {
    struct bomp_turn turn = {.self = self,
                             .is_over = is_over,
                             .announce = look_again,
                             .eventcount = &self->team->merge.eventcount,
                             .sleepers = &self->team->merge.sleepers,
                             .owner = BOMP_ANYBODY};
    bomp_turn_wait(&turn);
}

static void pass(struct bomp_member *self) {
    struct bomp_merge_team *merge = &self->team->merge;
    bz_exchange_seq_cst(&merge->turn, turn_of(self) + 1); /* MG2: pairs with MG1 and MG4 */
    if (bz_load_seq_cst(&merge->sleepers) != 0)           /* MG3: pairs with OR3 */
        bomp_turn_notify(&merge->eventcount);
}

static bool is_ordered(void) {
    return bomp_region_extras && bomp_global()->deterministic;
}

/* NULL: it need not wait for others. */
static struct bomp_member *in_order(void) {
    struct bomp_member *self = is_ordered() ? bomp_self() : NULL;
    return self && self->team->size > 1 ? self : NULL;
}

void bomp_merge_start(void) {
    struct bomp_member *self = in_order();
    if (self && !is_turn(self))
        wait_for_turn(self);
}

/* It may have come out of turn in a cancelled region. */
void bomp_merge_end(void) {
    struct bomp_member *self = in_order();
    if (!self)
        return;
    if (is_turn(self))
        pass(self);
    self->merges++;
}

/* In a region within another one it is locked: that may be the region of a combiner that the program's atomic code has put
 * under a lock of its own, and in the region that code would wait for it. */
bool bomp_merge_alone_start(bool atomic) {
    struct bomp_member *self = bomp_self();
    struct bomp_team *team = self->team;
    if (team->size == 1)
        return true;
    if (atomic && team->active_level == 1 && !is_ordered())
        return false;
    bomp_merge_start();
    bomp_owned_lock(&team->merge.lock);
    return true;
}

void bomp_merge_alone_end(void) {
    struct bomp_team *team = bomp_self()->team;
    if (!bomp_owned_is_mine(&team->merge.lock))
        return;
    bomp_owned_unlock(&team->merge.lock);
    bomp_merge_end();
}

void bomp_merge_member_start(struct bomp_member *member) {
    member->merges = 0;
}

void bomp_merge_close(struct bomp_team *team) {
    bz_store_relaxed(&team->merge.turn, 0); /* relaxed: the members are through */
}

void bomp_merge_notify(struct bomp_team *team) {
    if (bz_load_relaxed(&team->merge.sleepers) != 0) /* relaxed: CN3 orders it */
        bomp_turn_notify(&team->merge.eventcount);
}
