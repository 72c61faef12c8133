// beyond libomp: it hangs
// beyond libgomp: outside of all regions its barriers do not wait for detached tasks
// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=false
// flags: -pthread
// repeat: 10
// A thread outside of all regions creates a detached task. A taskwait, a barrier and the end of the thread wait for it,
// and regions of its tasks leave no threads behind.
#include "../check.h"

#include <dirent.h>
#include <pthread.h>

struct call {
    omp_event_handle_t event;
    int fulfilled;
};

static void *caller(void *arg) {
    struct call *call = arg;
    for (int i = 0; i < 20; i++)
        sched_yield();
    __atomic_store_n(&call->fulfilled, 1, __ATOMIC_RELEASE);
    omp_fulfill_event(call->event);
    return NULL;
}

static void create(struct call *call, pthread_t *thread) {
    omp_event_handle_t event;
    call->fulfilled = 0;
#pragma omp task detach(event) shared(call)
    __atomic_store_n(&call->fulfilled, 0, __ATOMIC_RELAXED);
    call->event = event;
    CHECK_EQ(pthread_create(thread, NULL, caller, call), 0);
}

static int opened;

static void *ends_first(void *arg) {
    struct call *call = arg;
    pthread_t thread;
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : opened)
    call->fulfilled = 0;
#pragma omp task depend(in : opened)
    {
#pragma omp parallel num_threads(3)
        count_up(&opened);
    }
    call->event = event;
    CHECK_EQ(pthread_create(&thread, NULL, caller, call), 0);
    CHECK_EQ(pthread_detach(thread), 0);
    return NULL;
}

static int threads_now(void) {
    int threads = -2; /* . and .. */
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && readdir(tasks))
        threads++;
    if (tasks)
        closedir(tasks);
    return threads;
}

static void end_of_thread(int rounds) {
    for (int i = 0; i < rounds; i++) {
        pthread_t thread;
        struct call call;
        CHECK_EQ(pthread_create(&thread, NULL, ends_first, &call), 0);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        CHECK_EQ(opened, 3 * (i + 1));
    }
    CHECK(threads_now() < rounds);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 60);
    for (int i = 0; i < rounds; i++) {
        pthread_t thread;
        struct call call;
        create(&call, &thread);
        if (i % 2) {
#pragma omp taskwait
        } else {
#pragma omp barrier
        }
        CHECK_EQ(__atomic_load_n(&call.fulfilled, __ATOMIC_ACQUIRE), 1);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
    end_of_thread(rounds);
    return check_done("detach_orphaned");
}
