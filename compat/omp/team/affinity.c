/* affinity.c: see affinity.h.
 *
 * Pairing table
 *   AF1 show passes the turn on   AF2 show waits for it   what members say, in the order of their numbers */
#include "omp/team/affinity.h"

#include <limits.h>
#include <string.h>

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/team/affinity_display.h"
#include "omp/team/caller.h"
#include "omp/team/team_data.h"

/* Whether a thread outside of all regions keeps its pin. Written by find_out, with one value; read by threads that close
 * regions. */
static struct bz_aflag stays;

/* Whether find_out is still to come. Written while the library is loaded, and by the first threads that open a region or
 * ask. */
static struct bz_aflag later;

struct bomp_place_assignment bomp_place_assignment_initial(void) {
    return (struct bomp_place_assignment){.place = bomp_global()->affinity.first,
                                          .count = bomp_global()->places.count};
}

struct bomp_place_assignment bomp_place_assignment_of_caller(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (!self)
        (void)bomp_icv(); /* perhaps the first call of all */
    bomp_affinity_first_question();
    return self ? self->assignment : bomp_place_assignment_initial();
}

void bomp_affinity_pin(struct bomp_place_assignment to) {
    static struct bz_aflag warned;
    if (to.count == 0)
        return;
    int error = bz_pin(bomp_place(&bomp_global()->places, to.place));
    if (error != 0) {
        bz_warn_once(&warned, "cannot bind a thread to place %u: %s; it stays where it was", to.place,
                     strerror(error));
    }
}

void bomp_affinity_return(struct bomp_place_assignment from) {
    if (bz_load_relaxed(&stays) || bomp_level() > 0) /* relaxed: as its store */
        bomp_affinity_pin(from);
    else
        bz_unpin();
}

static bool find_out(void) {
    bz_thread_init(); /* a child starts without the pin */
    bool keeps = !bomp_global()->affinity.resets;
    bz_store_relaxed(&stays, keeps); /* relaxed: to another thread it matters only for itself */
    bz_store_relaxed(&later, false); /* relaxed: who does not see it yet finds out the same */
    return keeps;
}

void bomp_affinity_load(void) {
    if (bomp_affinity_asked && find_out())
        bomp_affinity_pin(bomp_place_assignment_initial());
}

void bomp_affinity_load_later(void) {
    bz_store_relaxed(&later, true); /* relaxed: read by this thread, or by threads that it makes */
}

void bomp_affinity_first_question(void) {
    if (bz_load_relaxed(&later) && bomp_thread_id() == 0) { /* relaxed: as above */
        bomp_affinity_load();
        bz_store_relaxed(&later, false); /* also if binding is not asked for */
    }
}

/* ---- OMP_DISPLAY_AFFINITY ---- */

static bool same_assignments(const struct bomp_team *team) {
    const struct bomp_team_affinity *a = &team->affinity;
    bool same = a->displayed_size == team->size &&
                (a->policy == BOMP_BIND_FALSE) == (a->displayed_policy == BOMP_BIND_FALSE);
    for (unsigned i = 0; same && a->policy != BOMP_BIND_FALSE && i < team->size; i++) {
        same = bomp_place_assignment_in_team(team->outer->assignment, a->policy, team->size, i).place ==
               bomp_place_assignment_in_team(a->displayed, a->displayed_policy, team->size, i).place;
    }
    return same;
}

/* The member that the thread was before it became the primary thread of its regions. */
static struct bomp_member *thread_of(struct bomp_member *member) {
    while (member->num == 0 && member->team->outer)
        member = member->team->outer;
    return member;
}

/* As libomp: whether the last region that the thread has shown was at another level, or of another size. */
static bool is_news_of_thread(const struct bomp_team *team) {
    struct bomp_member *thread = thread_of(team->outer);
    bool same = thread->displayed.level == team->level && thread->displayed.size == team->size &&
                (team->affinity.policy == BOMP_BIND_FALSE || same_assignments(team));
    thread->displayed.level = team->level;
    thread->displayed.size = team->size;
    return !same;
}

/* As libgomp: regions of one thread are never news, nested ones always. */
static bool is_news(const struct bomp_team *team) {
    if (bomp_icv_is_llvm())
        return is_news_of_thread(team);
    return team->size > 1 && (team->outer->team->active_level > 0 || !same_assignments(team));
}

static void show(struct bomp_member *member) {
    struct bz_a32 *turn = &member->team->affinity.turn;
    uint32_t now;
    while ((now = bz_load_acquire(turn)) != member->num) /* AF2: pairs with AF1 */
        bz_os_futex_wait(&turn->v, now);
    bomp_affinity_display(NULL, 0);
    bz_store_release(turn, member->num + 1); /* AF1: pairs with AF2 */
    bz_os_futex_wake(&turn->v, INT_MAX);
}

/* ---- regions ---- */

void bomp_proc_bind(unsigned policy) {
    struct bomp_member *self = bomp_self(); /* a first call reads the environment */
    if (bomp_affinity_asked && policy <= BOMP_BIND_SPREAD)
        self->next.bind = (uint8_t)policy;
}

void bomp_affinity_open(struct bomp_team *team, const struct bomp_icv *icv) {
    struct bomp_team_affinity *a = &team->affinity;
    enum bomp_bind policy = icv->bind;
    enum bomp_bind clause = team->outer->next.bind;
    team->outer->next.bind = BOMP_BIND_FALSE;
    if (policy != BOMP_BIND_FALSE && clause != BOMP_BIND_FALSE)
        policy = clause;
    if (icv->bind_left == 0)
        team->icv.bind = (uint8_t)policy; /* a list has the inner values itself */
    if (bz_load_relaxed(&later))          /* relaxed: as above */
        (void)find_out();
    a->policy = team->outer->assignment.count > 0 ? (uint8_t)policy : BOMP_BIND_FALSE;
    a->show = bomp_global()->display_affinity && is_news(team);
    if (a->show) {
        a->displayed_policy = a->policy;
        a->displayed_size = team->size;
        a->displayed = team->outer->assignment;
        bz_store_relaxed(&a->turn, 0); /* relaxed: published by the start of the threads */
    }
}

void bomp_affinity_start(struct bomp_member *member) {
    const struct bomp_team *team = member->team;
    member->assignment = (struct bomp_place_assignment){0};
    if (team->affinity.policy != BOMP_BIND_FALSE) {
        member->assignment = bomp_place_assignment_in_team(team->outer->assignment, team->affinity.policy,
                                                           team->size, member->num);
        bomp_affinity_pin(member->assignment);
    }
    if (team->affinity.show)
        show(member);
}

void bomp_affinity_close(const struct bomp_team *team) {
    if (!bz_load_relaxed(&stays) && team->level == 1) /* relaxed: as its store */
        bz_unpin();
}
