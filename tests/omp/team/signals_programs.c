// beyond libomp: it hangs
// flags: -pthread
// threads: 2 4
// Programs that threads of a team start, in all ways, and children that they fork, block the same signals as the main
// thread. So do programs that they start at their end, in destructors of thread-specific data.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../check.h"

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SIZE = 64 };

static const char command[] = "grep SigBlk /proc/self/status";

static void by_popen(int out) {
    char line[SIZE] = "";
    FILE *pipe = popen(command, "r");

    CHECK(fgets(line, sizeof line, pipe) != NULL);
    pclose(pipe);
    CHECK_EQ(write(out, line, strlen(line)), strlen(line));
}

static void by_system(int out) {
    char text[SIZE + sizeof command];

    snprintf(text, sizeof text, "%s >&%d", command, out);
    CHECK_EQ(system(text), 0);
}

static void by_spawn(int out) {
    char *arguments[] = {"grep", "SigBlk", "/proc/self/status", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    CHECK_EQ(posix_spawnp(&child, "grep", &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    CHECK_EQ(waitpid(child, NULL, 0), child);
}

static void by_fork(int out) {
    pid_t child = fork();

    if (child == 0) {
        dup2(out, 1);
        execlp("grep", "grep", "SigBlk", "/proc/self/status", NULL);
        _exit(1);
    }
    CHECK_EQ(waitpid(child, NULL, 0), child);
}

static void by_vfork(int out) {
    pid_t child = vfork();

    if (child == 0) {
        dup2(out, 1);
        execlp("grep", "grep", "SigBlk", "/proc/self/status", NULL);
        _exit(1);
    }
    CHECK_EQ(waitpid(child, NULL, 0), child);
}

/* Without another program: reports the signals that the child blocks, in the same format. */
static void in_child(int out) {
    pid_t child = fork();

    if (child == 0) {
        sigset_t set;
        char line[SIZE];
        unsigned long bits = 0;

        pthread_sigmask(SIG_BLOCK, NULL, &set);
        for (int number = 1; number <= 64; number++)
            if (number != 32 && number != 33 && sigismember(&set, number) == 1)
                bits |= 1ul << (number - 1);
        snprintf(line, sizeof line, "SigBlk:\t%016lx\n", bits);
        _exit(write(out, line, strlen(line)) < 0);
    }
    CHECK_EQ(waitpid(child, NULL, 0), child);
}

static void (*const ways[])(int) = {by_popen, by_system, by_spawn, by_fork, by_vfork, in_child};

enum { WAYS = sizeof ways / sizeof ways[0] };

/* The report of a program that this thread starts in that way; the thread blocks the same before and after. */
static void ask(int way, char *line) {
    int ends[2];
    sigset_t before, after;

    memset(line, 0, SIZE);
    CHECK_EQ(pipe(ends), 0);
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    ways[way](ends[1]);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    close(ends[1]);
    CHECK(read(ends[0], line, SIZE - 1) > 0);
    close(ends[0]);
    for (int number = 1; number <= 64; number++)
        CHECK_EQ(sigismember(&after, number), sigismember(&before, number));
}

static char wanted[WAYS][SIZE];

static void check_way(int way) {
    char line[SIZE];

    ask(way, line);
    CHECK(strcmp(line, wanted[way]) == 0);
}

static int ended; /* threads whose destructor has run */

static void start_at_the_end(void *value) {
    (void)value;
    for (int way = 0; way < WAYS; way++)
        check_way(way);
    signal_count(&ended);
}

static void end_team(void) {
    pthread_key_t key;

    CHECK_EQ(pthread_key_create(&key, start_at_the_end), 0);
#pragma omp parallel
    if (omp_get_thread_num() == 1)
        pthread_setspecific(key, &ended);
    CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    wait_for_count(&ended, 1);
}

int main(void) {
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    for (int way = 0; way < WAYS; way++) {
        ask(way, wanted[way]);
        printf("%d: %s", way, wanted[way]);
#pragma omp parallel
#pragma omp critical
        check_way(way);
    }
    end_team();
    return check_done("signals_programs");
}
