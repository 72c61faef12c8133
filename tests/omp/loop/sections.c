// sections and parallel sections: fewer and more sections than threads, lastprivate, nowait, many in a row.
#include "../check.h"

static int ran[12];

static void more_than_threads(int rounds) {
    int last = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
#pragma omp sections lastprivate(last)
        {
            count_up(&ran[0]);
#pragma omp section
            count_up(&ran[1]);
#pragma omp section
            count_up(&ran[2]);
#pragma omp section
            count_up(&ran[3]);
#pragma omp section
            count_up(&ran[4]);
#pragma omp section
            count_up(&ran[5]);
#pragma omp section
            count_up(&ran[6]);
#pragma omp section
            count_up(&ran[7]);
#pragma omp section
            count_up(&ran[8]);
#pragma omp section
            {
                count_up(&ran[9]);
                last = r + 1;
            }
        }
        CHECK_EQ(last, r + 1);
        for (int i = 0; i < 10; i++)
            CHECK_EQ(count_read(&ran[i]), r + 1);
#pragma omp barrier
    }
}

static void in_a_row(int rounds) {
    int a = 0, b = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
#pragma omp sections nowait
        {
#pragma omp section
            count_up(&a);
#pragma omp section
            count_up(&b);
        }
    }
    CHECK_EQ(a, rounds);
    CHECK_EQ(b, rounds);
}

static void combined(int rounds) {
    for (int r = 0; r < rounds; r++) {
        int x = 0, y = 0, z = 0, sum = 0;

#pragma omp parallel sections reduction(+ : sum)
        {
#pragma omp section
            sum += x = r;
#pragma omp section
            sum += y = r + 1;
#pragma omp section
            sum += z = r + 2;
        }
        CHECK_EQ(x + y + z, 3 * r + 3);
        CHECK_EQ(sum, 3 * r + 3);
    }
#pragma omp parallel sections num_threads(4)
    { count_up(&ran[10]); }
#pragma omp parallel sections if (0)
    {
        CHECK_EQ(omp_get_num_threads(), 1);
#pragma omp section
        count_up(&ran[11]);
    }
    CHECK_EQ(ran[10], 1);
    CHECK_EQ(ran[11], 1);
}

int main(void) {
    int sum = 0;

    more_than_threads(100);
    in_a_row(300);
    combined(100);
    for (int i = 0; i < 12; i++)
        sum += ran[i];
    printf("ran %d\n", sum);
    return check_done("sections");
}
