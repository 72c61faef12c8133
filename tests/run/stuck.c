/* stuck.c: a program for a debugger. It stops in a task (in_task), in a task on its own stack (in_fiber), and then
 * hangs: thread 0 keeps a critical construct, thread 1 waits for it, thread 2 waits at a barrier. With `busy` it
 * computes in the task, and ends instead. With `tasks` it stops with tasks that have not begun (queued), and then hangs
 * in a task that others wait for, when only these and one that waits for its event are left. With `jumped` it hangs in
 * pause, in a task that another thread waits for. */
#include <dirent.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile int held, waiting;
static volatile long spins;

__attribute__((noinline)) void in_task(void) {
    while (spins > 0)
        spins--;
    __asm__ volatile("");
}

__attribute__((noinline)) void in_fiber(void) {
    __atomic_store_n(&held, -1, __ATOMIC_RELEASE);
    __asm__ volatile("");
}

/* Called when the others wait. */
__attribute__((noinline)) void hold(void) {
    puts("stuck");
    fflush(stdout);
    for (;;)
        sleep(1);
}

static void tasks(void) {
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        {
            in_task();
            while (__atomic_load_n(&held, __ATOMIC_ACQUIRE) == 0) {
#pragma omp taskyield
            }
        }
#pragma omp task
        in_fiber();
    }
}

/* Called when some tasks are queued, and other threads wait. */
__attribute__((noinline)) void queued(void) {
    __asm__ volatile("");
}

/* The number of sleeping threads, as the system reports them: all but the calling one may sleep. */
static int count_sleepers(void) {
    int sleepers = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char name[300], state = 0;
        snprintf(name, sizeof name, "/proc/self/task/%s/stat", entry->d_name);
        FILE *file = fopen(name, "r");
        if (file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1)
            sleepers += state == 'S';
        if (file)
            fclose(file);
    }
    if (folder)
        closedir(folder);
    return sleepers;
}

static void deadlock(void) {
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        while (me > 0 && held != 1)
            usleep(1000);
#pragma omp atomic
        waiting++;
        if (me < 2) {
#pragma omp critical(alpha)
            {
                held = 1;
                while (waiting < 3)
                    usleep(1000);
                while (count_sleepers() < 2)
                    usleep(1000);
                hold();
            }
        }
#pragma omp barrier
    }
}

/* Thread 1 runs the first task, which the next ones wait for. The others are queued until thread 0 waits and runs them.
 * One of these stays incomplete, since its event is never fulfilled. */
static void unbegun(void) {
    static int input, result, begun, waits;
#pragma omp parallel num_threads(2)
#pragma omp master
    {
#pragma omp task depend(out : input)
        {
            __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
            while (!__atomic_load_n(&waits, __ATOMIC_ACQUIRE))
                usleep(1000);
            while (count_sleepers() < 1)
                usleep(1000);
            hold();
        }
        while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
            usleep(1000);
#pragma omp task depend(in : input) depend(out : result)
        spins++;
#pragma omp task depend(in : result)
        spins++;
        for (int i = 0; i < 3; i++) {
#pragma omp task
            spins++;
        }
#pragma omp task priority(5)
        spins++;
        omp_event_handle_t event;
#pragma omp task detach(event)
        spins += (long)event;
#pragma omp taskloop num_tasks(4) nogroup
        for (int i = 0; i < 4; i++)
            spins++;
        queued();
        __atomic_store_n(&waits, 1, __ATOMIC_RELEASE);
#pragma omp taskwait depend(in : input)
    }
}

/* Thread 0 waits for a task of thread 1. The code of both ends with a call, which compilers turn into a jump. */
static void jumped(void) {
    static int begun;
#pragma omp parallel num_threads(2)
#pragma omp master
    {
#pragma omp task
        {
            __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
            while (count_sleepers() < 1)
                usleep(1000);
            pause();
        }
        while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
            sched_yield(); /* a sleep here would be a wait for the task */
#pragma omp taskwait
    }
}

/* Thread 0 runs a task while it waits, whose code ends with a call, as does that of the other one, which is equal: so gcc
 * makes of one of them a jump, for which there is no debug information. Both are on one line. */
#define TWO_EQUAL_TASKS                                                                                      \
    _Pragma("omp task") pause();                                                                             \
    _Pragma("omp task") pause()
static void waited(void) {
#pragma omp parallel num_threads(1)
    {
        TWO_EQUAL_TASKS;
#pragma omp taskwait
        spins++;
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    bool busy = strcmp(mode, "busy") == 0;
    alarm(100);
    spins = busy ? 100000000 : 0;
    if (strcmp(mode, "tasks") == 0)
        unbegun();
    else if (strcmp(mode, "jumped") == 0)
        jumped();
    else if (strcmp(mode, "waited") == 0)
        waited();
    else
        tasks();
    if (argc == 1)
        deadlock();
    return 0;
}
