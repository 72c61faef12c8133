// env: OMP_PROC_BIND=true OMP_PLACES='{0},{1}'
// threads: 2
// beyond libomp: it ignores proc_bind(primary), as clang numbers it
// The proc_bind clause by each of its names, for the next region alone.
#include "../omp/check.h"

#define PLACES(clause, ...)                                                                                  \
    do {                                                                                                     \
        int place[2] = {-1, -1};                                                                             \
        _Pragma(clause) {                                                                                    \
            place[omp_get_thread_num()] = omp_get_place_num();                                               \
            CHECK_EQ(omp_get_num_threads(), 2);                                                              \
        }                                                                                                    \
        CHECK_EQ(place[0], 0);                                                                               \
        CHECK_EQ(place[1], __VA_ARGS__);                                                                     \
    } while (0)

int main(void) {
    if (omp_get_num_places() == 2) {
        for (int i = 0; i < 3; i++) {
            PLACES("omp parallel proc_bind(spread)", 1);
            PLACES("omp parallel proc_bind(master)", 0);
            PLACES("omp parallel", 1);
            PLACES("omp parallel proc_bind(primary)", 0);
            PLACES("omp parallel proc_bind(close)", 1);
            PLACES("omp parallel proc_bind(primary)", 0);
            PLACES("omp parallel proc_bind(default)", 1);
#pragma omp parallel proc_bind(primary) if (i < 0)
            CHECK_EQ(omp_get_num_threads(), 1);
            PLACES("omp parallel", 1); /* the clause applied to that region only */
        }
    }
    return check_done("region_bind");
}
