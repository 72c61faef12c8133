// beyond libomp: its threads do not sleep
/*
 * Programs that are started without fork(): vfork, posix_spawn, system, popen. Nothing happens at them: no thread of a
 * team wakes up, no handler of fork() runs, and regions go on as before.
 */
// threads: 8
// beyond libgomp: some of its threads wake up meanwhile
// env:
// env: OMP_PROC_BIND=true
#include <dirent.h>
#include <spawn.h>

#include "../forked.h"

extern char **environ;
static int handlers;

static void count_handler(void) {
    handlers++;
}

/* How often the other threads of the process have gone to sleep; -1: one of them is awake. */
static long sleeps_of_others(void) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    long sum = 0, one;
    int awake = 0;

    while (tasks && (entry = readdir(tasks))) {
        char path[300], line[200], state;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *status = entry->d_name[0] == '.' || atoi(entry->d_name) == getpid() ? NULL : fopen(path, "r");
        while (status && fgets(line, sizeof line, status)) {
            if (sscanf(line, "State: %c", &state) == 1)
                awake |= state != 'S';
            if (sscanf(line, "voluntary_ctxt_switches: %ld", &one) == 1)
                sum += one;
        }
        if (status)
            fclose(status);
    }
    if (tasks)
        closedir(tasks);
    return awake ? -1 : sum;
}

static long when_all_sleep(void) {
    long before = -1, now;

    while ((now = sleeps_of_others()) == -1 || now != before) {
        before = now;
        usleep(1000);
    }
    return now;
}

static int status_of(pid_t child) {
    int status = -1;

    return waitpid(child, &status, 0) == child ? status : -1;
}

static int by_vfork(void) {
    static char *argv[] = {(char *)"true", NULL};
    pid_t child = vfork();

    if (child == 0) {
        execvp("true", argv);
        _exit(127);
    }
    return status_of(child);
}

static int by_spawn(void) {
    static char *argv[] = {(char *)"true", NULL};
    pid_t child;

    return posix_spawnp(&child, "true", NULL, NULL, argv, environ) == 0 ? status_of(child) : -1;
}

static int by_popen(void) {
    FILE *pipe = popen("true", "r");

    return pipe ? pclose(pipe) : -1;
}

/* Whether nobody of the others has woken meanwhile. */
static int spawn_beside_sleepers(void) {
    long before = when_all_sleep();

    for (int i = 0; i < 5; i++) {
        CHECK_EQ(by_vfork(), 0);
        CHECK_EQ(by_spawn(), 0);
        CHECK_EQ(by_popen(), 0);
        CHECK_EQ(system("true"), 0);
    }
    return sleeps_of_others() == before;
}

int main(void) {
    if (pthread_atfork(count_handler, count_handler, count_handler) != 0)
        return 1;
    check_all();
    /* Who expects a region at a certain time sleeps until shortly before that, and then again, for good. */
    int tries = 1;
    while (!spawn_beside_sleepers() && !UNDER_TSAN && tries < 20)
        tries++;
    if (!UNDER_TSAN) { /* its vfork is a fork */
        CHECK(tries < 20);
        CHECK_EQ(handlers, 0);
    }
    check_all();
    return check_done("fork_spawn");
}
