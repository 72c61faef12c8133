// repeat: 3
// env: OMP_WAIT_POLICY=passive
// Chains, wavefronts, mixes of in, out and inout, undeferred and final tasks and taskwait with dependences.
#include "../check.h"

#define N 24

/* Each link of a chain sees the value of the previous one. */
static int chain(int links) {
    int value = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < links; i++) {
#pragma omp task depend(inout : value) shared(value, wrong) firstprivate(i)
        {
            if (value != i)
                count_up(&wrong);
            busy_work((unsigned)i, 20);
            value = i + 1;
        }
    }
    CHECK_EQ(wrong, 0);
    return value;
}

/* Cell (i, j) after the ones above and to the left. */
static unsigned wavefront(void) {
    static unsigned cell[N + 1][N + 1];
    for (int i = 0; i <= N; i++)
        cell[i][0] = cell[0][i] = (unsigned)i;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j]) firstprivate(i, j)
            cell[i][j] = scramble(cell[i - 1][j] * 31 + cell[i][j - 1]);
        }
    return cell[N][N];
}

/* Readers between writers run in any order, but all see the same value. */
static long readers(int rounds) {
    int x = 0, read[8] = {0}, wrong = 0;
    long sum = 0;
#pragma omp parallel
#pragma omp single
    for (int r = 0; r < rounds; r++) {
#pragma omp task depend(out : x) shared(x)
        x = r * r;
        for (int i = 0; i < 8; i++) {
#pragma omp task depend(in : x) depend(inout : read[i]) shared(x, read, wrong, sum) firstprivate(r, i)
            {
                read[i] += x;
                if (x != r * r)
                    count_up(&wrong);
#pragma omp atomic
                sum += x;
            }
        }
    }
    CHECK_EQ(wrong, 0);
    for (int i = 1; i < 8; i++)
        CHECK_EQ(read[i], read[0]);
    return sum;
}

/* An undeferred task and a taskwait wait for their dependences, and only for those. */
static int waits(void) {
    int a = 0, b = 0, seen = 0, order[4] = {0, 0, 0, 0};
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a) shared(a)
        {
            busy_work(1, 20000);
            a = 1;
        }
#pragma omp task depend(out : b) shared(b)
        b = 2;
#pragma omp task if (0) depend(in : a) shared(a, order)
        order[0] = a;
#pragma omp taskwait depend(in : b)
        order[1] = b;
#pragma omp task depend(inout : a, b) shared(a, b)
        a = b = 5;
#pragma omp task final(1) depend(in : a) shared(a, order, seen)
        {
#pragma omp task depend(inout : seen) shared(seen)
            seen++;
#pragma omp task depend(inout : seen) shared(seen)
            seen *= 7;
            order[2] = a;
        }
#pragma omp taskwait depend(inout : a) depend(in : b)
        order[3] = a + b + seen;
    }
    return order[0] + 10 * order[1] + 100 * order[2] + 1000 * order[3];
}

/* Siblings only: children of different tasks do not depend on each other. */
static int families(void) {
    int inside = 0, met = 0, x[1] __attribute__((unused));
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int t = 0; t < 2; t++) {
#pragma omp task shared(x, inside, met)
        {
            for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : x[0]) shared(inside, met)
                {
                    count_up(&inside);
                    count_up(&met);
                }
            }
#pragma omp taskwait
            CHECK(count_read(&inside) >= 10);
        }
    }
    return met;
}

/* A tree sum: each level depends on its children's results by address. */
static int tree(int *node, int depth) {
    if (depth == 0) {
        *node = 1;
        return 1;
    }
    int left = 0, right = 0, both = 0;
#pragma omp task depend(out : left) shared(left) firstprivate(depth)
    tree(&left, depth - 1);
#pragma omp task depend(out : right) shared(right) firstprivate(depth)
    tree(&right, depth - 1);
#pragma omp task depend(in : left, right) depend(out : both) shared(left, right, both)
    both = left + right;
#pragma omp taskwait depend(in : both)
    *node = both;
#pragma omp taskwait
    return both;
}

/* The same address twice, with different kinds, and an address that no other task names. */
static int twice(void) {
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(in                                                                                   \
                        : x) depend(out                                                                      \
                                    : x) depend(in                                                           \
                                                : x) depend(inout                                            \
                                                            : ((char *)0)[0]) shared(x) firstprivate(i)
        x = 3 * x + i;
    }
    return x;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);
    int leaves = 0;
    for (int r = 0; r < rounds; r++) {
        CHECK_EQ(chain(200), 200);
        CHECK_EQ(waits(), 1 + 20 + 500 + 17000);
        CHECK_EQ(families(), 20);
        CHECK_EQ(readers(30), 8L * 8555);
        CHECK_EQ(wavefront(), wavefront());
#pragma omp parallel
#pragma omp single
        tree(&leaves, 6);
        CHECK_EQ(leaves, 64);
    }
    printf("wavefront %u twice %d\n", wavefront(), twice());
    int outside = 0; /* of all regions */
#pragma omp task depend(inout : outside) shared(outside)
    outside++;
#pragma omp task depend(inout : outside) shared(outside)
    outside *= 10;
#pragma omp taskwait depend(in : outside)
    printf("outside %d\n", outside);
    return check_done("depend_basic");
}
