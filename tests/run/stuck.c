/* stuck.c: a program for a debugger. It stops in a task (in_task), in a task on a stack of its own (in_fiber), and then
 * hangs: thread 0 keeps a critical construct, thread 1 waits for that, thread 2 at a barrier. With an argument it is busy
 * in the task, and ends instead. */
#include <dirent.h>
#include <omp.h>
#include <stdio.h>
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

/* When the others wait. */
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

/* Threads that the system says are asleep: all but the calling one may be. */
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

int main(int argc, char **argv) {
    (void)argv;
    alarm(100);
    spins = argc > 1 ? 100000000 : 0;
    tasks();
    if (argc == 1)
        deadlock();
    return 0;
}
