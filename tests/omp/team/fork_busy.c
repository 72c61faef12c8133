// beyond libomp: the child hangs
/*
 * fork() while other threads of the program are anywhere: in regions, at barriers, in criticals and under locks,
 * creating tasks, fulfilling events, in allocators, changing the sizes of their teams. The child waits for no thread of
 * the parent.
 */
// threads: 2 8
// beyond libgomp: the child waits for threads, and for the thread that was in a critical
#include "../forked.h"

static int over;
static int busy; /* the other threads work until a fork: the child should have the CPUs */

/* A lock of the program, held around a fork, as in many libraries, and around regions. The runtime's fork handlers must
 * not wait for it while its holder waits for the runtime. */
static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;

static int wanted; /* threads that want the lock for a fork */

static void lock_own(void) {
    __atomic_fetch_add(&wanted, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&own_lock);
    __atomic_fetch_sub(&wanted, 1, __ATOMIC_RELAXED);
}

static void unlock_own(void) {
    pthread_mutex_unlock(&own_lock);
}

static void rest(void) {
    __atomic_store_n(&busy, 0, __ATOMIC_RELAXED);
    unlock_own();
}

/* Runs before the first use of OpenMP: handlers that are registered later run first at a fork. */
__attribute__((constructor)) static void at_fork(void) {
    pthread_atfork(lock_own, rest, rest);
}

static void change_sizes(void) {
    for (int size = 1; size <= 5; size++)
        check_team(size);
}

static void change_size_locked(void) {
    static int calls; /* under the lock */

    while (__atomic_load_n(&wanted, __ATOMIC_RELAXED)) /* a mutex is not fair */
        sched_yield();
    pthread_mutex_lock(&own_lock);
    check_team(2 + ++calls % 3);
    unlock_own();
}

static void meet(void) {
#pragma omp parallel num_threads(3)
    for (int i = 0; i < 10; i++) {
#pragma omp barrier
    }
}

static void enter(void) {
    static long double total;
    static int unnamed, named;

#pragma omp parallel num_threads(3)
    for (int i = 0; i < 10; i++) {
#pragma omp critical
        unnamed++;
#pragma omp critical(check_locks_name)
        named++;
#pragma omp atomic
        total += 1;
    }
}

static void fulfill(void) {
    omp_event_handle_t event;
    int runs = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task detach(event) shared(runs)
        count_up(&runs);
#pragma omp task firstprivate(event)
        omp_fulfill_event(event);
    }
    CHECK_EQ(runs, 1);
}

static void allocate(void) {
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);

#pragma omp parallel num_threads(3)
    for (int i = 0; i < 10; i++)
        omp_free(omp_alloc(1000, pool), pool);
    void *all = omp_alloc(3500, pool);
    CHECK(all != NULL);
    omp_free(all, pool);
    omp_destroy_allocator(pool);
}

static void set_format(void) {
    char text[16];

    omp_set_affinity_format("%n");
    CHECK_EQ(omp_get_affinity_format(text, sizeof text), 2);
}

static void (*const ways[])(void) = {change_sizes, change_size_locked, meet,        enter,       fulfill,
                                     allocate,     set_format,         check_tasks, check_nested};

#define WAYS (int)(sizeof ways / sizeof *ways)

static void *keep_busy(void *arg) {
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        if (__atomic_load_n(&busy, __ATOMIC_RELAXED))
            ways[*(int *)arg]();
        else
            usleep(200);
    }
    return NULL;
}

/* Each fork comes at another time after the others have begun. */
static void let_be_busy(int number) {
    __atomic_store_n(&busy, 1, __ATOMIC_RELAXED);
    usleep(500u + 700u * (unsigned)(number % 7));
}

static void use(void *arg) {
    (void)arg;
    for (int way = 0; way < WAYS; way++)
        ways[way]();
    check_team(omp_get_max_threads());
}

static void fork_meanwhile(int forks) {
    for (int i = 0; i < forks; i++) {
        let_be_busy(i);
        CHECK(child_runs(use, NULL, "while others are busy"));
    }
    use(NULL);
}

/* Forks on a thread that uses no OpenMP. */
static void *fork_outside(void *arg) {
    let_be_busy(0);
    CHECK(child_runs(use, NULL, "among busy threads"));
    return arg;
}

int main(int argc, char **argv) {
    int numbers[WAYS], forks = (int)check_arg(argc, argv, 1, 10);
    pthread_t threads[WAYS];

    if (SANITIZED)
        forks =
            0; /* a child forked while another thread is in the sanitizer's runtime finds that locked forever */
    use(NULL);
    for (int i = 0; i < WAYS; i++) {
        numbers[i] = i;
        threads[i] = host_thread(keep_busy, &numbers[i]);
    }
    fork_meanwhile(forks);
    if (forks > 0)
        pthread_join(host_thread(fork_outside, NULL), NULL);
    else
        let_be_busy(0);
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < WAYS; i++)
        pthread_join(threads[i], NULL);
    return check_done("fork_busy");
}
