// A jump out of a region: threads that begin later still receive the words of its call, whatever has overwritten the
// caller's copies.
// threads: 2 8
#include <setjmp.h>
#include <string.h>

#include "check.h"

static jmp_buf before;
static int wrong;

__attribute__((noinline)) static void overwrite_stack(void) {
    volatile char block[16384];
    memset((char *)block, 0x5a, sizeof block);
}

__attribute__((noinline)) static void leave(long a, long b) {
#pragma omp parallel firstprivate(a, b)
    {
        if (a != 20 || b != 3)
            __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
#pragma omp master
        longjmp(before, 1);
    }
}

int main(void) {
    int sum = 0;
    if (setjmp(before) == 0)
        leave(20, 3);
    overwrite_stack();
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK_EQ(sum, 4950);
    CHECK_EQ(__atomic_load_n(&wrong, __ATOMIC_RELAXED), 0);
    exit(check_done("region_jump"));
}
