#include "omp/loop/sections.h"

#include "omp/bomp.h"
#include "omp/loop/cancel.h"
#include "omp/loop/construct_storage.h"
#include "omp/loop/workshare.h"
#include "omp/tool/hooks.h"

void bomp_sections_meet(struct bomp_member *self, unsigned count) {
    self->ws->section = 0;
    self->ws->sections = count;
    self->place++;
    self->ws->open = BOMP_OPEN;
    if (!bomp_construct_enter(self))
        self->ws->sections = 0;
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->work->loop_begin(self, BOMP_TOOL_SECTIONS, count);
}

static unsigned take(struct bomp_member *self) {
    uint64_t taken = self->ws->section;
    if (self->team->size > 1)
        taken = bz_fetch_add_relaxed(&self->ws->at->taken, 1); /* relaxed: orders no data */
    if (taken >= self->ws->sections)
        return 0;
    return self->ws->section = (unsigned)taken + 1;
}

static unsigned take_special(struct bomp_member *self, const void *site) {
    if (self->team->cancel.on && bomp_cancel_construct_seen(self))
        return 0;
    unsigned section = take(self);
    if (bomp_hooks && section != 0)
        bomp_hooks->work->section(self, site);
    return section;
}

unsigned bomp_sections_take(struct bomp_member *self, const void *site) {
    return bz_unlikely(self->team->cancel.special) ? take_special(self, site) : take(self);
}

static void meet_installed(struct bomp_member *member) {
    bomp_sections_meet(member, member->team->ws->sections);
}

void bomp_sections_install(struct bomp_team *team, unsigned count) {
    team->ws->sections = count;
    team->ws->begin = meet_installed;
}

/* ---- for the calling thread ---- */

unsigned bomp_sections_start(unsigned count) {
    struct bomp_member *self = bomp_self();
    if (bz_unlikely(bomp_hooks) && !bomp_entered.code)
        bomp_tool_entered(BOMP_SITE, NULL);
    bomp_sections_meet(self, count);
    return bomp_sections_take(self, BOMP_SITE);
}

void bomp_sections_begin(unsigned count) {
    bomp_sections_meet(bomp_self(), count);
}

unsigned bomp_sections_next(void) {
    return bomp_sections_take(bomp_self(), BOMP_SITE);
}

BZ_INLINE struct bomp_member *leave(const void *site) {
    struct bomp_member *self = bomp_self();
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->work->loop_end(self, site);
    self->ws->sections = 0;
    self->place++;
    self->ws->open = BOMP_OPEN_NOT;
    return self;
}

void bomp_sections_end_nowait(void) {
    (void)leave(BOMP_SITE);
}

void bomp_sections_end(void) {
    (void)bomp_workshare_barrier(leave(BOMP_SITE), BOMP_SITE, BOMP_BARRIER_WORKSHARE);
}
