/* Regions of every kind, for ompt_tool.c. argv: what it does besides. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* omp_control_tool, which older compilers' omp.h and library do not have. */
static int control_tool(int command, int modifier, void *arg) {
    int (*function)(int, int, void *) = (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    return function ? function(command, modifier, arg) : 0;
}
enum { START = 1 };

static int sum;

static void regions(void) {
#pragma omp parallel num_threads(3)
    {
#pragma omp for
        for (int i = 0; i < 30; i++)
#pragma omp atomic
            sum += i;
#pragma omp barrier
#pragma omp single
        {
#pragma omp task
#pragma omp atomic
            sum++;
#pragma omp taskwait
        }
#pragma omp parallel num_threads(2)
#pragma omp atomic
        sum++;
    }
#pragma omp parallel num_threads(1)
    sum++;
#pragma omp parallel if (sum < 0)
    sum++;
#pragma omp parallel for num_threads(2) schedule(dynamic)
    for (int i = 0; i < 8; i++)
#pragma omp atomic
        sum += i;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
#pragma omp atomic
        sum++;
#pragma omp section
#pragma omp atomic
        sum++;
    }
}

/* The child has regions of its own. */
static int in_child(void) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        regions();
        exit(3);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    omp_set_max_active_levels(2);
    regions();
    printf("control: %d\n", control_tool(START, 7, NULL));
    if (strcmp(what, "fork") == 0)
        printf("child: %d\n", in_child());
    if (strcmp(what, "exit") == 0) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1)
            exit(0);
        else
            sleep(20);
    }
    return 0;
}
