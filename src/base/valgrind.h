/* Requests to valgrind's drd and helgrind (sanitizer.h): instructions without effect elsewhere. Both tools use the same
 * numbers except for IGNORE. */
#ifndef BZ_VALGRIND_H
#define BZ_VALGRIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BZ_VALGRIND_NEW = 'H' << 24 | 'G' << 16,
    BZ_VALGRIND_BEFORE = ('H' << 24 | 'G' << 16) + 256 + 33,
    BZ_VALGRIND_AFTER,
    BZ_VALGRIND_IGNORE = BZ_VALGRIND_BEFORE + 6, /* helgrind */
    BZ_VALGRIND_IGNORE_DRD = ('D' << 24 | 'R' << 16) + 2
};

/* Returns the tool's answer; UINT64_MAX: no tool knows the request. */
static inline uint64_t bz_valgrind_request(uint64_t request, const void *key, size_t size) {
    uint64_t words[6] = {request, (uint64_t)(uintptr_t)key, size}, answer = UINT64_MAX;
#if defined(__x86_64__)
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(answer)
                     : "a"(words)
                     : "cc", "memory");
#else
    register uint64_t result __asm__("x3") = answer;
    register uint64_t *address __asm__("x4") = words;
    __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\t"
                     "orr x10, x10, x10"
                     : "+r"(result)
                     : "r"(address)
                     : "cc", "memory");
    answer = result;
#endif
    return answer;
}

static inline bool bz_valgrind_runs(void) {
    static char key;
    return bz_valgrind_request(BZ_VALGRIND_BEFORE, &key, 0) != UINT64_MAX;
}

#endif
