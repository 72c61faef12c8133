/* A call of the program's function with the words that an entry point was given for it: __kmpc_fork_call and its like. */
#ifndef KMPC_CALL_H
#define KMPC_CALL_H

#include <stdarg.h>

#include "kmpc.h"

/* Words at most. */
#define KMPC_CALL_WORDS 256

struct kmpc_call {
    kmpc_region_fn *fn;
    uint32_t count;
    uint64_t words[KMPC_CALL_WORDS]; /* those behind the count are not set */
};
_Static_assert(sizeof(struct kmpc_call) <= BOMP_REGION_DATA, "the members of a region get a copy of it");

/* Calls it: fn(&id, &number, words...), with words behind the count perhaps. A function takes what it is declared with:
 * words that are too many are in registers that it does not read, or on the caller's part of the stack, on x86-64 and
 * AArch64 alike. So there is a call for each of a few numbers. */
void kmpc_call_many(const struct kmpc_call *call, int32_t *id, int32_t *number);

static inline void kmpc_call_as(const struct kmpc_call *call, int32_t id, int32_t number) {
    const uint64_t *words = call->words;
    if (call->count <= 4)
        call->fn(&id, &number, words[0], words[1], words[2], words[3]);
    else
        kmpc_call_many(call, &id, &number);
}

/* The same with the caller's numbers, for a region to run. */
void kmpc_call_run(void *call);

/* Bytes of it that are set. */
static inline size_t kmpc_call_size(const struct kmpc_call *call) {
    return offsetof(struct kmpc_call, words) + call->count * sizeof call->words[0];
}

/* The program's code, as bomp.h wants it. */
static inline const void *kmpc_call_code(const struct kmpc_call *call) {
    return (const void *)(uintptr_t)call->fn;
}

/* Fills it in, in an entry point of that name whose parameters are `count`, `fn`, a, b, c and `...`: three of the words are
 * parameters, valid or not, so that up to three words need no va_list. Their registers are the same. An impossible number
 * of words ends the program. */
#define KMPC_CALL_FILL(call, entry)                                                                          \
    do {                                                                                                     \
        (call).fn = fn;                                                                                      \
        (call).count = (uint32_t)count;                                                                      \
        (call).words[0] = a;                                                                                 \
        (call).words[1] = b;                                                                                 \
        (call).words[2] = c;                                                                                 \
        if ((uint32_t)count > 3) {                                                                           \
            va_list more;                                                                                    \
            if (count < 0 || count > KMPC_CALL_WORDS)                                                        \
                bomp_bad_count(entry, "arguments", count, KMPC_CALL_WORDS);                                  \
            va_start(more, c);                                                                               \
            for (int32_t i = 3; i < count; i++)                                                              \
                (call).words[i] = va_arg(more, uint64_t);                                                    \
            va_end(more);                                                                                    \
        }                                                                                                    \
    } while (0)

#endif
