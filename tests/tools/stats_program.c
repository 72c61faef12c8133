/* A program with known counts of statistics. Its first argument selects the part; lines that appear in reports have a
 * mark, which stats.py searches for. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long done;
static volatile double sink;

static void work(double us) {
    double until = omp_get_wtime() + us * 1e-6, x = 0;
    while (omp_get_wtime() < until)
        x += 1;
    sink = x;
}

static void counted(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int call = 0; call < 5; call++)
#pragma omp parallel /* mark: counted region */
    {
#pragma omp single
        {
            for (int i = 0; i < 200; i++)
#pragma omp task /* mark: counted task */
#pragma omp atomic
                done++;
#pragma omp taskwait
        }
#pragma omp taskwait                 /* without children */
#pragma omp for schedule(dynamic, 7) /* mark: counted loop */
        for (int i = 0; i < 700; i++)
#pragma omp atomic
            done++;
        for (int i = 0; i < 10; i++)
#pragma omp critical(counter) /* mark: counted critical */
            done++;
        for (int i = 0; i < 3; i++) {
            omp_set_lock(&lock);
            done++;
            omp_unset_lock(&lock);
        }
#pragma omp barrier
#pragma omp taskgroup
#pragma omp task if (0) /* mark: undeferred task */
#pragma omp atomic
        done++;
    }
    omp_destroy_lock(&lock);
}

static void nested(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) /* mark: outer region */
    for (int i = 0; i < 3; i++)
#pragma omp parallel num_threads(2) /* mark: inner region */
        work(2000);
}

/* Tasks that run their children while they wait. */
static void tree(int depth) {
    if (depth == 0) {
        work(100);
        return;
    }
    for (int i = 0; i < 2; i++)
#pragma omp task /* mark: tree task */
        tree(depth - 1);
#pragma omp taskwait
}

static void trees(void) {
#pragma omp parallel /* mark: tree region */
#pragma omp single
    tree(6);
}

static void uneven(void) {
#pragma omp parallel             /* mark: uneven region */
#pragma omp for schedule(static) /* mark: uneven loop */
    for (int i = 0; i < 64; i++)
        work(i < 64 / omp_get_num_threads() ? 1000 : 100);
}

static void fine(void) {
#pragma omp parallel /* mark: fine region */
#pragma omp single
    for (int i = 0; i < 1000000; i++)
#pragma omp task /* mark: fine task */
#pragma omp atomic
        done++;
}

static void alone(void) {
#pragma omp parallel /* mark: alone region */
#pragma omp single   /* mark: alone single */
    work(50000);
}

static void ends_in_region(void) {
#pragma omp parallel /* mark: last region */
    {
        work(20000);
#pragma omp barrier
        if (omp_get_thread_num() == omp_get_num_threads() - 1)
            exit(3);
        work(1000000);
    }
}

static void chunks(void) {
#pragma omp parallel
#pragma omp for schedule(dynamic, 1) /* mark: fine loop */
    for (int i = 0; i < 200000; i++)
        sink = i;
}

static void *open_regions(void *arg) {
    for (int i = 0; i < 20; i++)
#pragma omp parallel /* mark: other host's region */
        work(10000);
    return arg;
}

/* The initial thread uses OpenMP, and waits for another thread, which has all regions. */
static void hosts(void) {
    pthread_t thread;
    done = omp_get_max_threads();
    if (pthread_create(&thread, NULL, open_regions, NULL) != 0 || pthread_join(thread, NULL) != 0)
        exit(2);
}

static void forks(void) {
    for (int i = 0; i < 2; i++)
#pragma omp parallel /* mark: forked region */
        work(1000);
    if (chdir("/") != 0)
        exit(2);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++)
#pragma omp parallel /* mark: child's region */
            work(1000);
        exit(0);
    }
    if (fork() == 0)
        exit(0); /* nothing to report */
    while (wait(NULL) > 0) {
    }
    printf("%d\n", (int)child);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"counted", counted}, {"nested", nested}, {"trees", trees},         {"uneven", uneven},
                 {"fine", fine},       {"alone", alone},   {"exit", ends_in_region}, {"forks", forks},
                 {"hosts", hosts},     {"chunks", chunks}};
    for (size_t i = 0; argc > 1 && i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(argv[1], parts[i].name) == 0)
            parts[i].run();
    return 0;
}
