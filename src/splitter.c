#include "splitter.h"

#include <errno.h>
#include <string.h>

#include "config.h"
#include "join.h"
#include "os/os.h"
#include "pool.h"
#include "token.h"

/* A half that was forked off. */
struct half {
    struct bz_future future; /* first */
    struct bz_loop *loop;
    size_t lo, hi;
    void *value; /* written by whoever runs the half */
};

static void set_error(struct bz_loop *loop, int error) {
    int none = 0;
    bz_cas_relaxed(&loop->error, &none, error); /* relaxed: the joins order it before the return */
}

static bool is_over(struct bz_loop *loop) {
    if (bz_unlikely(bz_token_is_cancelled(loop->token)))
        set_error(loop, ECANCELED);
    return bz_load_relaxed(&loop->error) != 0; /* relaxed: a hint; a late look runs a piece too many */
}

static void run_piece(struct bz_loop *loop, size_t lo, size_t hi, void *value) {
    int error = loop->body ? loop->body(lo, hi, loop->ctx) : loop->op->map(lo, hi, value, loop->ctx);
    if (bz_unlikely(error != 0))
        set_error(loop, error);
}

static void run_range(struct bz_worker *self, struct bz_loop *loop, size_t lo, size_t hi, void *value);

static void run_half(struct bz_job *job, struct bz_worker *self) {
    struct half *half = (struct half *)job;
    struct bz_theft theft = bz_future_begin(&half->future, self);
    run_range(self, half->loop, half->lo, half->hi, half->value);
    bz_future_end(&half->future, theft);
}

/* Runs [*lo, hi) with its upper half forked off. True if that came back unrun: it is [*lo, hi) now. */
static bool run_split(struct bz_worker *self, struct bz_loop *loop, size_t *lo, size_t hi, void *value,
                      void *room) {
    size_t middle = *lo + (hi - *lo) / 2;
    struct half half = {.future.job.run = run_half, .loop = loop, .lo = middle, .hi = hi, .value = room};
    if (loop->op)
        memcpy(room, loop->op->identity, loop->op->size);
    int64_t index = self->deque.bottom;
    bool forked = bz_worker_push(self, &half.future.job);
    run_range(self, loop, *lo, middle, value);
    *lo = middle;
    if (!forked)
        return true;
    bz_future_fold(self, index);
    if (bz_future_claim(self, &half.future))
        return true;
    bz_future_views_after(self, &half.future);
    if (loop->op && !is_over(loop))
        loop->op->combine(value, room, loop->ctx);
    return false;
}

/* The same, with room for the half's value. Without memory for that there is no split. */
static bool split(struct bz_worker *self, struct bz_loop *loop, size_t *lo, size_t hi, void *value) {
    size_t size = loop->op ? loop->op->size : 0;
    if (size <= BZ_SMALL_VALUE) {
        BZ_ALIGN_LINE char room[BZ_SMALL_VALUE];
        return run_split(self, loop, lo, hi, value, room);
    }
    void *room = bz_os_alloc(size, BZ_LINE);
    if (!room) {
        run_piece(loop, *lo, hi, value);
        return false;
    }
    bool back = run_split(self, loop, lo, hi, value, room);
    bz_os_free(room, size);
    return back;
}

static bool wants_split(const struct bz_worker *self, const struct bz_loop *loop, size_t count) {
    return count / 2 >= loop->grain && bz_load_relaxed(&self->deque.hungry) != 0; /* relaxed: a hint */
}

/* Runs the first piece of a range. Returns how large the others shall be, so that a thief never waits for long. */
static size_t run_first(struct bz_loop *loop, size_t lo, size_t end, void *value) {
    size_t piece = end - lo;
    uint64_t start = bz_os_now_ns();
    run_piece(loop, lo, end, value);
    uint64_t times = (bz_os_now_ns() - start) / BZ_PIECE_NS;
    if (times > 1)
        piece = piece / times > loop->grain ? piece / times : loop->grain;
    return piece;
}

static size_t pieces_of(const struct bz_loop *loop, size_t count) {
    return count / BZ_PIECES > loop->grain && !loop->singly ? count / BZ_PIECES : loop->grain;
}

static void run_range(struct bz_worker *self, struct bz_loop *loop, size_t lo, size_t hi, void *value) {
    while (lo < hi) {
        size_t piece = pieces_of(loop, hi - lo);
        bool first = piece > loop->grain;
        while (lo < hi) {
            if (is_over(loop))
                return;
            if (wants_split(self, loop, hi - lo)) {
                if (!split(self, loop, &lo, hi, value))
                    return;
                break;
            }
            size_t end = hi - lo > piece ? lo + piece : hi;
            if (first)
                piece = run_first(loop, lo, end, value);
            else
                run_piece(loop, lo, end, value);
            first = false;
            lo = end;
        }
    }
}

struct whole {
    struct bz_loop *loop;
    size_t lo, hi;
    void *value;
};

static void run_whole(void *arg) {
    struct whole *whole = arg;
    if (bz_pool_of(bz_self)->serial)
        run_piece(whole->loop, whole->lo, whole->hi, whole->value);
    else
        run_range(bz_self, whole->loop, whole->lo, whole->hi, whole->value);
}

int bz_loop_run(struct bz_loop *loop, size_t lo, size_t hi, void *value) {
    struct whole whole = {loop, lo, hi, value};
    if (lo >= hi)
        return 0;
    if (is_over(loop))
        return ECANCELED;
    if (hi - lo <= loop->grain || bz_pool_run(NULL, run_whole, &whole))
        run_piece(loop, lo, hi, value);
    return bz_load_relaxed(&loop->error); /* relaxed: all are joined */
}
