// threads: 2
// Queues: operations have run, in order, when their queue is waited for or tested; also between queues.
#include "../omp/check.h"

#include <openacc.h>

#define N 1000

static void in_order(int queue) {
    int a[N], b[N];
#pragma acc data create(a) copyout(b)
    {
#pragma acc parallel loop async(queue) present(a)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma acc parallel loop async(queue) present(a)
        for (int i = 0; i < N; i++)
            a[i] *= 3;
#pragma acc parallel loop async(queue) present(a, b)
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i];
#pragma acc update self(b) async(queue)
#pragma acc wait(queue)
        for (int i = 0; i < N; i++)
            CHECK_EQ(b[i], 3 * (N - 1 - i));
    }
}

static void between_queues(void) {
    int a = 0;
#pragma acc enter data copyin(a) async(1)
#pragma acc parallel async(1) present(a)
    a = 1;
#pragma acc parallel async(2) wait(1) present(a)
    a = 10 * a + 2;
#pragma acc wait(2) async(3)
#pragma acc parallel async(3) present(a)
    a = 10 * a + 3;
#pragma acc wait(1, 2, 3) async(4)
#pragma acc exit data copyout(a) async(4)
#pragma acc wait async(5)
    acc_wait(5);
    CHECK_EQ(a, 123);
}

static void functions(void) {
    int a = 0;
#pragma acc parallel async(7) copy(a)
    a = 1;
    CHECK_EQ(acc_async_test(7), 1);
    CHECK_EQ(acc_async_test(8), 1);
    CHECK_EQ(acc_async_test(acc_async_noval), 1);
    CHECK_EQ(acc_async_test(acc_async_sync), 1);
    CHECK_EQ(acc_async_test(123456789), 1);
    CHECK_EQ(acc_async_test_all(), 1);
    acc_wait(7);
    acc_wait(acc_async_noval);
    acc_wait(acc_async_sync);
    acc_async_wait(7);
    acc_wait_async(7, 8);
    acc_wait_async(7, 7);
    acc_wait_all();
    acc_async_wait_all();
    acc_wait_all_async(9);
    CHECK_EQ(a, 1);
}

int main(void) {
    in_order(0);
    in_order(5);
    in_order(acc_async_noval);
    in_order(acc_async_sync);
    between_queues();
    functions();
    return check_done("queues");
}
