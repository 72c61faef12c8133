#include "omp/affinity/place_assignment.h"

/* The place that is steps further, round and round the partition. */
static uint32_t further(struct bomp_place_assignment assignment, uint32_t steps) {
    return assignment.first + (assignment.place - assignment.first + steps) % assignment.count;
}

/* Part i of the partition cut into parts; the first ones may be longer by one. */
static struct bomp_place_assignment part_of(struct bomp_place_assignment assignment, uint32_t parts,
                                            uint32_t i) {
    uint32_t length = assignment.count / parts;
    uint32_t longer = assignment.count % parts;
    uint32_t first = assignment.first + i * length + (i < longer ? i : longer);
    return (struct bomp_place_assignment){.place = first, .first = first, .count = length + (i < longer)};
}

/* No more threads than places, each with a part of its own: thread 0 with the one that its place is in. */
static struct bomp_place_assignment spread(struct bomp_place_assignment primary, unsigned size,
                                           unsigned num) {
    uint32_t own = 0;
    while (primary.place >= part_of(primary, size, own).first + part_of(primary, size, own).count)
        own++;
    struct bomp_place_assignment assignment = part_of(primary, size, (own + num) % size);
    if (num == 0)
        assignment.place = primary.place;
    return assignment;
}

struct bomp_place_assignment bomp_place_assignment_in_team(struct bomp_place_assignment primary,
                                                           enum bomp_bind policy, unsigned size,
                                                           unsigned num) {
    if (primary.count == 0 || size == 1 || policy == BOMP_BIND_PRIMARY)
        return primary;
    if (policy == BOMP_BIND_SPREAD && size <= primary.count)
        return spread(primary, size, num);
    struct bomp_place_assignment assignment = primary;
    if (size <= primary.count) {
        assignment.place = further(primary, num);
    } else {
        /* The same number of neighbours on each place, and the rest one by one from the first again. */
        uint32_t each = size / primary.count;
        uint32_t even = each * primary.count;
        assignment.place = further(primary, num < even ? num / each : num - even);
    }
    if (policy == BOMP_BIND_SPREAD) {
        assignment.first = assignment.place;
        assignment.count = 1;
    }
    return assignment;
}
