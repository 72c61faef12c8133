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

/* Calls it: fn(&id, &number, words...), both numbers the caller's, and words behind the count perhaps. */
void kmpc_call_run(void *call);

/* An entry point of that name was given more words than a call has, or less than none. Does not return. */
_Noreturn void kmpc_call_refuse(const char *entry, int32_t count);

/* The program's code, as bomp.h wants it. */
static inline const void *kmpc_call_code(const struct kmpc_call *call) {
    return (const void *)(uintptr_t)call->fn;
}

/* Fills it with `count` words of which the first three came in registers, whatever is in these if there are fewer. */
static inline void kmpc_call_fill(struct kmpc_call *call, const char *entry, kmpc_region_fn *fn,
                                  int32_t count, const uint64_t *three, va_list more) {
    call->fn = fn;
    call->count = (uint32_t)count;
    for (int i = 0; i < 3; i++)
        call->words[i] = three[i];
    if (count <= 3 && count >= 0)
        return;
    if (count < 0 || count > KMPC_CALL_WORDS)
        kmpc_call_refuse(entry, count);
    for (int32_t i = 3; i < count; i++)
        call->words[i] = va_arg(more, uint64_t);
}

#endif
