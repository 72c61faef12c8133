// beyond libomp: it numbers its messages, and aborts
// not clang 14: it lacks the error directive
// The error directive: the program goes on after a warning; a fatal error ends it with status 1. Standard error goes to
// standard output here, for the comparison.
// threads: 1 2
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(void) {
#pragma omp error at(execution) severity(fatal) message("the end")
    printf("not reached\n");
}

int main(void) {
    dup2(STDOUT_FILENO, STDERR_FILENO);
#pragma omp error at(execution) severity(warning)
#pragma omp error at(execution) severity(warning) message("hello")
    int status;
    pid_t child = fork();
    if (child == 0)
        fail();
    waitpid(child, &status, 0);
    printf("exited: %d, status %d\n", WIFEXITED(status), WEXITSTATUS(status));
    return 0;
}
