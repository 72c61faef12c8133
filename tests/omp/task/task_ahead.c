// beyond libomp: in a team of one it runs a task as it is created
// repeat: 4
// Tasks that wait for what their creator does next, without a taskyield: as many at a time as GCC's runtime puts off. That
// tasks of the same function have been quick before, and how many there were, makes no difference.
#include "../check.h"

enum { ROUNDS = 100, QUICK = 200, AHEAD = 64 };

static int gate, ran;

static void pass(void) {
    wait_for_count(&gate, 1);
    count_up(&ran);
}

static void create(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp task
        pass();
    }
}

/* Quick ones first. */
static void open_after(void) {
    count_up(&gate);
    create(QUICK);
#pragma omp taskwait
    __atomic_store_n(&gate, 0, __ATOMIC_RELEASE);
    create(AHEAD);
    count_up(&gate);
#pragma omp taskwait
    __atomic_store_n(&gate, 0, __ATOMIC_RELEASE);
}

static void with_dependences(void) {
    int x = 0, y = 0;
    for (int i = 0; i < AHEAD / 2; i++) {
#pragma omp task depend(inout : x) shared(x)
        {
            pass();
            x++;
        }
#pragma omp task depend(in : x) depend(out : y) shared(x, y)
        y = x;
    }
    count_up(&gate);
#pragma omp taskwait
    CHECK_EQ(x, AHEAD / 2);
    CHECK_EQ(y, AHEAD / 2);
    __atomic_store_n(&gate, 0, __ATOMIC_RELEASE);
}

int main(void) {
    omp_set_dynamic(0);
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        open_after();
#pragma omp task
        open_after();
#pragma omp taskwait
        with_dependences();
    }
    CHECK_EQ(ran, ROUNDS * (2 * (QUICK + AHEAD) + AHEAD / 2));
    return check_done("task_ahead");
}
