// beyond libomp: it waits forever for some of these events
// Tasks that an event completes: detached ones, in all ways to run a task, whose event is fulfilled before, in or after
// the body, by the team or by a thread that uses no OpenMP; and proxy tasks.
#include "calls.h"

#include <pthread.h>

enum { ROUNDS = 50 };

struct detached {
    task task;
    void *handle;
    int *ran;
};

static int32_t body(int32_t gtid, void *arg) {
    struct detached *mine = arg;
    CHECK_EQ(gtid, ME);
    count_up(mine->ran);
    return 0;
}

static int32_t fulfilling_body(int32_t gtid, void *arg) {
    struct detached *mine = arg;
    body(gtid, arg);
    omp_fulfill_event((omp_event_handle_t)mine->handle);
    return 0;
}

static struct detached *make(int32_t gtid, int flags, task_entry *entry, int *ran) {
    struct detached *made =
        (void *)__kmpc_omp_task_alloc(&here, gtid, flags | DETACHABLE, sizeof *made, 0, entry);
    made->handle = __kmpc_task_allow_completion_event(&here, gtid, &made->task);
    made->ran = ran;
    CHECK(made->handle != NULL);
    return made;
}

/* A separate task fulfills it. */
static void fulfill_in_task(void *handle) {
#pragma omp task firstprivate(handle)
    omp_fulfill_event((omp_event_handle_t)handle);
}

static void *fulfill_outside(void *handle) {
    omp_fulfill_event((omp_event_handle_t)handle);
    return NULL;
}

static void deferred(int32_t *gtid, int32_t *btid) {
    int ran = 0, after = 0, want = 0;
    (void)btid;
    for (int i = 0; i < ROUNDS; i++) {
        struct detached *inside = make(*gtid, TIED, fulfilling_body, &ran);
        __kmpc_omp_task(&here, *gtid, &inside->task);

        struct detached *later = make(*gtid, TIED, body, &ran);
        void *handle = later->handle;
        __kmpc_omp_task(&here, *gtid, &later->task);
        fulfill_in_task(handle);

        /* A dependent task also waits for the event. */
        struct detached *first = make(*gtid, TIED, body, &ran);
        dependence on = {(intptr_t)&ran, sizeof ran, OUT};
        handle = first->handle;
        __kmpc_omp_task_with_deps(&here, *gtid, &first->task, 1, &on, 0, NULL);
        int fulfilled = 0;
#pragma omp task depend(inout : ran) shared(fulfilled, after)
        {
            CHECK_EQ(__atomic_load_n(&fulfilled, __ATOMIC_ACQUIRE), 1);
            count_up(&after);
        }
        __atomic_store_n(&fulfilled, 1, __ATOMIC_RELEASE);
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, fulfill_outside, handle), 0);
        __kmpc_omp_taskwait(&here, *gtid);
        want += 3;
        CHECK_EQ(count_read(&ran), want);
        CHECK_EQ(count_read(&after), i + 1);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
}

/* Undeferred. Its own body fulfills it, or an external thread. */
static void undeferred(int32_t *gtid, int32_t *btid) {
    int ran = 0, want = 0;
    (void)btid;
    for (int i = 0; i < ROUNDS; i++) {
        struct detached *inside = make(*gtid, TIED, fulfilling_body, &ran);
        __kmpc_omp_task_begin_if0(&here, *gtid, &inside->task);
        fulfilling_body(*gtid, inside);
        __kmpc_omp_task_complete_if0(&here, *gtid, &inside->task);

        struct detached *outside = make(*gtid, TIED, body, &ran);
        pthread_t thread;
        __kmpc_omp_task_begin_if0(&here, *gtid, &outside->task);
        body(*gtid, outside);
        CHECK_EQ(pthread_create(&thread, NULL, fulfill_outside, outside->handle), 0);
        __kmpc_omp_task_complete_if0(&here, *gtid, &outside->task);
        CHECK_EQ(count_read(&ran), want += 2);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
}

/* ---- proxy tasks: created, their body run, and completed by a call ---- */

static int proxies, complete;

struct proxy {
    task task;
    int number;
};

static void *complete_it(void *arg) {
    count_up(&complete);
    __kmpc_proxy_task_completed_ooo(arg);
    return NULL;
}

static int32_t proxy_body(int32_t gtid, void *arg) {
    struct proxy *mine = arg;
    (void)gtid;
    count_up(&proxies);
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, complete_it, mine), 0);
    CHECK_EQ(pthread_detach(thread), 0);
    return 0;
}

static int32_t proxy_complete_inside(int32_t gtid, void *arg) {
    count_up(&proxies);
    count_up(&complete);
    __kmpc_proxy_task_completed(gtid, arg);
    return 0;
}

static void proxy(int32_t *gtid, int32_t *btid) {
    if (*btid != 0)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        struct proxy *made = (void *)__kmpc_omp_task_alloc(&here, *gtid, TIED | PROXY, sizeof *made, 11,
                                                           i % 2 ? proxy_body : proxy_complete_inside);
        made->number = i;
        memset(made->task.shareds, 0xff, 11);
        __kmpc_omp_task(&here, *gtid, &made->task);
        if (i % 3 == 0) {
            __kmpc_omp_taskwait(&here, *gtid);
            CHECK_EQ(count_read(&complete), i + 1);
        }
    }
    __kmpc_omp_taskwait(&here, *gtid);
    CHECK_EQ(proxies, ROUNDS);
    CHECK_EQ(count_read(&complete), ROUNDS);
}

/* In clang's code. */
static void of_clang(void) {
    omp_event_handle_t event = (omp_event_handle_t)0;
    int ran = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(event) shared(ran)
        count_up(&ran);
        omp_fulfill_event(event);
#pragma omp taskwait
        CHECK_EQ(count_read(&ran), 1);
    }
}

int main(void) {
    int threads = omp_get_max_threads();
    REGION(threads, deferred, 0);
    REGION(threads, undeferred, 0);
    REGION(threads < 2 ? 2 : threads, proxy, 0);
    of_clang();
    return check_done("task_events");
}
