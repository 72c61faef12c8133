// env: OMP_DYNAMIC=true
// threads: 2
// repeat: 100
// beyond libgomp: by the system's load
// beyond libomp: a nested region has fewer than are left
// checks itself: by its status
// With dyn-var true, a region gets the CPUs that the process's other regions leave free, and all CPUs after these have
// ended. Nested regions and the child of a fork also count.
#include "../check.h"
#include "../forked.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 10000 /* more than the number of CPUs */

static int region_size(void) {
    int size = 0;
#pragma omp parallel num_threads(MANY)
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

/* The size of a region while a team of all CPUs runs. */
static void *size_of_second(void *size) {
    *(int *)size = region_size();
    return NULL;
}

static void in_another_thread(int all) {
    int sizes[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(MANY)
#pragma omp master
        {
            pthread_t thread;
            CHECK(omp_get_num_threads() == all);
            CHECK(pthread_create(&thread, NULL, size_of_second, &sizes[i]) == 0);
            CHECK(pthread_join(thread, NULL) == 0);
        }
        CHECK(sizes[i] == 1);
        CHECK(region_size() == all);
    }
}

/* All of them are in the outer region. */
static void nested(int all) {
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(MANY)
    CHECK(omp_get_num_threads() != all || region_size() == 1);
    int left = 0;
#pragma omp parallel num_threads(1)
    left = region_size();
    CHECK(left == all);
    CHECK(region_size() == all);
}

/* A thread counts once, even below regions that do not share. */
static void below(int all) {
    int inside = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp target map(from : inside)
        inside = region_size();
    }
    CHECK(inside == all);
#pragma omp parallel num_threads(1)
    {
        omp_set_dynamic(0);
#pragma omp parallel num_threads(1)
        {
            omp_set_dynamic(1);
            inside = region_size();
        }
    }
    CHECK(inside == all);
}

static void *end_inside(void *arg) {
    (void)arg;
#pragma omp parallel num_threads(1)
    pthread_exit(NULL);
    return NULL;
}

static void thread_that_ends(int all) {
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, end_inside, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    CHECK(region_size() == all);
}

/* The team of the region ended with the fork. */
static void child_of_fork(int all) {
#pragma omp parallel num_threads(MANY)
#pragma omp master
    {
        pid_t child = fork();
        if (child == 0) {
            int inside = region_size();
            _exit(inside != all);
        }
        int status = 1;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

/* A region that does not share neither counts nor reads the count. */
static void without(int all) {
    omp_set_dynamic(0);
#pragma omp parallel num_threads(3)
#pragma omp master
    {
        CHECK(omp_get_num_threads() == 3);
        omp_set_dynamic(1);
        CHECK(region_size() == all);
    }
    omp_set_dynamic(1);
    CHECK(region_size() == all);
}

int main(void) {
    int all = region_size();
    CHECK(all >= 1);
    in_another_thread(all);
    nested(all);
    below(all);
    thread_that_ends(all);
    child_of_fork(all);
    without(all);
    return check_done("dynamic_share");
}
