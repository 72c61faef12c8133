// constructs NUMBER: one construct that is not served, as a compiler writes it. constructs.sh expects each to stop the
// program; under libgomp it exits with status 0. Without a number: how many there are.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int x, y;

static void depend(void) {
#pragma omp task depend(out : x)
    x = 1;
}

static void detach(void) {
    omp_event_handle_t event;
#pragma omp task detach(event)
    omp_fulfill_event(event);
#pragma omp taskwait
}

static void taskwait_depend(void) {
#pragma omp taskwait depend(in : x)
}

static void taskloop(void) {
#pragma omp taskloop
    for (int i = 0; i < 10; i++) {
        y = i;
    }
}

static void taskgroup_reduction(void) {
    int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum += 1;
    }
}

static void parallel_reduction(void) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(task, + : sum)
    sum += 1;
}

static void loop_reduction(void) {
    static int sum;
#pragma omp parallel num_threads(2)
#pragma omp for reduction(task, + : sum)
    for (int i = 0; i < 10; i++) {
        sum += i;
    }
}

static void doacross(void) {
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1)
    for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
        x = i;
#pragma omp ordered depend(source)
    }
}

static void conditional(void) {
#pragma omp for schedule(dynamic) lastprivate(conditional : x)
    for (int i = 0; i < 10; i++) {
        if (i == 3) {
            x = i;
        }
    }
}

static void teams(void) {
#pragma omp teams num_teams(2)
    x = omp_get_team_num();
}

static void target(void) {
#pragma omp target map(x)
    x = 1;
}

static void allocate(void) {
    int z = 0;
#pragma omp parallel num_threads(2) private(z) allocate(z)
    z = 1;
}

static void places(void) {
    x = omp_get_num_places();
}

static void allocator(void) {
    omp_free(omp_alloc(8, omp_default_mem_alloc), omp_default_mem_alloc);
}

int main(int argc, char **argv) {
    static void (*const all[])(void) = {
        depend,
        detach,
        taskwait_depend,
        taskloop,
        taskgroup_reduction,
        parallel_reduction,
        loop_reduction,
        doacross,
        conditional,
        teams,
        target,
        allocate,
        places,
        allocator,
    };
    int count = sizeof all / sizeof all[0];
    if (argc < 2) {
        printf("%d\n", count);
        return 0;
    }
    all[atoi(argv[1])]();
    return 0;
}
