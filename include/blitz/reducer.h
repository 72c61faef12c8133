/*
 * blitz/reducer.h: variables that parallel work adds to without locks, with the result of the serial program.
 *
 * A reducer is a value with an associative operation. Parallel work does not change the value but a view of it, which
 * nobody else has at the time; views are combined in the order in which the program would have made their contents if it
 * ran serially, whatever was stolen. So a reducer that appends to a list gives the same list each time, and one whose
 * operation is exact gives the same result.
 *
 *     blitz_reducer words;
 *     blitz_text text = BLITZ_TEXT_EMPTY;
 *     blitz_reducer_begin(&words, &blitz_text_op, NULL, &text);
 *     ...                                          // in here, in whatever runs in parallel:
 *     blitz_text_print(BLITZ_VIEW(blitz_text, &words), "%d ", n);
 *     ...
 *     blitz_reducer_end(&words);                   // text holds it all, in serial order
 *     puts(text.data);
 *     blitz_text_free(&text);
 *
 * Where: in tasks of blitz/cilk.h and their spawns, in blitz_fork (the forked function comes before what follows the
 * fork) and blitz_join (the first function comes before the second), in loops (indices in their order), in blitz_call,
 * nested in any way, synced in any order. In tasks of scopes, submitted jobs and broadcasts only reducers that are begun
 * and ended within: these have no serial order. Such use ends the program with a line that says so. A thread that uses a
 * reducer of another thread outside of these verbs ends the program likewise, or, if it never works for a pool, races.
 *
 * Cost: none for programs without reducers. A look for a view that exists costs some nanoseconds: keep the pointer
 * over a loop, but not over a spawn, a sync, a loop or a call of anything that has one. A spawn around which a reducer is
 * used costs some tens of nanoseconds more: add to reducers in pieces of work that are worth it.
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

/* What can be reduced: values of `size` bytes. */
typedef struct blitz_reducer_op {
    size_t size; /* of a value, in bytes */
    const void *
        identity; /* a value e with combine(e, x) = x = combine(x, e); a view begins as a copy of its bytes */
    /* left = left + right, where what right holds came right after what left holds. What right owns is left's now:
     * right is thrown away without another call. Uses no verb of the library. */
    void (*combine)(void *left, void *right, void *ctx);
} blitz_reducer_op;

/* A reducer. Its owner provides the memory, which must stay where it is. */
typedef struct blitz_reducer {
    const blitz_reducer_op *op; /* all of it is the library's, from begin to end */
    void *ctx;                  /* what combine gets */
    void *value;                /* where the result goes */
    const void *thread;         /* whose it is */
    uintptr_t bound;            /* to its job */
    void *opaque[4];
} blitz_reducer;

#ifndef BLITZ_SERIAL

/* Begins a reduction onto *value, which holds what comes first: often the identity. `op` and `value` must live until the
 * end; ctx is handed to combine. The value is not to be touched before the end. 0, or EINVAL: reducer, op, a member of it
 * or value is missing, or size is 0. Any thread, inside a pool or outside. Outside, a fork or a scope brings the thread
 * inside until its sync or wait: a reducer that begins in between ends there, too, and one that began before does not, or
 * the program ends with a line. */
BLITZ_API int blitz_reducer_begin(blitz_reducer *reducer, const blitz_reducer_op *op, void *ctx, void *value);

/* The view of what runs now, aligned for any type of at most 64 bytes' alignment: there until the next spawn, fork, sync,
 * loop or return from the task. Never NULL: without memory for one the program ends with a line that says so, and
 * likewise where the reducer has ended already or was never begun. */
BLITZ_API void *blitz_reducer_view(blitz_reducer *reducer);

/* Ends the reduction: *value holds everything. All work that used the reducer must have been synced: what uses it afterwards
 * ends the program with a line, as long as its memory is there. Called once, by the function or job that began it, and if
 * that was outside of all pools not between a fork and its sync or a scope's beginning and its wait, which are inside: else
 * the program ends with a line. 0, or EINVAL: reducer is NULL. */
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

/* Defines blitz_NAME_op, a reducer's op on numbers of a type: combine leaves `result`, of left l and right r. Sums of
 * floating-point numbers depend on how they are bracketed, and so on what was stolen; sums of integers, minima and maxima
 * do not. Unsigned sums wrap around; signed ones must not overflow. */
#define BLITZ_DEFINE_REDUCER_(NAME, type, start, result)                                                     \
    static inline void blitz_##NAME##_combine(void *left, void *right, void *ctx) {                          \
        type l = *(type *)left, r = *(type *)right;                                                          \
        (void)ctx;                                                                                           \
        *(type *)left = (result);                                                                            \
    }                                                                                                        \
    static const type blitz_##NAME##_identity = (start);                                                     \
    __attribute__((unused)) static const blitz_reducer_op blitz_##NAME##_op = {                              \
        sizeof(type), &blitz_##NAME##_identity, blitz_##NAME##_combine};

/* Ops on numbers, for blitz_reducer_begin: sum, least, greatest, and of bits. */
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

/* The least or greatest number with what belongs to it: of equal ones the serially first. */
typedef struct blitz_best {
    double number; /* what is compared */
    void *item;    /* what belongs to it */
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

/* The op for the least number; of none: infinity, and no item. */
__attribute__((unused)) static const blitz_reducer_op blitz_best_min_op = {
    sizeof(blitz_best), &blitz_best_of_none_min, blitz_best_min};

/* The op for the greatest number; of none: minus infinity, and no item. */
__attribute__((unused)) static const blitz_reducer_op blitz_best_max_op = {
    sizeof(blitz_best), &blitz_best_of_none_max, blitz_best_max};

/* ---- Lists ---- */

/* An item that can be in one list at a time: the first member of what the program keeps in lists. */
typedef struct blitz_item {
    struct blitz_item *next; /* NULL: it is the last one */
} blitz_item;

/* A singly linked list; all zero is the empty one. Appending and combining take constant time. */
typedef struct blitz_list {
    blitz_item *first; /* NULL: there is none */
    blitz_item *last;  /* NULL: there is none */
    size_t count;      /* of items */
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
    char *data;  /* the bytes, and a 0 */
    size_t size; /* of what was written */
    size_t room; /* how much memory data has */
    int error;   /* ENOMEM: something is missing */
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
