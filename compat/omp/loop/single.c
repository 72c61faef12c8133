/* Single constructs. Each member counts those that it has met, and the team counts those that are claimed: the first member
 * to reach one claims it. There is nothing to set up, so members may be up to 2^32 constructs apart.
 *
 * The result of a copyprivate one goes through the team: written before a barrier inside the construct, read after it, and
 * not written again before the barrier that must follow. If the region is cancelled before all members have reached that
 * barrier, the result may be missing, or gone with its thread: then a member that waits for it runs the construct itself. */
#include "omp/bomp.h"
#include "omp/loop/workshare.h"
#include "omp/task/cancelled.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* Of a member that is behind others by more than one single construct, one for each. Empty constructs without a wait take
 * two threads 12 ns with pauses, 39 without (sync.single_nowait). It is 0.2 us late at most, 0.7 where a pause is long. */
enum { PAUSES_MOST = 16 };

/* Pauses where others are ahead. The member passes claimed constructs faster than others claim more: a pause that grows with
 * their lead keeps it from fetching their line for each construct. */
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
    /* Not read first: so the line is fetched once instead of twice. Relaxed: a barrier behind the construct orders data. */
    if (bz_cas_relaxed(bomp_team_singles(self->team), &claimed, met + 1)) {
        self->ws->singles_seen =
            met + 1; /* without this it would be ahead of `singles` again after 2^31 constructs */
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
        self->team->ws->copyprivate = result; /* the only writer of this construct */
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
