/* Ranges. A loop is cut into BOMP_RANGE_PARTS parts for each member, dealt out in turns: member i of n has parts i, i + n
 * and so on. All members go through the loop from front to end, which helps searches. In each loop a member begins with the
 * same iterations, whose data may be near it.
 *
 * Each member has a range of chunks, at first its first part, and takes from its front. Then it takes its next part, after
 * its last one the next part of another member, or the back half of that member's range. It runs the first chunk of what it
 * took and makes the rest its range.
 *
 * The loop's last chunk is in no range. The first member that finds nothing else takes it: GCC copies a lastprivate
 * variable from the thread whose loop variable ended at the bound.
 *
 * A member's count of begun parts is raised by the member and by thieves. A range is one word: the next chunk and the end,
 * 32 bits each, numbered from 1 so that zero means untouched. Every change is a compare-and-swap, except a member's refill
 * of its own empty range, which no other member changes. A word never comes back (no ABA): the member that removes its
 * front chunk runs that.
 *
 * All accesses are relaxed, as in loop.c. */
#include "omp/loop/range.h"

#include "omp/base/tuning.h"
#include "omp/icv/schedule.h"
#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

static uint64_t pack(uint64_t first, uint64_t last) {
    return first << 32 | last;
}

static struct bomp_part part_of(const struct bomp_member *self, unsigned num, uint32_t k) {
    uint64_t all = self->ws->chunks - 1, length = self->ws->part_length;
    uint64_t first = (num + (uint64_t)k * self->team->size) * length;
    struct bomp_part part = {first < all ? first : all, first + length < all ? first + length : all};
    return (struct bomp_part){part.first + 1, part.last + 1};
}

static struct bomp_part range_of(const struct bomp_member *self, unsigned num, uint64_t word) {
    return bz_likely(word != 0) ? (struct bomp_part){word >> 32, (uint32_t)word} : part_of(self, num, 0);
}

/* Makes chunks [first, last), which are in no range, the member's own: the first to run now. */
static void make_own(struct bomp_member *self, struct bomp_part part, uint64_t *chunk) {
    bz_store_relaxed(&self->ws->at->ranges[self->num].word, pack(part.first + 1, part.last));
    *chunk = part.first - 1;
}

/* Takes the next part of member num. False: none is left. */
static bool take_part(struct bomp_member *self, unsigned num, uint64_t *chunk) {
    struct bz_a32 *parts = &self->ws->at->ranges[num].parts;
    uint32_t begun = bz_load_relaxed(parts);
    struct bomp_part part;
    do {
        if (begun + 1 >= BOMP_RANGE_PARTS)
            return false;
        part = part_of(self, num, begun + 1);
        if (part.first >= part.last)
            return false;
    } while (!bz_cas_relaxed(parts, &begun, begun + 1));
    make_own(self, part, chunk);
    return true;
}

static bool take_own(struct bomp_member *self, uint64_t *chunk) {
    struct bz_a64 *range = &self->ws->at->ranges[self->num].word;
    uint64_t word = bz_load_relaxed(range);
    struct bomp_part part;
    do {
        part = range_of(self, self->num, word);
        if (part.first >= part.last)
            return false;
    } while (!bz_cas_relaxed(range, &word, pack(part.first + 1, part.last)));
    *chunk = part.first - 1;
    return true;
}

static bool steal_half(struct bomp_member *self, unsigned victim, uint64_t *chunk) {
    struct bomp_range *ranges = self->ws->at->ranges;
    uint64_t word = bz_load_relaxed(&ranges[victim].word), middle;
    struct bomp_part part;
    do {
        part = range_of(self, victim, word);
        if (part.first >= part.last)
            return false;
        middle = part.first + (part.last - part.first) / 2;
    } while (!bz_cas_relaxed(&ranges[victim].word, &word, pack(part.first, middle)));
    make_own(self, (struct bomp_part){middle, part.last}, chunk);
    return true;
}

/* Tries each member once, from the last victim on. A thief that it misses runs what it moves. Not inlined: it would save
 * registers for each own chunk. */
__attribute__((noinline)) static bool steal(struct bomp_member *self, uint64_t *chunk) {
    unsigned size = self->team->size;
    for (unsigned i = 0; i < size; i++) {
        unsigned victim = self->ws->victim;
        if (victim != self->num && (take_part(self, victim, chunk) || steal_half(self, victim, chunk)))
            return true;
        self->ws->victim = victim + 1 < size ? victim + 1 : 0;
    }
    return false;
}

static bool take_last(struct bomp_member *self, uint64_t *chunk) {
    uint64_t taken = 0;
    self->ws->deal = BOMP_DEAL_NOTHING;
    *chunk = self->ws->chunks - 1;
    return bz_load_relaxed(&self->ws->at->taken) == 0 && bz_cas_relaxed(&self->ws->at->taken, &taken, 1);
}

void bomp_range_begin(struct bomp_member *self) {
    uint64_t parts = (uint64_t)BOMP_RANGE_PARTS * self->team->size;
    self->ws->part_length = bomp_divide(self->ws->chunks - 1 + parts - 1, parts).q;
}

bool bomp_range_take(struct bomp_member *self, uint64_t *chunk) {
    return take_own(self, chunk) || take_part(self, self->num, chunk) || steal(self, chunk) ||
           take_last(self, chunk);
}
