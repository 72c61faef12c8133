/* test_loop.c: loop.h and sections.h with up to CROWD_MAX members played by one thread (crowd.h). */
#include "crowd.h"
#include "omp/loop/range.h"
#include "omp/loop/sections.h"

#define SPOTS(array) (sizeof(array) / sizeof *(array))

static const struct {
    uint32_t schedule;
    uint64_t chunk;
} schedules[] = {
    {BOMP_LOOP_STATIC, 0},
    {BOMP_LOOP_STATIC, 1},
    {BOMP_LOOP_STATIC, 3},
    {BOMP_LOOP_STATIC, UINT64_MAX},
    {BOMP_LOOP_DYNAMIC, 0},
    {BOMP_LOOP_DYNAMIC, 2},
    {BOMP_LOOP_DYNAMIC, 5},
    {BOMP_LOOP_DYNAMIC, UINT64_MAX / 2},
    {BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC, 1},
    {BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC, 4},
    {BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC, UINT64_MAX},
    {BOMP_LOOP_GUIDED, 0},
    {BOMP_LOOP_GUIDED, 3},
    {BOMP_LOOP_GUIDED, UINT64_MAX / 2},
    {BOMP_LOOP_GUIDED, UINT64_MAX},
    {BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC, 1},
    {BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC, 4},
    {BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC, UINT64_MAX},
    {BOMP_LOOP_AUTO, 0},
    {BOMP_LOOP_AUTO | BOMP_LOOP_BALANCED, 0},
    {BOMP_LOOP_RUNTIME, 0},
    {BOMP_LOOP_RUNTIME | BOMP_LOOP_MONOTONIC, 0},
    {BOMP_LOOP_STATIC | BOMP_LOOP_ORDERED, 0},
    {BOMP_LOOP_STATIC | BOMP_LOOP_ORDERED, 2},
    {BOMP_LOOP_DYNAMIC | BOMP_LOOP_ORDERED, 1},
    {BOMP_LOOP_DYNAMIC | BOMP_LOOP_ORDERED, 3},
    {BOMP_LOOP_GUIDED | BOMP_LOOP_ORDERED, 1},
    {BOMP_LOOP_RUNTIME | BOMP_LOOP_ORDERED, 0},
};

/* The loop under each schedule, for each size of team, in each order. */
static void check_everywhere(struct crowd *crowd, struct crowd_loop loop) {
    for (size_t s = 0; s < SPOTS(schedules); s++)
        for (unsigned size = 1; size <= CROWD_MAX; size++)
            for (unsigned order = 0; order < CROWD_ORDERS; order++) {
                loop.schedule = schedules[s].schedule;
                loop.chunk = schedules[s].chunk;
                crowd->order = (enum crowd_order)order;
                crowd_region(crowd, size, &loop, 1, s % 2);
            }
}

static void small_loops_run_once(void **state) {
    struct crowd *crowd = *state;
    static const int64_t bounds[][3] = {{0, 0, 1},   {0, 1, 1},    {0, 7, 1},      {0, 40, 1},
                                        {-9, 20, 3}, {5, -20, -4}, {3, 3, -1},     {10, 0, 2},
                                        {0, 63, 1},  {1, 100, 99}, {100, -3, -104}};
    for (size_t i = 0; i < SPOTS(bounds); i++) {
        struct crowd_loop loop = {true,
                                  bounds[i][2] > 0,
                                  (uint64_t)bounds[i][0],
                                  (uint64_t)bounds[i][1],
                                  (uint64_t)bounds[i][2],
                                  0,
                                  0,
                                  false};
        check_everywhere(crowd, loop);
        loop.is_signed = false;
        if (bounds[i][0] >= 0 && bounds[i][1] >= 0)
            check_everywhere(crowd, loop);
    }
}

static void loops_at_the_ends_of_their_type_run_once(void **state) {
    struct crowd *crowd = *state;
    /* The value after the last one must fit the type: compiled code computes it. */
    const uint64_t low = (uint64_t)INT64_MIN, high = INT64_MAX, part = UINT64_C(1) << 59;
    const struct crowd_loop loops[] = {
        {true, true, low, low + 30, 1, 0, 0, false},
        {true, true, high - 30, high, 1, 0, 0, false},
        {true, true, low, low + 31 * part, part, 0, 0, false},
        {true, true, low, high - 1, high, 0, 0, false},
        {true, false, high, high - 31 * part, -part, 0, 0, false},
        {true, false, high, (uint64_t)-1, low, 0, 0, false},
        {true, false, low + 30, low, (uint64_t)-1, 0, 0, false},
        {false, true, 0, 31 * part, part, 0, 0, false},
        {false, true, 0, UINT64_MAX, UINT64_MAX, 0, 0, false},
        {false, true, UINT64_MAX - 30, UINT64_MAX, 1, 0, 0, false},
        {false, false, UINT64_MAX, UINT64_MAX - 31 * part, -part, 0, 0, false},
        {false, false, UINT64_MAX, UINT64_MAX - 30, (uint64_t)-1, 0, 0, false},
        {false, false, 30, 0, (uint64_t)-1, 0, 0, false},
    };
    for (size_t i = 0; i < SPOTS(loops); i++)
        check_everywhere(crowd, loops[i]);
}

/* ---- by hand ---- */

static void begin_region(struct crowd *crowd, unsigned size) {
    crowd->team->size = size;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < size; i++)
        bomp_workshare_member_start(crowd->members[i]);
}

static struct bomp_loop count_to(uint64_t count, uint32_t schedule, uint64_t chunk) {
    struct bomp_loop loop = {.schedule = schedule, .chunk = chunk};
    bomp_loop_unsigned(&loop, true, 0, count, 1);
    return loop;
}

static void static_loops_deal_as_compilers_do(void **state) {
    struct crowd *crowd = *state;
    struct bomp_span span;
    begin_region(crowd, 3);
    for (unsigned num = 0; num < 3; num++) {
        struct bomp_member *self = crowd->members[num];
        static const uint64_t shares[] = {0, 4, 7, 10};
        struct bomp_loop loop = count_to(10, BOMP_LOOP_STATIC, 0);
        bomp_loop_meet(self, &loop);
        assert_true(bomp_loop_take(self, &span));
        assert_true(span.first == shares[num] && span.end == shares[num + 1]);
        assert_false(bomp_loop_take(self, &span));

        loop = count_to(10, BOMP_LOOP_STATIC, 2);
        bomp_loop_meet(self, &loop);
        for (uint64_t first = 2 * num; first < 10; first += 6) {
            assert_true(bomp_loop_take(self, &span));
            assert_true(span.first == first && span.end == first + 2);
        }
        assert_false(bomp_loop_take(self, &span));
        assert_null(self->ws->at); /* nothing is shared */
    }
}

/* Chunks in a part of a loop (range.c). */
static uint64_t part_length(uint64_t chunks, unsigned size) {
    uint64_t parts = (uint64_t)BOMP_RANGE_PARTS * size;
    return (chunks - 1 + parts - 1) / parts;
}

/* A member stuck in its first chunk keeps only that one. */
static void thieves_take_all_from_a_stuck_member(void **state) {
    struct crowd *crowd = *state;
    struct bomp_span span;
    for (unsigned size = 2; size <= CROWD_MAX; size++)
        for (unsigned stuck = 0; stuck < size; stuck++) {
            struct bomp_loop loop = count_to(1000, BOMP_LOOP_DYNAMIC, 1);
            begin_region(crowd, size);
            bomp_loop_meet(crowd->members[stuck], &loop);
            assert_true(bomp_loop_take(crowd->members[stuck], &span));
            assert_true(span.first == stuck * part_length(1000, size));
            unsigned others = 0;
            for (unsigned num = 0; num < size; num++) {
                if (num == stuck)
                    continue;
                bomp_loop_meet(crowd->members[num], &loop);
                while (bomp_loop_take(crowd->members[num], &span))
                    others++;
            }
            assert_int_equal(others, 999);
            assert_false(bomp_loop_take(crowd->members[stuck], &span));
        }
}

static void take_these(struct bomp_member *self, uint64_t first, uint64_t last) {
    struct bomp_span span;
    for (; first < last; first++) {
        assert_true(bomp_loop_take(self, &span));
        assert_true(span.first == first && span.end == first + 1);
    }
}

/* Each of two members runs every second part, from front to end. A thief takes the other one's next parts, then half of
 * the part that it has begun, and other thieves may take from that. */
static void thieves_take_parts_and_then_halves(void **state) {
    struct crowd *crowd = *state;
    const unsigned length = 20, parts = 2 * BOMP_RANGE_PARTS;
    struct bomp_loop loop = count_to(parts * length + 1, BOMP_LOOP_DYNAMIC, 1); /* and the last one */
    struct bomp_span span;
    begin_region(crowd, 2);
    bomp_loop_meet(crowd->members[0], &loop);
    bomp_loop_meet(crowd->members[1], &loop);
    take_these(crowd->members[1], length, length + 10); /* of its first part */
    for (uint64_t part = 0; part < parts; part += 2)
        take_these(crowd->members[0], part * length, (part + 1) * length);
    for (uint64_t part = 3; part < parts; part += 2)
        take_these(crowd->members[0], part * length, (part + 1) * length);
    assert_true(bomp_loop_take(crowd->members[0], &span));
    assert_true(span.first == length + 15);
    take_these(crowd->members[1], length + 10, length + 15);
    assert_true(bomp_loop_take(crowd->members[1], &span));
    assert_true(span.first == length + 18); /* of 16 to 19 */
}

/* A thief from another group. Its neighbour finds what it has made its own, although the group was marked. */
static void thieves_search_groups_with_chunks(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = count_to(9, BOMP_LOOP_DYNAMIC, 1);
    struct bomp_span span;
    begin_region(crowd, BOMP_RANGE_GROUP + 2);
    for (unsigned num = 0; num < 2; num++)
        bomp_loop_meet(crowd->members[num], &loop);
    struct bomp_range *ranges = crowd->members[0]->ws->at->ranges;
    do
        assert_true(bomp_loop_take(crowd->members[0], &span));
    while (span.end != 8);
    bz_store_relaxed(&ranges[BOMP_RANGE_GROUP + 1].word, UINT64_C(2) << 32 | 6); /* chunks 1 to 4 */
    bz_store_relaxed(&ranges[0].group_empty, 1);
    bz_store_relaxed(&ranges[BOMP_RANGE_GROUP].group_empty, 0);
    assert_true(bomp_loop_take(crowd->members[0], &span) && span.first == 3);
    assert_true(bz_load_relaxed(&ranges[0].group_empty) == 0);
    assert_true(bomp_loop_take(crowd->members[1], &span) && span.first == 4);
    take_these(crowd->members[1], 2, 3);
    take_these(crowd->members[1], 1, 2);
    take_these(crowd->members[1], 8, 9);
    for (unsigned num = 0; num <= BOMP_RANGE_GROUP; num += BOMP_RANGE_GROUP)
        assert_true(bz_load_relaxed(&ranges[num].group_empty) == 1);
}

/* More chunks than a range can number: the shared count assigns them, all in order, and each member's in order. */
static void huge_loops_deal_in_order(void **state) {
    struct crowd *crowd = *state;
    static const uint64_t counts[] = {UINT32_MAX, UINT64_MAX};
    for (size_t c = 0; c < SPOTS(counts); c++) {
        struct bomp_loop loop = count_to(counts[c], BOMP_LOOP_DYNAMIC, 1);
        struct bomp_span span;
        uint64_t before[4] = {0};
        unsigned char hits[4 * BZ_CHUNK_BATCH_MOST * 40] = {0};
        begin_region(crowd, 4);
        for (uint64_t i = 0; i < 400; i++) {
            struct bomp_member *self = crowd->members[i % 4];
            if (i < 4)
                bomp_loop_meet(self, &loop);
            assert_true(bomp_loop_take(self, &span));
            assert_true(span.first < SPOTS(hits) && span.end == span.first + 1);
            assert_int_equal(hits[span.first]++, 0);
            assert_true(i < 4 || span.first > before[i % 4]);
            before[i % 4] = span.first;
        }
        uint64_t left = 0;
        for (unsigned num = 0; num < 4; num++) /* only chunks in batches are left out */
            left += crowd->members[num]->ws->batch.end - crowd->members[num]->ws->batch.next;
        assert_true(bz_load_relaxed(&crowd->members[0]->ws->at->taken) == 400 + left);
        crowd->team->ws->is_void = true; /* the loop does not end */
    }
}

/* As many chunks as ranges can number: the first and last ones of each member. */
static void large_loops_are_split(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = count_to(UINT32_MAX - UINT64_C(1), BOMP_LOOP_DYNAMIC, 1);
    struct bomp_span span;
    begin_region(crowd, 3);
    for (unsigned num = 0; num < 3; num++) {
        uint64_t length = part_length(loop.count, 3), first = num * length;
        struct bomp_member *self = crowd->members[num];
        bomp_loop_meet(self, &loop);
        assert_true(bomp_loop_take(self, &span));
        assert_true(span.first == first);
        uint64_t word = bz_load_relaxed(&self->ws->at->ranges[num].word);
        assert_true(word >> 32 == first + 2 && (uint32_t)word == first + length + 1);
    }
}

/* Work that a thief held may turn up. Compiled code lets the member that ran the last chunk assign lastprivate
 * variables. */
static void nothing_comes_after_the_last_chunk(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = count_to(9, BOMP_LOOP_DYNAMIC, 1);
    struct bomp_span span;
    begin_region(crowd, 2);
    bomp_loop_meet(crowd->members[0], &loop);
    do
        assert_true(bomp_loop_take(crowd->members[0], &span));
    while (span.end != 9);
    bz_store_relaxed(&crowd->members[0]->ws->at->ranges[1].word, UINT64_C(6) << 32 | 8);
    assert_false(bomp_loop_take(crowd->members[0], &span));
}

static void static_loops_end_before_they_wrap(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = count_to(UINT64_MAX, BOMP_LOOP_STATIC, 1);
    struct bomp_member *self = crowd->members[0];
    struct bomp_span span;
    begin_region(crowd, 2);
    bomp_loop_meet(self, &loop);
    self->ws->position = UINT64_MAX - 3; /* its value after a very long run */
    assert_true(bomp_loop_take(self, &span) && span.first == UINT64_MAX - 3);
    assert_true(bomp_loop_take(self, &span) && span.first == UINT64_MAX - 1);
    assert_false(bomp_loop_take(self, &span));
}

/* One chunk, near 2^64, that holds the whole loop. */
static void huge_chunks_do_not_wrap(void **state) {
    struct crowd *crowd = *state;
    for (size_t s = 0; s < SPOTS(schedules); s++) {
        struct bomp_loop loop =
            count_to(UINT64_MAX, schedules[s].schedule & ~BOMP_LOOP_ORDERED, UINT64_MAX / 5 * 2);
        if ((loop.schedule & BOMP_LOOP_KIND) == BOMP_LOOP_RUNTIME)
            continue; /* its chunks are small */
        struct bomp_span span;
        uint64_t sum = 0;
        begin_region(crowd, 2);
        bomp_loop_meet(crowd->members[0], &loop);
        bomp_loop_meet(crowd->members[1], &loop);
        for (unsigned num = 0; num < 2; num++)
            while (bomp_loop_take(crowd->members[num], &span)) {
                assert_true(span.first < span.end);
                sum += span.end - span.first;
            }
        assert_true(sum == UINT64_MAX);
    }
}

/* Against the rules, the members' ICVs differ: the first member's applies. */
static void members_agree_on_a_runtime_schedule(void **state) {
    struct crowd *crowd = *state;
    static const struct bomp_icv icvs[] = {
        {.sched = BOMP_LOOP_STATIC, .chunk = 0},
        {.sched = BOMP_LOOP_DYNAMIC, .chunk = 3},
        {.sched = BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC, .chunk = 2},
        {.sched = BOMP_LOOP_GUIDED, .chunk = 2},
    };
    for (unsigned first = 0; first < 4; first++) {
        unsigned char hits[50] = {0};
        struct bomp_loop loop = count_to(50, BOMP_LOOP_RUNTIME, 0);
        struct bomp_span span;
        begin_region(crowd, 4);
        for (unsigned i = 0; i < 4; i++)
            crowd->icv[i] = icvs[i];
        for (unsigned i = 0; i < 4; i++)
            bomp_loop_meet(crowd->members[(first + i) % 4], &loop);
        for (unsigned i = 0; i < 4; i++)
            while (bomp_loop_take(crowd->members[i], &span))
                for (uint64_t k = span.first; k < span.end; k++)
                    hits[k]++;
        for (unsigned k = 0; k < 50; k++)
            assert_int_equal(hits[k], 1);
    }
    for (unsigned i = 0; i < CROWD_MAX; i++)
        crowd->icv[i] = crowd->team->icv;
}

/* The chunk after `next` iterations: an even share of the remaining loop. */
static uint64_t guided_chunk(const struct bomp_loop *loop, uint64_t next, unsigned size) {
    uint64_t left = loop->count - next, n = left / size + (left % size != 0);
    n = n > loop->chunk ? n : loop->chunk;
    return n < left ? n : left;
}

static void check_guided(struct crowd *crowd, unsigned size, uint64_t count, uint32_t flags, uint64_t chunk) {
    struct bomp_loop loop = count_to(count, BOMP_LOOP_GUIDED | flags, chunk);
    struct bomp_span span;
    uint64_t next = 0;
    begin_region(crowd, size);
    for (unsigned i = 0; i < size; i++)
        bomp_loop_meet(crowd->members[i], &loop);
    while (next < count) {
        struct bomp_member *self = crowd->members[crowd_random(crowd, size)];
        assert_true(bomp_loop_take(self, &span));
        assert_true(span.first == next);
        assert_true(span.end - span.first == guided_chunk(&loop, next, size));
        next = span.end;
    }
    for (unsigned i = 0; i < size; i++)
        assert_false(bomp_loop_take(crowd->members[i], &span));
}

/* Whichever member takes them. */
static void guided_chunks_are_shares_of_what_is_left(void **state) {
    struct crowd *crowd = *state;
    static const uint64_t counts[] = {1, 2, 63, 1000, 1001, UINT32_MAX, UINT64_MAX},
                          chunks[] = {1, 7, 300, UINT64_MAX};
    for (size_t c = 0; c < SPOTS(counts); c++)
        for (size_t k = 0; k < SPOTS(chunks); k++)
            for (unsigned size = 2; size <= CROWD_MAX; size++) {
                check_guided(crowd, size, counts[c], 0, chunks[k]);
                check_guided(crowd, size, counts[c], BOMP_LOOP_MONOTONIC, chunks[k]);
            }
}

/* ---- batches ---- */

/* Sets the size, in chunks, of the next batch of a member that has entered a loop. */
static void set_batch(struct bomp_member *self, uint32_t size) {
    bz_store_relaxed(&self->ws->at->batch, size);
    self->ws->batch.began_ns = 0;
}

/* In a monotonic loop only the owner of a batch takes from it, in order. */
static void monotonic_batches_stay(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = count_to(1000, BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC, 2);
    struct bomp_span span;
    begin_region(crowd, 2);
    for (unsigned num = 0; num < 2; num++)
        bomp_loop_meet(crowd->members[num], &loop);
    set_batch(crowd->members[0], 5);
    assert_true(bomp_loop_take(crowd->members[0], &span));
    set_batch(crowd->members[1], 1);
    assert_true(span.first == 0 && span.end == 2);
    assert_true(bomp_loop_take(crowd->members[1], &span));
    assert_true(span.first == 10 && span.end == 12);
    for (uint64_t first = 2; first < 10; first += 2) {
        assert_true(bomp_loop_take(crowd->members[0], &span));
        assert_true(span.first == first && span.end == first + 2);
    }
    assert_true(bomp_loop_take(crowd->members[0], &span));
    assert_true(span.first == 12);
    crowd->team->ws->is_void = true;
}

/* A batch is a small part of the remaining chunks, and the last chunks are taken one by one. */
static void batches_are_a_part_of_what_is_left(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = count_to(100, BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC, 1);
    struct bomp_span span;
    begin_region(crowd, 2);
    bomp_loop_meet(crowd->members[0], &loop);
    uint64_t left = 100;
    while (left > 0) {
        set_batch(crowd->members[0], BZ_CHUNK_BATCH_MOST);
        assert_true(bomp_loop_take(crowd->members[0], &span));
        uint64_t taken = bz_load_relaxed(&crowd->members[0]->ws->at->taken) + left - 100;
        uint64_t share = left / (2 * BZ_CHUNK_BATCH_SHARE);
        assert_true(taken == (share < 1 ? 1 : share < BZ_CHUNK_BATCH_MOST ? share : BZ_CHUNK_BATCH_MOST));
        for (uint64_t i = 1; i < taken; i++)
            assert_true(bomp_loop_take(crowd->members[0], &span));
        left -= taken;
    }
    assert_false(bomp_loop_take(crowd->members[0], &span));
}

/* The size after a batch of `taken` chunks that took `ns`. */
static uint32_t size_after(struct bomp_member *self, uint32_t taken, uint64_t ns) {
    struct bomp_span span;
    bz_store_relaxed(&self->ws->at->batch, taken);
    self->ws->batch = (struct bomp_chunk_batch){.taken = taken, .began_ns = bz_os_now_ns() - ns};
    assert_true(bomp_loop_take(self, &span));
    return self->ws->batch.taken;
}

static void batches_follow_their_cost(void **state) {
    struct crowd *crowd = *state;
    struct bomp_member *self = crowd->members[0];
    struct bomp_loop loop = count_to(1000000, BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC, 1);
    const uint64_t second = UINT64_C(1000000000);
    struct bomp_span span;
    begin_region(crowd, 2);
    bomp_loop_meet(self, &loop);
    assert_true(bomp_loop_take(self, &span));
    assert_int_equal(self->ws->batch.taken, 1);
    assert_int_equal(size_after(self, 1, second), 1);
    assert_int_equal(size_after(self, BZ_CHUNK_BATCH_MOST, second), BZ_CHUNK_BATCH_MOST / 2);
    uint32_t size = 0;
    for (unsigned i = 0; i < 1000 && size != 2; i++) /* an interruption may make it seem slow */
        size = size_after(self, 1, 0);
    assert_int_equal(size, 2);
    crowd->team->ws->is_void = true;
}

/* A batch left unfinished does not reach the next loop. */
static void nothing_stays_of_a_batch(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = count_to(1000, BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC, 1);
    struct bomp_span span;
    begin_region(crowd, 2);
    bomp_loop_meet(crowd->members[0], &loop);
    set_batch(crowd->members[0], 8);
    assert_true(bomp_loop_take(crowd->members[0], &span));
    bomp_loop_leave(crowd->members[0]);
    loop = count_to(20, BOMP_LOOP_STATIC, 0);
    bomp_loop_meet(crowd->members[0], &loop);
    assert_true(bomp_loop_take(crowd->members[0], &span));
    assert_true(span.first == 0 && span.end == 10);
    assert_false(bomp_loop_take(crowd->members[0], &span));
    bomp_loop_leave(crowd->members[0]);
    crowd->team->ws->is_void = true;
}

/* ---- sections ---- */

static void sections_run_once_and_in_order(void **state) {
    struct crowd *crowd = *state;
    for (unsigned size = 1; size <= CROWD_MAX; size++)
        for (unsigned count = 0; count <= 12; count++)
            for (int installed = 0; installed < 2; installed++) {
                crowd->team->size = size;
                bomp_workshare_team_start(crowd->team);
                if (installed)
                    bomp_sections_install(crowd->team, count);
                for (unsigned i = 0; i < size; i++) {
                    bomp_workshare_member_start(crowd->members[i]);
                    if (!installed)
                        bomp_sections_meet(crowd->members[i], count);
                }
                for (unsigned next = 1; next <= count; next++)
                    assert_int_equal(bomp_sections_take(crowd->members[next * 5 % size], NULL), next);
                for (unsigned i = 0; i < size; i++) {
                    assert_int_equal(bomp_sections_take(crowd->members[i], NULL), 0);
                    assert_int_equal(bomp_sections_take(crowd->members[i], NULL), 0);
                }
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CROWD_TEST(small_loops_run_once),
        CROWD_TEST(loops_at_the_ends_of_their_type_run_once),
        CROWD_TEST(static_loops_deal_as_compilers_do),
        CROWD_TEST(thieves_take_all_from_a_stuck_member),
        CROWD_TEST(thieves_take_parts_and_then_halves),
        CROWD_TEST(thieves_search_groups_with_chunks),
        CROWD_TEST(huge_loops_deal_in_order),
        CROWD_TEST(large_loops_are_split),
        CROWD_TEST(nothing_comes_after_the_last_chunk),
        CROWD_TEST(static_loops_end_before_they_wrap),
        CROWD_TEST(huge_chunks_do_not_wrap),
        CROWD_TEST(members_agree_on_a_runtime_schedule),
        CROWD_TEST(guided_chunks_are_shares_of_what_is_left),
        CROWD_TEST(monotonic_batches_stay),
        CROWD_TEST(batches_are_a_part_of_what_is_left),
        CROWD_TEST(batches_follow_their_cost),
        CROWD_TEST(nothing_stays_of_a_batch),
        CROWD_TEST(sections_run_once_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
