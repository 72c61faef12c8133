// beyond libgomp: it runs no iterations of downward loops over unsigned variables
// beyond libomp: in some runs the last value of a dynamic loop downwards is lost
// Downward loops over unsigned 32-bit variables, scheduled by the runtime, taskloops also over shorter ones; and empty
// loops of many kinds.
#include "../check.h"

enum { N = 3000 };

static int hits[N + 1];

static void hit(unsigned i) {
    if (i <= N)
        count_up(&hits[i]);
    else
        CHECK(i <= N);
}

static void check_hits(unsigned from, unsigned to, unsigned step) {
    for (unsigned i = 0; i <= N; i++)
        CHECK_EQ(hits[i], i <= from && i > to && (from - i) % step == 0);
    for (unsigned i = 0; i <= N; i++)
        hits[i] = 0;
}

static void downwards(unsigned from, unsigned to, unsigned step, int chunk) {
    unsigned last = 0;

#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk) lastprivate(last)
        for (unsigned i = from; i > to; i -= step) {
            hit(i);
            last = i;
        }
#pragma omp single
        {
            check_hits(from, to, step);
            if (from > to)
                CHECK_EQ(last, from - (from - to - 1) / step * step);
        }
#pragma omp for schedule(guided, chunk)
        for (unsigned i = from; i > to; i -= step)
            hit(i);
#pragma omp single
        check_hits(from, to, step);
#pragma omp for schedule(runtime)
        for (unsigned i = from; i > to; i -= step)
            hit(i);
#pragma omp single
        check_hits(from, to, step);
#pragma omp for schedule(static, chunk)
        for (unsigned i = from; i > to; i -= step)
            hit(i);
#pragma omp single
        check_hits(from, to, step);
#pragma omp for schedule(static) ordered
        for (unsigned i = from; i > to; i -= step) {
#pragma omp ordered
            hit(i);
        }
#pragma omp single
        check_hits(from, to, step);
    }
}

static int empty(unsigned from, unsigned to, int step) {
    int ran = 0;

#pragma omp parallel reduction(+ : ran)
    {
#pragma omp for schedule(dynamic)
        for (unsigned i = from; i < to; i++)
            ran++;
#pragma omp for schedule(dynamic)
        for (unsigned i = from; i > from; i--)
            ran++;
#pragma omp for schedule(dynamic)
        for (int i = (int)from; i < (int)to; i += step)
            ran++;
#pragma omp for schedule(dynamic)
        for (long i = from; i < (long)to; i += 1L << 30)
            ran++;
#pragma omp for schedule(dynamic)
        for (long i = from; i < (long)to; i += 1L << 32)
            ran++;
#pragma omp for schedule(dynamic)
        for (long i = from; i < -(long)to; i += (1L << 32) - 1)
            ran++;
#pragma omp for schedule(dynamic)
        for (long i = (1L << 32) + from; i < (long)to; i += (1L << 32) - 1)
            ran++;
#pragma omp for schedule(dynamic)
        for (long i = from; i < (long)to; i += 1L << 31)
            ran++;
#pragma omp for schedule(guided)
        for (long i = from; i < (long)to; i += 4000000000)
            ran++;
#pragma omp single
#pragma omp taskloop shared(ran)
        for (long i = from; i < (long)to; i += 4294967290)
            count_up(&ran);
#pragma omp single
#pragma omp taskloop shared(ran)
        for (int i = (int)from; i < (int)to; i += step)
            count_up(&ran);
#pragma omp single
#pragma omp taskloop shared(ran)
        for (unsigned i = to; i > from; i -= (unsigned)step)
            count_up(&ran);
    }
    return ran;
}

/* Taskloops pass their direction. */
static void taskloops(unsigned from, unsigned to, unsigned step) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(3)
        for (unsigned i = from; i > to; i -= step)
            hit(i);
        check_hits(from, to, step);
#pragma omp taskloop
        for (unsigned short i = (unsigned short)from; i > (unsigned short)to; i -= (unsigned short)step)
            hit(i);
        check_hits(from, to, step);
        unsigned char least = (unsigned char)(to % 200), most = (unsigned char)(least + from % 50);
#pragma omp taskloop
        for (unsigned char i = most; i > least; i -= 2)
            hit(i);
        check_hits(most, least, 2);
    }
}

int main(void) {
    downwards(N, 0, 1, 1);
    downwards(N, 17, 7, 3);
    downwards(N - 1, N - 2, N - 1, 2);
    CHECK_EQ(empty(40000, 20, 65535), 0);
    CHECK_EQ(empty(7, 7, 1), 0);
    taskloops(N, 0, 1);
    taskloops(N - 1, 17, 7);
#ifndef __clang__ /* clang makes iterations of that */
    taskloops(20, 20, 1);
#endif
    taskloops(N, N - 1, 2999);

#pragma omp parallel for schedule(dynamic)
    for (unsigned i = 100; i > 10; i -= 9)
        hit(i);
    check_hits(100, 10, 9);

    /* Nearly from the top to the very bottom, by the longest steps. */
    int steps = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : steps)
    for (unsigned i = 0xf0000000u; i > 0; i -= 1u << 24)
        steps++;
    CHECK_EQ(steps, 240);
    return check_done("loop_downward");
}
