// icvs.c: the ICVs that the program sees follow from the environment as under libgomp. Run by ../omp/run.sh under both.
// Values for which libgomp's result is useless are left out: numbers of threads that it takes for negative ones,
// negative chunks, and bad numbers of threads: our default follows the CPU quota, its does not.
//
// threads: 3
// env:
// env: OMP_NUM_THREADS=' 4 '
// env: OMP_NUM_THREADS='+4'
// env: OMP_NUM_THREADS='4, 3 ,2'
// env: OMP_NUM_THREADS='010'
// env: OMP_NUM_THREADS='2147483647'
// env: OMP_DYNAMIC='true'
// env: OMP_DYNAMIC=' TRUE '
// env: OMP_DYNAMIC='t'
// env: OMP_DYNAMIC='1'
// env: OMP_DYNAMIC='yes'
// env: OMP_DYNAMIC='false'
// env: OMP_DYNAMIC=''
// env: OMP_NESTED='true'
// env: OMP_NESTED=' TRUE '
// env: OMP_NESTED='t'
// env: OMP_NESTED='1'
// env: OMP_NESTED='yes'
// env: OMP_NESTED='false'
// env: OMP_NESTED=''
// env: OMP_SCHEDULE='static'
// env: OMP_SCHEDULE='STATIC'
// env: OMP_SCHEDULE='Dynamic'
// env: OMP_SCHEDULE='guided'
// env: OMP_SCHEDULE='auto'
// env: OMP_SCHEDULE='auto,4'
// env: OMP_SCHEDULE='static,4'
// env: OMP_SCHEDULE=' dynamic , 5 '
// env: OMP_SCHEDULE='dynamic,0'
// env: OMP_SCHEDULE='static,0'
// env: OMP_SCHEDULE='dynamic,'
// env: OMP_SCHEDULE='dynamic 5'
// env: OMP_SCHEDULE='dynamic,5x'
// env: OMP_SCHEDULE='monotonic:static'
// env: OMP_SCHEDULE='nonmonotonic:static'
// env: OMP_SCHEDULE='monotonic: dynamic'
// env: OMP_SCHEDULE='monotonic :dynamic,3'
// env: OMP_SCHEDULE='nonmonotonic:dynamic'
// env: OMP_SCHEDULE=' nonmonotonic : guided , 3'
// env: OMP_SCHEDULE='monotonic'
// env: OMP_SCHEDULE='runtime'
// env: OMP_SCHEDULE=''
// env: OMP_SCHEDULE='static,2147483647'
// env: OMP_SCHEDULE='dynamic,9999999999999999999999'
// env: OMP_SCHEDULE='monotonic:auto'
// env: OMP_SCHEDULE='nonmonotonic:auto,3'
// env: OMP_MAX_ACTIVE_LEVELS='0'
// env: OMP_MAX_ACTIVE_LEVELS='1'
// env: OMP_MAX_ACTIVE_LEVELS='-1'
// env: OMP_MAX_ACTIVE_LEVELS='255'
// env: OMP_MAX_ACTIVE_LEVELS='256'
// env: OMP_MAX_ACTIVE_LEVELS=' 3'
// env: OMP_MAX_ACTIVE_LEVELS='3x'
// env: OMP_MAX_ACTIVE_LEVELS=''
// env: OMP_MAX_ACTIVE_LEVELS='4294967296'
// env: OMP_THREAD_LIMIT='0'
// env: OMP_THREAD_LIMIT='1'
// env: OMP_THREAD_LIMIT='-1'
// env: OMP_THREAD_LIMIT='2147483647'
// env: OMP_THREAD_LIMIT='2147483648'
// env: OMP_THREAD_LIMIT='4294967296'
// env: OMP_THREAD_LIMIT='99999999999999999999'
// env: OMP_PROC_BIND='false'
// env: OMP_PROC_BIND='true,close'
// env: OMP_PROC_BIND='close,true'
// env: OMP_PROC_BIND='false,close'
// env: OMP_PROC_BIND='x'
// env: OMP_PROC_BIND=''
// env: OMP_PROC_BIND='close,'
// env: OMP_DEFAULT_DEVICE='0'
// env: OMP_DEFAULT_DEVICE='-1'
// env: OMP_DEFAULT_DEVICE='5'
// env: OMP_DEFAULT_DEVICE='x'
// env: OMP_MAX_TASK_PRIORITY='0'
// env: OMP_MAX_TASK_PRIORITY='-1'
// env: OMP_MAX_TASK_PRIORITY='5'
// env: OMP_MAX_TASK_PRIORITY='x'
// env: OMP_NUM_TEAMS='0'
// env: OMP_NUM_TEAMS='1'
// env: OMP_NUM_TEAMS='-1'
// env: OMP_NUM_TEAMS='x'
// env: OMP_TEAMS_THREAD_LIMIT='0'
// env: OMP_TEAMS_THREAD_LIMIT='4'
// env: OMP_TEAMS_THREAD_LIMIT='-1'
// env: OMP_TEAMS_THREAD_LIMIT='x'
// env: OMP_CANCELLATION='false'
// env: OMP_CANCELLATION='x'
// env: OMP_NESTED=true OMP_MAX_ACTIVE_LEVELS=1
// env: OMP_NESTED=false OMP_MAX_ACTIVE_LEVELS=5
// env: OMP_NESTED=false OMP_NUM_THREADS=2,3
// env: OMP_NESTED=true OMP_MAX_ACTIVE_LEVELS=x
// env: OMP_NUM_THREADS=2,2 OMP_MAX_ACTIVE_LEVELS=x
#include <omp.h>
#include <stdio.h>

static void show(const char *where) {
    omp_sched_t sched;
    int chunk;
    omp_get_schedule(&sched, &chunk);
    printf("%s: threads %d, dynamic %d, nested %d, levels %d, limit %d, schedule %#x %d, bind %d\n", where,
           omp_get_max_threads(), omp_get_dynamic(), omp_get_nested(), omp_get_max_active_levels(),
           omp_get_thread_limit(), (unsigned)sched, chunk, (int)omp_get_proc_bind());
}

int main(void) {
    show("initial task");
    printf("cancellation %d, device %d of %d, priority %d, teams %d, limit %d, processors %d\n",
           omp_get_cancellation(), omp_get_default_device(), omp_get_num_devices(),
           omp_get_max_task_priority(), omp_get_max_teams(), omp_get_teams_thread_limit(),
           omp_get_num_procs());
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        show("in a region");
#pragma omp parallel num_threads(2)
#pragma omp single
        {
#pragma omp critical
            if (omp_get_ancestor_thread_num(1) == 0) {
                show("in a region in it");
            }
        }
    }
    return 0;
}
