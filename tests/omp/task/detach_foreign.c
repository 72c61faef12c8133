// not clang 14: it crashes
// flags: -pthread
// repeat: 20
// beyond libgomp: its threads sometimes go on sleeping when an event is fulfilled from outside
// env: OMP_WAIT_POLICY=passive
// env:
// Events fulfilled from outside of the team that waits for them, asleep or not: by a thread that never used OpenMP, by
// one that waits for signals, by a worker of another team. Awaited by taskwait, taskgroup, a barrier, the end of the
// region, and dependent tasks; fulfilled before or after the body has ended.
#include "../check.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

enum how { TASKWAIT, TASKGROUP, BARRIER, END, DEPENDENT, KINDS };

/* Passed to the thread that fulfills it. */
static omp_event_handle_t handle;
static sem_t passed;
static int fulfilled, stop;

static void fulfill(void) {
    omp_event_handle_t event;
    __atomic_load(&handle, &event, __ATOMIC_ACQUIRE);
    __atomic_store_n(&fulfilled, 1, __ATOMIC_RELEASE);
    omp_fulfill_event(event);
}

static void *plain_thread(void *arg) {
    (void)arg;
    for (;;) {
        sem_wait(&passed);
        if (__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
            return NULL;
        fulfill();
    }
}

static void *signal_thread(void *arg) {
    sigset_t *set = arg;
    int number;
    while (sigwait(set, &number) == 0 && !__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
        fulfill();
    return NULL;
}

/* A worker of its own team fulfills events, while the others wait for the next. */
static void *other_team(void *arg) {
    (void)arg;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        plain_thread(NULL);
    return NULL;
}

static pthread_t signalled;

static void by_semaphore(omp_event_handle_t event) {
    __atomic_store(&handle, &event, __ATOMIC_RELEASE);
    sem_post(&passed);
}

static void by_signal(omp_event_handle_t event) {
    __atomic_store(&handle, &event, __ATOMIC_RELEASE);
    pthread_kill(signalled, SIGUSR1);
}

static int was_fulfilled(void) {
    return __atomic_load_n(&fulfilled, __ATOMIC_ACQUIRE);
}

/* One event, passed on in the body or after it. */
static void create(void (*pass)(omp_event_handle_t), int early, int *cell) {
    omp_event_handle_t event;
    __atomic_store_n(&fulfilled, 0, __ATOMIC_RELAXED);
    if (early) {
#pragma omp task detach(event) depend(out : cell[0])
        {
            pass(event);
            while (!was_fulfilled())
                sched_yield();
        }
    } else {
#pragma omp task detach(event) depend(out : cell[0])
        cell[0]++;
        pass(event);
    }
}

static int wait_for_it(void (*pass)(omp_event_handle_t), enum how how, int early) {
    int cell = 0, after = 0;
#pragma omp parallel shared(cell, after)
    {
#pragma omp single nowait
        switch (how) {
        case TASKWAIT:
            create(pass, early, &cell);
#pragma omp taskwait
            after = was_fulfilled();
            break;
        case TASKGROUP:
#pragma omp taskgroup
            create(pass, early, &cell);
            after = was_fulfilled();
            break;
        case DEPENDENT:
            create(pass, early, &cell);
#pragma omp task depend(in : cell) shared(after)
            after = was_fulfilled();
            break;
        default:
            create(pass, early, &cell);
            break;
        }
        if (how == BARRIER) {
#pragma omp barrier
#pragma omp single
            after = was_fulfilled();
        }
    }
    return how == END ? was_fulfilled() : after;
}

static int rounds_of(void (*pass)(omp_event_handle_t), int rounds) {
    int good = 0;
    for (int i = 0; i < rounds; i++)
        for (int how = 0; how < KINDS; how++)
            good += wait_for_it(pass, (enum how)how, i % 2);
    return good;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 100);
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sem_init(&passed, 0, 0);

    CHECK_EQ(pthread_create(&thread, NULL, plain_thread, NULL), 0);
    printf("plain thread %d\n", rounds_of(by_semaphore, rounds));
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    sem_post(&passed);
    pthread_join(thread, NULL);

    __atomic_store_n(&stop, 0, __ATOMIC_RELEASE);
    CHECK_EQ(pthread_create(&thread, NULL, other_team, NULL), 0);
    printf("another team %d\n", rounds_of(by_semaphore, rounds));
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    sem_post(&passed);
    pthread_join(thread, NULL);

    __atomic_store_n(&stop, 0, __ATOMIC_RELEASE);
    CHECK_EQ(pthread_create(&signalled, NULL, signal_thread, &set), 0);
    printf("signal thread %d\n", rounds_of(by_signal, rounds));
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    pthread_kill(signalled, SIGUSR1);
    pthread_join(signalled, NULL);
    sem_destroy(&passed);
    return check_done("detach_foreign");
}
