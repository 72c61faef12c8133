/* A member's capacity is that of its place, or without one that of the CPU on which it began its last region: whoever is
 * first at a loop of this one must not wait until all have begun it. So in the first region of a team whose threads are not
 * bound all shares are even. */
#include "omp/team/split.h"

#include "omp/affinity/capacity.h"
#include "omp/icv/icv.h"
#include "omp/state/team.h"

static uint32_t capacity_of_place(const struct bomp_team *team, unsigned num) {
    const struct bomp_places *places = bomp_place_list();
    unsigned place =
        bomp_place_assignment_in_team(team->outer->assignment, team->affinity.policy, team->size, num).place;
    return bomp_capacity_of_set(bomp_place(places, place), places->words);
}

static uint32_t capacity_of(const struct bomp_team *team, unsigned num) {
    if (bomp_affinity_asked && team->affinity.policy != BOMP_BIND_FALSE)
        return capacity_of_place(team, num);
    const struct bomp_member *member = bz_worker_context(bz_team_worker(team->thread_team, num));
    return member->capacity;
}

static bool make_room(struct bomp_split *split, unsigned numbers) {
    if (numbers <= split->room)
        return true;
    bz_free(split->kept);
    split->kept = bz_alloc_zero(numbers, sizeof *split->kept);
    split->room = split->kept ? numbers : 0;
    return split->kept;
}

/* False: they are all alike, or that of one is not known. */
static bool add_up(const struct bomp_team *team, uint32_t *sums) {
    uint32_t first = capacity_of(team, 0);
    bool alike = true;
    for (unsigned i = 0; i < team->size; i++) {
        uint32_t capacity = capacity_of(team, i);
        if (capacity == 0 || __builtin_add_overflow(sums[i], capacity, &sums[i + 1]))
            return false;
        alike = alike && capacity == first;
    }
    return !alike;
}

void bomp_split_open(struct bomp_team *team) {
    struct bomp_split *split = &team->split;
    bool uneven = team->size > 1 && make_room(split, team->size + 1) && add_up(team, split->kept);
    split->sums = uneven ? split->kept : NULL;
}

void bomp_split_start(struct bomp_member *member) {
    member->capacity = bomp_capacity_of_cpu(bz_os_cpu());
}

void bomp_split_destroy(struct bomp_team *team) {
    bz_free(team->split.kept);
}
