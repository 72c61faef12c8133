/* Single constructs. Each member counts those that it has met; the team counts those that somebody has claimed, and the
 * first member to come to one claims it. There is nothing to set up or to clean, so they may run ahead, by up to
 * 2^32 constructs.
 *
 * The result of a copyprivate one goes through the team: written before a barrier that is inside the construct, read
 * after it, and not written again before the barrier that must follow. When the region is cancelled before that barrier
 * has all members, there may be no result, or only for as long as its thread stays: a member that waits for it then runs
 * the construct itself. */
#include "omp/bomp.h"
#include "omp/loop/workshare.h"
#include "omp/state/team.h"
#include "omp/tool/hooks.h"

/* Of a member that is behind others by more than one single construct, one for each. Empty constructs without a wait take
 * two threads 12 ns with pauses, 39 without (sync.single_nowait). It is 0.2 us late at most, 0.7 where a pause is long. */
enum { PAUSES_MOST = 16 };

/* Others are ahead. This member goes past what they have done faster than they do more; so that it does not fetch the line
 * from them for each construct, it leaves them a lead that grows with how fast they are. */
static void stay_behind(uint32_t constructs) {
    for (uint32_t n = constructs < PAUSES_MOST ? constructs : PAUSES_MOST; n > 0; n--)
        bz_cpu_relax();
}

static bool claim(struct bomp_member *self) {
    uint32_t met = self->ws->singles++, claimed = met;
    if (self->team->size == 1)
        return true;
    if ((int32_t)(self->ws->singles_seen - met) > 0)
        return false;
    /* Not read before: the line comes once instead of twice. Relaxed: the construct itself orders nothing; a barrier
     * behind it does. */
    if (bz_cas_relaxed(bomp_team_singles(self->team), &claimed, met + 1)) {
        self->ws->singles_seen =
            met + 1; /* else it would be ahead of `singles` again after 2^31 constructs */
        return true;
    }
    self->ws->singles_seen = claimed;
    if (claimed - met > 1)
        stay_behind(claimed - met);
    return false;
}

BZ_INLINE bool start(struct bomp_member *self, const void *site) {
    if (bz_likely(!bomp_hooks))
        return claim(self);
    bool claimed = claim(self);
    bomp_hooks->work->single_begin(self, claimed, site);
    return claimed;
}

BZ_INLINE void end(struct bomp_member *self, const void *site) {
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->work->block_end(self, site);
}

int bomp_single_start(void) {
    return start(bomp_self(), BOMP_SITE);
}

void bomp_single_end(void) {
    if (bz_unlikely(bomp_hooks))
        end(bomp_self(), BOMP_SITE);
}

void *bomp_single_copy_start(void) {
    struct bomp_member *self = bomp_self();
    if (start(self, BOMP_SITE))
        return NULL;
    return bomp_workshare_barrier(self, BOMP_SITE, BOMP_BARRIER_OTHER) ? self->team->ws->copyprivate : NULL;
}

static void pass_on(struct bomp_member *self, void *result) {
    if (!self->team->cancel.on || !bomp_cancel_seen(self))
        self->team->ws->copyprivate = result; /* its only writer: nobody else runs this construct yet */
}

void bomp_single_copy_end(void *result) {
    struct bomp_member *self = bomp_self();
    pass_on(self, result);
    end(self, BOMP_SITE);
    (void)bomp_workshare_barrier(self, BOMP_SITE, BOMP_BARRIER_OTHER);
}

void *bomp_single_share(void *result, const void *site) {
    struct bomp_member *self = bomp_self();
    if (result)
        pass_on(self, result);
    return bomp_workshare_barrier(self, site, BOMP_BARRIER_OTHER) ? self->team->ws->copyprivate : NULL;
}
