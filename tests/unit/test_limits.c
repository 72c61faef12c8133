/* test_limits.c: limits.h: which limit keeps the process from having more threads. */
#include "os/limits.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"

#define NOBODY 65534

/* In a child process of an unprivileged user who may have that many threads. */
static void check_user(rlim_t limit, const char *expected) {
    pid_t pid = fork();
    if (pid == 0) {
        const struct rlimit few = {limit, limit};
        char text[64];
        if (setrlimit(RLIMIT_NPROC, &few) || (geteuid() == 0 && setuid(NOBODY)))
            _exit(2);
        bz_os_thread_limit(text, sizeof text);
        _exit(strcmp(text, expected) == 0 ? 0 : 1);
    }
    int status = 0;
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_user_may_have_so_many(void **state) {
    (void)state;
    check_user(1, "ulimit -u is 1");
}

static void a_text_is_cut(void **state) {
    (void)state;
    char text[1] = {'x'};
    bz_os_thread_limit(text, sizeof text);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_user_may_have_so_many),
        cmocka_unit_test(a_text_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
