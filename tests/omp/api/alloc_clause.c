// beyond libomp: 23 ignores the alignment of an allocator in omp_large_cap_mem_space
// not clang 14: its code passes an invalid allocator for a variable-length array
// The allocate clause: private copies are in the allocator's memory, and each thread has its own.
#include "../check.h"

#include <stdint.h>
#include <string.h>

#ifdef __clang__ /* it knows no modifiers */
#    define ALIGNED omp_default_mem_alloc
enum { ALIGN = 1 };
#else
#    define ALIGNED align(128), allocator(omp_default_mem_alloc)
enum { ALIGN = 128 };
#endif

static omp_allocator_handle_t page;

static int on_page(const void *address) {
    return (uintptr_t)address % 4096 == 0;
}

static void parallel_copies(void) {
    int number = 7, sum = 0, length = 300;
    long row[100];
    char name[length];

    for (int i = 0; i < 100; i++)
        row[i] = i;
    memset(name, 'x', (size_t)length);
#pragma omp parallel allocate(page : number, row, name) firstprivate(number, row, name) reduction(+ : sum)
    {
        CHECK(on_page(&number) && on_page(row) && on_page(name));
        CHECK_EQ(number, 7);
        CHECK_EQ(row[99], 99);
        CHECK_EQ(name[299], 'x');
        number += omp_get_thread_num();
        for (int i = 0; i < 100; i++)
            row[i] += number;
#pragma omp barrier
        sum += (int)row[1] == 8 + omp_get_thread_num();
    }
    CHECK_EQ(sum, omp_get_max_threads());
}

static void loop_copies(void) {
    int last = 0, sum = 0;

#pragma omp parallel
#pragma omp for allocate(ALIGNED : sum) reduction(+ : sum) lastprivate(last) allocate(page : last)
    for (int i = 0; i < 1000; i++) {
        sum += i;
        last = i;
        if (i == 500)
            CHECK(on_page(&last) && (uintptr_t)&sum % ALIGN == 0);
    }
    CHECK_EQ(sum, 499500);
    CHECK_EQ(last, 999);
}

static void task_copies(void) {
    int done = 0;

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; i++) {
        double values[20];

        for (int k = 0; k < 20; k++)
            values[k] = i + k;
#pragma omp task firstprivate(i, values) allocate(page : values)
        {
#ifdef __clang__ /* it allocates a task's copies with the task */
            int ok = 1;
#else
            int ok = on_page(values);
#endif

            for (int k = 0; k < 20; k++)
                ok &= values[k] == i + k;
            CHECK(ok);
            count_up(&done);
        }
    }
    CHECK_EQ(done, 50);
}

int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 4096}};

    page = omp_init_allocator(omp_large_cap_mem_space, 1, traits);
    parallel_copies();
    loop_copies();
    task_copies();
    omp_destroy_allocator(page);
    return check_done("alloc_clause");
}
