// repeat: 3
// task_reduction, in_reduction and reduction(task, ...): sums over tasks, nested groups, arrays, many variables.
#include "../check.h"

enum { N = 60 };

static long tree(int depth) {
    long sum = 0;

#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum += depth;
        for (int i = 0; i < depth; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
            sum += tree(i); /* groups in tasks of groups */
        }
    }
    return sum;
}

static long serial_tree(int depth) {
    long sum = depth;
    for (int i = 0; i < depth; i++)
        sum += serial_tree(i);
    return sum;
}

/* Tasks of tasks take part; an inner group reduces the same variable and another one. */
static void groups(int n, long *result) {
    long a = 1, b = 2, c[5] = {0, 1, 2, 3, 4};
    double product = 1;

#pragma omp taskgroup task_reduction(+ : a, c) task_reduction(* : product)
    {
        for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : a, c) in_reduction(* : product) firstprivate(i)
            {
                a += i;
                c[i % 5] += i;
                product *= i % 10 == 0 ? 2 : 1;
#pragma omp task in_reduction(+ : c)
                c[(i + 1) % 5]++;
#pragma omp taskgroup task_reduction(+ : b) task_reduction(max : a)
                {
#pragma omp task in_reduction(max : a) in_reduction(+ : b)
                    {
                        a = a > 1 ? a : 1;
                        b++;
                    }
#pragma omp task in_reduction(+ : b)
                    b++;
                }
#pragma omp taskwait
            }
        }
    }
    long expected = 1, columns[5] = {0, 1, 2, 3, 4};
    for (int i = 0; i < n; i++) {
        expected += i;
        columns[i % 5] += i;
        columns[(i + 1) % 5]++;
    }
    (void)expected;
    for (int i = 0; i < 5; i++)
        CHECK_EQ(c[i], columns[i]);
    double powers = 1;
    for (int i = 0; i < n; i += 10)
        powers *= 2;
    CHECK(product == powers);
    *result = c[0] + c[4];
}

/* Sections of arrays and of pointer targets, whose length is known only at run time. */
static void sections_of_arrays(int n) {
    int *p = calloc((size_t)n, sizeof *p), matrix[8][6] = {{0}};

#ifdef __clang__ /* it crashes over pointer targets */
#    pragma omp taskgroup task_reduction(+ : matrix [1:4][:6])
#else
#    pragma omp taskgroup task_reduction(+ : p [2:n - 4], matrix [1:4][:6])
#endif
    for (int i = 2; i < n - 2; i++) {
#ifndef __clang__
#    pragma omp task in_reduction(+ : p [2:n - 4]) firstprivate(i)
#endif
        for (int j = 2; j <= i; j++)
            p[j]++;
#pragma omp task in_reduction(+ : matrix [1:4][:6]) firstprivate(i)
        matrix[1 + i % 4][i % 3] += i;
    }
    long all = 0;
    for (int j = 2; j < n - 2; j++)
        CHECK_EQ(p[j], n - 2 - j);
    CHECK_EQ(p[0] + p[1] + p[n - 1] + p[n - 2], 0);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 6; j++)
            all += matrix[i][j];
    CHECK_EQ(all, (long)(n - 4) * (n - 1) / 2);
    free(p);
}

/* More than a few variables in one clause, and more than one clause. */
static void many(int n) {
    int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0;
    unsigned bits = 0, all = ~0u;

#pragma omp taskgroup task_reduction(+ : a, b, c, d, e, f, g, h, i, j, k, l) task_reduction(| : bits)        \
    task_reduction(& : all)
    for (int t = 0; t < n; t++) {
#pragma omp task in_reduction(+ : l, a, c, e, g, i, k) in_reduction(| : bits)
        {
            a++, c += 2, e += 3, g += 4, i += 5, k += 6, l += 7;
            bits |= 1u << t % 32;
        }
#pragma omp task in_reduction(+ : b, d, f, h, j) in_reduction(& : all)
        {
            b++, d += 2, f += 3, h += 4, j += 5;
            all &= ~(1u << t % 32);
        }
    }
    CHECK_EQ(a + c + e + g + i + k + l, 28 * n);
    CHECK_EQ(b + d + f + h + j, 15 * n);
    CHECK_EQ(bits, n >= 32 ? ~0u : (1u << n) - 1);
    CHECK_EQ(all, ~bits);
}

struct pair {
    int sum, count;
};
static void pair_add(struct pair *to, const struct pair *from) {
    to->sum += from->sum;
    to->count += from->count;
}
static void pair_start(struct pair *p) {
    p->sum = 0;
    p->count = 0;
}
#pragma omp declare reduction(add                                                                            \
                              : struct pair                                                                  \
                              : pair_add(&omp_out, &omp_in)) initializer(pair_start(&omp_priv))

static void user_defined(int n) {
    struct pair p = {100, 1};

#pragma omp taskgroup task_reduction(add : p)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(add : p) firstprivate(i)
        {
            p.sum += i;
            p.count++;
        }
    }
    CHECK_EQ(p.sum, 100 + n * (n - 1) / 2);
    CHECK_EQ(p.count, n + 1);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 15);
    long result = 0;

    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
#pragma omp single
        {
            CHECK_EQ(tree(9), serial_tree(9));
            groups(N, &result);
            sections_of_arrays(N);
            many(N);
            user_defined(N);
        }
    }
    CHECK_EQ(tree(5), serial_tree(5)); /* outside of all regions */
    groups(N, &result);
    sections_of_arrays(N);
    many(20);
    user_defined(N);
    printf("rounds %d, columns %ld\n", rounds, result);
    return check_done("task_reduction");
}
