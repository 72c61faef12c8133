#include "api/splitter.h"

#include <string.h>

#include "api/join.h"
#include "base/hooks.h"
#include "os/os.h"
#include "pool/pool.h"
#include "pool/token.h"

/* A part of a loop: the whole, or a half that was forked off. */
struct part {
    struct bz_frame frame; /* first; of a half */
    struct bz_loop *loop;
    size_t lo, hi;
    void *value; /* written by the worker that runs it */
};

/* A worker's progress in its part of a loop. */
struct pace {
    size_t piece;   /* indices in the next piece; 0: no piece yet */
    size_t share;   /* most indices in a piece, but for the grain; twice as many if it takes no time */
    size_t enough;  /* fewest indices to give away; 0: unknown */
    uint64_t since; /* the last clock reading; 0: none */
};

static void set_error(struct bz_loop *loop, int error) {
    int none = 0;
    bz_cas_relaxed(&loop->error, &none, error); /* relaxed: the joins order it before the return */
}

static bool is_over(struct bz_loop *loop) {
    if (bz_unlikely(bz_token_is_cancelled(loop->token)))
        set_error(loop, ECANCELED);
    return bz_load_relaxed(&loop->error) != 0; /* relaxed: late, one more piece runs */
}

BZ_INLINE const char *verb_of(const struct bz_loop *loop) {
    return loop->body ? "blitz_for" : "blitz_reduce";
}

BZ_INLINE uintptr_t body_of(const struct bz_loop *loop) {
    return loop->body ? (uintptr_t)loop->body : (uintptr_t)loop->op->map;
}

BZ_INLINE int call_body(const struct bz_loop *loop, size_t lo, size_t hi, void *value) {
    return loop->body ? loop->body(lo, hi, loop->ctx) : loop->op->map(lo, hi, value, loop->ctx);
}

static unsigned open_at(struct bz_worker *self) {
    return bz_place_of(self)->open;
}

/* After a piece. */
BZ_INLINE void expect_synced(const struct bz_loop *loop, struct bz_worker *self, unsigned open) {
    if (bz_unlikely(open_at(self) > open))
        bz_strict_unsynced(bz_place_of(self), verb_of(loop), (const void *)body_of(loop));
}

/* For tools a piece is a call of the body. */
static BZ_COLD int call_piece_slow(const struct bz_loop *loop, size_t lo, size_t hi, void *value) {
    bool watched = bz_hooks && loop->site, checked = BLITZ_DEBUG >= 1 && bz_pool_self();
    struct bz_strict_before before = {0};
    if (watched)
        bz_watched_begin((const void *)body_of(loop), loop->site);
    if (checked)
        before = bz_strict_begin(bz_place_of(bz_self), body_of(loop));
    int error = call_body(loop, lo, hi, value);
    if (checked)
        bz_strict_end(bz_place_of(bz_self), before, verb_of(loop));
    if (watched)
        bz_hooks->ends();
    return error;
}

static void run_piece(struct bz_loop *loop, size_t lo, size_t hi, void *value) {
    bool slow = BLITZ_DEBUG >= 1 || bz_unlikely(bz_hooks);
    int error = slow ? call_piece_slow(loop, lo, hi, value) : call_body(loop, lo, hi, value);
    if (bz_unlikely(error != 0))
        set_error(loop, error);
}

static void run_range(struct bz_worker *self, struct bz_loop *loop, size_t lo, size_t hi, void *value,
                      struct pace *pace);

static void run_half(struct bz_job *job, struct bz_worker *self) {
    struct part *half = (struct part *)job;
    struct bz_theft theft = bz_frame_begin(&half->frame, self);
    run_range(self, half->loop, half->lo, half->hi, half->value, &(struct pace){0});
    bz_frame_end(&half->frame, theft);
}

/* The end of a piece of about `count` indices of [lo, hi): of a long one, a multiple of BZ_CUT. */
static size_t cut(const struct bz_loop *loop, size_t lo, size_t hi, size_t count) {
    size_t end = lo + count, more = (0 - end) % BZ_CUT;
    return count >= BZ_CUT * BZ_CUT && hi - end >= loop->grain + more ? end + more : end;
}

/* Runs [*lo, hi) with its upper half forked. True: that came back unrun, and is [*lo, hi) now. Without memory for the half's
 * value, runs all. */
static bool split(struct bz_worker *self, struct bz_loop *loop, size_t *lo, size_t hi, void *value,
                  struct pace *pace) {
    BZ_ALIGN_LINE char few[BZ_VALUE_IN_FRAME];
    size_t size = loop->op ? loop->op->size : 0;
    void *room = size <= sizeof few ? few : bz_os_alloc(size);
    if (!room) {
        run_piece(loop, *lo, hi, value);
        return false;
    }
    if (loop->op)
        memcpy(room, loop->op->identity, size);
    size_t middle = cut(loop, *lo, hi, (hi - *lo) / 2);
    struct part half = {.frame.job.run = run_half, .loop = loop, .lo = middle, .hi = hi, .value = room};
    int64_t index = bz_deque_bottom(&self->deque);
    bool back = !bz_worker_push(self, &half.frame.job);
    run_range(self, loop, *lo, middle, value, pace);
    *lo = middle;
    if (!back) {
        bz_frame_fold(self, index);
        back = bz_frame_claim_fast(self, &half.frame) || bz_frame_claim_slow(self, &half.frame, loop->site);
    }
    if (!back) {
        bz_frame_take_views(self, &half.frame, true);
        pace->since = 0; /* after a possible wait */
        if (loop->op && !is_over(loop))
            loop->op->combine(value, room, loop->ctx);
    }
    if (room != few)
        bz_os_free(room, size);
    return back;
}

/* Whether the indices suffice for two workers. If not, they are one piece, without clock readings. */
BZ_INLINE bool is_divisible(const struct bz_loop *loop, size_t count) {
    return count / 2 >= loop->grain;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Before the first piece. */
static void begin_pieces(const struct bz_loop *loop, struct pace *pace, size_t count) {
    if (pace->piece == 0) {
        pace->share = loop->singly ? 0 : count / BZ_PIECES;
        pace->piece = loop->grain;
    }
}

/* About how many indices take that long. */
static size_t indices_in(uint64_t ns, size_t count, uint64_t took) {
    double indices = (double)count * (double)ns / (double)(took ? took : 1);
    return indices < (double)(SIZE_MAX / 2) ? (size_t)indices : SIZE_MAX;
}

/* Indices of the next piece: at most `longest`, and rather `worth` or more. Few indices predict little about many, so it
 * grows step by step. */
static size_t next_piece(const struct pace *pace, size_t longest, size_t worth) {
    if (pace->piece > longest)
        return longest;
    if (pace->piece < pace->share)
        return smaller(pace->piece < pace->share / BZ_PIECE_GROWTH ? pace->piece * BZ_PIECE_GROWTH
                                                                   : pace->share,
                       longest);
    size_t most = larger(pace->share, pace->enough / 2);
    return pace->piece < worth / 2 && pace->piece <= most ? 2 * pace->piece : pace->piece;
}

/* After a piece of `count` indices. A very short time predicts nothing. */
static void update_pace(const struct bz_loop *loop, struct pace *pace, size_t count) {
    uint64_t now = bz_os_now_ns(), took = now - pace->since;
    size_t longest = indices_in(BZ_PIECE_NS, count, took), worth = indices_in(BZ_SPLIT_NS, count, took);
    pace->enough = took >= BZ_SPLIT_NS / 8 ? worth : 0;
    pace->piece = larger(next_piece(pace, longest, worth), loop->grain);
    pace->since = now;
}

static void run_range(struct bz_worker *self, struct bz_loop *loop, size_t lo, size_t hi, void *value,
                      struct pace *pace) {
    unsigned open = open_at(self);
    while (lo < hi && !is_over(loop)) {
        bool divisible = is_divisible(loop, hi - lo);
        if (divisible && hi - lo >= pace->enough && bz_deque_is_requested(&self->deque)) {
            if (!split(self, loop, &lo, hi, value, pace))
                return;
            continue;
        }
        if (divisible)
            begin_pieces(loop, pace, hi - lo);
        size_t end = divisible && hi - lo > pace->piece ? cut(loop, lo, hi, pace->piece) : hi;
        bool timed = is_divisible(loop, hi - end);
        if (timed && pace->since == 0)
            pace->since = bz_os_now_ns();
        run_piece(loop, lo, end, value);
        expect_synced(loop, self, open);
        if (timed)
            update_pace(loop, pace, end - lo);
        lo = end;
    }
}

/* Of a serial pool: the program's grain. Without a grain the loop is one piece; with a token, which a body may cancel, it
 * has the least number of pieces. */
static size_t serial_piece(const struct bz_loop *loop, size_t count) {
    if (loop->blocked)
        return loop->grain;
    return loop->token ? larger(count / BZ_PIECES, loop->grain) : count;
}

static void run_serially(struct bz_loop *loop, size_t lo, size_t hi, void *value) {
    size_t piece = serial_piece(loop, hi - lo);
    while (lo < hi && !is_over(loop)) {
        size_t end = (hi - lo) / 2 >= piece ? lo + piece : hi;
        run_piece(loop, lo, end, value);
        lo = end;
    }
}

static void run_whole(void *arg) {
    struct part *whole = arg;
    if (bz_pool_of(bz_self)->serial)
        run_serially(whole->loop, whole->lo, whole->hi, whole->value);
    else
        run_range(bz_self, whole->loop, whole->lo, whole->hi, whole->value, &(struct pace){0});
}

int bz_loop_run(struct bz_loop *loop, size_t lo, size_t hi, void *value) {
    struct part whole = {.loop = loop, .lo = lo, .hi = hi, .value = value};
    if (lo >= hi)
        return 0;
    if (is_over(loop))
        return ECANCELED;
    if (bz_pool_run(NULL, run_whole, &whole, verb_of(loop), body_of(loop)))
        run_serially(loop, lo, hi, value);
    return bz_load_relaxed(&loop->error); /* relaxed: all are joined */
}
