// beyond libomp: it hangs
// not clang 14: it lacks the error directive
// beyond libgomp: it is cancelled as it prints
// threads: 1 4
// env: OMP_DYNAMIC=false
// env: OMP_NUM_THREADS=many OMP_SCHEDULE=no OMP_DISPLAY_ENV=verbose OMP_DISPLAY_AFFINITY=true OMP_PLACES=cores
// env: OMP_PLACES=threads OMP_PROC_BIND=close
// A thread with a pending cancellation is not cancelled inside the library, whatever it calls there: held locks or open
// files would block the other threads. It is cancelled at its next own cancellation point.
#include "../check.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static int arrived, departed;

static void constructs(void) {
    static omp_lock_t lock;
    int members = 0, sum = 0, tasks = 0, ordered = 0;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        count_up(&members);
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < 100; i++)
            sum++;
#pragma omp for ordered
        for (int i = 0; i < 10; i++)
#pragma omp ordered
            ordered++;
#pragma omp single
        for (int i = 0; i < 10; i++)
#pragma omp task shared(tasks)
        {
#pragma omp critical
            tasks++;
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
#pragma omp taskyield
        }
    }
    CHECK(members > 0);
    CHECK_EQ(sum, 100);
    CHECK_EQ(tasks, 10);
    CHECK_EQ(ordered, 10);
    omp_destroy_lock(&lock);
}

static void lines(void) {
    char text[64];
    omp_display_env(1);
    omp_display_affinity(NULL);
    omp_display_affinity("%t of %N");
    CHECK(omp_capture_affinity(text, sizeof text, "%n") > 0);
    omp_set_num_threads(-1);
    omp_destroy_allocator(omp_default_mem_alloc);
    omp_set_schedule((omp_sched_t)77, 0);
    (void)omp_aligned_alloc(48, 0, omp_default_mem_alloc);
    omp_free(omp_aligned_alloc(48, 8, omp_default_mem_alloc), omp_default_mem_alloc);
#pragma omp error at(execution) severity(warning)
}

static void questions(void) {
    int ids[256];
    for (int place = 0; place < omp_get_num_places(); place++)
        if (omp_get_place_num_procs(place) <= 256)
            omp_get_place_proc_ids(place, ids);
    CHECK(omp_get_num_procs() > 0 && omp_get_max_threads() > 0 && omp_get_wtime() > 0);
    CHECK(omp_pause_resource_all(omp_pause_soft) == 0);
}

/* In a new process each time: no thread of ours is left. */
static void *run(void *arg) {
    void (*first)(void) = *(void (**)(void))arg;
    pthread_cancel(pthread_self());
    first();
    constructs();
    for (int size = 1; size < 7; size++) {
#pragma omp parallel num_threads(size)
        CHECK_EQ(omp_get_num_threads(), size);
    }
    lines();
    constructs();
    questions();
    constructs();
    count_up(&arrived);
    pthread_testcancel();
    count_up(&departed); /* never */
    return NULL;
}

static void try(void (*first)(void)) {
    pthread_t thread;
    void *result = NULL;
    int before = count_read(&arrived);
    CHECK_EQ(pthread_create(&thread, NULL, run, &first), 0);
    CHECK_EQ(pthread_join(thread, &result), 0);
    CHECK(result == PTHREAD_CANCELED);
    CHECK_EQ(count_read(&arrived), before + 1);
    CHECK_EQ(count_read(&departed), 0);
    constructs();
}

int main(void) {
    static void (*const all[])(void) = {constructs, lines, questions};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        try(all[i]);
    return check_done("exit_pending");
}
