/* test_kmpc_loops.c: compat/kmpc's static and dispatched loops, compared with the definition of their schedules, for
 * random loops of all four types, with bounds up to the ends of the types. One thread plays all threads (crowd.h). */
#include "crowd.h"
#include "static.h"

typedef __int128 wide;

enum { MOST = 64 /* iterations of a loop */, LOOPS = 4000 };

/* ---- the four types as one ---- */

struct loop {
    unsigned width; /* 0 to 3: 4, 4u, 8, 8u */
    wide lower, upper;
    int64_t step, chunk;
    int32_t schedule;
};

static const struct {
    wide least, most;
} types[] = {{INT32_MIN, INT32_MAX}, {0, UINT32_MAX}, {INT64_MIN, INT64_MAX}, {0, UINT64_MAX}};

/* One thread's share. */
struct got {
    int32_t has_last;
    wide lower, upper, stride;
};

#define WIDTHS(X)                                                                                            \
    X(0, 4, int32_t, int32_t)                                                                                \
    X(1, 4u, uint32_t, int32_t) X(2, 8, int64_t, int64_t) X(3, 8u, uint64_t, int64_t)

#define DECLARE(n, w, T, S)                                                                                  \
    void __kmpc_for_static_init_##w(const struct kmpc_ident *, int32_t, int32_t, int32_t *, T *, T *, S *,   \
                                    S, S);                                                                   \
    void __kmpc_dispatch_init_##w(const struct kmpc_ident *, int32_t, int32_t, T, T, S, S);                  \
    int32_t __kmpc_dispatch_next_##w(const struct kmpc_ident *, int32_t, int32_t *, T *, T *, S *);
WIDTHS(DECLARE)

static struct got static_init(const struct loop *loop) {
    struct got got = {-1, 0, 0, 0};
#define CALL(n, w, T, S)                                                                                     \
    if (loop->width == n) {                                                                                  \
        T lower = (T)loop->lower, upper = (T)loop->upper;                                                    \
        S stride = 0;                                                                                        \
        __kmpc_for_static_init_##w(NULL, 7, loop->schedule, &got.has_last, &lower, &upper, &stride,          \
                                   (S)loop->step, (S)loop->chunk);                                           \
        got.lower = lower, got.upper = upper, got.stride = stride;                                           \
    }
    WIDTHS(CALL)
#undef CALL
    return got;
}

static void dispatch_init(const struct loop *loop) {
#define CALL(n, w, T, S)                                                                                     \
    if (loop->width == n)                                                                                    \
        __kmpc_dispatch_init_##w(NULL, 7, loop->schedule, (T)loop->lower, (T)loop->upper, (S)loop->step,     \
                                 (S)loop->chunk);
    WIDTHS(CALL)
#undef CALL
}

static bool dispatch_next(const struct loop *loop, struct got *got) {
    bool any = false;
#define CALL(n, w, T, S)                                                                                     \
    if (loop->width == n) {                                                                                  \
        T lower = 0, upper = 0;                                                                              \
        S stride = 0;                                                                                        \
        any = __kmpc_dispatch_next_##w(NULL, 7, &got->has_last, &lower, &upper, &stride);                    \
        got->lower = lower, got->upper = upper, got->stride = stride;                                        \
    }
    WIDTHS(CALL)
#undef CALL
    return any;
}

/* Adds as the type does, wrapping around. */
static wide add(unsigned width, wide a, wide b) {
    wide modulo = (wide)1 << (width < 2 ? 32 : 64), sum = (a + b - types[width].least) % modulo;
    return (sum < 0 ? sum + modulo : sum) + types[width].least;
}

/* ---- random loops ---- */

static wide random_wide(struct crowd *crowd, wide least, wide most) {
    unsigned __int128 bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 32 | (crowd_random(crowd, UINT32_MAX) + crowd_random(crowd, 2));
    return least + (wide)(bits % (unsigned __int128)(most - least + 1));
}

static int64_t random_step(struct crowd *crowd, unsigned width) {
    int64_t most = width < 2 ? INT32_MAX : INT64_MAX;
    switch (crowd_random(crowd, 4)) {
    case 0:
        return 1;
    case 1:
        return 1 + crowd_random(crowd, 9);
    case 2:
        return most - crowd_random(crowd, 3);
    default:
        return (int64_t)random_wide(crowd, 1, most / (1 + crowd_random(crowd, 100)));
    }
}

/* Up to MOST iterations, upwards or downwards, close to the ends of the type; `room`: values left after the last
 * one. */
static struct loop random_loop(struct crowd *crowd, wide room) {
    struct loop loop = {.width = crowd_random(crowd, 4)};
    const wide least = types[loop.width].least, most = types[loop.width].most;
    int64_t step = random_step(crowd, loop.width);
    wide trips = crowd_random(crowd, MOST) + 1, fit = (most - least - room) / step + 1;
    wide length = ((trips < fit ? trips : fit) - 1) * step, slack = most - least - room - length;
    wide at = crowd_random(crowd, 3) == 0   ? 0
              : crowd_random(crowd, 2) == 0 ? slack
                                            : random_wide(crowd, 0, slack);
    bool up = crowd_random(crowd, 2) == 0;
    loop.lower = up ? least + at : most - at;
    loop.upper = up ? loop.lower + length : loop.lower - length;
    loop.step = up ? step : -step;
    loop.chunk = (int64_t)crowd_random(crowd, 9) - 2;
    if (crowd_random(crowd, 8) == 0)
        loop.chunk = loop.width < 2 ? INT32_MAX - crowd_random(crowd, 3) : INT64_MAX - crowd_random(crowd, 3);
    return loop;
}

static unsigned trips_of(const struct loop *loop) {
    wide each = loop->step, distance = loop->upper - loop->lower;
    return distance == 0 || (distance > 0) == (each > 0) ? (unsigned)(distance / each) + 1 : 0;
}

static unsigned chunk_of(const struct loop *loop) {
    return loop->chunk < 1 ? 1 : loop->chunk < MOST ? (unsigned)loop->chunk : MOST;
}

/* The number of the iteration with this value. */
static unsigned number_of(const struct loop *loop, wide value) {
    wide number = (value - loop->lower) / loop->step;
    assert_true(number >= 0 && number < trips_of(loop) && loop->lower + number * loop->step == value);
    return (unsigned)number;
}

static void begin_region(struct crowd *crowd, unsigned size) {
    crowd->team->size = size;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < size; i++)
        bomp_workshare_member_start(crowd->members[i]);
}

/* ---- static loops ---- */

/* The thread of iteration i. */
static unsigned owner_of(const struct loop *loop, unsigned size, unsigned i) {
    unsigned trips = trips_of(loop), each = trips / size, more = trips % size, chunk = chunk_of(loop);
    switch (kmpc_kind(loop->schedule)) {
    case KMPC_STATIC_CHUNKED:
        return i / chunk % size;
    case KMPC_STATIC_BALANCED_CHUNKED: {
        unsigned share = (trips + size - 1) / size;
        return i / ((share + chunk - 1) / chunk * chunk);
    }
    default:
        return i < more * (each + 1) ? i / (each + 1) : more + (i - more * (each + 1)) / each;
    }
}

static bool is_behind(const struct loop *loop, wide value, wide bound) {
    return loop->step > 0 ? value > bound : value < bound;
}

/* Plays compiled code: chunk after chunk, each cut at the loop's end. */
static void run_static(const struct loop *loop, unsigned num, unsigned size, unsigned char *hits) {
    struct got got = static_init(loop);
    unsigned trips = trips_of(loop);
    bool chunked = kmpc_kind(loop->schedule) == KMPC_STATIC_CHUNKED;
    for (unsigned chunks = 0;; chunks++) {
        assert_true(chunks <= trips);
        wide end = is_behind(loop, got.upper, loop->upper) ? loop->upper : got.upper;
        for (wide value = got.lower; !is_behind(loop, value, end); value += loop->step) {
            unsigned i = number_of(loop, value);
            assert_int_equal(owner_of(loop, size, i), num);
            hits[i]++;
        }
        if (!chunked || is_behind(loop, got.lower, end))
            break;
        got.lower = add(loop->width, got.lower, got.stride);
        got.upper = add(loop->width, got.upper, got.stride);
    }
    assert_int_equal(got.has_last, trips > 0 && owner_of(loop, size, trips - 1) == num);
}

/* A thread with several chunks adds the stride once too often: that must not lead back into the loop. */
static bool strides_fit(const struct loop *loop, unsigned size) {
    wide all = trips_of(loop), turn = (wide)chunk_of(loop) * size,
         end = loop->lower + (all + turn) * loop->step;
    return all <= turn || (end >= types[loop->width].least && end <= types[loop->width].most);
}

static void check_static(struct crowd *crowd, const struct loop *loop, unsigned size) {
    unsigned char hits[MOST] = {0};
    for (unsigned num = 0; num < size; num++) {
        bz_become(crowd->workers[num]);
        run_static(loop, num, size, hits);
        bz_become(NULL);
    }
    for (unsigned i = 0; i < trips_of(loop); i++)
        assert_int_equal(hits[i], 1);
}

static void static_loops_are_what_they_mean(void **state) {
    struct crowd *crowd = *state;
    static const int32_t schedules[] = {KMPC_STATIC,
                                        KMPC_STATIC_BALANCED,
                                        KMPC_STATIC_CHUNKED,
                                        KMPC_STATIC_BALANCED_CHUNKED,
                                        KMPC_STATIC | KMPC_SCHEDULE_MONOTONIC,
                                        KMPC_STATIC_CHUNKED | KMPC_SCHEDULE_NONMONOTONIC,
                                        KMPC_STATIC + KMPC_UNMERGED};
    for (unsigned n = 0; n < LOOPS; n++) {
        unsigned size = 1 + crowd_random(crowd, CROWD_MAX);
        struct loop loop = random_loop(crowd, 1);
        begin_region(crowd, size);
        for (size_t s = 0; s < sizeof schedules / sizeof *schedules; s++) {
            loop.schedule = schedules[s];
            if (kmpc_kind(loop.schedule) != KMPC_STATIC_CHUNKED || strides_fit(&loop, size))
                check_static(crowd, &loop, size);
        }
    }
}

/* Bounds and all other arguments stay as they are. */
static void static_loops_may_be_empty(void **state) {
    struct crowd *crowd = *state;
    static const int64_t steps[] = {1, -1, 5, INT32_MAX, INT32_MIN, 0};
    begin_region(crowd, 3);
    for (unsigned width = 0; width < 4; width++)
        for (size_t s = 0; s < 6; s++)
            for (int32_t kind = KMPC_STATIC_CHUNKED; kind <= KMPC_STATIC; kind++) {
                const wide least = types[width].least, most = types[width].most;
                struct loop loop = {
                    width, steps[s] > 0 ? most : least, steps[s] > 0 ? least : most, steps[s], 4, kind};
                bz_become(crowd->workers[1]);
                struct got got = static_init(&loop);
                bz_become(NULL);
                assert_true(got.lower == loop.lower && got.upper == loop.upper && got.has_last == 0);
            }
}

/* All values of the type: more iterations than a 64-bit number can count. */
static void static_loops_may_have_all_values(void **state) {
    struct crowd *crowd = *state;
    for (unsigned width = 0; width < 4; width++)
        for (unsigned size = 1; size <= CROWD_MAX; size++) {
            struct loop loop = {width, types[width].least, types[width].most, 1, 1, KMPC_STATIC};
            wide next = loop.lower;
            begin_region(crowd, size);
            for (unsigned num = 0; num < size; num++) {
                bz_become(crowd->workers[num]);
                struct got got = static_init(&loop);
                bz_become(NULL);
                assert_true(got.lower == next && got.upper >= got.lower);
                assert_int_equal(got.has_last, num == size - 1);
                next = got.upper + 1;
            }
            assert_true(next == loop.upper + 1);
        }
}

/* The start of a second chunk would not fit the type. */
static void large_chunks_end_the_loop(void **state) {
    struct crowd *crowd = *state;
    const struct loop loops[] = {{0, 0, INT32_MAX - 1, 1, 1 << 30, KMPC_STATIC_CHUNKED},
                                 {0, 0, 99, 1, 1 << 30, KMPC_STATIC_CHUNKED},
                                 {0, 0, INT32_MIN + 1, -1, 1 << 30, KMPC_STATIC_CHUNKED},
                                 {1, 0, UINT32_MAX - 1, 1, INT32_MAX, KMPC_STATIC_CHUNKED},
                                 {2, 0, INT64_MAX - 1, 1, (int64_t)1 << 62, KMPC_STATIC_CHUNKED},
                                 {3, 0, UINT64_MAX - 1, 1, INT64_MAX, KMPC_STATIC_CHUNKED}};
    for (size_t l = 0; l < sizeof loops / sizeof *loops; l++)
        for (unsigned size = 3; size <= CROWD_MAX; size++) {
            wide sum = 0;
            begin_region(crowd, size);
            for (unsigned num = 0; num < size; num++) {
                bz_become(crowd->workers[num]);
                struct got got = static_init(&loops[l]);
                bz_become(NULL);
                if (!is_behind(&loops[l], got.lower, got.upper))
                    sum += (got.upper - got.lower) / loops[l].step + 1;
                wide lower = add(loops[l].width, got.lower, got.stride);
                assert_true(is_behind(&loops[l], got.lower, got.upper) ||
                            is_behind(&loops[l], lower, loops[l].upper));
            }
            assert_true(sum == (loops[l].upper - loops[l].lower) / loops[l].step + 1);
        }
}

/* ---- dispatched loops ---- */

struct play {
    bool done, begun, has_last;
    unsigned previous, instance;
};

/* One step of a thread: loop after loop, without a barrier. */
static void step(const struct loop *loops, unsigned count, struct play *play, unsigned size,
                 unsigned char hits[][MOST], unsigned *lasts) {
    const struct loop *loop = &loops[play->instance];
    struct got got = {-1, 0, 0, 0};
    if (!play->begun) {
        dispatch_init(loop);
        play->begun = true;
        play->previous = UINT32_MAX;
        return;
    }
    if (!dispatch_next(loop, &got)) {
        assert_int_equal(got.has_last, -1);
        play->begun = false;
        play->done = ++play->instance == count;
        return;
    }
    unsigned first = number_of(loop, got.lower), last = number_of(loop, got.upper);
    assert_true(first <= last && got.stride == loop->step);
    assert_int_equal(got.has_last, last == trips_of(loop) - 1);
    bool in_order = !(loop->schedule & KMPC_SCHEDULE_NONMONOTONIC);
    assert_true(!in_order || play->previous == UINT32_MAX || first > play->previous);
    if (size > 1 && kmpc_kind(loop->schedule) == KMPC_DYNAMIC)
        assert_true(last - first + 1 == chunk_of(loop) || got.has_last == 1);
    play->previous = last;
    lasts[play->instance] += (unsigned)got.has_last;
    for (unsigned i = first; i <= last; i++)
        hits[play->instance][i]++;
}

static void play_loops(struct crowd *crowd, const struct loop *loops, unsigned count, unsigned size) {
    struct play plays[CROWD_MAX] = {{.done = false}};
    unsigned char hits[4][MOST] = {{0}};
    unsigned lasts[4] = {0}, done = 0;
    begin_region(crowd, size);
    while (done < size) {
        unsigned num = crowd_random(crowd, size);
        if (plays[num].done)
            continue;
        bz_become(crowd->workers[num]);
        step(loops, count, &plays[num], size, hits, lasts);
        bz_become(NULL);
        done += plays[num].done;
    }
    for (unsigned l = 0; l < count; l++) {
        assert_int_equal(lasts[l], trips_of(&loops[l]) > 0);
        for (unsigned i = 0; i < MOST; i++)
            assert_int_equal(hits[l][i], i < trips_of(&loops[l]));
    }
}

static void dispatched_loops_run_once(void **state) {
    struct crowd *crowd = *state;
    static const int32_t kinds[] = {33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 163, 164};
    for (unsigned n = 0; n < LOOPS; n++) {
        struct loop loops[4];
        for (unsigned l = 0; l < 4; l++) {
            loops[l] = random_loop(crowd, 0);
            int32_t flag = (int32_t)crowd_random(crowd, 3);
            loops[l].schedule = kinds[crowd_random(crowd, sizeof kinds / sizeof *kinds)];
            if (loops[l].schedule != KMPC_STATIC_STEAL)
                loops[l].schedule |= flag == 0 ? 0 : flag << 29;
            else
                loops[l].schedule |= KMPC_SCHEDULE_NONMONOTONIC;
            if (crowd_random(crowd, 9) == 0)
                loops[l].upper = loops[l].lower, loops[l].lower += loops[l].step > 0 ? 0 : 0;
        }
        play_loops(crowd, loops, 4, 1 + crowd_random(crowd, CROWD_MAX));
    }
}

/* Even shares while the ICV is unset; once the program sets it, its value, even if equal. */
static void runtime_loops_are_static_at_first(void **state) {
    struct crowd *crowd = *state;
    struct loop loop = {0, 0, 39, 1, 0, KMPC_RUNTIME | KMPC_SCHEDULE_NONMONOTONIC};
    struct got got = {-1, 0, 0, 0};
    for (unsigned said = 0; said < 2; said++) {
        begin_region(crowd, 4);
        crowd->icv[1] = (struct bomp_icv){.sched = BOMP_LOOP_DYNAMIC, .chunk = 1, .sched_said = said};
        bz_become(crowd->workers[1]);
        dispatch_init(&loop);
        assert_true(dispatch_next(&loop, &got));
        bz_become(NULL);
        assert_true(got.upper - got.lower == (said ? 0 : 9));
    }
    crowd->icv[1] = crowd->team->icv;
}

/* Code of an old compiler leaves a cancelled loop without a call. The next barrier ends the loop, so that members that
 * left it and those that ran it to its end meet the same loops afterwards. */
static void a_barrier_ends_what_was_left(void **state) {
    struct crowd *crowd = *state;
    struct loop loop = {0, 0, 39, 1, 1, KMPC_DYNAMIC | KMPC_SCHEDULE_NONMONOTONIC};
    struct got got;
    begin_region(crowd, 3);
    for (unsigned round = 0; round < 20; round++) {
        unsigned hits = 0;
        for (unsigned num = 0; num < 3; num++) {
            bz_become(crowd->workers[num]);
            dispatch_init(&loop);
            for (bool any = dispatch_next(&loop, &got); any && num != round % 3;
                 any = dispatch_next(&loop, &got))
                hits++;
            bz_become(NULL);
        }
        assert_true(hits >= 38 || round % 3 != 2);
        for (unsigned num = 0; num < 3; num++)
            bomp_workshare_barrier(crowd->members[num], NULL, BOMP_BARRIER_OTHER);
        for (unsigned num = 1; num < 3; num++) {
            assert_int_equal(crowd->members[num]->place, crowd->members[0]->place);
            assert_ptr_equal(crowd->members[num]->ws->home, crowd->members[0]->ws->home);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CROWD_TEST(static_loops_are_what_they_mean),  CROWD_TEST(static_loops_may_be_empty),
        CROWD_TEST(static_loops_may_have_all_values), CROWD_TEST(large_chunks_end_the_loop),
        CROWD_TEST(dispatched_loops_run_once),        CROWD_TEST(runtime_loops_are_static_at_first),
        CROWD_TEST(a_barrier_ends_what_was_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
