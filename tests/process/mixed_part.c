/* mixed_part.c: constructs of one compiler, for a process with code of two (mixed.c). -DPART=name is the prefix of its
 * functions. */
#include <omp.h>

#define JOIN(a, b) a##b
#define NAMED(part, name) JOIN(part, name)
#define NAME(name) NAMED(PART, name)

void NAME(_region)(int threads, void (*body)(void *), void *arg);
void NAME(_group)(void (*body)(void *), void *arg);
void NAME(_tasks)(int count, void (*body)(void *), void *arg);
void NAME(_depend)(int write, int *at, void (*body)(void *), void *arg);
void NAME(_detached)(void **event, void (*body)(void *), void *arg);
long NAME(_loops)(int n);
int NAME(_single)(int value);
int NAME(_number)(void);
void NAME(_settings)(int threads, int chunk, int levels);
void NAME(_cancel)(void);
void NAME(_set)(void *lock), NAME(_unset)(void *lock);
int NAME(_test)(void *lock);
void *NAME(_new_lock)(void);

void NAME(_region)(int threads, void (*body)(void *), void *arg) {
#pragma omp parallel num_threads(threads)
    body(arg);
}

/* Returns when all tasks that body created are complete. */
void NAME(_group)(void (*body)(void *), void *arg) {
#pragma omp taskgroup
    body(arg);
}

void NAME(_tasks)(int count, void (*body)(void *), void *arg) {
    for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(body, arg)
        body(arg);
    }
}

void NAME(_depend)(int write, int *at, void (*body)(void *), void *arg) {
    if (write) {
#pragma omp task depend(inout : at[0]) firstprivate(body, arg)
        body(arg);
    } else {
#pragma omp task depend(in : at[0]) firstprivate(body, arg)
        body(arg);
    }
}

void NAME(_detached)(void **handle, void (*body)(void *), void *arg) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) firstprivate(body, arg, handle)
    {
        body(arg);
        __atomic_store_n(handle, (void *)event, __ATOMIC_RELEASE);
    }
}

/* Called by all threads of a region that other code opened: returns 5 times the sum of the numbers below n. */
long NAME(_loops)(int n) {
    static long sum;
#pragma omp single
    sum = 0;
#pragma omp for schedule(static) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i;
#pragma omp for schedule(dynamic, 2) reduction(+ : sum) nowait
    for (int i = 0; i < n; i++)
        sum += i;
#pragma omp for schedule(guided) reduction(+ : sum)
    for (long i = n - 1; i >= 0; i--)
        sum += i;
#pragma omp for schedule(runtime) ordered reduction(+ : sum)
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        sum += i;
    }
#pragma omp for schedule(static, 3) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i;
    long result = sum;
#pragma omp barrier
    return result;
}

/* Copies the value of one thread to the team. */
int NAME(_single)(int value) {
    int mine = value;
#pragma omp single copyprivate(mine)
    mine = value + 1000;
    return mine;
}

int NAME(_number)(void) {
    return omp_get_level() * 1000 + omp_get_num_threads() * 100 + omp_get_thread_num();
}

void NAME(_settings)(int threads, int chunk, int levels) {
    omp_set_num_threads(threads);
    omp_set_schedule(omp_sched_dynamic, chunk);
    omp_set_max_active_levels(levels);
}

void NAME(_cancel)(void) {
#pragma omp task
    {
#pragma omp cancel taskgroup
    }
}

void NAME(_set)(void *lock) {
    omp_set_nest_lock((omp_nest_lock_t *)lock);
}

void NAME(_unset)(void *lock) {
    omp_unset_nest_lock((omp_nest_lock_t *)lock);
}

int NAME(_test)(void *lock) {
    return omp_test_nest_lock((omp_nest_lock_t *)lock);
}

/* A lock of this compiler's size; the memory behind it must not change. */
void *NAME(_new_lock)(void) {
    static struct {
        omp_nest_lock_t lock;
        unsigned long guard;
    } one;
    one.guard = 0x5a5a5a5a;
    omp_init_nest_lock(&one.lock);
    return one.guard == 0x5a5a5a5a ? &one : 0;
}
