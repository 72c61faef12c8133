/*
 * blitz/reducer.h: variables that parallel work adds to without locks, with the result of the serial program.
 *
 * A reducer is a value with an associative operation. A task changes a view of it, which no other thread has at that time.
 * The library combines views in serial order, whatever was stolen. So a reducer that appends to a list gives the same list
 * each time, and one whose operation is exact gives the same result.
 *
 *     blitz_reducer words;
 *     blitz_text text = BLITZ_TEXT_EMPTY;
 *     blitz_reducer_begin(&words, &blitz_text_op, NULL, &text);
 *     ...                                          // in parallel work:
 *     blitz_text_print(BLITZ_VIEW(blitz_text, &words), "%d ", n);
 *     ...
 *     blitz_reducer_end(&words);                   // text holds it all, in serial order
 *     puts(text.data);
 *     blitz_text_free(&text);
 *
 * Where: in tasks of blitz/cilk.h, in blitz_fork (the forked task comes before the lines after the fork), blitz_join (the
 * first task comes before the second), loops (by index) and blitz_call, nested in any way, synced in any order. Spawned
 * tasks, submitted tasks and broadcasts have no serial order: they may use only reducers that begin and end within them.
 * Other use ends the program with a line, also the use of another thread's reducer outside of these verbs; a thread that
 * never works for a pool races there.
 *
 * Cost: none for programs without reducers. Finding an existing view costs a few nanoseconds: keep the pointer in a serial
 * loop, but not over a fork, a sync, a parallel loop or a call that has one. A fork around the use of a reducer costs tens
 * of nanoseconds more.
 *
 * With BLITZ_SERIAL defined the view is the value itself, and nothing of the library is needed.
 */
#ifndef BLITZ_REDUCER_H
#define BLITZ_REDUCER_H

#include <blitz.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wold-style-cast" /* this is C */
#    pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#endif

/* The operation of a reducer. + stands for it. */
typedef struct blitz_reducer_op {
    /* Bytes of a value. */
    size_t size;
    /* A value e with combine(e, x) = x = combine(x, e). A view begins as a copy of its bytes. */
    const void *identity;
    /* left = left + right; right's contents follow left's. left takes over all that right owns: the library discards
     * right without another call. Must not use the library. */
    void (*combine)(void *left, void *right, void *ctx);
} blitz_reducer_op;

/* A reducer. The caller provides the memory, which must not move. From begin to end the members belong to the library. */
typedef struct blitz_reducer {
    /* NULL after the end. */
    const blitz_reducer_op *op;
    /* Passed to combine. */
    void *ctx;
    /* Receives the result. */
    void *value;
    /* The owner. */
    const void *thread;
    /* The task that began it. */
    uintptr_t bound;
    void *opaque[4];
} blitz_reducer;

#ifndef BLITZ_SERIAL

/* Begins a reduction onto *value, which holds the first operand: often the identity. `op` and `value` must live until the
 * end; do not access the value before. combine gets ctx. Any thread. Outside of all pools, a fork or a scope brings the
 * thread inside until its sync or wait: a reducer must begin and end on the same side of these. 0, or EINVAL: reducer, op, a
 * member of it or value is NULL, or size is 0. */
BLITZ_API int blitz_reducer_begin(blitz_reducer *reducer, const blitz_reducer_op *op, void *ctx, void *value);

/* Returns the view of the running task, aligned for types of up to 64 bytes' alignment. It is valid until the next fork,
 * sync, loop or return of the task. Never NULL: without memory, or if the reducer is not begun, the program ends with a
 * line. Cost: a few nanoseconds if the view exists, else an allocation. */
BLITZ_API void *blitz_reducer_view(blitz_reducer *reducer);

/* Ends the reduction: *value holds the result. All work that uses the reducer must be synced before; later use ends the
 * program with a line while the memory is there. Called once, by the function or task that began it; if that was outside of
 * all pools, not between a fork and its sync, or a scope's begin and its wait. Else the program ends with a line. 0, or
 * EINVAL: reducer is NULL. */
BLITZ_API int blitz_reducer_end(blitz_reducer *reducer);

#else

static inline int blitz_reducer_begin(blitz_reducer *reducer, const blitz_reducer_op *op, void *ctx,
                                      void *value) {
    if (!reducer || !op || op->size == 0 || !op->identity || !op->combine || !value)
        return EINVAL;
    reducer->op = op;
    reducer->ctx = ctx;
    reducer->value = value;
    return 0;
}
static inline void *blitz_reducer_view(blitz_reducer *reducer) {
    return reducer->value;
}
static inline int blitz_reducer_end(blitz_reducer *reducer) {
    if (!reducer || !reducer->op)
        return EINVAL;
    reducer->op = NULL;
    return 0;
}

#endif

/* The view as an lvalue pointer of its type: *BLITZ_VIEW(long, &sum) += 1. */
#define BLITZ_VIEW(type, reducer) ((type *)blitz_reducer_view(reducer))

/* ---- Numbers ---- */

/* Defines blitz_NAME_op, an operation on numbers: combine stores `result`, of left l and right r. Floating-point sums depend
 * on their bracketing, and so on thefts; integer sums, minima and maxima do not. Unsigned sums wrap around; signed ones must
 * not overflow. */
#define BLITZ_DEFINE_REDUCER_(NAME, type, start, result)                                                     \
    static inline void blitz_##NAME##_combine(void *left, void *right, void *ctx) {                          \
        type l = *(type *)left, r = *(type *)right;                                                          \
        (void)ctx;                                                                                           \
        *(type *)left = (result);                                                                            \
    }                                                                                                        \
    static const type blitz_##NAME##_identity = (start);                                                     \
    __attribute__((unused)) static const blitz_reducer_op blitz_##NAME##_op = {                              \
        sizeof(type), &blitz_##NAME##_identity, blitz_##NAME##_combine};

/* Operations on numbers for blitz_reducer_begin: sum, minimum, maximum, bitwise and, or. */
BLITZ_DEFINE_REDUCER_(sum_int, int, 0, l + r)
BLITZ_DEFINE_REDUCER_(sum_long, long, 0, l + r)
BLITZ_DEFINE_REDUCER_(sum_int64, int64_t, 0, l + r)
BLITZ_DEFINE_REDUCER_(sum_uint64, uint64_t, 0, l + r)
BLITZ_DEFINE_REDUCER_(sum_double, double, 0, l + r)
BLITZ_DEFINE_REDUCER_(min_int64, int64_t, INT64_MAX, r < l ? r : l)
BLITZ_DEFINE_REDUCER_(max_int64, int64_t, INT64_MIN, r > l ? r : l)
BLITZ_DEFINE_REDUCER_(min_double, double, __builtin_inf(), r < l ? r : l)
BLITZ_DEFINE_REDUCER_(max_double, double, -__builtin_inf(), r > l ? r : l)
BLITZ_DEFINE_REDUCER_(and_uint64, uint64_t, UINT64_MAX, l &r)
BLITZ_DEFINE_REDUCER_(or_uint64, uint64_t, 0, l | r)

/* A minimum or maximum with its item: of equal numbers the first in serial order. */
typedef struct blitz_best {
    /* The number to compare. */
    double number;
    /* The item that it belongs to. */
    void *item;
} blitz_best;

static inline void blitz_best_min(void *left, void *right, void *ctx) {
    (void)ctx;
    if (((blitz_best *)right)->number < ((blitz_best *)left)->number)
        *(blitz_best *)left = *(blitz_best *)right;
}
static inline void blitz_best_max(void *left, void *right, void *ctx) {
    (void)ctx;
    if (((blitz_best *)right)->number > ((blitz_best *)left)->number)
        *(blitz_best *)left = *(blitz_best *)right;
}
static const blitz_best blitz_best_of_none_min = {__builtin_inf(), NULL};
static const blitz_best blitz_best_of_none_max = {-__builtin_inf(), NULL};

/* The minimum; of no numbers infinity and a NULL item. */
__attribute__((unused)) static const blitz_reducer_op blitz_best_min_op = {
    sizeof(blitz_best), &blitz_best_of_none_min, blitz_best_min};

/* The maximum; of no numbers minus infinity and a NULL item. */
__attribute__((unused)) static const blitz_reducer_op blitz_best_max_op = {
    sizeof(blitz_best), &blitz_best_of_none_max, blitz_best_max};

/* ---- Lists ---- */

/* An item of one list: the first member of the program's struct. */
typedef struct blitz_item {
    /* NULL: the last item. */
    struct blitz_item *next;
} blitz_item;

/* A singly linked list; all zero is the empty one. Appending and combining take constant time. */
typedef struct blitz_list {
    /* NULL: empty. */
    blitz_item *first;
    /* NULL: empty. */
    blitz_item *last;
    /* Number of items. */
    size_t count;
} blitz_list;

/* For the initialization of a list. */
#define BLITZ_LIST_EMPTY                                                                                     \
    { NULL, NULL, 0 }

/* Adds the item at the end. */
static inline void blitz_list_append(blitz_list *list, blitz_item *item) {
    item->next = NULL;
    if (list->last)
        list->last->next = item;
    else
        list->first = item;
    list->last = item;
    list->count++;
}

static inline void blitz_list_combine(void *left, void *right, void *ctx) {
    blitz_list *l = (blitz_list *)left, *r = (blitz_list *)right;
    (void)ctx;
    if (!r->first)
        return;
    if (l->last)
        l->last->next = r->first;
    else
        l->first = r->first;
    l->last = r->last;
    l->count += r->count;
}
static const blitz_list blitz_list_identity = BLITZ_LIST_EMPTY;

/* The op for lists: the items in the order of the serial program. */
__attribute__((unused)) static const blitz_reducer_op blitz_list_op = {
    sizeof(blitz_list), &blitz_list_identity, blitz_list_combine};

/* ---- Text, as an output stream ---- */

/* Bytes that were written one after the other; `data` ends in a 0 that does not count, or is NULL if nothing was written.
 * All zero is the empty one. */
typedef struct blitz_text {
    /* The bytes, and a final 0. */
    char *data;
    /* Bytes written. */
    size_t size;
    /* Bytes of memory at data. */
    size_t room;
    /* ENOMEM: text is missing. */
    int error;
} blitz_text;

/* For the initialization of a text. */
#define BLITZ_TEXT_EMPTY                                                                                     \
    { NULL, 0, 0, 0 }

/* Frees what the text holds and makes it empty. */
static inline void blitz_text_free(blitz_text *text) {
    free(text->data);
    memset(text, 0, sizeof *text);
}

/* Makes room for `more` bytes. 0 or ENOMEM, which text->error keeps. */
static inline int blitz_text_reserve(blitz_text *text, size_t more) {
    size_t room = text->room ? text->room : 32;
    if (more < text->room - text->size)
        return 0;
    while (room - text->size <= more && room <= SIZE_MAX / 2)
        room *= 2;
    char *data = room - text->size > more ? (char *)realloc(text->data, room) : NULL;
    if (!data)
        return text->error = ENOMEM;
    text->data = data;
    text->room = room;
    return 0;
}

/* Adds `size` bytes. 0 or ENOMEM. */
static inline int blitz_text_write(blitz_text *text, const void *data, size_t size) {
    if (blitz_text_reserve(text, size))
        return ENOMEM;
    if (size > 0)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
    return 0;
}

/* Adds what printf would print. 0, EINVAL (as printf fails) or ENOMEM. */
__attribute__((format(printf, 2, 3))) static inline int blitz_text_print(blitz_text *text, const char *format,
                                                                         ...) {
    va_list args;
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0)
        return EINVAL;
    if (blitz_text_reserve(text, (size_t)size))
        return ENOMEM;
    va_start(args, format);
    vsnprintf(text->data + text->size, (size_t)size + 1, format, args);
    va_end(args);
    text->size += (size_t)size;
    return 0;
}

static inline void blitz_text_combine(void *left, void *right, void *ctx) {
    blitz_text *l = (blitz_text *)left, *r = (blitz_text *)right;
    int error = l->error ? l->error : r->error;
    (void)ctx;
    if (!l->data) {
        *l = *r;
        l->error = error;
        return;
    }
    if (r->size > 0 && blitz_text_write(l, r->data, r->size))
        error = ENOMEM;
    l->error = error;
    free(r->data);
}
static const blitz_text blitz_text_identity = BLITZ_TEXT_EMPTY;

/* The op for texts: the bytes in the order of the serial program. */
__attribute__((unused)) static const blitz_reducer_op blitz_text_op = {
    sizeof(blitz_text), &blitz_text_identity, blitz_text_combine};

#ifdef __cplusplus
#    pragma GCC diagnostic pop
}
#endif

#endif
