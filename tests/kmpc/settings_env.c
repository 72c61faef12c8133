// The effects of the variables of LLVM's runtime on a program linked to it.
// env:
// env: KMP_BLOCKTIME=0
// env: KMP_BLOCKTIME=infinite KMP_STACKSIZE=1m
// env: KMP_BLOCKTIME=17 OMP_STACKSIZE=3m
// env: KMP_STACKSIZE=4194304 OMP_STACKSIZE=1m
// env: KMP_AFFINITY=granularity=fine,compact
// env: KMP_AFFINITY=granularity=thread,scatter
// env: KMP_AFFINITY=granularity=fine,compact,0,1
// env: KMP_AFFINITY=explicit,granularity=fine,proclist=[1,0]
// env: KMP_AFFINITY=disabled OMP_PLACES=threads
// env: KMP_HW_SUBSET=1c,1t
// env: KMP_HW_SUBSET=1c,1t FIRST=procs
// env: KMP_WARNINGS=off KMP_BLOCKTIME=nonsense
// env: KMP_DUPLICATE_LIB_OK=true KMP_USE_YIELD=1 KMP_VERSION=false
#include <stdlib.h>

#include "calls.h"

/* Only the number of places: without a choice of CPUs the libraries' places differ. */
static void show_places(void) {
    int ids[1024];
    for (int place = 0; place < omp_get_num_places(); place++) {
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < omp_get_place_num_procs(place); i++)
            printf("%s%d", i > 0 ? "," : " {", ids[i]);
        printf("}");
    }
}

int main(void) {
    const char *affinity = getenv("KMP_AFFINITY"), *blocktime = getenv("KMP_BLOCKTIME");
    if (getenv("FIRST"))
        printf("%d ", omp_get_num_procs());
    printf("stack %zu threads %d", kmp_get_stacksize_s(), omp_get_num_procs());
    if (blocktime && strcmp(blocktime, "nonsense") != 0) /* else it follows from the number of threads */
        printf(" blocktime %d", kmp_get_blocktime());
    if ((affinity || getenv("KMP_HW_SUBSET")) && omp_get_num_procs() <= 2)
        show_places();
    printf("\n");
#pragma omp parallel num_threads(2)
    if (affinity && !strstr(affinity, "disabled") && omp_get_num_procs() >= 2) {
        int offset = strstr(affinity, "0,1") != NULL;
        CHECK_EQ(omp_get_place_num(), (omp_get_thread_num() + offset) % omp_get_num_places());
    }
    return check_done("settings_env");
}
