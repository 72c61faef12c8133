/* call.c: see call.h. */
#include "call.h"

#define WORDS_4(i) words[i], words[(i) + 1], words[(i) + 2], words[(i) + 3]
#define WORDS_16(i) WORDS_4(i), WORDS_4((i) + 4), WORDS_4((i) + 8), WORDS_4((i) + 12)
#define WORDS_64(i) WORDS_16(i), WORDS_16((i) + 16), WORDS_16((i) + 32), WORDS_16((i) + 48)

void kmpc_call_many(const struct kmpc_call *call, int32_t *id, int32_t *number) {
    const uint64_t *words = call->words;
    if (call->count <= 8)
        call->fn(id, number, WORDS_4(0), WORDS_4(4));
    else if (call->count <= 16)
        call->fn(id, number, WORDS_16(0));
    else if (call->count <= 32)
        call->fn(id, number, WORDS_16(0), WORDS_16(16));
    else if (call->count <= 64)
        call->fn(id, number, WORDS_64(0));
    else
        call->fn(id, number, WORDS_64(0), WORDS_64(64), WORDS_64(128), WORDS_64(192));
}

void kmpc_call_run(void *call) {
    struct bomp_caller caller = bomp_caller();
    kmpc_call_as(call, caller.thread_id, caller.thread_num);
}
