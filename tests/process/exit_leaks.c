/* exit_leaks.c WAY: uses several constructs and then exits: "main" in main, "region" within a region, "threads" with
 * the end of its last thread; "leak" as "main", but one of the runtime's threads has leaked a block by then. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int own;
#pragma omp threadprivate(own)
static int shared_x, sum;
static void *volatile lost;

static void regions(void) {
    for (int size = 1; size <= 5; size++) {
#pragma omp parallel num_threads(size) reduction(+ : sum)
        {
            own++;
#pragma omp for schedule(guided) ordered
            for (int i = 0; i < 20; i++)
#pragma omp ordered
                sum += i;
#pragma omp sections
            {
#pragma omp section
                sum++;
#pragma omp section
                sum++;
            }
        }
    }
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp atomic
    sum++;
}

static void tasks(void) {
    omp_event_handle_t event;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : shared_x)
            shared_x++;
#pragma omp task priority(i)
            omp_set_num_threads(2 + i % 2);
        }
#pragma omp taskloop reduction(+ : sum) num_tasks(10)
        for (int i = 0; i < 100; i++)
            sum++;
#pragma omp task detach(event)
        omp_fulfill_event(event);
#pragma omp taskgroup task_reduction(+ : sum)
        {
#pragma omp task in_reduction(+ : sum)
            sum++;
        }
#pragma omp target nowait depend(inout : shared_x)
        shared_x++;
    }
}

static void others(void) {
    omp_lock_t lock;
    omp_allocator_handle_t pool;
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}};
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    pool = omp_init_allocator(omp_default_mem_space, 1, traits);
    omp_free(omp_alloc(100, pool), pool);
    omp_destroy_allocator(pool);
#pragma omp target teams num_teams(2)
#pragma omp parallel num_threads(2)
#pragma omp critical
    sum++;
#pragma omp parallel for ordered(1) num_threads(2)
    for (int i = 1; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
    }
#pragma omp task
    sum++;
}

static void *everything(void *arg) {
    regions();
    tasks();
    others();
    return arg;
}

static void lose(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        lost = malloc(1000);
    lost = NULL;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "main";
    pthread_t host;
    everything(NULL);
    if (pthread_create(&host, NULL, everything, NULL) || pthread_join(host, NULL))
        return 2;
    if (strcmp(way, "leak") == 0)
        lose();
    if (strcmp(way, "region") == 0) {
#pragma omp parallel num_threads(4)
#pragma omp master
        exit(0);
    }
    if (strcmp(way, "threads") == 0)
        pthread_exit(NULL);
    exit(0);
}
