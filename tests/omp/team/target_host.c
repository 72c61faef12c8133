// gcc only: clang lacks a lower bound for the number of teams
// env: OMP_THREAD_LIMIT=7 OMP_NUM_THREADS=3,2
// env: OMP_TARGET_OFFLOAD=disabled
// threads: 1 4
// repeat: 3
// Target regions without a device: the host runs them in a context of their own, on the program's data.
#include "../check.h"

#include <stdint.h>
#include <string.h>

static void show(const char *what) {
    printf("%s: team %d of %d, level %d, %d threads, limit %d, max %d, dynamic %d, allocator %d, host %d\n",
           what, omp_get_team_num(), omp_get_num_teams(), omp_get_level(), omp_get_num_threads(),
           omp_get_thread_limit(), omp_get_max_threads(), omp_get_dynamic(), (int)omp_get_default_allocator(),
           omp_is_initial_device());
}

static void contexts(void) {
    omp_set_num_threads(2);
    omp_set_schedule(omp_sched_guided, 3);
    omp_set_default_allocator(omp_cgroup_mem_alloc);
#pragma omp target
    {
        omp_sched_t kind;
        int chunk;

        show("target");
        omp_get_schedule(&kind, &chunk);
        printf("schedule %d %d\n", (int)kind, chunk);
        omp_set_num_threads(5);
        omp_set_default_allocator(omp_thread_mem_alloc);
        show("changed");
    }
    show("after it");
    CHECK_EQ(omp_get_default_allocator(), omp_cgroup_mem_alloc);
    omp_set_default_allocator(omp_default_mem_alloc);
#pragma omp target thread_limit(3)
    {
        int sizes[2] = {0, 0};

        show("limit");
#pragma omp parallel num_threads(8)
#pragma omp master
        sizes[0] = omp_get_num_threads();
        omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp master
        {
#pragma omp parallel num_threads(5)
#pragma omp master
            sizes[1] = omp_get_num_threads();
        }
        printf("sizes %d %d\n", sizes[0], sizes[1]);
    }
#pragma omp target teams num_teams(3) thread_limit(2)
    show("target teams");
#pragma omp target teams num_teams(2 : 4)
    show("range");
#pragma omp target teams
    show("default");
#pragma omp target if (0)
    show("if");
    int limit = 12, teams = 2;
#pragma omp target teams num_teams(teams) thread_limit(limit)
    show("not constant");
    show("outside");
}

/* Inside a region and its tasks, from every thread at once. */
static void from_threads(int rounds) {
    int wrong = 0, runs = 0;

#pragma omp parallel num_threads(4) reduction(+ : wrong, runs)
    for (int i = 0; i < rounds; i++) {
        int me = omp_get_thread_num(), all = omp_get_num_threads();

#pragma omp target map(tofrom : wrong, runs) firstprivate(i)
        {
            wrong += omp_get_level() != 0 || omp_get_thread_num() != 0 || omp_get_num_threads() != 1;
            omp_set_num_threads(2);
#pragma omp parallel reduction(+ : runs)
            runs += omp_get_level() == 1 && i >= 0;
#pragma omp task shared(runs)
            runs++;
#pragma omp taskyield
#pragma omp taskwait
        }
        wrong += omp_get_thread_num() != me || omp_get_num_threads() != all || omp_get_level() != 1;
#pragma omp task shared(wrong)
        {
            int outer = omp_get_thread_num();

#pragma omp target map(tofrom : wrong)
            wrong += omp_get_level() != 0;
            wrong += omp_get_thread_num() != outer;
        }
#pragma omp taskwait
    }
    CHECK_EQ(wrong, 0);
    CHECK(runs > 0);
}

struct wide {
    double values[40];
} __attribute__((aligned(128)));

static void data(void) {
    int n = 100, row[n], sum = 0, big[2000];
    char letter = 'a';
    struct wide wide;
    int *pointer = row;
    double pi = 3.25;

    for (int i = 0; i < n; i++)
        row[i] = i;
    for (int i = 0; i < 40; i++)
        wide.values[i] = i;
    memset(big, 0, sizeof big);
#pragma omp target firstprivate(letter, wide, row, pi, big) map(tofrom : sum) is_device_ptr(pointer)
    {
        sum = letter + (int)wide.values[39] + row[n - 1] + (int)(pi * 4) + pointer[5];
        sum += 1000 * ((uintptr_t)&wide % 128 != 0);
        letter = 'b';
        row[n - 1] = 0;
        wide.values[39] = 0;
        big[1999] = 1;
        pointer[5] = 50;
    }
    CHECK_EQ(sum, 'a' + 39 + 99 + 13 + 5);
    CHECK(letter == 'a' && row[n - 1] == 99 && wide.values[39] == 39 && big[1999] == 0 && row[5] == 50);
#pragma omp target data map(tofrom : row) use_device_ptr(pointer)
    {
#pragma omp target map(tofrom : row)
        row[1] = 77;
#pragma omp target update from(row)
        CHECK_EQ(row[1], 77);
        CHECK(pointer == row);
    }
#pragma omp target enter data map(to : sum)
#pragma omp target map(alloc : sum)
    sum = 3;
#pragma omp target exit data map(from : sum)
    CHECK_EQ(sum, 3);
    long total = 0;
#pragma omp target teams distribute parallel for map(tofrom : total) reduction(+ : total)
    for (int i = 0; i < 1000; i++)
        total += i;
    CHECK_EQ(total, 499500);
}

/* Deferred regions need copies of their arguments. */
static void nowait(int rounds) {
    int results[50];

#pragma omp parallel
#pragma omp single
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 50; i++) {
            int local = i;
            struct wide wide = {{i}};

#pragma omp target nowait firstprivate(local, wide) map(from : results [i:1])
            results[i] = local + (int)wide.values[0] + ((uintptr_t)&wide % 128 != 0);
            local = -1;
            wide.values[0] = -1;
        }
#pragma omp taskwait
        for (int i = 0; i < 50; i++)
            CHECK_EQ(results[i], 2 * i);
    }
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);

    contexts();
    from_threads(rounds);
    data();
    nowait(rounds);
    return check_done("target_host");
}
