// beyond libomp: it hangs
// beyond libgomp: it never runs tasks left by a thread that ends within a target region
// repeat: 2
// flags: -pthread
// A thread ends within a target region. Tasks that wait for a detached task, around the region or in it, still run in
// their own team.
#include "../check.h"

#include <pthread.h>

static int shared_x;
static int sum;
static omp_event_handle_t handle;
static int ready;

static void *fulfill(void *arg) {
    wait_for_count(&ready, 1);
    busy_work(1, 2000);
    omp_fulfill_event(handle);
    return arg;
}

static void publish(omp_event_handle_t event) {
    handle = event;
    signal_count(&ready);
}

static void leave_tasks(int threads) {
    omp_event_handle_t event;

    omp_set_num_threads(threads);
#pragma omp task detach(event) depend(out : shared_x)
    publish(event);
#pragma omp task depend(in : shared_x) firstprivate(threads)
    {
        int n = 0;

        CHECK_EQ(omp_get_max_threads(), threads);
#pragma omp parallel reduction(+ : n) num_threads(2)
        n++;
        sum += n > 0;
    }
}

static void *outside(void *arg) {
    leave_tasks(7);
#pragma omp target
    {
        omp_set_num_threads(8);
        pthread_exit(arg);
    }
    return NULL;
}

static void *inside(void *arg) {
    omp_set_num_threads(7);
#pragma omp target
    {
        leave_tasks(9);
        pthread_exit(arg);
    }
    return NULL;
}

static void run(void *(*body)(void *)) {
    pthread_t threads[2];

    ready = 0;
    CHECK_EQ(pthread_create(&threads[0], NULL, body, NULL), 0);
    CHECK_EQ(pthread_create(&threads[1], NULL, fulfill, NULL), 0);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 5);

    for (int i = 0; i < rounds; i++) {
        run(outside);
        run(inside);
    }
    CHECK_EQ(sum, 2 * rounds);
    return check_done("target_exit");
}
