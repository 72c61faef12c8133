// beyond libomp: its threads take more addresses
// threads: 8 32
// env: OMP_STACKSIZE=8M
// beyond libgomp: its threads that create tasks take 64 MiB more address space each
// A process takes the address space of its threads' stacks and a tenth more. Batch systems limit it (ulimit -v), and a
// team gets all of its threads under a limit that leaves room for these alone.
#define _GNU_SOURCE
#include "../check.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../sanitized.h"

#define STACK ((size_t)8 << 20)

/* Bytes, from the process's status. */
static size_t status_of(const char *name) {
    char line[200];
    size_t kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            kib = strtoul(line + strlen(name) + 1, NULL, 10);
    if (file)
        fclose(file);
    return kib << 10;
}

static int fib(int n) {
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

struct large {
    char bytes[5000];
};

static int work(void) {
    int team = 0, sum = 0, chain = 0;
    struct large large = {{1}};
#pragma omp parallel reduction(+ : team)
    {
        team++;
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < 1000; i++)
            sum++;
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 320; i++) {
#pragma omp task firstprivate(large)
            CHECK_EQ(large.bytes[0], 1);
        }
#pragma omp single
        CHECK_EQ(fib(18), 2584);
#pragma omp single
        for (int i = 0; i < 200; i++) {
#pragma omp task depend(inout : chain)
            chain++;
        }
    }
    CHECK_EQ(sum, 1000);
    CHECK_EQ(chain, 200);
    return team;
}

/* Runs under the limit, which the runtime reads at the start of a process, as in a batch system. */
static void under_a_bound(size_t bytes) {
    struct rlimit limit = {bytes, bytes};
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    execl("/proc/self/exe", "address_space", "bounded", (char *)NULL);
    CHECK(0);
}

int main(int argc, char **argv) {
    (void)argv;
    size_t threads = (size_t)omp_get_max_threads(), before = status_of("VmSize");
    size_t most = before + (threads - 1) * (STACK + STACK / 10);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(work(), threads);
    if (!SANITIZED) /* their own memory takes most of the address space */
        CHECK(before > 0 && status_of("VmPeak") <= most);
    if (argc == 1 && !SANITIZED && check_failures == 0)
        under_a_bound(most);
    return check_done("address_space");
}
