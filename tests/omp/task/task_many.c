// threads: 2
// One producer creates a very large number of tasks, faster than the others can run them, in little memory. Argument:
// their number, for example 100 million.
#include "../check.h"

#include <sys/resource.h>

#include "../../sanitized.h"

enum { MIB = 64 };

int main(int argc, char **argv) {
    long tasks = check_arg(argc, argv, 1, 1000000), done = 0;
    struct {
        long count;
        char apart[120];
    } members[CHECK_MAX_THREADS] = {{0}};
    struct rusage use;

#pragma omp parallel
#pragma omp single
    for (long i = 0; i < tasks; i++) {
#pragma omp task
        members[omp_get_thread_num()].count++;
    }
    for (int i = 0; i < CHECK_MAX_THREADS; i++)
        done += members[i].count;
    CHECK_EQ(done, tasks);
    getrusage(RUSAGE_SELF, &use);
    CHECK(SANITIZED || use.ru_maxrss < MIB * 1024L);
    printf("tasks %ld\n", done);
    return check_done("task_many");
}
