/* mixed.c: a process with code of GCC and of clang (mixed_part.c), built by either. Each calls into the other, inside
 * and outside of regions. Both share one team, one numbering, one set of control variables, and one pool of threads. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <dirent.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    void (*region)(int, void (*)(void *), void *);
    void (*group)(void (*)(void *), void *);
    void (*tasks)(int, void (*)(void *), void *);
    void (*depend)(int, int *, void (*)(void *), void *);
    void (*detached)(void **, void (*)(void *), void *);
    long (*loops)(int);
    int (*single)(int);
    int (*number)(void);
    void (*settings)(int, int, int);
    void (*cancel)(void);
    void (*set)(void *), (*unset)(void *);
    int (*test)(void *);
    void *(*new_lock)(void);
};
#define DECLARE(p)                                                                                           \
    void p##_region(int, void (*)(void *), void *);                                                          \
    void p##_group(void (*)(void *), void *);                                                                \
    void p##_tasks(int, void (*)(void *), void *);                                                           \
    void p##_depend(int, int *, void (*)(void *), void *);                                                   \
    void p##_detached(void **, void (*)(void *), void *);                                                    \
    long p##_loops(int);                                                                                     \
    int p##_single(int);                                                                                     \
    int p##_number(void);                                                                                    \
    void p##_settings(int, int, int);                                                                        \
    void p##_cancel(void);                                                                                   \
    void p##_set(void *), p##_unset(void *);                                                                 \
    int p##_test(void *);                                                                                    \
    void *p##_new_lock(void);                                                                                \
    static const struct part p = {p##_region, p##_group,  p##_tasks,  p##_depend,   p##_detached,            \
                                  p##_loops,  p##_single, p##_number, p##_settings, p##_cancel,              \
                                  p##_set,    p##_unset,  p##_test,   p##_new_lock};
DECLARE(gnu)
DECLARE(llvm)

static const struct part *one, *other;
static int failures;

#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
static void check(int right, const char *what, int line) {
    if (!right && __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 10)
        fprintf(stderr, "line %d: %s\n", line, what);
}

static void count_up(void *counter) {
    __atomic_fetch_add((int *)counter, 1, __ATOMIC_RELAXED);
}

static int threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* ---- regions: 2 x 2 x 2, alternately ---- */

static int leaves;

static void third(void *arg) {
    CHECK(gnu.number() == llvm.number());
    CHECK(gnu.number() / 100 == 32);
    CHECK(omp_get_ancestor_thread_num(2) == *(int *)arg);
    count_up(&leaves);
}

static void second(void *arg) {
    int number = omp_get_thread_num();
    CHECK(gnu.number() == llvm.number());
    CHECK(gnu.number() / 100 == 22);
    CHECK(omp_get_ancestor_thread_num(1) == *(int *)arg);
    one->region(2, third, &number);
    CHECK(omp_get_thread_num() == number);
}

static void first(void *arg) {
    int number = omp_get_thread_num();
    (void)arg;
    CHECK(gnu.number() == llvm.number());
    other->region(2, second, &number);
    CHECK(gnu.number() == llvm.number());
    CHECK(omp_get_thread_num() == number);
}

/* ---- constructs of both in a region of one ---- */

static void constructs(void *arg) {
    (void)arg;
    for (int round = 0; round < 10; round++) {
        CHECK(gnu.loops(100 + round) == 5L * (100 + round) * (99 + round) / 2);
        CHECK(llvm.loops(100 + round) == 5L * (100 + round) * (99 + round) / 2);
        CHECK(gnu.single(round) == round + 1000);
        CHECK(llvm.single(round) == round + 1000);
    }
}

/* ---- tasks: one compiler's in a taskgroup and behind dependences of the other's ---- */

static int children, grandchildren;

static void child(void *arg) {
    count_up(&children);
    ((const struct part *)arg)->tasks(3, count_up, &grandchildren);
}

static void make_children(void *arg) {
    (void)arg;
    one->tasks(10, child, (void *)other);
    other->tasks(10, child, (void *)one);
}

static int chain, at;

static void next_step(void *arg) {
    CHECK(__atomic_load_n(&chain, __ATOMIC_RELAXED) == *(int *)arg);
    __atomic_store_n(&chain, *(int *)arg + 1, __ATOMIC_RELAXED);
}

static void make_chain(void *arg) {
    static int numbers[40];
    (void)arg;
    chain = 0;
    for (int i = 0; i < 40; i++) {
        numbers[i] = i;
        (i % 3 ? one : other)->depend(1, &at, next_step, &numbers[i]);
    }
}

static int detached;

static void fulfilled(void *arg) {
    void *event = NULL;
    (void)arg;
    one->detached(&event, count_up, &detached);
    other->tasks(5, count_up, &detached);
    while (!__atomic_load_n(&event, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
    }
    omp_fulfill_event((omp_event_handle_t)event);
}

static int after_cancel;

static void cancelled(void *arg) {
    (void)arg;
    one->cancel();
    other->tasks(50, count_up, &after_cancel);
}

static void with_tasks(void *arg) {
    if (omp_get_thread_num() == 0) {
        for (int round = 0; round < 10; round++) {
            children = grandchildren = detached = 0;
            other->group(make_children, NULL);
            CHECK(children == 20 && grandchildren == 60);
            other->group(make_chain, NULL);
            CHECK(chain == 40);
            other->group(fulfilled, NULL);
            CHECK(detached == 6);
            other->group(cancelled, NULL); /* the cancellation is another group's: others go on */
        }
    }
    (void)arg;
}

/* ---- a nestable lock, used by both, in the smaller size ---- */

static void *lock;
static int under_lock;

static void use_lock(void *arg) {
    (void)arg;
    for (int i = 0; i < 100; i++) {
        one->set(lock);
        other->set(lock);
        CHECK(one->test(lock) == 3);
        under_lock++;
        other->unset(lock);
        one->unset(lock);
        other->unset(lock);
    }
}

static void size_of_team(void *arg) {
    if (omp_get_thread_num() == 0)
        *(int *)arg = omp_get_num_threads();
}

static void both_ways(void) {
    int size = 0, peak = 8;
    one->settings(2, 3, 4);
    other->region(0 + 2, first, NULL);
    CHECK(leaves == 8);
    CHECK(threads() <= peak);
    one->region(4, constructs, NULL);
    other->region(3, constructs, NULL);
    one->region(4, with_tasks, NULL);
    other->region(2, with_tasks, NULL);
    with_tasks(NULL);
    lock = one->new_lock();
    under_lock = 0;
    CHECK(lock != NULL);
    one->region(4, use_lock, NULL);
    other->region(4, use_lock, NULL);
    CHECK(under_lock == 800);
    /* Settings of one hold for the other, and for the program. */
    omp_sched_t kind;
    int chunk;
    other->settings(7, 9, 3);
    omp_get_schedule(&kind, &chunk);
    CHECK((kind & 0xff) == omp_sched_dynamic && chunk == 9);
    CHECK(omp_get_max_threads() == 7 && omp_get_max_active_levels() == 3);
#pragma omp parallel
    size_of_team(&size);
    CHECK(size == 7);
    CHECK(threads() <= peak);
    leaves = 0;
}

int main(void) {
    omp_set_dynamic(0);
    for (int round = 0; round < 5; round++) {
        one = round % 2 ? &gnu : &llvm;
        other = round % 2 ? &llvm : &gnu;
        both_ways();
    }
    printf("%s\n", failures ? "wrong" : "right");
    return failures != 0;
}
