// beyond libomp: it waits for a detached task where it should not
// repeat: 4
// flags: -pthread
// Detached tasks: fulfilled by themselves, by other tasks, or by threads that never use OpenMP; before or after the
// body has ended; awaited by taskwait, taskgroup, dependences, or the end of a region; undeferred.
#include "../check.h"

#include <pthread.h>

static int completed;

/* Fulfilled in its own body: complete when that ends. */
static void by_itself(void) {
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 20; i++) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : completed)
            {
                completed++;
                omp_fulfill_event(event);
            }
        }
#pragma omp taskwait
        CHECK_EQ(completed, 20);
    }
}

/* By the creator, before or after the body ends; a dependent task runs only afterwards. */
static int by_the_creator(int rounds) {
    int fulfilled = 0, x = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < rounds; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(x)
        x = i;
#pragma omp task depend(in : x) shared(fulfilled, wrong)
        if (__atomic_load_n(&fulfilled, __ATOMIC_ACQUIRE) != i + 1)
            count_up(&wrong);
        busy_work((unsigned)i, i % 3 * 200);
        __atomic_store_n(&fulfilled, i + 1, __ATOMIC_RELEASE);
        omp_fulfill_event(event);
#pragma omp taskwait
    }
    CHECK_EQ(wrong, 0);
    return fulfilled;
}

/* By another task. */
static int by_a_task(int rounds) {
    int done = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < rounds; i++) {
        omp_event_handle_t event;
#pragma omp taskgroup
        {
#pragma omp task detach(event) shared(done)
            count_up(&done);
#pragma omp task firstprivate(event) shared(done)
            {
                count_up(&done);
                omp_fulfill_event(event);
            }
        }
        CHECK_EQ(count_read(&done), 2 * (i + 1));
    }
    return done;
}

struct call {
    omp_event_handle_t event;
    int *fulfilled;
};

static void *caller(void *arg) {
    struct call *call = arg;
    for (int i = 0; i < 4; i++) /* each may take 50 ms on a busy machine */
        sched_yield();
    if (call->fulfilled)
        __atomic_fetch_add(call->fulfilled, 1, __ATOMIC_RELEASE);
    omp_fulfill_event(call->event);
    return NULL;
}

/* By an external thread, while all threads of the team sleep at the end of the region. */
static int by_a_thread(int rounds) {
    int fulfilled = 0, after = 0;
    for (int i = 0; i < rounds; i++) {
        pthread_t thread[4];
        struct call call[4];
#pragma omp parallel
#pragma omp single
        for (int k = 0; k < 4; k++) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(out : call[k])
            busy_work((unsigned)k, 10);
            call[k] = (struct call){event, &fulfilled};
            CHECK_EQ(pthread_create(&thread[k], NULL, caller, &call[k]), 0);
#pragma omp task depend(in : call[k]) shared(fulfilled, after) firstprivate(i)
            if (__atomic_load_n(&fulfilled, __ATOMIC_ACQUIRE) > 4 * i)
                count_up(&after);
        }
        CHECK_EQ(fulfilled, 4 * (i + 1));
        for (int k = 0; k < 4; k++)
            pthread_join(thread[k], NULL);
    }
    return after;
}

/* An undeferred one delays its creator until it is fulfilled; in clang's code, as OpenMP requires, only until its body
 * has ended, and the end of the region waits. */
static int undeferred(void) {
    int fulfilled = 0;
    pthread_t thread;
    struct call call;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task if (0) detach(event) shared(call, thread, fulfilled)
        {
            call = (struct call){event, &fulfilled};
            CHECK_EQ(pthread_create(&thread, NULL, caller, &call), 0);
        }
#ifdef __clang__
#    pragma omp taskwait
#endif
        CHECK_EQ(__atomic_load_n(&fulfilled, __ATOMIC_ACQUIRE), 1);
    }
    pthread_join(thread, NULL);
    return fulfilled;
}

/* A detached task may have children, which may outlive it. */
static int with_children(void) {
    int children = 0, order = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(children)
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(children)
            count_up(&children);
        }
#pragma omp task shared(order)
        order = 1;
        omp_fulfill_event(event);
#pragma omp taskwait
        CHECK_EQ(order, 1);
    }
    return children;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 60);
    by_itself();
    printf("itself %d\n", completed);
    printf("creator %d\n", by_the_creator(rounds));
    printf("task %d\n", by_a_task(rounds));
    printf("thread %d\n", by_a_thread(rounds));
    printf("undeferred %d\n", undeferred());
    printf("children %d\n", with_children());
    return check_done("detach");
}
