/* What gcc 17 calls where older compilers need no runtime: at loops that a team's threads, or a league's teams, divide by
 * themselves, and in masked constructs. The calls at the end of constructs are for tools. */
#include "omp/bomp.h"

typedef unsigned long long ull;

/* _Complex int: how many there are, and which one the caller is. As a structure of two ints, it is returned in one register
 * on x86-64 and AArch64. */
struct part {
    int count, number;
};

BOMP_EXPORT struct part GOMP_loop_static_worksharing(ull iterations) {
    return (struct part){bomp_num_threads(), bomp_thread_num()};
}

BOMP_EXPORT struct part GOMP_distribute_static_worksharing(ull iterations) {
    return (struct part){bomp_num_teams(), bomp_team_num()};
}

/* Whether the caller is the thread that a masked construct is for. */
BOMP_EXPORT bool GOMP_has_masked_thread_num(int filter) {
    return bomp_thread_num() == filter;
}

/* The same with -fopenmp-ompt, where the thread's call at the end of the construct follows. */
BOMP_EXPORT bool GOMP_has_masked_thread_num_with_end(int filter) {
    if (bomp_thread_num() != filter)
        return false;
    BOMP_NOTIFY_HERE(bomp_tool_masked(true));
    return true;
}
