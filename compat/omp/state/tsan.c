#include "omp/state/tsan.h"

#include "omp/state/team.h"

const void *bomp_tsan_meeting(const struct bomp_member *member) {
    return &member->team->tsan.meet[member->met % 2];
}

void bomp_tsan_start(struct bomp_member *member) {
    member->implicit.flags |= BOMP_TASK_TSAN;
    member->met = 0;
    bz_tsan_after(&member->team->tsan.start);
}

/* In a cancelled region members have met different numbers of barriers. */
void bomp_tsan_close(struct bomp_team *team) {
    bz_tsan_after(&team->tsan.meet[0]);
    bz_tsan_after(&team->tsan.meet[1]);
}

void bomp_tsan_arrive(struct bomp_member *member) {
    bz_tsan_before(bomp_tsan_meeting(member));
}

void bomp_tsan_go_on(struct bomp_member *member) {
    bz_tsan_after(bomp_tsan_meeting(member));
    member->met++;
}
