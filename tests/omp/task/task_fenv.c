// beyond libomp: tasks leave their floating-point environment behind
// flags: -Wl,--no-as-needed -lm -frounding-math
// threads: 1
// The floating-point environment of tasks that run on other stacks than their creators: nested deeper than a thread's
// stack allows, and suspended by taskyields.
#include "../check.h"

#include <fenv.h>
#include <pthread.h>

enum { DEPTH = 350, TASKS = 40, SMALL_STACK = 1 << 20 };

static volatile double zero, one = 1, infinite;
static int wrong, ran;

static void check_rounding(int mode) {
    count_up(&ran);
    if (fegetround() != mode)
        count_up(&wrong);
}

/* The innermost task divides by zero, and changes the mode if `last` differs. */
static void nest(int depth, int mode, int last) {
    volatile char block[2000];

    block[0] = (char)depth;
    check_rounding(mode);
    if (depth > 0) {
#pragma omp task if (0)
        nest(depth - 1, mode, last);
    } else {
        infinite = one / zero;
        fesetround(last);
    }
    block[1] = block[0];
}

static void yield_once(int mode) {
    for (int i = 0; i < TASKS; i++) {
#pragma omp task untied firstprivate(i)
        {
            check_rounding(mode);
#pragma omp taskyield
            check_rounding(mode);
            if (i == TASKS / 2)
                infinite = one / zero;
        }
    }
#pragma omp taskwait
}

static void regions(int mode, int last) {
    fesetround(mode);
    feclearexcept(FE_ALL_EXCEPT);
#pragma omp parallel num_threads(1)
    {
        nest(DEPTH, mode, last);
        CHECK_EQ(fegetround(), last); /* in clang's code that ends with the region */
    }
    CHECK(fetestexcept(FE_DIVBYZERO));
    fesetround(mode);
    feclearexcept(FE_ALL_EXCEPT);
#pragma omp parallel num_threads(1)
    yield_once(mode);
    CHECK_EQ(fegetround(), mode);
    CHECK(fetestexcept(FE_DIVBYZERO));
}

/* The second time on the stacks from the first. */
static void *run(void *arg) {
    regions(FE_TONEAREST, FE_TONEAREST);
    regions(FE_UPWARD, FE_DOWNWARD);
    regions(FE_TONEAREST, FE_UPWARD);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(ran, 3 * (DEPTH + 1 + 2 * TASKS));
    return arg;
}

int main(void) {
    pthread_attr_t small;
    pthread_t thread;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, SMALL_STACK);
    CHECK_EQ(pthread_create(&thread, &small, run, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
    return check_done("task_fenv");
}
