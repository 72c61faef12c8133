// env: OMP_MAX_ACTIVE_LEVELS=1
// env: OMP_MAX_ACTIVE_LEVELS=2
// env: OMP_MAX_ACTIVE_LEVELS=3
// env: OMP_NESTED=true
// env: OMP_NESTED=false
// Three nested regions: the results of omp_get_level and related functions in each.
#include "../check.h"

enum { LEVELS = 3 };

static int leaves;
static long codes;

/* The expected sizes when only max_active levels may have more than one thread. */
static void expected_sizes(const int *asked, int max_active, int *sizes, int *active) {
    active[0] = 0;
    for (int l = 0; l < LEVELS; l++) {
        sizes[l] = active[l] < max_active ? asked[l] : 1;
        active[l + 1] = active[l] + (sizes[l] > 1);
    }
}

static void check_level(int level, const int *sizes, const int *active, const int *path) {
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_active_level(), active[level]);
    CHECK_EQ(omp_in_parallel(), active[level] > 0);
    CHECK_EQ(omp_get_num_threads(), sizes[level - 1]);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    for (int l = 1; l <= level; l++) {
        CHECK_EQ(omp_get_ancestor_thread_num(l), path[l - 1]);
        CHECK_EQ(omp_get_team_size(l), sizes[l - 1]);
    }
    CHECK_EQ(omp_get_ancestor_thread_num(level + 1), -1);
    CHECK_EQ(omp_get_team_size(level + 1), -1);
    CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
    CHECK_EQ(omp_get_team_size(-1), -1);
}

int main(void) {
    int asked[LEVELS] = {omp_get_max_threads() > 3 ? 3 : omp_get_max_threads(), 2, 3};
    int sizes[LEVELS], active[LEVELS + 1];

    expected_sizes(asked, omp_get_max_active_levels(), sizes, active);
#pragma omp parallel num_threads(asked[0])
    {
        int a = omp_get_thread_num();

        check_level(1, sizes, active, &a);
#pragma omp parallel num_threads(asked[1]) firstprivate(a)
        {
            int path2[2] = {a, omp_get_thread_num()};

            check_level(2, sizes, active, path2);
#pragma omp parallel num_threads(asked[2]) firstprivate(path2) reduction(+ : leaves, codes)
            {
                int path3[3] = {path2[0], path2[1], omp_get_thread_num()};

                check_level(3, sizes, active, path3);
                leaves++;
                codes += path3[0] * 100 + path3[1] * 10 + path3[2];
            }
            check_level(2, sizes, active, path2);
        }
        check_level(1, sizes, active, &a);
    }
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(leaves, sizes[0] * sizes[1] * sizes[2]);
    printf("levels %d sizes %d %d %d codes %ld\n", omp_get_max_active_levels(), sizes[0], sizes[1], sizes[2],
           codes);
    return check_done("nested_levels");
}
