// clang flags: -mllvm -openmp-opt-disable
// beyond libomp: it crashes
// threads: 1 2 3
// env: OMP_DYNAMIC=false
// env: OMP_PROC_BIND=true
// env: OMP_PROC_BIND=close
// env: OMP_PROC_BIND=spread
// env: OMP_PROC_BIND=primary
// env: OMP_PROC_BIND=spread,close,master
// env: OMP_PROC_BIND=false OMP_PLACES=threads
// env: OMP_PROC_BIND=nonsense
// env: OMP_PLACES=threads
// env: OMP_PLACES=cores
// env: OMP_PLACES='sockets (1)'
// env: OMP_PLACES=numa_domains OMP_PROC_BIND=spread
// env: OMP_PLACES='{0}'
// env: OMP_PLACES='{1},{0}' OMP_PROC_BIND=spread,close
// env: OMP_PLACES='{0},{1},{0,1}' OMP_PROC_BIND=close
// env: OMP_PLACES='{0}:2,!{1}'
// env: OMP_PLACES='{0},{60}'
// env: OMP_PLACES=nonsense
// env: OMP_PLACES=nonsense OMP_PROC_BIND=close
// env: OMP_PLACES='{60}' OMP_PROC_BIND=close
// env: GOMP_CPU_AFFINITY='1 0'
// env: GOMP_CPU_AFFINITY=0-1 OMP_PROC_BIND=spread
// env: GOMP_CPU_AFFINITY=1-0
// env: GOMP_CPU_AFFINITY=1 OMP_PLACES='{0},{1}'
// Places, partitions and policies, as the API reports them, in regions with and without proc_bind clauses.
#include "../check.h"

enum { MOST = 4096 };

static char line[CHECK_MAX_THREADS][64];

/* place/policy[partition] of the calling thread */
static void describe(char *text) {
    static __thread int nums[MOST];
    int count = omp_get_partition_num_places();

    if (count > 0)
        omp_get_partition_place_nums(nums);
    snprintf(text, sizeof line[0], " %d/%d[%d..%d]", omp_get_place_num(), omp_get_proc_bind(),
             count > 0 ? nums[0] : -1, count > 0 ? nums[count - 1] : -1);
}

static void show(const char *what, int count) {
    printf("%s:", what);
    for (int i = 0; i < count; i++)
        printf("%s", line[i]);
    printf("\n");
}

static void show_places(void) {
    int count = omp_get_num_places();

    printf("%d places:", count);
    for (int place = -1; place <= count; place++) {
        int ids[MOST] = {-1};
        int cpus = omp_get_place_num_procs(place);

        CHECK(cpus <= MOST);
        omp_get_place_proc_ids(place, ids);
        printf(" {");
        for (int i = 0; i < cpus; i++)
            printf("%s%d", i > 0 ? "," : "", ids[i]);
        printf("}");
    }
    printf("\n");
}

static void inner(int policy, int threads, char *text) {
    char own[8][64];

    if (policy == 0) {
#pragma omp parallel num_threads(threads)
        describe(own[omp_get_thread_num()]);
    } else if (policy == 1) {
#pragma omp parallel num_threads(threads) proc_bind(close)
        describe(own[omp_get_thread_num()]);
    } else {
#pragma omp parallel num_threads(threads) proc_bind(spread)
        describe(own[omp_get_thread_num()]);
    }
    for (int i = 0; i < threads; i++)
        text += sprintf(text, "%s", own[i]);
}

int main(void) {
    int threads = omp_get_max_threads();
    int before = omp_get_num_procs();

    show_places();
    describe(line[0]);
    show("outside", 1);
#pragma omp parallel
    describe(line[omp_get_thread_num()]);
    show("plain", threads);
#pragma omp parallel proc_bind(primary)
    describe(line[omp_get_thread_num()]);
    show("primary", threads);
#pragma omp parallel proc_bind(close)
    describe(line[omp_get_thread_num()]);
    show("close", threads);
#pragma omp parallel proc_bind(spread)
    describe(line[omp_get_thread_num()]);
    show("spread", threads);
#pragma omp parallel for schedule(dynamic) proc_bind(spread)
    for (int i = 0; i < 64; i++)
        describe(line[omp_get_thread_num()]);
    printf("after a loop the caller is at%s\n", (describe(line[0]), line[0]));
#pragma omp parallel if (0) proc_bind(spread)
    describe(line[0]);
    show("alone", 1);

    omp_set_max_active_levels(2);
    for (int policy = 0; policy < 3; policy++)
        for (int size = 1; size <= 4; size++) {
            static char nested[2][600];
#pragma omp parallel num_threads(2) proc_bind(spread)
            inner(policy, size, nested[omp_get_thread_num()]);
            printf("nested %d %d:%s |%s\n", policy, size, nested[0], nested[1]);
        }
    int partition = -1, inside = -1;
#pragma omp parallel num_threads(2) proc_bind(spread)
    if (omp_get_thread_num() == 0) {
#pragma omp target map(from : partition, inside)
        {
            partition = omp_get_partition_num_places();
#pragma omp parallel num_threads(2) proc_bind(spread)
#pragma omp master
            inside = omp_get_partition_num_places();
        }
    }
    printf("in a target region: %d, in a region in there: %d\n", partition, inside);
    CHECK_EQ(omp_get_num_procs(), before);
    return check_done("affinity_places");
}
