// api.c: the results of the omp_* functions, alone, in regions and in tasks, also for invalid arguments, are the same
// as under libgomp. Run by ../omp/run.sh under both.
//
// threads: 2
// env:
// env: OMP_NUM_THREADS=4,3,2
// env: OMP_MAX_ACTIVE_LEVELS=4
#include <limits.h>
#include <omp.h>
#include <stdio.h>

static void icvs(const char *where) {
    printf("%s: nested %d, levels %d, threads %d, dynamic %d, limit %d\n", where, omp_get_nested(),
           omp_get_max_active_levels(), omp_get_max_threads(), omp_get_dynamic(), omp_get_thread_limit());
}

static void place(const char *where) {
    printf("%s: thread %d of %d, level %d, active %d, in parallel %d, final %d\n", where,
           omp_get_thread_num(), omp_get_num_threads(), omp_get_level(), omp_get_active_level(),
           omp_in_parallel(), omp_in_final());
    for (int level = -1; level <= omp_get_level() + 1; level++) {
        printf("  level %d: thread %d of %d\n", level, omp_get_ancestor_thread_num(level),
               omp_get_team_size(level));
    }
}

static void settings(void) {
    static const int levels[] = {7, -3, 1000, 0, INT_MIN, 3};
    static const int counts[] = {0, -5, INT_MIN, 9, INT_MAX, 3};
    icvs("at first");
    for (int on = 1; on >= 0; on--) {
        omp_set_nested(on);
        icvs(on ? "nested" : "not nested");
    }
    for (int i = 0; i < 6; i++) {
        omp_set_max_active_levels(levels[i]);
        icvs("levels set");
        omp_set_num_threads(counts[i]);
        icvs("threads set");
    }
    omp_set_nested(0);
    omp_set_nested(-1);
    omp_set_dynamic(-7);
    icvs("switches");
    omp_set_dynamic(0);
}

static void schedules(void) {
    static const int chunks[] = {-2, 0, 2, INT_MAX};
    omp_sched_t sched;
    int chunk;
    for (unsigned modifier = 0; modifier < 2; modifier++) {
        for (unsigned kind = 0; kind < 6; kind++) {
            for (int i = 0; i < 4; i++) {
                omp_set_schedule((omp_sched_t)(modifier << 31 | kind), chunks[i]);
                omp_get_schedule(&sched, &chunk);
                printf("schedule %u:%u,%d is %#x,%d\n", modifier, kind, chunks[i], (unsigned)sched, chunk);
            }
        }
    }
}

static void host(void) {
    static const int numbers[] = {-1, 0, 6, INT_MIN};
    for (int i = 0; i < 4; i++) {
        omp_set_default_device(numbers[i] < 0 ? 0 : numbers[i]); /* negative ones as libgomp 16: newer.c */
        omp_set_num_teams(numbers[i]);
        omp_set_teams_thread_limit(numbers[i]);
        printf("%d: device %d, teams %d of %d threads\n", numbers[i], omp_get_default_device(),
               omp_get_max_teams(), omp_get_teams_thread_limit());
    }
    printf("team %d of %d, devices %d, initial %d %d, this %d, levels %d\n", omp_get_team_num(),
           omp_get_num_teams(), omp_get_num_devices(), omp_is_initial_device(), omp_get_initial_device(),
           omp_get_device_num(), omp_get_supported_active_levels());
}

/* Each task's changes are its own. */
static void regions(void) {
    place("outside");
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            place("region");
            icvs("region");
            omp_set_num_threads(7);
#pragma omp task if (0)
            {
                icvs("task");
                omp_set_num_threads(9);
                omp_set_max_active_levels(2);
                icvs("task, changed");
            }
#pragma omp task final(1) if (0)
            place("final task");
            icvs("region again");
        }
#pragma omp barrier
#pragma omp parallel num_threads(2)
#pragma omp single
        {
#pragma omp critical
            if (omp_get_ancestor_thread_num(1) == 0) {
                icvs("region in a region");
            }
        }
    }
#pragma omp parallel num_threads(1)
    place("region of one");
#pragma omp parallel if (0)
    place("region that is not");
    icvs("at last");
}

static void clock_goes_on(void) {
    double start = omp_get_wtime();
    double now;
    while ((now = omp_get_wtime()) <= start) {
    }
    printf("clock %d, tick %d\n", now - start<10, omp_get_wtick()> 0 && omp_get_wtick() < 1e-3);
}

int main(void) {
    settings();
    schedules();
    host();
    regions();
    clock_goes_on();
    return 0;
}
