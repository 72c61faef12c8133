// threads: 2
// Data on a device that shares the program's memory: regions, directives and functions leave it where it is.
#include "../omp/check.h"

#include <openacc.h>
#include <string.h>

#define N 100

static int global[N], resident[N];
#pragma acc declare create(global)
#pragma acc declare copyin(resident)

static void regions(void) {
    int a[N], b[N], *p = a;
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = -1;
#pragma acc data copyin(a) copyout(b)
    {
#pragma acc parallel loop present(a, b)
        for (int i = 0; i < N; i++)
            b[i] = 2 * a[i];
#pragma acc data copy(p [0:N]) if (0)
        CHECK_EQ(acc_is_present(p, sizeof a), 1);
#pragma acc host_data use_device(a)
        p = a;
        CHECK(p == &a[0]);
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(b[i], 2 * i);
#pragma acc data create(b) no_create(a)
    memset(b, 0, sizeof b);
    CHECK_EQ(b[7], 0);
}

static void directives(void) {
    int *block = malloc(N * sizeof *block), sum = 0;
    for (int i = 0; i < N; i++)
        block[i] = 1;
#pragma acc enter data copyin(block [0:N]) async(2)
#pragma acc wait(2)
#pragma acc update self(block [10:20])
#pragma acc update device(block [0:N]) async wait(2) if (sum == 0)
#pragma acc parallel loop reduction(+ : sum) present(block [0:N])
    for (int i = 0; i < N; i++)
        sum += block[i];
#pragma acc parallel deviceptr(block)
    block[0] = 7;
#pragma acc exit data copyout(block [0:N]) finalize
    CHECK_EQ(sum, N);
    CHECK_EQ(block[0], 7);
    free(block);
}

static int of_function(int x) {
    int made[4], in[4] = {x, x, x, x};
#pragma acc declare create(made)
#pragma acc declare copy(in)
#pragma acc parallel present(made)
    {
        made[0] = in[1];
        in[2] = made[0] + 1;
    }
    return in[2];
}

static void declared(void) {
#pragma acc parallel loop present(global)
    for (int i = 0; i < N; i++)
        global[i] = i;
#pragma acc update self(global)
    CHECK_EQ(global[N - 1], N - 1);
#pragma acc parallel present(resident)
    resident[3]++;
    CHECK_EQ(resident[3], 1);
    CHECK_EQ(of_function(4), 5);
}

/* Structures with pointers, which are attached. */
struct list {
    int count, *items;
};

static void deep(void) {
    struct list list = {3, malloc(3 * sizeof(int))};
    for (int i = 0; i < list.count; i++)
        list.items[i] = i;
#pragma acc enter data copyin(list)
#pragma acc enter data copyin(list.items [0:3])
    acc_attach((void **)&list.items);
#pragma acc parallel present(list)
    for (int i = 0; i < list.count; i++)
        list.items[i] *= 3;
    acc_detach((void **)&list.items);
    acc_detach_finalize_async((void **)&list.items, 4);
#pragma acc exit data delete (list.items [0:3])
#pragma acc exit data delete (list)
    CHECK_EQ(list.items[2], 6);
    free(list.items);
}

static void functions(void) {
    int a[N], b[N];
    memset(a, 1, sizeof a);
    CHECK(acc_copyin(a, sizeof a) == a);
    CHECK(acc_create(b, sizeof b) == b);
    CHECK(acc_pcopyin(a, sizeof a) == a && acc_present_or_copyin(a, 4) == a);
    CHECK(acc_pcreate(b, sizeof b) == b && acc_present_or_create(b, 4) == b);
    acc_copyin_async(a, sizeof a, 1);
    acc_create_async(b, sizeof b, 1);
    CHECK(acc_deviceptr(a) == a && acc_hostptr(b) == b);
    CHECK(acc_deviceptr(NULL) == NULL);
    CHECK_EQ(acc_is_present(a, sizeof a), 1);
    CHECK_EQ(acc_is_present(&functions, 1), 1);
    CHECK_EQ(acc_is_present(a, 0), 0);
    CHECK_EQ(acc_is_present(NULL, 1), 0);
    acc_memcpy_to_device(b, a, sizeof b);
    CHECK_EQ(b[N - 1], 0x01010101);
    memset(a, 2, sizeof a);
    acc_memcpy_from_device(b, a, sizeof b - 4);
    CHECK_EQ(b[N - 2], 0x02020202);
    CHECK_EQ(b[N - 1], 0x01010101);
    acc_memcpy_to_device_async(b, a, 4, 3);
    acc_memcpy_from_device_async(b, a, sizeof b, 3);
    CHECK_EQ(b[N - 1], 0x02020202);
    acc_update_device(a, sizeof a);
    acc_update_self(a, sizeof a);
    acc_update_device_async(a, sizeof a, 2);
    acc_update_self_async(a, sizeof a, acc_async_noval);
    acc_map_data(a, a, sizeof a);
    acc_unmap_data(a);
    acc_copyout(a, sizeof a);
    acc_delete(b, sizeof b);
    acc_copyout_async(a, sizeof a, 1);
    acc_delete_async(b, sizeof b, 1);
    acc_copyout_finalize(a, sizeof a);
    acc_delete_finalize(b, sizeof b);
    acc_copyout_finalize_async(a, sizeof a, 1);
    acc_delete_finalize_async(b, sizeof b, 1);
    acc_copyout(NULL, 0);
    CHECK_EQ(a[0], 0x02020202);
    unsigned char *block = acc_malloc(1000);
    CHECK(block != NULL);
#pragma acc parallel deviceptr(block)
    block[999] = 1;
    CHECK_EQ(block[999], 1);
    acc_free(block);
    acc_free(NULL);
    CHECK(acc_malloc(0) == NULL);
}

int main(void) {
    regions();
    directives();
    declared();
    deep();
    functions();
    return check_done("data");
}
