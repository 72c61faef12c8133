/*
 * places [TEAM...]: prints the places, and the places of threads of teams of these sizes, outermost and nested in each
 * thread of a team of three. Run on made-up machines (machine.c): the output depends only on their CPUs.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096, THREADS = 64 };

static char texts[THREADS][64];

static void describe(char *text) {
    static __thread int nums[MOST];
    int count = omp_get_partition_num_places();

    if (count > 0)
        omp_get_partition_place_nums(nums);
    snprintf(text, sizeof texts[0], " %d[%d..%d]", omp_get_place_num(), count > 0 ? nums[0] : -1,
             count > 0 ? nums[count - 1] : -1);
}

static void show(const char *what, int threads) {
    printf("%s %d:", what, threads);
    for (int i = 0; i < threads; i++)
        printf("%s", texts[i]);
    printf("\n");
}

static void show_teams(const char *where, int threads) {
    printf("%s ", where);
#pragma omp parallel num_threads(threads)
    describe(texts[omp_get_thread_num()]);
    show("plain", threads);
#pragma omp parallel num_threads(threads) proc_bind(close)
    describe(texts[omp_get_thread_num()]);
    show("close", threads);
#pragma omp parallel num_threads(threads) proc_bind(spread)
    describe(texts[omp_get_thread_num()]);
    show("spread", threads);
}

int main(int argc, char **argv) {
    static int ids[MOST];
    int count = omp_get_num_places();

    printf("%d CPUs, bind %d, %d places:", omp_get_num_procs(), omp_get_proc_bind(), count);
    for (int place = 0; place < count; place++) {
        int cpus = omp_get_place_num_procs(place);
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < cpus; i++)
            printf("%s%d", i > 0 ? "," : " ", ids[i]);
    }
    printf("\n");
    omp_set_max_active_levels(2);
    for (int arg = 1; arg < argc; arg++) {
        int threads = atoi(argv[arg]);
        show_teams("outermost", threads);
        for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel num_threads(3) proc_bind(close)
            if (omp_get_thread_num() == turn)
                show_teams("in a close team", threads);
#pragma omp parallel num_threads(3) proc_bind(spread)
            if (omp_get_thread_num() == turn)
                show_teams("in a spread team", threads);
        }
    }
    return 0;
}
