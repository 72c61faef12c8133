#include "sched/views.h"

#include <string.h>

#include "env/error.h"
#include "os/os.h"

/* Before a value, which is then aligned to 64: slab objects begin 8 bytes past a multiple of that. */
enum { HEAD = BZ_LINE - 8 };
_Static_assert(sizeof(struct bz_view) <= HEAD, "a view's head has room before its value");

static const char verb[] = "blitz_reducer_view", what[] = "reducer"; /* of lines about use */

static struct bz_view *own_of(const blitz_reducer *reducer) {
    return (struct bz_view *)(uintptr_t)reducer->opaque;
}
_Static_assert(sizeof(struct bz_view) <= sizeof(((blitz_reducer *)0)->opaque),
               "a reducer has room for a view");

/* ---- memory ---- */

static bool from_slab(size_t size) {
    return HEAD + size <= BZ_SLAB_MAX;
}

static struct bz_view *view_alloc(struct bz_worker *self, size_t size) {
    if (from_slab(size))
        return bz_slabs_alloc(&self->slabs, HEAD + size);
    char *memory = size <= SIZE_MAX - BZ_LINE ? bz_os_room(BZ_LINE + size) : NULL;
    return memory ? (struct bz_view *)(memory + 8) : NULL;
}

static struct bz_view *view_new(struct bz_worker *self, blitz_reducer *reducer, size_t size) {
    struct bz_view *view = view_alloc(self, size);
    if (!view)
        bz_fatal("out of memory for a reducer's view of %zu bytes", size);
    view->reducer = reducer;
    view->value = (char *)view + HEAD;
    return view;
}

static void view_free(struct bz_worker *self, struct bz_view *view, size_t size) {
    if (view->reducer && view == own_of(view->reducer))
        return;
    if (from_slab(size))
        bz_slabs_free(&self->slabs, view);
    else
        bz_os_free((char *)view - 8, BZ_LINE + size);
}

/* ---- the stack ---- */

static bool is_mark(const struct bz_view *view) {
    return !view->reducer;
}

static void push(struct bz_worker *self, struct bz_view *view, int64_t position) {
    view->position = position;
    view->below = self->views.top;
    self->views.top = view;
    if (self->deque.split < position && bz_deque_expose_all(&self->deque)) /* the invariant */
        bz_worker_notify(self);
}

static struct bz_view *find(struct bz_worker *self, const blitz_reducer *reducer, int64_t position) {
    for (struct bz_view *at = self->views.top; at && !is_mark(at) && at->position == position; at = at->below)
        if (at->reducer == reducer)
            return at;
    return NULL;
}

const blitz_reducer_op *bz_views_op(const blitz_reducer *reducer) {
    if (bz_unlikely(!reducer))
        bz_misuse(verb, what, reducer, "must not be NULL");
    if (bz_unlikely(!bz_views_was_begun(reducer)))
        bz_misuse(verb, what, reducer, "was never begun");
    const blitz_reducer_op *op =
        bz_load_relaxed(bz_views_op_word(reducer)); /* relaxed: only an error changes it */
    if (bz_unlikely(!op))
        bz_misuse(verb, what, reducer, "was used after its end: by work that was not synced before");
    return op;
}

static void combine(struct bz_worker *self, void *left, struct bz_view *right) {
    blitz_reducer *reducer = right->reducer;
    const blitz_reducer_op *op = bz_views_op(reducer);
    op->combine(left, right->value, reducer->ctx);
    view_free(self, right, op->size);
}

/* Puts the view after all of the stack, where it has `position`. */
static void append(struct bz_worker *self, struct bz_view *view, int64_t position) {
    struct bz_view *left = find(self, view->reducer, position);
    if (left)
        combine(self, left->value, view);
    else
        push(self, view, position);
}

/* Appends a chain at its positions, from `least` to `most`. */
static void append_between(struct bz_worker *self, struct bz_view *chain, int64_t least, int64_t most) {
    while (chain) {
        struct bz_view *next = chain->below;
        int64_t position = chain->position > least ? chain->position : least;
        append(self, chain, position < most ? position : most);
        chain = next;
    }
}
static void append_at(struct bz_worker *self, struct bz_view *chain, int64_t position) {
    append_between(self, chain, position, position);
}

/* Takes the views from position `least` on, above the topmost mark: a chain, oldest first. */
static struct bz_view *take_from(struct bz_worker *self, int64_t least) {
    struct bz_view *chain = NULL;
    for (struct bz_view *at = self->views.top; at && !is_mark(at) && at->position >= least;
         at = self->views.top) {
        self->views.top = at->below;
        at->below = chain;
        chain = at;
    }
    return chain;
}

void *bz_views_get(struct bz_worker *self, blitz_reducer *reducer) {
    int64_t position = bz_deque_bottom(&self->deque);
    struct bz_view *view = find(self, reducer, position);
    if (bz_unlikely(!view)) {
        const blitz_reducer_op *op = bz_views_op(reducer);
        view = view_new(self, reducer, op->size);
        memcpy(view->value, op->identity, op->size);
        push(self, view, position);
    }
    return view->value;
}

/* ---- jobs that come before what follows their fork ---- */

bool bz_views_set_aside(struct bz_worker *self, int64_t index) {
    self->views.aside = take_from(self, index + 1);
    self->views.aside_index = index;
    return self->views.aside;
}

void bz_views_run(struct bz_worker *self, struct bz_job *job) {
    struct bz_view *aside = self->views.aside;
    int64_t index = self->views.aside_index;
    self->views.aside = NULL;
    self->running.theft.robbed = NULL; /* it was not stolen: it goes on with our views */
    bz_worker_run(self, job);
    bz_views_join_after(self, index, aside);
}

/* Where syncs come last first, all jobs from `index` to the deque's end are done: far above, if jobs were stolen. */
static int64_t end_of_done(struct bz_worker *self, int64_t index) {
    int64_t bottom = bz_deque_bottom(&self->deque);
    if (index + 1 != bottom && (self->views.done_to != bottom || self->views.done_from != index + 1))
        return index + 1;
    self->views.done_from = index;
    self->views.done_to = bottom;
    return bottom;
}

void bz_views_join(struct bz_worker *self, int64_t index, struct bz_view *left) {
    int64_t end = end_of_done(self, index);
    struct bz_view *after = take_from(self, index + 1), *before = take_from(self, index);
    append_at(self, before, end);
    append_at(self, left, end);
    append_between(self, after, end, INT64_MAX);
}

/* ---- jobs that come after what follows their fork ---- */

void bz_views_fold(struct bz_worker *self, int64_t index) {
    append_at(self, take_from(self, index + 1), index);
}

void bz_views_join_after(struct bz_worker *self, int64_t index, struct bz_view *left) {
    append_at(self, take_from(self, index), bz_deque_bottom(&self->deque));
    append_at(self, left, bz_deque_bottom(&self->deque));
}

/* ---- jobs apart ---- */

void bz_views_mark(struct bz_worker *self) {
    if (self->views.top)
        push(self, view_new(self, NULL, 0), self->deque.split);
}

/* The job and all that it made are done. */
struct bz_view *bz_views_take(struct bz_worker *self) {
    struct bz_view *chain = take_from(self, INT64_MIN), *mark = self->views.top;
    for (struct bz_view *view = chain; view; view = view->below)
        if (view == own_of(view->reducer))
            bz_misuse(
                "blitz_reducer_begin", what, view->reducer,
                "was not ended by the task that began it, or by a thread outside of all pools that began it "
                "between a fork and its sync, before that");
    self->views.top = NULL;
    append_at(self, chain, 0);
    chain = take_from(self, 0);
    if (mark) {
        self->views.top = mark->below;
        view_free(self, mark, 0);
    }
    return chain;
}

void bz_views_take_none(struct bz_worker *self, const char *where) {
    const struct bz_view *left = bz_views_take(self);
    if (left)
        bz_misuse(verb, what, left->reducer, "was used in %s, which has no place in its order", where);
}

void bz_views_hand_over(struct bz_worker *self, struct bz_worker *outer) {
    struct bz_view *chain = bz_views_take(self);
    while (chain) {
        struct bz_view *next = chain->below;
        blitz_reducer *reducer = chain->reducer;
        (void)bz_views_op(reducer);
        if (!(outer && outer->domain->start) && reducer->thread != &bz_self)
            bz_misuse(verb, what, reducer, "was used by a thread that did not begin it");
        combine(self, outer ? bz_views_get(outer, reducer) : reducer->value, chain);
        chain = next;
    }
}

/* ---- the verbs ---- */

void bz_views_begin(struct bz_worker *self, blitz_reducer *reducer) {
    struct bz_view *own = own_of(reducer);
    own->reducer = reducer;
    own->value = reducer->value;
    push(self, own, bz_deque_bottom(&self->deque));
}

bool bz_views_has_begun(const struct bz_worker *self, const blitz_reducer *reducer) {
    for (struct bz_view *at = self->views.top; at && !is_mark(at); at = at->below)
        if (at == own_of(reducer))
            return true;
    return false;
}

bool bz_views_end(struct bz_worker *self, blitz_reducer *reducer) {
    if ((reducer->bound & BZ_REDUCER_BOUND) && !bz_views_has_begun(self, reducer))
        return false;
    struct bz_view *chain = take_from(self, INT64_MIN);
    while (chain) {
        struct bz_view *next = chain->below;
        if (chain->reducer != reducer)
            push(self, chain, chain->position);
        else if (chain != own_of(reducer))
            combine(self, reducer->value, chain);
        chain = next;
    }
    return true;
}
