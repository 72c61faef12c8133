/* seat.c: see seat.h. */
#include "omp/affinity/seat.h"

/* The place that is steps further, round and round the partition. */
static uint32_t further(struct bomp_seat seat, uint32_t steps) {
    return seat.first + (seat.place - seat.first + steps) % seat.count;
}

/* Part i of the partition cut into parts, the first ones longer by one where they cannot be equal. */
static struct bomp_seat part_of(struct bomp_seat seat, uint32_t parts, uint32_t i) {
    uint32_t length = seat.count / parts;
    uint32_t longer = seat.count % parts;
    uint32_t first = seat.first + i * length + (i < longer ? i : longer);
    return (struct bomp_seat){.place = first, .first = first, .count = length + (i < longer)};
}

/* No more threads than places, each with a part of its own: thread 0 with the one that its place is in. */
static struct bomp_seat spread(struct bomp_seat primary, unsigned size, unsigned num) {
    uint32_t own = 0;
    while (primary.place >= part_of(primary, size, own).first + part_of(primary, size, own).count) {
        own++;
    }
    struct bomp_seat seat = part_of(primary, size, (own + num) % size);
    if (num == 0) {
        seat.place = primary.place;
    }
    return seat;
}

struct bomp_seat bomp_seat_in_team(struct bomp_seat primary, enum bomp_bind policy, unsigned size,
                                   unsigned num) {
    if (primary.count == 0 || size == 1 || policy == BOMP_BIND_PRIMARY) {
        return primary;
    }
    if (policy == BOMP_BIND_SPREAD && size <= primary.count) {
        return spread(primary, size, num);
    }
    struct bomp_seat seat = primary;
    if (size <= primary.count) {
        seat.place = further(primary, num);
    } else {
        /* The same number of neighbours on each place, and the rest one by one from the first again. */
        uint32_t each = size / primary.count;
        uint32_t even = each * primary.count;
        seat.place = further(primary, num < even ? num / each : num - even);
    }
    if (policy == BOMP_BIND_SPREAD) {
        seat.first = seat.place;
        seat.count = 1;
    }
    return seat;
}
