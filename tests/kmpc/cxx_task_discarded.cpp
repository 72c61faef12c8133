// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=false
// Private objects of tasks are destroyed once, whether the task runs at once or later, is discarded before its creation
// or in the queue, or is detached.
#include "../omp/check.h"

static int alive, made;

struct object {
    int payload[40];
    object() {
        count_up(&alive);
        payload[3] = 7;
    }
    object(const object &other) {
        payload[3] = other.payload[3];
        count_up(&alive);
        count_up(&made);
    }
    ~object() {
        CHECK_EQ(payload[3], 7);
        payload[3] = 0;
        __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
    }
};

static void group(bool cancels, bool untied, bool undeferred) {
    object mine;
    int ran = 0;
#pragma omp taskgroup
    {
        for (int i = 0; i < 40; i++) {
            if (untied) {
#pragma omp task untied firstprivate(mine) shared(ran)
                {
                    count_up(&ran);
#pragma omp taskyield
                    CHECK_EQ(mine.payload[3], 7);
                }
            } else {
#pragma omp task if (!undeferred) firstprivate(mine) shared(ran)
                {
                    CHECK_EQ(mine.payload[3], 7);
                    count_up(&ran);
                }
            }
            if (i == 20 && cancels) {
#pragma omp task
                {
#pragma omp cancel taskgroup
                }
            }
        }
    }
    if (!cancels || !omp_get_cancellation())
        CHECK_EQ(ran, 40);
}

/* The event of a discarded task is still fulfilled. */
static void detached(bool cancels) {
    object mine;
#pragma omp taskgroup
    {
        for (int i = 0; i < 10; i++) {
            omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(mine)
            CHECK_EQ(mine.payload[3], 7);
            omp_fulfill_event(event);
            if (i == 5 && cancels) {
#pragma omp task if (0)
                {
#pragma omp cancel taskgroup
                }
            }
        }
    }
}

int main() {
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
#pragma omp single
        {
            for (int kind = 0; kind < 8; kind++)
                group(kind & 1, kind & 2, kind & 4);
            detached(false);
            detached(true);
        }
        CHECK_EQ(alive, 0);
    }
    CHECK(made > 0);
    return check_done("cxx_task_discarded");
}
