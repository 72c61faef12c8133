#include "omp/state/watch.h"

#include "omp/state/team.h"

const void *bomp_watch_meeting(const struct bomp_member *member) {
    return &member->team->tsan.meet[member->met % 2];
}

void bomp_watch_start(struct bomp_member *member) {
    member->implicit.flags |= BOMP_TASK_WATCHED;
    member->met = 0;
    bz_tsan_after(&member->team->tsan.start);
}

/* In a cancelled region members have met different numbers of barriers. */
void bomp_watch_close(struct bomp_team *team) {
    bz_tsan_after(&team->tsan.meet[0]);
    bz_tsan_after(&team->tsan.meet[1]);
}

void bomp_watch_arrive(struct bomp_member *member) {
    bz_tsan_before(bomp_watch_meeting(member));
}

void bomp_watch_go_on(struct bomp_member *member) {
    bz_tsan_after(bomp_watch_meeting(member));
    member->met++;
}
