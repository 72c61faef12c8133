/* call.c: see call.h. A function takes what it is declared with: words that are too many are in registers that it does not
 * read, or on the caller's part of the stack, on x86-64 and AArch64 alike. So there is a call for each of a few numbers. */
#include "call.h"

#define WORDS_4(i) words[i], words[(i) + 1], words[(i) + 2], words[(i) + 3]
#define WORDS_16(i) WORDS_4(i), WORDS_4((i) + 4), WORDS_4((i) + 8), WORDS_4((i) + 12)
#define WORDS_64(i) WORDS_16(i), WORDS_16((i) + 16), WORDS_16((i) + 32), WORDS_16((i) + 48)

static __attribute__((noinline)) void run_many(const struct kmpc_call *call, int32_t *id, int32_t *number) {
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

void kmpc_call_run(void *data) {
    const struct kmpc_call *call = data;
    const uint64_t *words = call->words;
    struct bomp_caller caller = bomp_caller();
    if (call->count <= 4)
        call->fn(&caller.thread_id, &caller.thread_num, WORDS_4(0));
    else
        run_many(call, &caller.thread_id, &caller.thread_num);
}

void kmpc_call_refuse(const char *entry, int32_t count) {
    bomp_bad_count(entry, "arguments", count, KMPC_CALL_WORDS);
}
