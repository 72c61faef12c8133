// Events of detached tasks, created before the task is submitted and fulfilled by any thread at any time; proxy tasks
// that a library completes.
// flags: -pthread
#include "calls.h"

#include <pthread.h>

enum { TASKS = 40 };

struct detached {
    task task;
    int *ran;
    void *event;
    int fulfills; /* by itself */
};

static int32_t run(int32_t gtid, void *arg) {
    struct detached *mine = arg;
    CHECK_EQ(gtid, ME);
    int fulfills = mine->fulfills;
    void *event = mine->event;
    count_up(mine->ran);
    if (fulfills)
        omp_fulfill_event((omp_event_handle_t)event);
    return 0;
}

static struct detached *new_detached(int32_t gtid, int flags, int *ran) {
    struct detached *made =
        (void *)__kmpc_omp_task_alloc(&here, gtid, flags | DETACHABLE, sizeof *made, 0, run);
    made->ran = ran;
    made->fulfills = 0;
    made->event = __kmpc_task_allow_completion_event(&here, gtid, &made->task);
    CHECK(made->event != NULL);
    return made;
}

struct later {
    omp_event_handle_t events[TASKS];
    int *go;
};

static void *fulfill_all(void *arg) {
    struct later *later = arg;
    wait_for_count(later->go, 1);
    for (int i = TASKS - 1; i >= 0; i--) {
        if (i % 8 == 0)
            busy_work(1, 3000);
        omp_fulfill_event(later->events[i]);
    }
    return NULL;
}

/* A taskwait also waits for events, which a thread without OpenMP fulfills. */
static void by_host(int32_t gtid) {
    int ran = 0, go = 0;
    struct later later = {.go = &go};
    pthread_t host;
    for (int i = 0; i < TASKS; i++) {
        struct detached *made = new_detached(gtid, TIED, &ran);
        later.events[i] = (omp_event_handle_t)made->event;
        __kmpc_omp_task(&here, gtid, &made->task);
    }
    pthread_create(&host, NULL, fulfill_all, &later);
    signal_count(&go);
    __kmpc_omp_taskwait(&here, gtid);
    CHECK_EQ(ran, TASKS);
    pthread_join(host, NULL);
}

/* Before the task is submitted, from its body, and after its end. */
static void at_all_times(int32_t gtid) {
    int ran = 0;
    for (int i = 0; i < TASKS; i++) {
        struct detached *made = new_detached(gtid, i % 4 == 3 ? 0 : TIED, &ran);
        omp_event_handle_t event = (omp_event_handle_t)made->event;
        made->fulfills = i % 3 == 1;
        if (i % 3 == 0)
            omp_fulfill_event(event);
        __kmpc_omp_task(&here, gtid, &made->task);
        if (i % 3 == 2)
            omp_fulfill_event(event);
    }
    __kmpc_omp_taskwait(&here, gtid);
    CHECK_EQ(ran, TASKS);
}

/* A task that depends on such a task waits for its event. */
static int32_t check_after(int32_t gtid, void *arg) {
    task *mine = arg;
    (void)gtid;
    CHECK_EQ(count_read(*(int **)mine->shareds), 1);
    count_up(*(int **)mine->shareds);
    return 0;
}

static void before_others(int32_t gtid) {
    for (int i = 0; i < TASKS; i++) {
        int ran = 0, fulfilled = 0;
        dependence on = {(intptr_t)&ran, sizeof ran, OUT};
        struct detached *made = new_detached(gtid, TIED, &ran);
        omp_event_handle_t event = (omp_event_handle_t)made->event;
        __kmpc_omp_task_with_deps(&here, gtid, &made->task, 1, &on, 0, NULL);
        task *after = __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof *after, sizeof(int *), check_after);
        *(int **)after->shareds = &fulfilled;
        __kmpc_omp_task_with_deps(&here, gtid, after, 1, &on, 0, NULL);
        __kmpc_omp_taskyield(&here, gtid, 0);
        CHECK_EQ(count_read(&fulfilled), 0);
        count_up(&fulfilled);
        omp_fulfill_event(event);
        __kmpc_omp_taskwait(&here, gtid);
        CHECK_EQ(fulfilled, 2);
    }
}

/* In clang's code, and undeferred. */
static void of_clang(void) {
    omp_event_handle_t event = (omp_event_handle_t)0;
    int done = 0;
#pragma omp task detach(event) shared(done)
    {
        done++;
        omp_fulfill_event(event);
    }
#pragma omp taskwait
    CHECK_EQ(done, 1);
#pragma omp task detach(event) shared(done) if (0)
    {
        done++;
        omp_fulfill_event(event);
    }
    CHECK_EQ(done, 2);
}

static void everything(int32_t *gtid, int32_t *btid) {
    (void)btid;
    by_host(*gtid);
    at_all_times(*gtid);
    before_others(*gtid);
    of_clang();
    __kmpc_barrier(&here, *gtid);
}

/* A barrier waits for events that another member fulfills first. */
static void barrier(int32_t *gtid, int32_t *btid, omp_event_handle_t *event) {
    int ran = 0;
    if (*btid == 0) {
        struct detached *made = new_detached(*gtid, TIED, &ran);
        __atomic_store_n(event, (omp_event_handle_t)made->event, __ATOMIC_RELEASE);
        __kmpc_omp_task(&here, *gtid, &made->task);
    }
    if (*btid == omp_get_num_threads() - 1) {
        omp_event_handle_t seen;
        while (!(seen = __atomic_load_n(event, __ATOMIC_ACQUIRE)))
            sched_yield();
        busy_work(1, 3000);
        omp_fulfill_event(seen);
    }
    __kmpc_barrier(&here, *gtid);
    CHECK_EQ(ran, *btid == 0);
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 8; threads *= 2) {
        REGION(threads, everything, 0);
        omp_event_handle_t event = (omp_event_handle_t)0;
        REGION(threads, barrier, 1, &event);
    }
    return check_done("event");
}
