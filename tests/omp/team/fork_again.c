// beyond libomp: the child aborts by an assertion
/*
 * fork() after regions, tasks and nested teams: child and grandchild use OpenMP again, with full teams and without
 * messages, and the parent's teams stay as they were. Forked by the initial thread, by a host thread that used OpenMP,
 * and by one that never did.
 */
// beyond libgomp: the child of a process that used threads waits forever for those of its parent
#include "../forked.h"

static void use_and_fork_on(void *arg) {
    int depth = *(int *)arg - 1;

    check_all();
    if (depth > 0)
        CHECK(child_runs(use_and_fork_on, &depth, "a child's child"));
    check_all();
}

static void *use_and_fork(void *arg) {
    check_all();
    CHECK(child_runs(use_and_fork_on, arg, "of a thread that used OpenMP"));
    check_all();
    return NULL;
}

static void *only_fork(void *arg) {
    CHECK(child_runs(use_and_fork_on, arg, "of a thread that did not use OpenMP"));
    return NULL;
}

/* The child has one thread, and ends with it: it neither waits for the parent's threads nor dismisses them. */
static void *fork_and_end_thread(void *arg) {
    FILE *said;

    check_all();
    pid_t child = child_fork(&said);
    if (child == 0)
        return arg;
    CHECK(child_was_well(child, said, "whose thread ends"));
    return NULL;
}

int main(void) {
    int depth = 3;

    CHECK(child_runs(use_and_fork_on, &depth, "of a process that did not use OpenMP"));
    check_all();
    for (int i = 0; i < 3; i++)
        CHECK(child_runs(use_and_fork_on, &depth, "of the initial thread"));
    check_all();
    pthread_join(host_thread(use_and_fork, &depth), NULL);
    pthread_join(host_thread(only_fork, &depth), NULL);
    pthread_join(host_thread(fork_and_end_thread, NULL), NULL);
    check_all();
    return check_done("fork_again");
}
