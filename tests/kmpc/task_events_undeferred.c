// A detached task that is undeferred or included: its creator waits for its body, as OpenMP requires, and goes on
// before the event, which it may fulfill itself. Waits for the task wait for the event.
#include <pthread.h>

#include "check.h"

static int ran;

static void *fulfill_later(void *arg) {
    busy_work(1, 20000);
    count_up(&ran);
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)arg);
    return NULL;
}

static void by_creator(void) {
    omp_event_handle_t event;
    int done = 0;
#pragma omp task if (0) detach(event) shared(done)
    done++;
    CHECK_EQ(done, 1);
    omp_fulfill_event(event);
#pragma omp task final(1) shared(done)
    {
        omp_event_handle_t inner;
#pragma omp task detach(inner) shared(done)
        done++;
        CHECK_EQ(done, 2);
        omp_fulfill_event(inner);
    }
#pragma omp taskwait
}

/* Also with a large block of arguments. */
static void by_a_thread(void) {
    omp_event_handle_t event;
    pthread_t thread;
    struct {
        char bytes[4000];
    } large = {{1, 2, 3}};
    int sum = 0, before = count_read(&ran);
#pragma omp task if (0) detach(event) firstprivate(large) shared(sum)
    for (int i = 0; i < 4000; i++)
        sum += large.bytes[i];
    CHECK_EQ(sum, 6);
    CHECK(pthread_create(&thread, NULL, fulfill_later, (void *)(uintptr_t)event) == 0);
#pragma omp taskwait
    CHECK_EQ(count_read(&ran), before + 1);
    pthread_join(thread, NULL);
#pragma omp taskgroup
    {
#pragma omp task final(1) shared(thread) firstprivate(large)
        {
            omp_event_handle_t inner;
#pragma omp task detach(inner) firstprivate(large)
            CHECK_EQ(large.bytes[1], 2);
            CHECK(pthread_create(&thread, NULL, fulfill_later, (void *)(uintptr_t)inner) == 0);
        }
    }
    CHECK_EQ(count_read(&ran), before + 2);
    pthread_join(thread, NULL);
}

int main(void) {
    for (int i = 0; i < 50; i++) {
        by_creator();
        by_a_thread();
#pragma omp parallel
#pragma omp single
        {
            by_creator();
            by_a_thread();
        }
    }
    return check_done("task_events_undeferred");
}
