// beyond libomp: it does not report static loops as monotonic
// env: OMP_SCHEDULE=static
// env: OMP_SCHEDULE=static,5
// env: OMP_SCHEDULE=dynamic
// env: OMP_SCHEDULE=dynamic,7
// env: OMP_SCHEDULE=guided
// env: OMP_SCHEDULE=guided,3
// env: OMP_SCHEDULE=auto
// env: OMP_SCHEDULE=monotonic:dynamic,4
// env: OMP_SCHEDULE=nonmonotonic:guided,2
// env: OMP_SCHEDULE=nonmonotonic:static,6
// env: OMP_SCHEDULE=' GUIDED , 9 '
// env: OMP_SCHEDULE=
// env: OMP_SCHEDULE=sometimes
// env: OMP_SCHEDULE=static,0
// env: OMP_SCHEDULE=dynamic,many
// env: OMP_SCHEDULE=dynamic,99999999999999999999
// schedule(runtime): omp_get_schedule and loops follow OMP_SCHEDULE.
#include "../check.h"

enum { N = 97 };

/* With a static schedule the owner of each iteration is fixed. */
static int static_owner(int i, int threads, int chunk) {
    int share = N / threads, more = N % threads;

    if (chunk > 0)
        return i / chunk % threads;
    return i < more * (share + 1) ? i / (share + 1) : (i - more) / share;
}

static void check_loop(int threads, omp_sched_t kind, int chunk) {
    int owner[N], hits[N] = {0}, order = 0;
    long sum = 0;

#pragma omp parallel
    {
#pragma omp for schedule(runtime)
        for (int i = 0; i < N; i++) {
            owner[i] = omp_get_thread_num();
            count_up(&hits[i]);
        }
#pragma omp for schedule(runtime) nowait reduction(+ : sum)
        for (unsigned long long i = N; i > 0; i--)
            sum += (long)i;
#pragma omp for schedule(runtime) ordered
        for (int i = 0; i < N; i++) {
#pragma omp ordered
            CHECK_EQ(order++, i);
        }
    }
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 1; i <= N; i++)
        sum += i;
    for (int i = 0; i < N; i++) {
        CHECK_EQ(hits[i], 1);
        if ((kind & 0x7fffffff) == omp_sched_static)
            CHECK_EQ(owner[i], static_owner(i, threads, chunk));
    }
    CHECK_EQ(order, N);
    CHECK_EQ(sum, N * (N + 1));
}

int main(void) {
    omp_sched_t kind;
    int chunk;

    omp_get_schedule(&kind, &chunk);
    printf("schedule %#x,%d\n", (unsigned)kind, chunk);
    check_loop(omp_get_max_threads(), kind, chunk);
    return check_done("loop_runtime");
}
