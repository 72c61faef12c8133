// beyond libomp: the child hangs
// flags: -pthread
// beyond libgomp: it hangs in a child that uses OpenMP after its parent did
// threads: 4
// env: OMP_MAX_ACTIVE_LEVELS=3
// Children that end with their last thread, forked by a thread that has used OpenMP or not, outside regions, and inside
// by the primary thread: nothing keeps them alive, and there is no error.
#include "../forked.h"

static void use_openmp(void) {
    check_team(3);
    check_tasks();
}

static void leave(void *uses) {
    if (uses)
        use_openmp();
    if (check_failures || UNDER_TSAN) /* TSan's own thread would keep the child alive */
        return;
    pthread_exit(NULL);
}

static void fork_here(const char *where) {
    CHECK(child_runs(leave, NULL, where));
    CHECK(child_runs(leave, "uses", where));
}

static void *thread(void *where) {
    fork_here(where);
    return where;
}

/* A nested team of the child must not outlive the region around the fork. */
static void leave_region(void) {
    FILE *said = NULL;
    pid_t child = -1;

#pragma omp parallel num_threads(3)
#pragma omp master
    {
        child = child_fork(&said);
        if (child == 0)
            use_openmp();
    }
    if (child == 0)
        leave("uses");
    if (child == 0)
        child_end();
    CHECK(child_was_well(child, said, "forked in a region that it leaves"));
}

int main(void) {
    pthread_join(host_thread(thread, "from a thread without OpenMP, before any"), NULL);
    fork_here("from main, before OpenMP");
    use_openmp();
    fork_here("from main");
    pthread_join(host_thread(thread, "from a thread without OpenMP"), NULL);
#pragma omp parallel num_threads(3)
#pragma omp master
    fork_here("in a region");
#pragma omp parallel num_threads(1)
    fork_here("in a region of one");
    leave_region();
    return check_done("fork_ends");
}
