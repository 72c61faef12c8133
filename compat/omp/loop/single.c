/* Single constructs. Each member counts those that it has met, the team those that are claimed: the first member to reach
 * one claims it. Members may be up to 2^31 constructs apart.
 *
 * A copyprivate result is written to the team before a barrier inside the construct, read after it, and not written again
 * before the barrier that must follow. In a cancelled region the result may be missing: then a member that waits for it runs
 * the construct itself. */
#include "omp/bomp.h"
#include "omp/loop/workshare.h"
#include "omp/task/cancelled.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* Of a member that is behind by more than one single construct. Two threads take 12 ns for an empty nowait construct, 39
 * without pauses (sync.single_nowait). */
enum { PAUSES_MOST = 16 };

/* A member passes claimed constructs faster than others claim more. Pausing keeps it from fetching their line for each
 * one. */
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
    /* Not read first, to fetch the line once. Relaxed: a barrier after the construct orders data. */
    if (bz_cas_relaxed(bomp_team_singles(self->team), &claimed, met + 1)) {
        self->ws->singles_seen = met + 1; /* or it would be ahead again after 2^31 constructs */
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
