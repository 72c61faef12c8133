/* Tasks: the code before their creation, and the code after a wait for them. */
#include <omp.h>
#include <pthread.h>

#include "cases.h"

#define N 50

/* One thread runs the following code, the others its tasks. */
#define ALONE _Pragma("omp parallel") _Pragma("omp single")

static void created(void) {
    static int x; /* not copied where only a value is needed */
    int meeting = 0;
    ALONE {
        x = 1;
#pragma omp task shared(x)
        {
            meet(&meeting, 2);
            EXPECT(x == 1);
        }
        meet(&meeting, 2);
        if (racy)
            x = 2;
#pragma omp taskwait
    }
}

static void taskwait(void) {
    int x = 0, meeting = 0;
    ALONE {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(x)
            {
                meet(&meeting, i < 9 ? 0 : 2);
                if (i == 9)
                    x = i;
            }
        }
        meet(&meeting, 11);
        if (!racy) {
#pragma omp taskwait
        }
        EXPECT(x == 9);
    }
}

/* taskwait waits for children, not for grandchildren. But it may run these: then no other thread arrives, and this time
 * there is no race. */
static void grandchild(void) {
    int x = 0, meeting = 0;
    ALONE {
        int waiting = omp_get_thread_num();
#pragma omp task shared(x)
        {
#pragma omp task shared(x)
            {
                meet(&meeting, omp_get_thread_num() == waiting ? 0 : 2);
                x = 1;
            }
            if (!racy) {
#pragma omp taskwait
            }
        }
#pragma omp taskwait
        meet(&meeting, 2);
        EXPECT(x == 1);
    }
}

static void siblings(void) {
    int x[2] = {0}, meeting = 0;
    ALONE {
        for (int i = 0; i < 2; i++) {
#pragma omp task shared(x)
            {
                meet(&meeting, 2);
                x[racy ? 0 : i]++;
            }
        }
    }
    EXPECT(x[0] == 1 && x[1] == 1);
}

/* No meeting: they are on several threads anyway (often.sh). */
static void four(void) {
    int x[4] = {0};
    ALONE {
        for (int i = 0; i < 4; i++) {
#pragma omp task shared(x)
            x[racy ? 0 : i]++;
        }
#pragma omp taskwait
    }
    EXPECT(x[0] == 1 && x[3] == 1);
}

static void at_barrier(void) {
    int x[N] = {0}, sum = 0, meeting = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp single nowait
        for (int i = 0; i < N; i++) {
#pragma omp task shared(x)
            {
                if (i == 0)
                    meet(&meeting, 2);
                x[i] = 1;
            }
        }
        if (!racy) {
#pragma omp barrier
        }
        meet(&meeting, 2);
        for (int i = 0; i < N; i++)
            sum += x[i];
    }
    EXPECT(sum == N * omp_get_max_threads());
}

static void at_end(void) {
    int x[N] = {0}, y = 0, meeting = 0;
#pragma omp parallel
    {
#pragma omp master
        for (int i = 0; i < N; i++) {
#pragma omp task shared(x)
            {
                if (i < 2)
                    meet(&meeting, 2);
                if (racy)
                    y++;
                x[i] = i;
            }
        }
    }
    for (int i = 0; i < N; i++)
        EXPECT(x[i] == i);
    EXPECT(y == 0);
}

static void taskgroup(void) {
    int x[N] = {0}, meeting = 0;
    ALONE {
#pragma omp taskgroup
        for (int i = 0; i < N; i++) {
#pragma omp task shared(x)
            {
#pragma omp task shared(x)
                x[i] = i;
            }
        }
        for (int i = 0; i < N; i++)
            EXPECT(x[i] == i);
#pragma omp task shared(x)
        {
            meet(&meeting, 2);
            x[0] = 1;
        }
#pragma omp taskgroup
        {}
        meet(&meeting, 2);
        if (racy)
            x[0] = 2;
    }
}

static void undeferred(void) {
    int x = 0, meeting = 0;
    ALONE {
        for (int i = 0; i < N; i++) {
#pragma omp task shared(x) if (0)
            x++;
        }
        EXPECT(x == N);
#pragma omp task shared(x) if (0)
        {
#pragma omp task shared(x)
            {
                meet(&meeting, 2);
                x++;
            }
            if (!racy) {
#pragma omp taskwait
            }
        }
        meet(&meeting, 2);
        EXPECT(x == N + 1);
    }
}

static void final(void) {
    int x = 0, meeting = 0;
    ALONE {
#pragma omp task shared(x) final(1)
        {
            meet(&meeting, 2);
            for (int i = 0; i < N; i++) {
#pragma omp task shared(x)
                x++;
            }
            EXPECT(x == N);
        }
        meet(&meeting, 2);
        if (racy)
            x++;
    }
    EXPECT(x == N);
}

static long fib(int n) {
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) untied
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void recursion(void) {
    long f = 0;
    int x = 0, meeting = 0;
    ALONE {
        f = fib(12);
        for (int i = 0; i < 2; i++) {
#pragma omp task untied shared(x)
            {
                meet(&meeting, 2);
                if (racy)
                    x = i;
            }
        }
    }
    EXPECT(f == 144 && x == 0);
}

/* Its arguments reuse another task's memory. */
static void firstprivate(void) {
    int x[16] = {0}, sum = 0, meeting = 0, y = 0;
    ALONE {
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < N; i++) {
                x[i % 16] = i;
#pragma omp task firstprivate(x) shared(sum)
                {
                    x[i % 16]++;
#pragma omp atomic
                    sum += x[i % 16] - i;
                    if (round == 0 && i < 2)
                        meet(&meeting, 2);
                    if (racy)
                        y = i;
                }
            }
        }
    }
    EXPECT(sum == 4 * N && y == 0);
}

static void priority(void) {
    int x[N] = {0}, meeting = 0;
    ALONE {
        for (int i = 0; i < N; i++) {
#pragma omp task shared(x) priority(i)
            {
                if (i < 2)
                    meet(&meeting, 2);
                x[racy ? 0 : i] = i;
            }
        }
#pragma omp taskwait
        EXPECT(x[N - 1] == N - 1);
    }
}

static void taskloop(void) {
    int x[N] = {0}, last = 0, meeting = 0;
    ALONE {
#pragma omp taskloop grainsize(3) shared(x)
        for (int i = 0; i < N; i++)
            x[i] = i;
        for (int i = 0; i < N; i++)
            EXPECT(x[i] == i);
#pragma omp taskloop num_tasks(10) lastprivate(last)
        for (int i = 0; i < N; i++)
            last = x[i];
        EXPECT(last == N - 1);
#pragma omp taskloop num_tasks(2) shared(x)
        for (int i = 0; i < 2; i++) {
            meet(&meeting, 2);
            x[racy ? 0 : i] = 1;
        }
    }
}

static void task_reduction(void) {
    int sum = 0, most = 0, meeting = 0, x = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(max : most)
        for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(max : most)
            {
                if (i < 2)
                    meet(&meeting, 2);
                sum += i;
                most = most > i ? most : i;
                if (racy)
                    x = i;
            }
        }
        EXPECT(sum == N * (N - 1) / 2 && most == N - 1);
        sum = 0;
#pragma omp taskloop reduction(+ : sum) grainsize(1)
        for (int i = 0; i < N; i++)
            sum += i;
        EXPECT(sum == N * (N - 1) / 2);
    }
    EXPECT(x == 0);
}

static void region_reduction(void) {
    int sum = 0, all = 0, x = 0, meeting = 0;
    for (int round = 0; round < 3; round++) {
        sum = all = 0;
#pragma omp parallel reduction(task, + : sum)
        {
#pragma omp single
            for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : sum)
                sum += i;
            }
#pragma omp for reduction(task, + : all)
            for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : all)
                all += i;
            }
            meet(&meeting, omp_get_num_threads() * (round + 1));
            if (racy)
                x++;
        }
        EXPECT(sum == N * (N - 1) / 2 && all == sum);
    }
    EXPECT(x == 0);
}

static void cancelled(void) {
    int x = 0, meeting = 0;
    ALONE {
#pragma omp taskgroup
        for (int i = 0; i < N; i++) {
#pragma omp task shared(x)
            {
                if (i < 2)
                    meet(&meeting, 2);
                if (racy)
                    x++;
#pragma omp critical
                x++;
#pragma omp cancel taskgroup if (!racy && i > 1)
            }
        }
        EXPECT(x > 0 && x <= N);
    }
}

static void target(void) {
    int x = 0, y = 0, meeting = 0;
    ALONE {
#pragma omp target map(tofrom : x) depend(out : x) nowait
        x = 1;
#pragma omp target map(tofrom : x) depend(in : x)
        EXPECT(x == 1);
#pragma omp target map(tofrom : y, meeting) nowait
        {
            meet(&meeting, 2);
            y = 1;
        }
        if (!racy) {
#pragma omp taskwait
        }
        meet(&meeting, 2);
        EXPECT(y == 1);
    }
}

static void yields(void) {
    int x = 0, done = 0, meeting = 0;
    ALONE {
#pragma omp task shared(x, done)
        {
            meet(&meeting, 2);
            x = 1;
            if (racy)
                __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
            else
                __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
        }
        meet(&meeting, 2);
        while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
        }
        EXPECT(x == 1);
    }
}

/* The first task created waits for the last one: they are suspended on stacks of their own, even with one thread. */
static void suspended(void) {
    enum { STAGES = 12 };
    int x[STAGES + 1] = {0}, stage, y = 0, meeting = 0;
    for (unsigned threads = 1; threads <= 2; threads++) {
        stage = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
        for (int i = STAGES; i > 0; i--) {
#pragma omp task shared(x, stage)
            {
                while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) < i - 1) {
#pragma omp taskyield
                }
                x[i] = x[i - 1] + 1;
                __atomic_store_n(&stage, i, __ATOMIC_RELEASE);
            }
        }
        EXPECT(x[STAGES] == STAGES);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 8; i++) { /* from task to task, without the implicit task that waits for them */
#pragma omp task untied
        {
#pragma omp taskyield
        }
    }
    ALONE {
#pragma omp task
        {
#pragma omp taskyield
        }
#pragma omp task shared(y)
        {
            meet(&meeting, 2);
            y++;
        }
        meet(&meeting, 2);
        if (racy)
            y++;
    }
    EXPECT(y == 1);
}

/* A task that changes its control variables checks for live children: that orders nothing, and taskwait still does. Its
 * last descendant frees the old ones. */
static void control_variables(void) {
    int x = 0, ended = 0, meeting = 0;
    ALONE {
        omp_set_num_threads(omp_get_max_threads());
#pragma omp task shared(x, ended)
        {
            meet(&meeting, 2);
            x = 1;
            __atomic_store_n(&ended, 1, __ATOMIC_RELAXED);
        }
        meet(&meeting, 2);
        while (!__atomic_load_n(&ended, __ATOMIC_RELAXED))
            sched_yield();
        for (int i = 0; i < 10; i++) {
            sched_yield();
            omp_set_num_threads(omp_get_max_threads());
        }
        if (!racy) {
#pragma omp taskwait
        }
        EXPECT(x == 1);
#pragma omp taskwait
#pragma omp task shared(ended)
        {
#pragma omp task shared(ended)
            while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) != 2)
                sched_yield();
            for (int i = 1; i < 5; i++)
                omp_set_num_threads(i);
            __atomic_store_n(&ended, 2, __ATOMIC_RELEASE);
        }
    }
}

static void *hosts_region(void *arg) {
    int *x = arg;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task
            *x = *x + 1;
        }
#pragma omp critical(hosts)
        *x = *x + 1;
    }
    return NULL;
}

static void hosts(void) {
    pthread_t threads[2];
    static int x[2];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, hosts_region, &x[racy ? 0 : i]);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    EXPECT(x[0] == x[1] && x[0] == 3 * (1 + omp_get_max_threads()));
}

static void teams(void) {
    int x[2] = {0}, meeting = 0, y = 0;
#pragma omp teams num_teams(2)
    {
        int *mine = &x[omp_get_team_num()];
#pragma omp parallel reduction(+ : mine[:1])
        {
            meet(&meeting, 2);
            if (racy)
                y++;
            mine[0]++;
        }
    }
    EXPECT(x[0] == x[1] && y == 0);
}

static const struct tsan_case cases[] = {
    CASE(created),
    CASE(taskwait),
    CASE(grandchild),
    CASE(siblings),
    CASE(four),
    CASE(at_barrier),
    CASE(at_end),
    CASE(taskgroup),
    CASE(undeferred),
    CASE(final),
    CASE(recursion),
    CASE(firstprivate),
    CASE(priority),
    CASE(taskloop),
    CASE(task_reduction),
    CASE(region_reduction),
    CASE(cancelled),
    CASE(target),
    CASE(yields),
    CASE(hosts),
    CASE(teams),
    CASE(suspended),
    CASE(control_variables),
};

int main(int argc, char **argv) {
    return RUN_CASES(cases, argc, argv);
}
