// threads: 3
// env: OMP_DYNAMIC=true
// env: OMP_DYNAMIC=' TRUE '
// env: OMP_DYNAMIC=maybe
// env: OMP_NESTED=true
// env: OMP_NESTED=true OMP_MAX_ACTIVE_LEVELS=1
// env: OMP_NESTED=nonsense
// env: OMP_MAX_ACTIVE_LEVELS=0
// env: OMP_MAX_ACTIVE_LEVELS=7
// env: OMP_MAX_ACTIVE_LEVELS=1000
// env: OMP_MAX_ACTIVE_LEVELS=-2
// env: OMP_MAX_ACTIVE_LEVELS=many
// env: OMP_THREAD_LIMIT=2
// env: OMP_THREAD_LIMIT=1
// env: OMP_THREAD_LIMIT=0
// env: OMP_THREAD_LIMIT=-1
// env: OMP_THREAD_LIMIT=5x
// env: OMP_NUM_THREADS=4,3,2
// env: OMP_NUM_THREADS=2,2 OMP_MAX_ACTIVE_LEVELS=1
// env: OMP_NUM_THREADS=' 5 '
// env: OMP_NUM_THREADS='6 , 2'
// env: OMP_WAIT_POLICY=active
// env: OMP_WAIT_POLICY=PASSIVE
// env: OMP_WAIT_POLICY=sleepy
// env: GOMP_SPINCOUNT=1k
// env: GOMP_SPINCOUNT=infinite OMP_WAIT_POLICY=passive
// env: GOMP_SPINCOUNT=fast
// env: OMP_STACKSIZE=1M
// env: OMP_STACKSIZE=huge
// env: OMP_STACKSIZE= OMP_SCHEDULE=,, OMP_DYNAMIC=2 OMP_NESTED= OMP_THREAD_LIMIT= OMP_MAX_ACTIVE_LEVELS=
// env: OMP_MAX_TASK_PRIORITY=3 OMP_CANCELLATION=false OMP_DISPLAY_ENV=false
// The environment as the program sees it: good values apply, and bad ones leave the default.
#include "../check.h"

static int size_now(void) {
    int size = 0;

#pragma omp parallel reduction(+ : size)
    size++;
    return size;
}

/* Sizes of three nested regions, each from its level's setting; they depend on nothing else. */
static void nested_sizes(int *sizes) {
    sizes[0] = sizes[1] = sizes[2] = 0;
#pragma omp parallel
    {
#pragma omp master
        {
            sizes[0] = omp_get_num_threads();
#pragma omp parallel
            {
#pragma omp master
                {
                    sizes[1] = omp_get_num_threads();
                    sizes[2] = size_now();
                }
            }
        }
    }
}

int main(void) {
    omp_sched_t kind;
    int chunk, sizes[3];

    omp_get_schedule(&kind, &chunk);
    printf("threads %d dynamic %d nested %d levels %d limit %d schedule %#x,%d\n", omp_get_max_threads(),
           omp_get_dynamic(), omp_get_nested(), omp_get_max_active_levels(), omp_get_thread_limit(),
           (unsigned)kind, chunk);
    if (!omp_get_dynamic()) {
        nested_sizes(sizes);
        printf("sizes %d %d %d\n", sizes[0], sizes[1], sizes[2]);
        CHECK(sizes[0] <= omp_get_thread_limit());
    } else {
        CHECK(size_now() <= omp_get_max_threads());
    }
    return check_done("api_environment");
}
