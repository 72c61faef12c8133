// clang flags: -fopenmp-version=60
// groupprivate: the threads of a team share the variable.
#include "../check.h"

#if !defined __clang__ || __clang_major__ < 22
#    error "for clang 22"
#endif

static int shared_in_team;
#pragma omp groupprivate(shared_in_team)

int main(void) {
    int threads = 0, counted = -1;

#pragma omp teams num_teams(1)
    {
        shared_in_team = 0;
#pragma omp parallel num_threads(4)
        {
            count_up(&shared_in_team);
            count_up(&threads);
        }
        counted = shared_in_team;
    }
    CHECK_EQ(counted, threads);
    return check_done("groupprivate");
}
