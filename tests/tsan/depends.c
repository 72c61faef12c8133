/* Tasks that wait for others, or for events. */
#include <omp.h>
#include <pthread.h>

#include "cases.h"

#define N 50
#define LATE 10

/* One thread runs the following code, the others its tasks. */
#define ALONE _Pragma("omp parallel") _Pragma("omp single")

static void depend(void) {
    int x = 0, y[4] = {0}, meeting = 0;
    ALONE {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : x) shared(x)
            x++;
            for (int j = 0; j < 4; j++) {
#pragma omp task depend(in : x) shared(x, y)
                {
                    y[j] += x;
                    if (i == 0 && j < 2)
                        meet(&meeting, 2);
                    if (racy)
                        y[0]++;
                }
            }
            /* y[j] of one round and the next: the reader precedes the writer of the next round. */
        }
#pragma omp taskwait
        EXPECT(x == N && y[0] == N * (N + 1) / 2);
    }
}

/* Tasks with different parents do not wait for each other. */
static void depend_cousins(void) {
    int x = 0, y = 0, meeting = 0;
    ALONE {
        for (int i = 0; i < 2; i++) {
#pragma omp task shared(x, y)
            {
#pragma omp task depend(out : x) shared(x, y)
                {
                    meet(&meeting, 2);
                    *(racy || i ? &x : &y) = 1;
                }
#pragma omp taskwait
            }
        }
    }
    EXPECT(x + y == 2);
}

static void depend_late(void) {
    static int x;
    int meeting = 0;
    ALONE {
        for (int i = 0; i < LATE; i++) {
            /* Mostly the previous task is complete when the next one is created. */
#pragma omp task depend(inout : x) shared(x)
            x++;
            for (int j = 0; j < 4; j++)
                sched_yield();
        }
#pragma omp task shared(x)
        {
            meet(&meeting, 2);
            if (racy)
                x++;
        }
        meet(&meeting, 2);
#pragma omp taskwait depend(in : x)
        EXPECT(x == LATE);
    }
}

static void mutexinoutset(void) {
    int x = 0, y = 0, meeting = 0;
    ALONE {
        for (int round = 0; round < 3; round++) {
#pragma omp task depend(out : x) shared(x)
            x = 0;
            for (int i = 0; i < N; i++) {
#pragma omp task depend(mutexinoutset : x) shared(x)
                x++;
            }
#pragma omp task depend(in : x) shared(x, y)
            {
                EXPECT(x == N);
                y++;
            }
        }
        for (int i = 0; i < 2; i++) {
#pragma omp task depend(mutexinoutset : *(&x + i)) shared(y)
            {
                meet(&meeting, 2);
                if (racy)
                    y = i;
            }
        }
    }
    EXPECT(y == 3);
}

/* omp_all_memory, which newer versions of GCC pass as no address. */
static void depend_all(void) {
#ifndef __clang__
    static char *volatile nowhere;
#endif
    int x[4] = {0}, y = 0, meeting = 0, first = 0;
    ALONE {
        for (int round = 1; round <= N; round++) {
            for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : x[i]) shared(x)
                {
                    x[i]++;
                    if (round == 1 && i < 2)
                        meet(&first, 2); /* on two threads */
                }
            }
#ifdef __clang__
#    pragma omp task depend(inout : omp_all_memory) shared(x, y)
#else
#    pragma omp task depend(inout : *nowhere) shared(x, y)
#endif
            {
                EXPECT(x[0] + x[1] + x[2] + x[3] == 4 * round);
                y++;
            }
        }
        for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : x[i]) shared(x, y)
            {
                meet(&meeting, 2);
                EXPECT(racy || x[i] == y);
                if (racy)
                    y = i;
            }
        }
    }
    EXPECT(racy || y == N);
}

static void depend_undeferred(void) {
    static int x;
    int meeting = 0;
    ALONE {
#pragma omp task depend(out : x) shared(x)
        x = 1;
#pragma omp task depend(inout : x) shared(x) if (0)
        x++;
        EXPECT(x == 2);
#pragma omp task depend(in : x) shared(x)
        {
            meet(&meeting, 2);
            EXPECT(x == 2);
        }
        meet(&meeting, 2);
        if (racy)
            x = 3;
    }
}

static void detach(void) {
    int x = 0, y = 0, meeting = 0;
    ALONE {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(x) depend(out : x)
        x = 1;
#pragma omp task shared(y) firstprivate(event)
        {
            y = 1;
            omp_fulfill_event(event);
            meet(&meeting, 2);
            if (racy)
                y = 2;
        }
#pragma omp task depend(in : x) shared(x, y)
        {
            meet(&meeting, 2);
            EXPECT(x == 1 && y == 1);
        }
    }
}

static int done_elsewhere;

static void *fulfill(void *event) {
    done_elsewhere = 1;
    omp_fulfill_event((omp_event_handle_t)event);
    if (racy)
        done_elsewhere = 2;
    return NULL;
}

static void detach_foreign(void) {
    static pthread_t thread;
    ALONE {
        omp_event_handle_t event;
#pragma omp task detach(event)
        pthread_create(&thread, NULL, fulfill, (void *)event);
#pragma omp taskwait
        EXPECT(done_elsewhere == 1);
        pthread_join(thread, NULL);
    }
}

#ifdef __clang__
/* Other threads run target tasks; GCC's code runs them at once. */
static void target(void) {
    int x = 0, other = 0, meeting = 0;
    ALONE {
        for (int i = 0; i < N; i++) {
            int *address = racy ? &other : &x;
#    pragma omp task depend(inout : x) shared(x, meeting)
            {
                if (i == 0)
                    meet(&meeting, 2);
                x++;
            }
#    pragma omp target nowait depend(inout : *address) map(tofrom : x, meeting)
            {
                if (i == 0)
                    meet(&meeting, 2);
                x++;
            }
        }
#    pragma omp taskwait
        EXPECT(x == 2 * N);
    }
}
#endif

static const struct tsan_case cases[] = {
    CASE(depend),     CASE(depend_cousins),    CASE(depend_late), CASE(mutexinoutset),
    CASE(depend_all), CASE(depend_undeferred), CASE(detach),      CASE(detach_foreign),
#ifdef __clang__
    CASE(target),
#endif
};

int main(int argc, char **argv) {
    return RUN_CASES(cases, argc, argv);
}
