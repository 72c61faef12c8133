// beyond libomp: a wait by taskyield never ends
// flags: -pthread
// repeat: 16
// beyond libgomp: its taskyield does nothing: tasks that wait for requests block those that would post the others
// Requests as in a message library: tasks post them, a thread without OpenMP completes them in its own order, and tasks
// wait for them by polling with taskyield. Replies come only after all requests of a round are posted: with more tasks
// than threads, tasks that only polled would wait forever. Also with taskwait and taskgroup, tied and untied tasks, and
// dependent tasks.
#include "../check.h"

#include <pthread.h>
#include <time.h>

#define MOST 64

struct request {
    struct request *next;
    int value;
    int done; /* set by the completing thread, polled by the task */
};

static struct request *posted; /* newest first; by compare and swap */
static int stop;

static void post(struct request *request, int value) {
    request->value = value;
    request->done = 0;
    request->next = __atomic_load_n(&posted, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(&posted, &request->next, request, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
}

/* Waits for a whole round, and then completes it, newest first. */
static void *completer(void *arg) {
    int round = *(int *)arg, count = 0;
    struct request *all[MOST];
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        struct request *request = __atomic_exchange_n(&posted, NULL, __ATOMIC_ACQUIRE);
        for (; request; request = request->next)
            all[count++] = request;
        if (count < round) {
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL); /* leaves the CPU to the tasks */
            continue;
        }
        for (int i = 0; i < count; i++) {
            all[i]->value *= 2;
            __atomic_store_n(&all[i]->done, 1, __ATOMIC_RELEASE); /* it may be gone now */
        }
        count = 0;
    }
    return NULL;
}

static int transfer(int value) {
    struct request request; /* on the stack of the task, where the other thread writes to it */
    post(&request, value);
    while (!__atomic_load_n(&request.done, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
    }
    return request.value;
}

static long plain(int tasks) {
    long sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < tasks; i++) {
#pragma omp task shared(sum)
        {
            int got = transfer(i);
#pragma omp atomic
            sum += got;
        }
    }
    return sum;
}

/* A thread that waits for them meanwhile works. */
static long grouped(int tasks) {
    long sum = 0;
    int busy = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < tasks; i++) {
#pragma omp task untied shared(sum, busy)
            {
                int got = transfer(i);
#pragma omp task shared(sum)
                {
#pragma omp atomic
                    sum += got;
                }
                count_up(&busy);
            }
        }
        CHECK_EQ(count_read(&busy), tasks);
#pragma omp atomic
        sum += 0;
    }
    return sum;
}

/* A task that depends on a transfer runs when it is complete. */
static long dependent(int tasks) {
    long sum = 0;
    int cells[MOST] = {0};
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < tasks; i++) {
#pragma omp task untied depend(out : cells[i]) shared(cells)
            cells[i] = transfer(i);
#pragma omp task depend(in : cells[i]) shared(cells, sum)
            {
#pragma omp atomic
                sum += cells[i];
            }
        }
#pragma omp taskwait
    }
    return sum;
}

int main(int argc, char **argv) {
    int tasks = (int)check_arg(argc, argv, 1, 24);
    long want = (long)tasks * (tasks - 1);
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, completer, &tasks), 0);
    for (int round = 0; round < 5; round++) {
        CHECK_EQ(plain(tasks), want);
        CHECK_EQ(grouped(tasks), want);
        CHECK_EQ(dependent(tasks), want);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    printf("tasks %d\n", tasks);
    return check_done("yield_polls");
}
