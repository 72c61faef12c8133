#include "omp/loop/sections.h"

#include "omp/bomp.h"
#include "omp/loop/construct_storage.h"
#include "omp/loop/workshare.h"

void bomp_sections_meet(struct bomp_member *self, unsigned count) {
    self->ws.section = 0;
    self->ws.sections = count;
    self->ws.place++;
    self->ws.open = BOMP_OPEN;
    if (!bomp_construct_enter(self, BOMP_CONSTRUCT_SECTIONS))
        self->ws.sections = 0;
}

unsigned bomp_sections_take(struct bomp_member *self) {
    uint64_t taken = self->ws.section;
    if (bz_unlikely(self->team->cancel.on) && bomp_cancel_construct_seen(self))
        return 0;
    if (self->team->size > 1)
        taken = bz_fetch_add_relaxed(&self->ws.at->taken, 1); /* relaxed: says who runs what, nothing else */
    if (taken >= self->ws.sections)
        return 0;
    return self->ws.section = (unsigned)taken + 1;
}

static void meet_installed(struct bomp_member *member) {
    bomp_sections_meet(member, member->team->ws.sections);
}

void bomp_sections_install(struct bomp_team *team, unsigned count) {
    team->ws.sections = count;
    team->ws.begin = meet_installed;
}

/* ---- for the calling thread ---- */

unsigned bomp_sections_start(unsigned count) {
    struct bomp_member *self = bomp_self();
    bomp_sections_meet(self, count);
    return bomp_sections_take(self);
}

void bomp_sections_begin(unsigned count) {
    bomp_sections_meet(bomp_self(), count);
}

unsigned bomp_sections_next(void) {
    return bomp_sections_take(bomp_self());
}

static struct bomp_member *leave(void) {
    struct bomp_member *self = bomp_self();
    self->ws.sections = 0;
    self->ws.place++;
    self->ws.open = BOMP_OPEN_NOT;
    return self;
}

void bomp_sections_end_nowait(void) {
    leave();
}

void bomp_sections_end(void) {
    (void)bomp_workshare_barrier(leave(), BOMP_SITE);
}
