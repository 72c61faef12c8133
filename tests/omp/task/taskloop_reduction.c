// threads: 1 2 3 8
// repeat: 20
// Reductions on taskloops: reduction, in_reduction, nogroup, no iterations, nested; libgomp hangs outside of regions.
#include "../check.h"

struct pair {
    long sum, most;
};

#pragma omp declare reduction(join                                                                           \
                              : struct pair                                                                  \
                              : omp_out.sum += omp_in.sum,                                                   \
                                omp_out.most = omp_in.most > omp_out.most ? omp_in.most : omp_out.most)      \
    initializer(omp_priv = (struct pair){0, -1})

static long plain(int n) {
    long sum = 5, product = 1;

#pragma omp taskloop reduction(+ : sum) grainsize(3)
    for (int i = 0; i < n; i++)
        sum += i;
#pragma omp taskloop reduction(* : product) num_tasks(4)
    for (int i = 0; i < n; i++)
        product *= i % 7 == 0 ? 2 : 1;
    return sum * 1000 + product;
}

static long own(int n) {
    struct pair all = {0, -1};
    long counts[10] = {0}, digest = 0;

#pragma omp taskloop reduction(join : all) reduction(+ : counts) num_tasks(13)
    for (int i = 0; i < n; i++) {
        all.sum += i;
        if (i > all.most)
            all.most = i;
        counts[i % 10]++;
    }
    for (int i = 0; i < 10; i++)
        digest = digest * 31 + counts[i];
    return all.sum + all.most + digest;
}

static long around(int n) {
    long sum = 0;

#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp taskloop in_reduction(+ : sum) nogroup grainsize(4)
        for (int i = 0; i < n; i++)
            sum += i;
#pragma omp task in_reduction(+ : sum)
        sum += 1000;
#pragma omp taskloop in_reduction(+ : sum) num_tasks(3)
        for (int i = 0; i < n; i++)
            sum++;
    }
    return sum;
}

static long nested(int n) {
    long sum = 0;

#pragma omp taskloop reduction(+ : sum) grainsize(2)
    for (int i = 0; i < n; i++) {
        long inner = 0;
#pragma omp taskloop reduction(+ : inner)
        for (int j = 0; j <= i; j++)
            inner += j;
        sum += inner;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 60);
    long total = 0;

    for (int i = 0; i < rounds; i++) {
#pragma omp parallel
#pragma omp single
        total += plain(i) + own(i * 3) + around(i) + nested(i % 12);
        long shared = 0;
#pragma omp parallel master taskloop reduction(+ : shared)
        for (int k = 0; k < i; k++)
            shared += k;
        total += shared;
    }
    printf("total %ld\n", total);
    return check_done("taskloop_reduction");
}
