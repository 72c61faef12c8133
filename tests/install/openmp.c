/* An ordinary OpenMP program: adds up 1 to 1000 by tasks, and checks that a team is at work. */
#include <omp.h>
#include <stdio.h>

static long sum(long lo, long hi) {
    if (hi - lo == 1)
        return lo;
    long mid = lo + (hi - lo) / 2, left, right;
#pragma omp task shared(left)
    left = sum(lo, mid);
    right = sum(mid, hi);
#pragma omp taskwait
    return left + right;
}

int main(void) {
    long total = 0;
    int team = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp atomic
        team++;
#pragma omp single
        total = sum(1, 1001);
    }
    printf("%d %ld\n", team, total);
    return team == 3 && total == 500500 ? 0 : 1;
}
