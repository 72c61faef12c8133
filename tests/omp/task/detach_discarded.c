// beyond libomp: it hangs
// env: OMP_CANCELLATION=true
// flags: -pthread
// threads: 1 2 8
// repeat: 2000
// beyond libgomp: it keeps the memory of cancelled detached tasks
// Detached tasks that are cancelled before they begin. The runtime does not wait for their events, and soon frees their
// memory. The program may still fulfill some of them, at any time in the region, from any thread.
#include "../../sanitized.h"
#include "../check.h"

#include <pthread.h>
#include <unistd.h>

enum { TASKS = 100, KEPT = 4096 };

static omp_event_handle_t kept[KEPT];
static int count, ran;
static char x;

static void keep(omp_event_handle_t event) {
    int at = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&kept[at % KEPT], event, __ATOMIC_RELEASE);
}

/* A group of them: created, cancelled, and all but one forgotten. */
static void one_group(int round) {
    omp_event_handle_t event, first = (omp_event_handle_t)0;
#pragma omp taskgroup
    {
#pragma omp task depend(out : x)
        { /* the others wait for it */
#pragma omp cancel taskgroup
        }
        for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(in : x) detach(event) firstprivate(i)
            {
                count_up(&ran);
                omp_fulfill_event(event);
            }
            if (i == 0)
                first = event;
        }
    }
    if (round % 2)
        keep(first);
}

/* Fulfills some that may have been discarded by now, once each. */
static void *fulfiller(void *arg) {
    const int *over = arg;
    for (int i = 0; !__atomic_load_n(over, __ATOMIC_ACQUIRE); i = (i + 1) % KEPT) {
        omp_event_handle_t event = __atomic_exchange_n(&kept[i], (omp_event_handle_t)0, __ATOMIC_ACQ_REL);
        if (event)
            omp_fulfill_event(event);
        if (i == 0)
            sched_yield();
    }
    return NULL;
}

static long resident(void) {
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &size, &pages) == 2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 4000), over = 0;
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, fulfiller, &over), 0);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < rounds / 10; i++)
            one_group(i);
        long before = resident();
        for (int i = 0; i < rounds; i++)
            one_group(i);
        if (!SANITIZED)
            CHECK(resident() - before < 8L << 20);
        __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
    CHECK(ran < (rounds + rounds / 10) * TASKS);
    return check_done("detach_discarded");
}
