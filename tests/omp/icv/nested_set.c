// beyond libomp: its maximum of levels differs
// omp_set_max_active_levels and omp_set_nested, their limits and their effect.
#include "../check.h"

static int inner_size(void) {
    int size = 0;

#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
#pragma omp parallel num_threads(3)
            {
#pragma omp single
                size = omp_get_num_threads();
            }
        }
    }
    return size;
}

static int outer_size(void) {
    int size = 0;

#pragma omp parallel num_threads(4)
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

int main(void) {
    static const int levels[] = {1, 2, 0, 5, -3, 255, 256, 100000, 1};

    printf("default %d nested %d\n", omp_get_max_active_levels(), omp_get_nested());
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++) {
        int now;

        omp_set_max_active_levels(levels[i]);
        now = omp_get_max_active_levels();
        CHECK_EQ(outer_size(), now >= 1 ? 4 : 1);
        CHECK_EQ(inner_size(), now >= 2 || now == 0 ? (now == 0 ? 1 : 3) : 1);
        printf("set %d: is %d nested %d\n", levels[i], now, omp_get_nested());
    }
    for (int yes = 0; yes < 2; yes++) {
        omp_set_nested(yes);
        CHECK_EQ(omp_get_nested(), yes);
        CHECK_EQ(inner_size(), yes ? 3 : 1);
        printf("nested %d: levels %d\n", yes, omp_get_max_active_levels());
    }
    return check_done("nested_set");
}
