/* in_child.h: parts of a test that need a process of their own. */
#ifndef IN_CHILD_H
#define IN_CHILD_H

#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"

/* Runs body in a child of fork(), while there are no threads yet; body returns whether it succeeded. */
static inline void in_child(bool (*body)(void)) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(HANG_SECONDS);
        _exit(body() ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#endif
