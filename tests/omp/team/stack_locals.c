// beyond libomp: it ends if the stack size is not round
// threads: 4
// env: UNUSED=1
// env: OMP_STACKSIZE=1M
// env: OMP_STACKSIZE=16K
// beyond libgomp: it cannot create the threads, or they overflow their stacks
// The C library puts thread-local variables into a thread's stack. The program still has all of the requested or
// default stack, even if its variables are larger than that.
#include "../check.h"

#include <string.h>
#include <sys/resource.h>

enum { LOCALS = 12 << 20 };

static __thread volatile char locals[LOCALS];
static volatile char other[16]; /* keeps the compiler from treating the array as a whole */

/* Uses that many bytes of stack, minus those of the runtime's frames. */
static __attribute__((noinline)) int use_stack(size_t bytes) {
    volatile char block[bytes];
    for (size_t at = 0; at < bytes; at += 1024)
        block[at] = 1;
    return block[0] + other[0];
}

static size_t stack_size(void) {
    const char *asked = getenv("OMP_STACKSIZE");
    struct rlimit limit;
    if (asked)
        return strcmp(asked, "1M") == 0 ? 1 << 20 : 16 << 10;
    getrlimit(RLIMIT_STACK, &limit);
    return limit.rlim_cur == RLIM_INFINITY ? 16 << 20 : limit.rlim_cur;
}

int main(void) {
    size_t size = stack_size(), room = size - (size < 64 << 10 ? 8 << 10 : 16 << 10);
    int team = 0, sum = 0;
#pragma omp parallel reduction(+ : team, sum)
    {
        team++;
        locals[omp_get_thread_num()] = 1;
        locals[LOCALS - 1] = 1;
        if (omp_get_thread_num() > 0)
            sum += use_stack(room) + locals[LOCALS - 1];
    }
    CHECK_EQ(team, 4);
    CHECK_EQ(sum, 6);
    return check_done("stack_locals");
}
