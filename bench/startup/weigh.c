/* The cost of a runtime to a process that hardly uses it, for weigh.py. Arguments: "empty", or "region" for one region
 * of two threads, and perhaps "memory": then the process prints its resident memory, and the private part of it, in
 * KiB. Or "times", the number of processes one after the other, and their arguments: prints their total time, in ms. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void run_times(int times, char **arguments) {
    double began = now_ms();
    for (int i = 0; i < times; i++) {
        pid_t process;
        int status;
        if (posix_spawn(&process, "/proc/self/exe", NULL, NULL, arguments, environ) != 0 ||
            waitpid(process, &status, 0) != process || status != 0)
            exit(2);
    }
    printf("%.2f\n", now_ms() - began);
}

static long line_of(const char *text, const char *name) {
    const char *line = strstr(text, name);
    return line ? atol(line + strlen(name)) : -1;
}

/* Read before stdio takes memory. */
static void tell_memory(void) {
    char text[4096];
    int file = open("/proc/self/smaps_rollup", O_RDONLY);
    ssize_t length = read(file, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    printf("%ld %ld\n", line_of(text, "\nRss:"), line_of(text, "\nPrivate_Dirty:"));
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "times") == 0 && argc > 3)
        run_times(atoi(argv[2]), argv + 2);
    if (strcmp(mode, "region") == 0) {
#pragma omp parallel num_threads(2)
        __asm__ volatile("" ::: "memory");
    }
    if (strcmp(argv[argc - 1], "memory") == 0)
        tell_memory();
    return 0;
}
