// beyond libomp: it hangs
// beyond libgomp: it keeps a list of all readers, which takes minutes
// repeat: 500
// Millions of dependent tasks from one producer, behind a slow task: outstanding tasks bound the memory, whether they
// name one address, many, or read one that the slow task writes.
#include "../../sanitized.h"
#include "../check.h"

#include <sys/resource.h>

static int done;
static char address[1 << 24];

/* Lasts until most of the others have been created, or its creator runs one of them. */
static void slow(void) {
    for (int i = 0; i < 2000; i++)
        sched_yield();
}

static void one_address(int tasks) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < tasks; i++) {
#pragma omp task depend(inout : address[0]) firstprivate(i)
        {
            if (i == 0)
                slow();
            count_up(&done);
        }
    }
}

static void many_addresses(int tasks) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : address[0])
        slow();
        for (int i = 1; i < tasks; i++) {
#pragma omp task depend(in : address[0]) depend(inout : address[i % sizeof address])
            count_up(&done);
        }
    }
}

static void readers(int tasks) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < tasks; i++) {
        if (i % 1000000 == 0) {
#pragma omp task depend(out : address[0])
            slow();
        }
#pragma omp task depend(in : address[0])
        count_up(&done);
    }
}

int main(int argc, char **argv) {
    int tasks = (int)check_arg(argc, argv, 1, SANITIZED ? 100000 : 1000000);
    struct rusage usage;
    one_address(tasks);
    many_addresses(tasks);
    readers(tasks);
    getrusage(RUSAGE_SELF, &usage);
    CHECK(usage.ru_maxrss < 256 * 1024 || SANITIZED);
    if (argc > 2)
        printf("%ld KiB\n", usage.ru_maxrss);
    printf("done %d\n", done);
    return check_done("depend_memory");
}
