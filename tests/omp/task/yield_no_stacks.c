// beyond libomp: it crashes
// threads: 1
// beyond libgomp: its taskyield runs nothing: a task that waits by it for a later task waits forever
// Without memory for another stack, a taskyield runs tasks on the stack of the yielding task, even earlier ones. The
// task still finds children that it creates afterwards.
#include "../../sanitized.h"
#include "../check.h"

#include <sys/resource.h>

#define OLDER 20

static void limit_memory(rlim_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes;
    if (!SANITIZED) /* sanitizers need memory themselves */
        setrlimit(RLIMIT_AS, &limit);
}

int main(void) {
    int older = 0, children = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
    {
        limit_memory(1 << 20);
        for (int i = 0; i < OLDER; i++) {
#pragma omp task shared(older)
            older++;
        }
#pragma omp task untied shared(older, children)
        {
            while (__atomic_load_n(&older, __ATOMIC_ACQUIRE) < OLDER) {
#pragma omp taskyield
            }
#pragma omp task shared(children)
            children++;
#pragma omp taskwait
            CHECK_EQ(children, 1);
        }
#pragma omp taskyield
#pragma omp taskyield
#pragma omp taskwait
        limit_memory(RLIM_INFINITY);
    }
    CHECK_EQ(older, OLDER);
    return check_done("yield_no_stacks");
}
