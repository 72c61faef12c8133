// repeat
// firstprivate data of tasks: none, one byte, large blocks, variable-length arrays, strict alignment. The creating
// function returns or overwrites the originals at once, so a task must own its copy.
#include "../check.h"

#include <stdint.h>
#include <string.h>

struct large {
    unsigned words[16384];
};

#ifdef __clang__ /* its calls do not pass a task's alignment: the maximum is 64 */
enum { ALIGN = 64 };
#else
enum { ALIGN = 128 };
#endif
struct aligned {
    _Alignas(ALIGN) unsigned char bytes[200];
};

struct vector32 {
    _Alignas(32) double lanes[4];
};

static unsigned sum;

static void add(unsigned n) {
    __atomic_fetch_add(&sum, n, __ATOMIC_RELAXED);
}

static void add_seven(void) {
    add(7);
}

static void large_blocks(int count) {
    for (int i = 0; i < count; i++) {
        struct large copy;

        memset(&copy, i, sizeof copy);
#pragma omp task firstprivate(copy, i)
        {
            for (int w = 0; w < 16384; w++)
                CHECK_EQ(copy.words[w], (unsigned)i * 0x01010101u);
            add(copy.words[16383] & 0xff);
        }
        memset(&copy, 0xee, sizeof copy);
    }
}

static void variable_length(int count) {
    for (int i = 1; i <= count; i++) {
#ifdef __clang__ /* it copies no variable-length arrays */
        short row[60], other[180];
#else
        short row[i], other[i * 3];
#endif

        for (int k = 0; k < i; k++)
            row[k] = (short)(i + k);
        for (int k = 0; k < 3 * i; k++)
            other[k] = (short)-i;
#pragma omp task firstprivate(row, other)
        {
#ifndef __clang__
            CHECK_EQ(sizeof row, (size_t)i * 2);
#endif
            for (int k = 0; k < i; k++)
                CHECK_EQ(row[k], i + k);
            CHECK_EQ(other[3 * i - 1], -i);
            row[0] = 1;
            add((unsigned)row[0]);
        }
        memset(row, 0, sizeof row);
        memset(other, 0, sizeof other);
    }
}

static void strict_alignment(int count, int deferred) {
    for (int i = 0; i < count; i++) {
        struct aligned a;
        struct vector32 v = {{i, i, i, i}};

        memset(a.bytes, i, sizeof a.bytes);
#pragma omp task firstprivate(a, v) if (deferred)
        {
            CHECK_EQ((uintptr_t)&a % ALIGN, 0);
            CHECK_EQ((uintptr_t)&v % 32, 0);
            CHECK_EQ(a.bytes[199], i & 0xff);
            CHECK(v.lanes[3] == i);
            add(1);
        }
        memset(a.bytes, 0xcc, sizeof a.bytes);
    }
}

static void small_ones(int count) {
    for (int i = 0; i < count; i++) {
        char c = (char)(i % 100);

#pragma omp task firstprivate(c)
        add((unsigned)c);
        c = 101;
#pragma omp task
        add_seven();
    }
}

int main(void) {
    unsigned expected = 0;

#pragma omp parallel
#pragma omp single
    {
        large_blocks(40);
        variable_length(60);
        strict_alignment(100, 1);
        strict_alignment(20, 0);
        small_ones(200);
    }
    for (unsigned i = 0; i < 40; i++)
        expected += i;
    expected += 60 + 100 + 20 + 2 * 4950 + 1400;
    CHECK_EQ(sum, expected);
    printf("sum %u\n", sum);
    return check_done("task_firstprivate");
}
