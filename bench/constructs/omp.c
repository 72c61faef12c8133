/* One construct again and again, for instructions.py to count: arguments NAME TIMES. Each thread of a team runs it
 * TIMES times, without a wait for the others where the construct permits that. Argument "list": prints the names. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long sink;
static long sum, most;

static void nothing(long times) {
    for (long k = 0; k < times; k++)
        sink = k;
}

static void region(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp parallel num_threads(1)
        sink = k;
    }
}

static void region_if_0(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp parallel if (sink < 0)
        sink = k;
    }
}

static void barrier(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp barrier
    }
}

static void static_loop(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 2; i++)
            sink = i;
    }
}

static void static_chunk_loop(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 2; i++)
            sink = i;
    }
}

static void dynamic_loop(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 2; i++)
            sink = i;
    }
}

static void dynamic_chunk(long times) {
#pragma omp for schedule(dynamic, 1) nowait
    for (long k = 0; k < times; k++)
        sink = k;
}

static void guided_loop(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < 2; i++)
            sink = i;
    }
}

static void ordered_loop(long times) {
#pragma omp for ordered schedule(dynamic, 1) nowait
    for (long k = 0; k < times; k++) {
#pragma omp ordered
        sink = k;
    }
}

static void single_nowait(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp single nowait
        sink = k;
    }
}

static void copyprivate(long times) {
    long value = 0;
#pragma omp parallel num_threads(1) firstprivate(value)
    for (long k = 0; k < times; k++) {
#pragma omp single copyprivate(value)
        value = k;
        sink = value;
    }
}

static void masked(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp master
        sink = k;
    }
}

static void sections(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp sections nowait
        {
            sink = k;
#pragma omp section
            sink = k;
        }
    }
}

static void critical(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp critical
        sink = k;
    }
}

static void lock(long times) {
    omp_lock_t one;
    omp_init_lock(&one);
    for (long k = 0; k < times; k++) {
        omp_set_lock(&one);
        omp_unset_lock(&one);
    }
    omp_destroy_lock(&one);
}

static void nest_lock(long times) {
    omp_nest_lock_t one;
    omp_init_nest_lock(&one);
    for (long k = 0; k < times; k++) {
        omp_set_nest_lock(&one);
        omp_unset_nest_lock(&one);
    }
    omp_destroy_nest_lock(&one);
}

/* Two variables: with one, compilers add by an atomic instruction. */
static void reduction_nowait(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp for reduction(+ : sum) reduction(max : most) schedule(static) nowait
        for (int i = 0; i < 2; i++) {
            sum += i;
            most = most > i ? most : i;
        }
    }
}

static void task(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp task
        sink = k;
    }
}

static void task_shared(long times) {
    long value = 0;
    for (long k = 0; k < times; k++) {
#pragma omp task shared(value)
        value = k;
    }
#pragma omp taskwait
    sink = value;
}

static void task_if_0(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp task if (sink < 0)
        sink = k;
    }
}

static void task_untied(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp task untied
        sink = k;
    }
}

static void task_depend(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp task depend(inout : sum)
        sink = k;
    }
}

static void taskwait(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp taskwait
    }
}

static void taskgroup(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp taskgroup
        sink = k;
    }
}

static void taskyield(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp taskyield
    }
}

static void taskloop(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp taskloop grainsize(4)
        for (int i = 0; i < 4; i++)
            sink = i;
    }
}

static void taskloop_task(long times) {
#pragma omp taskloop grainsize(1)
    for (long i = 0; i < times; i++)
        sink = i;
}

static void thread_num(long times) {
    for (long k = 0; k < times; k++)
        sink = omp_get_thread_num();
}

static const struct construct {
    const char *name;
    void (*run)(long times);
    int outside; /* makes its own regions */
} constructs[] = {
    {"nothing", nothing, 0},
    {"region", region, 1},
    {"region if(0)", region_if_0, 1},
    {"barrier", barrier, 0},
    {"static loop", static_loop, 0},
    {"static loop, chunk", static_chunk_loop, 0},
    {"dynamic loop", dynamic_loop, 0},
    {"dynamic chunk", dynamic_chunk, 0},
    {"guided loop", guided_loop, 0},
    {"ordered iteration", ordered_loop, 0},
    {"single nowait", single_nowait, 0},
    {"single copyprivate", copyprivate, 1},
    {"master", masked, 0},
    {"sections", sections, 0},
    {"critical", critical, 0},
    {"lock", lock, 0},
    {"nest lock", nest_lock, 0},
    {"reduction nowait", reduction_nowait, 0},
    {"task", task, 0},
    {"task shared", task_shared, 0},
    {"task if(0)", task_if_0, 0},
    {"task untied", task_untied, 0},
    {"task depend", task_depend, 0},
    {"taskwait", taskwait, 0},
    {"taskgroup", taskgroup, 0},
    {"taskyield", taskyield, 0},
    {"taskloop of a task", taskloop, 0},
    {"taskloop's task", taskloop_task, 0},
    {"thread number", thread_num, 0},
};
enum { CONSTRUCTS = sizeof constructs / sizeof *constructs };

int main(int argc, char **argv) {
    const struct construct *one = NULL;
    if (argc == 2 && !strcmp(argv[1], "list"))
        for (int i = 0; i < CONSTRUCTS; i++)
            puts(constructs[i].name);
    for (int i = 0; argc == 3 && i < CONSTRUCTS; i++)
        if (!strcmp(argv[1], constructs[i].name))
            one = &constructs[i];
    if (!one)
        return argc != 2;
    long times = atol(argv[2]);
    if (one->outside) {
        one->run(times);
        return 0;
    }
#pragma omp parallel
    one->run(times);
    return 0;
}
