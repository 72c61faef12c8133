// Many tasks that yield once: yielded tasks resume while others are still being created, and the queue stays short.
#include "../check.h"

enum { TASKS = 20000 };

static int ended;

int main(void) {
    int most = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
        {
#pragma omp taskyield
            count_up(&ended);
        }
        int open = i + 1 - count_read(&ended);
        most = open > most ? open : most;
    }
    CHECK_EQ(ended, TASKS);
    CHECK(most < TASKS / 2);
    return check_done("yield_once");
}
