/* Single constructs. Each member counts those that it has met; the team counts those that somebody has claimed, and the
 * first member to come to one claims it. There is nothing to set up or to clean, so they may run ahead without limit.
 *
 * The result of a copyprivate one goes through the team: written before a barrier that is inside the construct, read
 * after it, and not written again before the barrier that must follow. When the region is cancelled before that barrier
 * has all members, there may be no result, or only for as long as its thread stays: a member that waits for it then runs
 * the construct itself. */
#include "bomp.h"
#include "team.h"

static bool claim(struct bomp_member *self) {
    uint32_t met = self->singles++, now;
    if (self->team->size == 1)
        return true;
    /* Relaxed: the construct itself orders nothing; a barrier behind it does. */
    struct bz_a32 *claimed = bomp_team_singles(self->team);
    now = bz_load_relaxed(claimed);
    if (now == met && bz_cas_relaxed(claimed, &now, met + 1))
        return true;
    if (now ==
        met +
            1) /* whoever came first is near: let it get away, or the line goes to and fro for each construct */
        bz_cpu_relax();
    return false;
}

bool bomp_single_start(void) {
    return claim(bomp_self());
}

void *bomp_single_copy_start(void) {
    struct bomp_member *self = bomp_self();
    if (claim(self))
        return NULL;
    return bomp_workshare_barrier(self) ? self->team->copyprivate : NULL;
}

void bomp_single_copy_end(void *result) {
    struct bomp_member *self = bomp_self();
    if (!self->team->cancel.on || !bomp_cancel_seen(self))
        self->team->copyprivate = result; /* its only writer: nobody else runs this construct yet */
    (void)bomp_workshare_barrier(self);
}
