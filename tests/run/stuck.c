/* stuck.c: a program for a debugger. It stops in a task (in_task), in a task on a stack of its own (in_fiber), and then
 * hangs: thread 0 keeps a critical construct, thread 1 waits for that, thread 2 at a barrier. With an argument it is busy
 * in the task, and ends instead. */
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

/* When the others wait by now. */
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
                usleep(100000);
                hold();
            }
        }
#pragma omp barrier
    }
}

int main(int argc, char **argv) {
    (void)argv;
    alarm(60);
    spins = argc > 1 ? 100000000 : 0;
    tasks();
    if (argc == 1)
        deadlock();
    return 0;
}
