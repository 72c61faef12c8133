// beyond libomp: a wait by taskyield never ends
// not clang 14: it crashes
// threads: 1 2 8
// flags: -Wl,--no-as-needed -lm
// repeat: 12
// beyond libgomp: its taskyield runs nothing: a task that waits by it for a later task waits forever
// A taskyield runs other tasks; in a tied task it runs its descendants. The task resumes on its own thread with its own
// state: variables, errno, rounding mode, the current team, level and thread number. Locks and critical constructs that
// a suspended task holds never block the tasks that run meanwhile forever.
#include "../../sanitized.h"
#include "../check.h"

#include <errno.h>
#include <fenv.h>
#include <string.h>

/* Only the waiting task's thread can run the other task. */
static int runs_children(int count) {
    int done = 0;
#pragma omp parallel num_threads(1)
    for (int i = 0; i < count; i++) {
        int flag = 0;
#pragma omp task shared(flag)
        __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
        while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0) {
#pragma omp taskyield
        }
        done++;
#pragma omp taskwait
    }
    return done;
}

/* All tasks have begun before any of them ends. */
static int rendezvous(int count) {
    int begun = 0, ended = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task untied shared(begun, ended)
        {
            count_up(&begun);
            while (count_read(&begun) < count) {
#pragma omp taskyield
            }
            count_up(&ended);
        }
    }
    return ended;
}

/* The same with tied ones, whose undeferred tasks between the taskyields do not help the others. */
static int rendezvous_of_tied(int count) {
    int begun = 0, ended = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task shared(begun, ended)
        {
            int all = 0;
            count_up(&begun);
            while (!all) {
#pragma omp task if (0) shared(begun, all)
                all = count_read(&begun) == count;
#pragma omp taskyield
            }
            count_up(&ended);
        }
    }
    return ended;
}

/* The state of a task is restored. */
static int keeps_state(int count) {
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    int begun = 0, ended = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(i) shared(begun, ended)
        {
            char block[256];
            int me = omp_get_thread_num(), level = omp_get_level(), size = omp_get_num_threads();
            int old = fegetround();
            memset(block, i, sizeof block);
            count_up(&begun);
            for (int k = 0; k < 3 || count_read(&begun) < count; k++) {
                fesetround(modes[i % 4]);
                errno = i;
                omp_set_num_threads(i + 1);
#pragma omp taskyield
                CHECK_EQ(fegetround(), modes[i % 4]);
                CHECK_EQ(errno, i);
                CHECK_EQ(omp_get_max_threads(), i + 1);
                CHECK_EQ(omp_get_thread_num(), me);
                CHECK_EQ(omp_get_level(), level);
                CHECK_EQ(omp_get_num_threads(), size);
            }
            fesetround(old);
            for (size_t k = 0; k < sizeof block; k++)
                CHECK_EQ(block[k], (char)i);
            count_up(&ended);
        }
    }
    return ended;
}

/* A task yields while it holds the lock, or is in the critical construct, that others want. */
static int holds_locks(int count) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int locked = 0, nested = 0, critical = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task untied shared(lock, nest, locked, nested, critical)
        {
            int before;
            omp_set_lock(&lock);
            before = locked;
            for (int k = 0; k < 20; k++) {
#pragma omp taskyield
            }
            locked = before + 1;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            before = nested;
#pragma omp taskyield
            nested = before + 1;
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
#pragma omp critical(yield_runs)
            {
                before = critical;
#pragma omp taskyield
                critical = before + 1;
            }
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    CHECK_EQ(locked, count);
    CHECK_EQ(nested, count);
    return critical;
}

/* Children, taskgroups and regions of tasks that yield to each other. */
static int in_between(int count) {
    int begun = 0, sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task untied firstprivate(i) shared(begun, sum)
        {
            int mine = 0;
            count_up(&begun);
            while (count_read(&begun) < count) {
#pragma omp task shared(mine)
                count_up(&mine);
#pragma omp taskyield
#pragma omp taskwait
            }
#pragma omp taskgroup
            {
#pragma omp task shared(mine)
                {
#pragma omp taskyield
                    count_up(&mine);
                }
            }
            CHECK(count_read(&mine) > 0);
            int inside = 0;
#pragma omp parallel num_threads(2) reduction(+ : inside)
            inside++;
#pragma omp atomic
            sum += inside > 0;
        }
    }
    return sum;
}

/* Calls deeper than a small stack allows. */
static __attribute__((noinline)) int deep(int depth) {
    char block[1024];
    memset(block, depth, sizeof block);
    __asm__ volatile("" : : "r"(block) : "memory");
    int sum = depth > 0 ? deep(depth - 1) : 0;
    return sum + (block[depth % 1024] == (char)depth);
}

static int has_room(int count) {
    int begun = 0, sum = 0, depth = SANITIZED ? 200 : 1000;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task untied shared(begun, sum)
        {
            count_up(&begun);
            while (count_read(&begun) < count) {
#pragma omp taskyield
            }
#pragma omp atomic
            sum += deep(depth) == depth + 1;
        }
    }
    return sum;
}

/* A task that never waits creates more tasks than a queue may hold; each of them yields. */
static int many(int count) {
    int done = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task shared(done)
        {
#pragma omp taskyield
            count_up(&done);
        }
    }
    return done;
}

/* The awaited task lies among others that the waiting one may not run, with more on either side than the first search
 * covers. */
static int finds_buried(int count) {
    int begun = 0, go_on = 0, child = 0, others = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task shared(begun, go_on, child)
        {
#pragma omp task shared(child)
            child = 1;
            begun = 1;
            while (!count_read(&go_on)) {
#pragma omp taskyield
            }
#pragma omp taskwait
            CHECK_EQ(child, 1);
        }
        for (int i = 0; i < 2 * count; i++) {
            if (i == count) {
                while (!count_read(&begun)) {
#pragma omp taskyield
                }
            }
#pragma omp task shared(others)
            others++;
        }
        count_up(&go_on);
    }
    return others + child;
}

int main(int argc, char **argv) {
    int count = (int)check_arg(argc, argv, 1, 40);
    CHECK_EQ(runs_children(count), count);
    CHECK_EQ(rendezvous(count), count);
    CHECK_EQ(rendezvous_of_tied(count), count);
    CHECK_EQ(keeps_state(count), count);
    CHECK_EQ(holds_locks(count), count);
    CHECK_EQ(in_between(count), count);
    CHECK_EQ(has_room(count), count);
    CHECK_EQ(many(100 * count), 100 * count);
    CHECK_EQ(finds_buried(5 * count), 10 * count + 1);
    printf("count %d\n", count);
    return check_done("yield_runs");
}
