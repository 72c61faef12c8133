/* test_splitter.c: splitter.h: how a range is cut and how values are combined, without thieves and with a simulated
 * steal request. */
#include "api/splitter.h"

#include <string.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "base/config.h"
#include "pool/pool.h"

static struct bz_aflag no_blocks;

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size) {
    return bz_load_relaxed(&no_blocks) ? NULL : __real_bz_os_alloc(size);
}

enum { MOST = 5000 };

/* Pieces in their order of execution, on a pool of one worker. */
static struct {
    size_t count;
    struct {
        size_t lo, hi;
    } piece[MOST];
    int64_t most_queued; /* jobs in the deque during a piece */
    bool requested;      /* a thief requests a steal at each piece */
    size_t error_at;
    int error;
    uint64_t clock; /* in ns; 0: the real one */
    uint64_t cost;  /* of an index, in ns */
    size_t cheap;   /* the number of first indices that take 1 ns only */
} cut;

uint64_t __real_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    return cut.clock ? cut.clock : __real_bz_os_now_ns();
}

static int note_piece(size_t lo, size_t hi, void *ctx) {
    (void)ctx;
    assert_true(lo < hi && cut.count < MOST);
    cut.piece[cut.count].lo = lo;
    cut.piece[cut.count++].hi = hi;
    cut.clock += (hi - lo) * (lo < cut.cheap ? 1 : cut.cost);
    int64_t queued = bz_deque_size(&bz_self->deque);
    cut.most_queued = queued > cut.most_queued ? queued : cut.most_queued;
    if (cut.requested)
        bz_store_relaxed(&bz_self->deque.fast, BZ_DEQUE_REQUESTED);
    return lo <= cut.error_at && cut.error_at < hi ? cut.error : 0;
}

static int run_loop(size_t lo, size_t hi, size_t grain) {
    struct bz_loop loop = {.body = note_piece, .grain = grain};
    cut.count = 0;
    cut.most_queued = 0;
    return bz_loop_run(&loop, lo, hi, NULL);
}

/* Without thefts all pieces run in order. */
static void assert_in_order(size_t lo, size_t hi) {
    for (size_t i = 0; i < cut.count; i++) {
        assert_int_equal(cut.piece[i].lo, i == 0 ? lo : cut.piece[i - 1].hi);
        assert_true(cut.piece[i].lo < cut.piece[i].hi);
    }
    assert_true(cut.count > 0);
    assert_int_equal(cut.piece[cut.count - 1].hi, hi);
}

static void body_of(void *arg) {
    (*(void (**)(void))arg)();
}

static void in_pool_of_one(void (*body)(void)) {
    blitz_pool *pool;
    memset(&cut, 0, sizeof cut);
    cut.error_at = SIZE_MAX;
    cut.clock = 1;
    alarm(HANG_SECONDS);
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = 1}, &pool), 0);
    assert_int_equal(blitz_call(pool, body_of, &body), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    cut.clock = 0;
}

/* ---- cuts ---- */

static void cut_whole_ranges(void) {
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (cut.requested = false;; cut.requested = true) {
            assert_int_equal(run_loop(5, 5 + sizes[i], 1), 0);
            assert_in_order(5, 5 + sizes[i]);
            if (cut.requested)
                break;
        }
    assert_int_equal(run_loop(SIZE_MAX - 100, SIZE_MAX, 1), 0);
    assert_in_order(SIZE_MAX - 100, SIZE_MAX);
    cut.requested = false;
    assert_int_equal(run_loop(0, SIZE_MAX, 1), 0);
    assert_in_order(0, SIZE_MAX);
}

static void every_index_runs_once_and_in_order(void **state) {
    (void)state;
    in_pool_of_one(cut_whole_ranges);
}

static void cut_empty_ranges(void) {
    assert_int_equal(run_loop(7, 7, 1), 0);
    assert_int_equal(run_loop(8, 7, 1), 0);
    assert_int_equal(cut.count, 0);
}

static void an_empty_range_runs_nothing(void **state) {
    (void)state;
    in_pool_of_one(cut_empty_ranges);
}

static void cut_without_thieves(void) {
    cut.cost = 1;
    run_loop(0, 1 << 20, 1);
    assert_in_order(0, 1 << 20);
    /* One index, some more, and soon the maximum: a part of the first half, and of its time. */
    assert_int_equal(cut.piece[0].hi, 1);
    assert_int_equal(cut.piece[1].hi, 1 + BZ_PIECE_GROWTH);
    assert_true(cut.count <= 3 * BZ_PIECES);
    for (size_t i = 4; i < BZ_PIECES; i++)
        assert_true(cut.piece[i].hi - cut.piece[i].lo >= (1 << 19) / BZ_PIECES / 8 * 7);
}

static void without_thieves_pieces_are_large(void **state) {
    (void)state;
    in_pool_of_one(cut_without_thieves);
}

/* The first piece is minimal; the others have the maximum length, or exceed it by the grain only. */
static void cut_what_is_costly(void) {
    static const struct {
        uint64_t cost;
        size_t grain, then;
    } cases[] = {
        {BZ_PIECE_NS / 64, 1, 64}, {BZ_PIECE_NS / 16, 1, 16}, {BZ_PIECE_NS, 1, 1}, {BZ_PIECE_NS, 10, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cut.cost = cases[i].cost;
        run_loop(0, 128 * BZ_PIECES, cases[i].grain);
        assert_in_order(0, 128 * BZ_PIECES);
        assert_int_equal(cut.piece[0].hi - cut.piece[0].lo, cases[i].grain);
        assert_int_equal(cut.piece[1].hi - cut.piece[1].lo, cases[i].then);
        assert_int_equal(cut.piece[9].hi - cut.piece[9].lo, cases[i].then);
    }
}

/* However cheap the first indices: at most two pieces of one step of growth run before the cost of the others is
 * noticed. */
static void cut_what_becomes_costly(void) {
    cut.cost = 10 * BZ_PIECE_NS;
    cut.cheap = 1;
    run_loop(0, 1 << 12, 1);
    assert_int_equal(cut.piece[0].hi, 1);
    assert_true(cut.piece[1].hi - cut.piece[1].lo <= BZ_PIECE_GROWTH);
    for (size_t i = 3; i < cut.count; i++)
        assert_int_equal(cut.piece[i].hi - cut.piece[i].lo, 1);
    cut.cheap = 0;
}

static void what_becomes_costly_is_noticed(void **state) {
    (void)state;
    in_pool_of_one(cut_what_becomes_costly);
}

static void costly_pieces_become_small(void **state) {
    (void)state;
    in_pool_of_one(cut_what_is_costly);
}

/* Cheap indices run in fewer pieces, but in several. */
static void cut_what_is_cheap(void) {
    run_loop(0, 1 << 12, 1);
    assert_in_order(0, 1 << 12);
    assert_true(cut.count >= BZ_PIECES && cut.count <= 3 * BZ_PIECES / 2);
}

static void cheap_pieces_become_large(void **state) {
    (void)state;
    in_pool_of_one(cut_what_is_cheap);
}

static void cut_what_is_short(void) {
    cut.requested = true;
    cut.cost = 16 * BZ_SPLIT_NS >> 10;
    run_loop(0, 1 << 10, 1);
    assert_in_order(0, 1 << 10);
    assert_int_equal(cut.most_queued, 4); /* the last one has a 16th of the range */
    cut.cost *= 8;
    run_loop(0, 1 << 10, 1);
    assert_int_equal(cut.most_queued, 5);
    /* The first index takes no time, which proves nothing: the second one may be split off. */
    cut.cost = 0;
    run_loop(0, BZ_PIECES, 1);
    assert_int_equal(cut.most_queued, 4);
}

static void what_is_soon_done_is_not_split(void **state) {
    (void)state;
    in_pool_of_one(cut_what_is_short);
}

static void cut_by_grain(void) {
    cut.requested = true;
    run_loop(0, 1000, 100);
    assert_in_order(0, 1000);
    assert_true(cut.count <= 16); /* eight ranges of 125, which is not split, in pieces of 100 and 25 */
    run_loop(0, 1000, 1000);
    assert_int_equal(cut.count, 1);
    run_loop(0, 1000, SIZE_MAX);
    assert_int_equal(cut.count, 1);
}

static void the_grain_is_kept(void **state) {
    (void)state;
    in_pool_of_one(cut_by_grain);
}

/* Wherever a long loop begins: the next piece after a long one begins at a multiple, unless hardly anything is left. */
static void cut_long_ranges(void) {
    cut.cost = 1;
    for (size_t lo = 5; lo < 1000; lo *= 7) {
        size_t cuts = 0;
        cut.requested = !cut.requested;
        run_loop(lo, 1000003, 1);
        assert_in_order(lo, 1000003);
        for (size_t i = 0; i + 1 < cut.count; i++)
            if (cut.piece[i].hi - cut.piece[i].lo >= (BZ_CUT + 1) * BZ_CUT &&
                cut.piece[i + 1].hi - cut.piece[i + 1].lo > BZ_CUT) {
                assert_int_equal(cut.piece[i].hi % BZ_CUT, 0);
                cuts++;
            }
        assert_true(cuts >= BZ_PIECES);
    }
}

static void long_ranges_are_cut_at_multiples(void **state) {
    (void)state;
    in_pool_of_one(cut_long_ranges);
}

static void cut_short(void) {
    cut.error_at = 300;
    cut.error = -7;
    assert_int_equal(run_loop(0, 1000, 1), -7);
    assert_true(cut.piece[cut.count - 1].lo <= 300 && cut.piece[cut.count - 1].hi > 300);
}

static void an_error_ends_the_loop(void **state) {
    (void)state;
    in_pool_of_one(cut_short);
}

/* ---- values: strings, whose order shows ---- */

struct text {
    char is[1500];
};

static void add_letters(size_t lo, size_t hi, struct text *text) {
    size_t end = strlen(text->is);
    for (size_t i = lo; i < hi; i++)
        text->is[end++] = (char)('a' + i % 26);
    text->is[end] = '\0';
}

static int add_and_note(size_t lo, size_t hi, void *value, void *ctx) {
    add_letters(lo, hi, value);
    return note_piece(lo, hi, ctx);
}

static void add_text(void *left, const void *right, void *ctx) {
    (void)ctx;
    strcat(((struct text *)left)->is, ((const struct text *)right)->is);
}

static const struct text empty;
static const blitz_reduce_op concatenate = {sizeof(struct text), &empty, add_and_note, add_text};

static void assert_alphabet(const struct text *text, size_t size) {
    assert_int_equal(strlen(text->is), size);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(text->is[i], 'a' + i % 26);
}

static void concatenate_letters(void) {
    struct text text;
    for (cut.requested = false;; cut.requested = true) {
        cut.count = 0;
        assert_int_equal(blitz_reduce(0, 1000, 0, &concatenate, NULL, &text), 0);
        assert_alphabet(&text, 1000);
        if (cut.requested)
            break;
    }
}

static void operands_keep_their_order(void **state) {
    (void)state;
    in_pool_of_one(concatenate_letters);
}

static void concatenate_without_memory(void) {
    struct bz_loop loop = {.op = &concatenate, .grain = 1};
    struct text text = empty;
    bz_store_relaxed(&no_blocks, true);
    int error = bz_loop_run(&loop, 0, 1000, &text);
    bz_store_relaxed(&no_blocks, false);
    assert_int_equal(error, 0);
    assert_int_equal(cut.count, 1); /* no split: there is no room for a second value */
    assert_alphabet(&text, 1000);
}

static void without_memory_for_values_there_is_no_split(void **state) {
    (void)state;
    in_pool_of_one(concatenate_without_memory);
}

/* A half that another worker takes has its own value, combined to the right. */
static struct bz_a32 stolen;

static int add_when_stolen(size_t lo, size_t hi, void *value, void *ctx) {
    pthread_t *first = ctx;
    if (!pthread_equal(*first, pthread_self()))
        bz_store_release(&stolen, 1);
    else if (lo == 0)
        rig_until(bz_load_acquire(&stolen) == 1);
    add_letters(lo, hi, value);
    return 0;
}

static void a_stolen_half_is_put_in_its_place(void **state) {
    static const blitz_reduce_op op = {sizeof(struct text), &empty, add_when_stolen, add_text};
    pthread_t self = pthread_self();
    struct text text;
    (void)state;
    alarm(HANG_SECONDS);
    assert_int_equal(blitz_configure(&(blitz_config){.workers = 2}), 0);
    assert_int_equal(blitz_reduce(0, 1000, 400, &op, &self, &text), 0);
    assert_int_equal(stolen.v, 1);
    assert_alphabet(&text, 1000);
    assert_int_equal(blitz_shutdown(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_runs_once_and_in_order),
        cmocka_unit_test(an_empty_range_runs_nothing),
        cmocka_unit_test(without_thieves_pieces_are_large),
        cmocka_unit_test(costly_pieces_become_small),
        cmocka_unit_test(what_becomes_costly_is_noticed),
        cmocka_unit_test(cheap_pieces_become_large),
        cmocka_unit_test(what_is_soon_done_is_not_split),
        cmocka_unit_test(the_grain_is_kept),
        cmocka_unit_test(long_ranges_are_cut_at_multiples),
        cmocka_unit_test(an_error_ends_the_loop),
        cmocka_unit_test(operands_keep_their_order),
        cmocka_unit_test(without_memory_for_values_there_is_no_split),
        cmocka_unit_test(a_stolen_half_is_put_in_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
