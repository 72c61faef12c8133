// beyond libomp: it accepts unknown values, or stops with other words
// Numbers that no compiler passes end the program with one message that names the entry point and the number; so does a
// strict number of threads that is not available.
#include "calls.h"

#include <signal.h>
#include <sys/wait.h>

#include "../omp/child.h"

static void body(int32_t *id, int32_t *num) {
    (void)id, (void)num;
}

static void bad_cancel(void *arg) {
    (void)arg;
    __kmpc_cancel(&here, ME, 9);
}

static void bad_point(void *arg) {
    (void)arg;
    __kmpc_cancellationpoint(&here, ME, 0);
}

static void bad_bind(void *arg) {
    (void)arg;
    __kmpc_push_proc_bind(&here, ME, 77);
}

static void bad_severity(void *arg) {
    (void)arg;
    __kmpc_error(&here, 5, "text");
}

static void bad_count(void *arg) {
    (void)arg;
    __kmpc_fork_call(&here, 257, (microtask *)body);
}

static void strict(void *arg) {
    omp_set_dynamic(0);
    __kmpc_push_num_threads_strict(&here, ME, 3, *(int *)arg, "three or none");
    __kmpc_fork_call(&here, 0, (microtask *)body);
}

/* As in libomp, neither an inactive level nor dynamic teams break the promise. */
static void strict_inactive(void *arg) {
    omp_set_max_active_levels(0);
    strict(arg);
}

static void strict_dynamic(void *arg) {
    omp_set_dynamic(1);
    __kmpc_push_num_threads_strict(&here, ME, 3, *(int *)arg, "three or none");
    __kmpc_fork_call(&here, 0, (microtask *)body);
}

static void strict_serialised(void *arg) {
    __kmpc_push_num_threads_strict(&here, ME, 3, *(int *)arg, "three or none");
    __kmpc_serialized_parallel(&here, ME);
    __kmpc_end_serialized_parallel(&here, ME);
}

static void error(void *arg) {
    __kmpc_error(&here, *(int *)arg, "the program's own words");
}

static void refused(void (*run)(void *), int arg, int status, const char *words) {
    int got = child_run(run, &arg, 20);
    CHECK_EQ(WIFEXITED(got) ? WEXITSTATUS(got) : -WTERMSIG(got), status);
    if (!strstr(child_heard, words)) {
        CHECK(!"the words");
        fprintf(stderr, "  %s\n  not in: %s", words, child_heard);
    }
}

int main(void) {
    setenv("OMP_THREAD_LIMIT", "2", 1);
    refused(bad_cancel, 0, 1, "__kmpc_cancel: kind 0x9 not known");
    refused(bad_point, 0, 1, "__kmpc_cancellationpoint: kind 0x0 not known");
    refused(bad_bind, 0, 1, "__kmpc_push_proc_bind: policy 0x4d not known");
    refused(bad_severity, 0, 1, "__kmpc_error: severity 0x5 not known");
    refused(bad_count, 0, 1, "__kmpc_fork_call: 257 arguments; must be 0 to 256");
    refused(strict, 2, 1, "num_threads(strict: 3): only 2 available: three or none");
    refused(strict, 1, 0, "num_threads(strict: 3): using 2: three or none");
    refused(strict_inactive, 2, 0, "");
    refused(strict_dynamic, 2, 0, "");
    refused(strict_serialised, 2, 1, "num_threads(strict: 3): only 1 available: three or none");
    refused(strict_serialised, 1, 0, "num_threads(strict: 3): using 1: three or none");
    refused(strict, 3, 1, "__kmpc_push_num_threads_strict: severity 0x3 not known");
    refused(error, 1, 0, "the program's own words");
    refused(error, 2, -SIGABRT, "the program's own words");
    return check_done("region_refused");
}
