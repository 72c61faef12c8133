// beyond libomp: it crashes
// flags: -pthread
// threads: 1 4
// Regions, tasks and locks in code that runs last: destructors of static and of thread_local objects, of host threads
// and of the runtime's own, destructors of thread-specific data, handlers of atexit.
#include "../check.h"

#include <cstring>
#include <pthread.h>
#include <unistd.h>

static int use_openmp() {
    int sum = 0, tasks = 0;
    omp_lock_t lock;

    omp_init_lock(&lock);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop shared(tasks) num_tasks(20)
    for (int i = 0; i < 100; i++) {
        omp_set_lock(&lock);
        tasks++;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return sum + tasks;
}

static void at_the_end(const char *who) {
    printf("%s: %d\n", who, use_openmp());
    fflush(stdout);
}

struct at_exit {
    const char *name;
    ~at_exit() {
        at_the_end(name);
    }
};

static at_exit first_object = {"destructor of the first static object"};

static int ended; /* thread_local objects destroyed */

struct of_thread {
    int value = 1;
    ~of_thread() {
        CHECK_EQ(use_openmp(), 4950 + 100);
        signal_count(&ended);
    }
};

static thread_local of_thread mine;

static pthread_key_t key;
static int calls;

/* Sets itself again, as often as destructors are repeated. */
static void specific(void *value) {
    CHECK_EQ(use_openmp(), 4950 + 100);
    count_up(&calls);
    if (value != &key)
        pthread_setspecific(key, &key);
}

static void *host(void *arg) {
    mine.value++;
    pthread_setspecific(key, arg);
    if (arg == &calls)
        use_openmp();
    return arg;
}

/* Ends host threads that have used OpenMP before, or have not. */
static void end_host_threads() {
    void *kinds[] = {&calls, &ended};

    for (void *kind : kinds) {
        pthread_t thread;

        CHECK_EQ(pthread_create(&thread, nullptr, host, kind), 0);
        CHECK_EQ(pthread_join(thread, nullptr), 0);
    }
    CHECK_EQ(ended, 2);
    CHECK_EQ(calls, 4);
}

/* Ends the threads of a team, when they are released. */
static void end_team() {
    int others = omp_get_max_threads() - 1;

    ended = 0;
    calls = 0;
#pragma omp parallel
    if (omp_get_thread_num() > 0) {
        mine.value++;
        pthread_setspecific(key, &calls);
    }
    CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    wait_for_count(&ended, others);
    while (count_read(&calls) < 2 * others)
        sched_yield();
    CHECK_EQ(use_openmp(), 4950 + 100);
}

static void by_handler() {
    at_the_end("handler of atexit");
}

static at_exit second_object = {"destructor of the second static object"};

int main() {
    atexit(by_handler);
    CHECK_EQ(pthread_key_create(&key, specific), 0);
    use_openmp();
    end_host_threads();
    end_team();
    mine.value++;
    static at_exit local = {"destructor of a local static object"};
    return check_done("exit_destructors");
}
