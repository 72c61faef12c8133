// beyond libomp: in a team of one it runs a task as it is created
// repeat: 4
// Tasks that wait, without a taskyield, for their creator's next steps: as many at a time as GCC's runtime defers.
// Earlier quick tasks of the same function, however many, make no difference.
#include "../check.h"

enum { ROUNDS = 100, QUICK = 200, AHEAD = 64, BEYOND = 100 };

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

/* Quick tasks come first. */
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

/* More tasks than the runtime defers. Their creator waits for the predecessors of the next task, and not for the first
 * one, which ends when the gate opens. */
static void beyond_a_full_queue(void) {
    int x = 0, read = 0, z = 0;
#pragma omp task depend(out : z)
    pass();
#pragma omp task depend(in : z) shared(z)
    z++;
    for (int i = 0; i < BEYOND; i++) {
#pragma omp task depend(out : x) shared(x) priority(i % 5 == 0)
        x++;
        for (int j = 0; j < 3; j++) {
#pragma omp task depend(in : x) shared(x, read)
            __atomic_fetch_add(&read, x == i + 1, __ATOMIC_RELAXED);
        }
    }
    count_up(&gate);
#pragma omp taskwait
    CHECK_EQ(x, BEYOND);
    CHECK_EQ(read, 3 * BEYOND);
    CHECK_EQ(z, 1);
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
        beyond_a_full_queue();
    }
    CHECK_EQ(ran, ROUNDS * (2 * (QUICK + AHEAD) + AHEAD / 2 + 1));
    return check_done("task_ahead");
}
