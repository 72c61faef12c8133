// A thread has its copyin values before any code of the region runs on it: no task of a thread that has begun runs on
// one that has not. By the calls of clang's code, and by the construct.
// threads: 3
#include "calls.h"

enum { ROUNDS = 6000 };

static int token;
#pragma omp threadprivate(token)
static int ran;

static int32_t overwrite(int32_t gtid, void *arg) {
    (void)arg;
    CHECK_EQ(gtid, ME);
    token = -1;
    count_up(&ran);
    return 0;
}

static void create(int32_t gtid) {
    for (int i = 0; i < 2; i++)
        __kmpc_omp_task(&here, gtid, __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof(task), 0, overwrite));
}

static void begin(int32_t *gtid, int32_t *btid, int *from, int64_t round) {
    (void)btid;
    if (&token != from)
        token = *from;
    __kmpc_barrier(&here, *gtid);
    CHECK_EQ(token, round);
    create(*gtid);
}

/* The same at any barrier: a thread that has passed it creates tasks, and one that has not does not run them. */
static void meet(int32_t *gtid, int32_t *btid) {
    (void)btid;
    for (int i = 0; i < ROUNDS / 4; i++) {
        token = i;
        __kmpc_barrier(&here, *gtid);
        CHECK_EQ(token, i);
        create(*gtid);
        __kmpc_barrier(&here, *gtid);
    }
}

int main(void) {
    int size = omp_get_max_threads();
    omp_set_dynamic(0);
    for (int64_t i = 0; i < ROUNDS; i++) {
        token = (int)i;
        __kmpc_fork_call(&here, 2, (microtask *)begin, &token, i);
        token = (int)i;
#pragma omp parallel copyin(token)
        {
            CHECK_EQ(token, i);
#pragma omp task
            token = -1;
        }
    }
    CHECK_EQ(ran, 2 * size * ROUNDS);
    __kmpc_fork_call(&here, 0, (microtask *)meet);
    return check_done("copyin");
}
