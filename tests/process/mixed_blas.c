/* mixed_blas.c: a clang program whose threads, and whose regions' threads, multiply matrices by a GCC library. */
#include <dirent.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 300 };

void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double,
                 double *, int);

static int threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* a[i][k] = i + 1, b = 2: c[i][j] = 2 * SIZE * (i + 1). Returns the number of wrong elements. */
static int multiply(void) {
    double *a = malloc(sizeof(double) * SIZE * SIZE * 3), *b = a + SIZE * SIZE, *c = b + SIZE * SIZE;
    int wrong = 0;
    for (int i = 0; i < SIZE * SIZE; i++) {
        a[i] = i / SIZE + 1;
        b[i] = 2;
        c[i] = 0;
    }
    cblas_dgemm(101, 111, 111, SIZE, SIZE, SIZE, 1, a, SIZE, b, SIZE, 0, c, SIZE);
#pragma omp parallel for reduction(+ : wrong)
    for (int i = 0; i < SIZE * SIZE; i++)
        wrong += c[i] != 2.0 * SIZE * (i / SIZE + 1);
    free(a);
    return wrong;
}

int main(void) {
    int wrong = 0;
    for (int round = 0; round < 5; round++)
        wrong += multiply();
    int most = threads();
#pragma omp parallel num_threads(3) reduction(+ : wrong)
    wrong += multiply();
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 6; i++) {
#pragma omp task shared(wrong)
        {
            int more = multiply();
#pragma omp atomic
            wrong += more;
        }
    }
    if (threads() > most)
        printf("%d threads, not %d; ", threads(), most);
    printf("%s\n", wrong ? "wrong" : "right");
    return wrong != 0;
}
