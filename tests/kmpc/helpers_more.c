// threads: 1
// beyond libomp: its behaviour with more helpers than when it was loaded is undefined
// The program requests more hidden helper threads after the library was loaded: no two threads have the same number.
#include "calls.h"

#include <stdlib.h>

enum { HELPERS = 16, THREADS = 4 };

typedef struct {
    task task;
    int at;
} numbered_task;

static int numbers[HELPERS + THREADS], begun, released, done;

static int32_t run(int32_t gtid, void *arg) {
    CHECK_EQ(gtid, ME);
    numbers[((numbered_task *)arg)->at] = gtid;
    count_up(&begun);
    wait_for_count(&released, 1);
    count_up(&done);
    return 0;
}

static void member(int32_t *gtid, int32_t *btid) {
    numbers[HELPERS + *btid] = *gtid;
}

/* Helpers beyond the number at load time have numbers like other threads. */
static void check_numbers(void) {
    REGION(THREADS, member, 0);
    for (int i = 0; i < HELPERS; i++) {
        numbered_task *new = (void *)__kmpc_omp_target_task_alloc(&here, ME, TIED, sizeof *new, 0, run, -1);
        new->at = i;
        __kmpc_omp_task(&here, ME, &new->task);
    }
    wait_for_count(&begun, HELPERS);
    for (int i = 0; i < HELPERS + THREADS; i++)
        for (int j = 0; j < i; j++)
            CHECK(numbers[i] != numbers[j]);
    count_up(&released);
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(done, HELPERS);
}

int main(void) {
    setenv("LIBOMP_NUM_HIDDEN_HELPER_THREADS", "16", 1);
    check_numbers();
    return check_done("helpers_more");
}
