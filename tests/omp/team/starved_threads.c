// beyond libomp: it aborts if a thread cannot be created
// threads: 8
// env: OMP_STACKSIZE=4M
// beyond libgomp: it ends if a thread cannot be created
// Threads that cannot be created, because of a limit or a lack of memory: teams are smaller, with one warning that
// gives the reason, and full again once the cause is gone.
#define _GNU_SOURCE
#include "../check.h"

#include <string.h>
#include <sys/resource.h>

#include "../../sanitized.h"
#include "../child.h"

enum { ALARM_SECONDS = 100, WANTED = 8, ALLOWED = 3, OTHER_USER = 61234 };

static int team_size(void) {
    int size = 0, done = 0, tasks = 0;
#pragma omp parallel num_threads(WANTED) reduction(+ : done)
    {
#pragma omp single
        size = omp_get_num_threads();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; i++)
            done++;
#pragma omp task shared(tasks)
        count_up(&tasks);
    }
    CHECK_EQ(done, 100);
    return size;
}

static rlim_t limit(int resource, rlim_t soft) {
    struct rlimit both;
    getrlimit(resource, &both);
    rlim_t before = both.rlim_cur;
    both.rlim_cur = soft;
    CHECK_EQ(setrlimit(resource, &both), 0);
    return before;
}

/* Regions under the limit, and without it until the team is complete again. */
static void starve(int resource, rlim_t soft, int least, int most) {
    rlim_t before = limit(resource, soft);
    for (int i = 0; i < 20; i++) {
        int size = team_size();
        CHECK(size >= least && size <= most);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
        }
    }
    limit(resource, before);
    while (team_size() < WANTED)
        sched_yield();
}

/* The superuser may have any number of threads, so this runs as another user without processes. */
static void by_number(void *arg) {
    int other = geteuid() == 0;
    (void)arg;
    if (other)
        CHECK_EQ(setuid(OTHER_USER), 0);
    starve(RLIMIT_NPROC, other ? ALLOWED : 0, other ? ALLOWED : 1, other ? ALLOWED : 1);
}

static long pages(void) {
    long count = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld", &count) == 1);
    fclose(file);
    return count;
}

/* Room for about two stacks of OMP_STACKSIZE. */
static void by_space(void *arg) {
    (void)arg;
    starve(RLIMIT_AS, (rlim_t)(pages() * sysconf(_SC_PAGESIZE)) + (10 << 20), 1, 4);
}

static void try(void (*body)(void *), const char *warning, int said) {
    int status = child_run(body, NULL, ALARM_SECONDS);
    const char *end = strchr(child_heard, '\n');
    int right = status == 0 && (said ? strstr(child_heard, warning) && end && !end[1] : !*child_heard);
    if (!right)
        fprintf(stderr, "status %#x and: %s\n", (unsigned)status, child_heard);
    CHECK(right);
}

static void without(void *arg) {
    (void)arg;
    for (int i = 0; i < 20; i++)
        CHECK_EQ(team_size(), 1);
}

/* Stacks too large for the address space: read from the environment at the start of a program. */
static void by_size(void *arg) {
    (void)arg;
    setenv("OMP_STACKSIZE", "100000G", 1);
    execl("/proc/self/exe", "starved_threads", "huge", (char *)NULL);
    CHECK(0);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        without(NULL);
        return check_failures != 0;
    }
    if (!UNDER_TSAN) /* TSan has a thread of its own */
        try(by_number, "cannot start thread ", 1);
    if (!SANITIZED) /* their own memory takes most of the address space */
        try(by_space, "with a stack of 4194304 bytes: Resource temporarily unavailable; going on with ", 1);
    try(by_size, "cannot start thread 2 of 8 with a stack of 107374182400000 bytes: ", 1);
    return check_done("starved_threads");
}
