/* Ranges. A loop is cut into BOMP_RANGE_PARTS parts for each member, dealt out in turns: member i of n has parts i, i + n
 * and so on. All members go through the loop from front to end, which helps searches. In each loop a member begins with the
 * same iterations, whose data may be near it.
 *
 * Each member has a range of chunks, at first its first part, and takes from its front. Then it takes its next part, after
 * its last one the next part of another member, or the back half of that member's range. It runs the first chunk of what it
 * took and makes the rest its range.
 *
 * In a large team a thief tries group after group of neighbours, its own first. It marks a group without chunks, and other
 * thieves skip that one: else each member would check all ranges at the end of the loop, N * N transfers of lines. A member
 * that has made chunks its own removes the mark of its group, and a thief also that of its victim's group.
 *
 * The loop's last chunk is in no range. The first member that finds nothing else takes it: GCC copies a lastprivate
 * variable from the thread whose loop variable ended at the bound.
 *
 * A member's count of begun parts is raised by the member and by thieves. A range is one word: the next chunk and the end,
 * 32 bits each, numbered from 1 so that zero means untouched. Every change is a compare-and-swap, except a member's refill
 * of its own empty range, which no other member changes. A word never comes back (no ABA): the member that removes its
 * front chunk runs that.
 *
 * All accesses are relaxed, as in loop.c.
 *
 * Pairing table
 *   RA1 steal_or_mark, a mark   RA2 unmark_own, an unmarked range   no group with chunks stays marked */
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

static bool is_empty(struct bomp_part part) {
    return part.first >= part.last;
}

/* Takes the next part of member num. False: none is left. */
static bool take_part(struct bomp_member *self, unsigned num, uint64_t *chunk) {
    struct bz_a32 *parts = &self->ws->at->ranges[num].parts;
    uint32_t begun = bz_load_relaxed(parts);
    struct bomp_part part;
    do {
        part = part_of(self, num, begun + 1);
        if (is_empty(part))
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

/* Tries each member once, from the last victim on. Not inlined: it would save registers for each own chunk. */
__attribute__((noinline)) static bool steal_from_group(struct bomp_member *self, unsigned group,
                                                       uint64_t *chunk) {
    unsigned first = group * BOMP_RANGE_GROUP, left = self->team->size - first;
    unsigned width = left < BOMP_RANGE_GROUP ? left : BOMP_RANGE_GROUP;
    for (unsigned i = 0, at = self->ws->victim; i < width; i++, at++) {
        at = at < width ? at : 0;
        unsigned victim = first + at;
        if (victim != self->num && (take_part(self, victim, chunk) || steal_half(self, victim, chunk))) {
            self->ws->victim = at;
            return true;
        }
    }
    return false;
}

static struct bz_a32 *mark_of(struct bomp_member *self, unsigned group) {
    return &self->ws->at->ranges[group * BOMP_RANGE_GROUP].group_empty;
}

/* As above, unless the group is marked. Marks it if it has no chunks: a member may make chunks its own meanwhile. */
static bool steal_or_mark(struct bomp_member *self, unsigned group, uint64_t *chunk) {
    struct bz_a32 *mark = mark_of(self, group);
    if (bz_load_relaxed(mark))
        return false;
    if (steal_from_group(self, group, chunk))
        return true;
    bz_store_relaxed(mark, 1);
    bz_fence_seq_cst(); /* RA1: pairs with RA2 */
    return steal_from_group(self, group, chunk);
}

static void unmark(struct bz_a32 *mark) {
    if (bz_load_relaxed(mark))
        bz_store_relaxed(mark, 0);
}

/* The member has made chunks its own. RA2: either we see the mark or the marking thief sees our range. */
static void unmark_own(struct bomp_member *self) {
    bz_fence_seq_cst(); /* RA2: pairs with RA1 */
    uint32_t begun = bz_load_relaxed(&self->ws->at->ranges[self->num].parts);
    if (is_empty(part_of(self, self->num, begun + 1))) /* else no thief has marked the group */
        unmark(mark_of(self, self->num / BOMP_RANGE_GROUP));
}

/* Tries each group once. Not inlined, as above. */
__attribute__((noinline)) static bool steal_from_any(struct bomp_member *self, unsigned groups,
                                                     uint64_t *chunk) {
    unsigned own = self->num / BOMP_RANGE_GROUP, group = own;
    while (!steal_or_mark(self, group, chunk)) {
        group = group + 1 < groups ? group + 1 : 0;
        if (group == own)
            return false;
    }
    unmark_own(self);
    unmark(mark_of(self, group));
    return true;
}

/* A thief that it misses runs what it moves. */
static bool steal(struct bomp_member *self, uint64_t *chunk) {
    unsigned groups = (self->team->size + BOMP_RANGE_GROUP - 1) / BOMP_RANGE_GROUP;
    return groups == 1 ? steal_from_group(self, 0, chunk) : steal_from_any(self, groups, chunk);
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

static bool take_own_part(struct bomp_member *self, uint64_t *chunk) {
    if (!take_part(self, self->num, chunk))
        return false;
    if (self->team->size > BOMP_RANGE_GROUP)
        unmark_own(self);
    return true;
}

bool bomp_range_take(struct bomp_member *self, uint64_t *chunk) {
    return take_own(self, chunk) || take_own_part(self, chunk) || steal(self, chunk) ||
           take_last(self, chunk);
}
