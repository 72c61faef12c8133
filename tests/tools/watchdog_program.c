/* watchdog_program.c: watchdog_program KIND [SECONDS]: a program of two threads that hangs, or only seems to.
 * watchdog.sh has the expected report of each kind. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static omp_lock_t first_lock, second_lock;
static omp_nest_lock_t nest_lock;
static int shared[8];
static double seconds = 1.5;
static volatile int stage; /* both threads have reached it */

static void meet(int goal) {
    __atomic_fetch_add(&stage, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&stage, __ATOMIC_SEQ_CST) < goal)
        usleep(100);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void compute(double duration) {
    double end = now() + duration;
    while (now() < end)
        shared[7]++;
}

static __attribute__((noinline)) void add_to_ledger(int amount) {
#pragma omp critical(ledger)
    shared[0] += amount;
}

/* ---- hangs ---- */

static void barrier(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp barrier
        }
    }
}

static void critical_in_itself(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
#pragma omp critical(ledger)
            {
                shared[0]++;
                add_to_ledger(1);
            }
        }
    }
}

static void two_locks(void) {
#pragma omp parallel num_threads(2)
    {
        bool is_first = omp_get_thread_num() == 0;
        omp_set_lock(is_first ? &first_lock : &second_lock);
        meet(2);
        omp_set_lock(is_first ? &second_lock : &first_lock);
    }
}

static void lock_and_critical(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&first_lock);
            meet(2);
#pragma omp critical(journal)
            shared[0]++;
        } else {
#pragma omp critical(journal)
            {
                meet(2);
                omp_set_lock(&first_lock);
            }
        }
    }
}

static void detached(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        shared[0] = (int)(size_t)event;
#pragma omp taskwait
    }
}

/* Behind other tasks, more than the report has lines. */
static void depends_on_detached(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
        for (int i = 0; i < 50; i++) {
#pragma omp task detach(event)
            shared[4] = (int)(size_t)event;
        }
#pragma omp task detach(event) depend(out : shared[1])
        shared[0] = (int)(size_t)event;
#pragma omp task depend(in : shared[1]) depend(out : shared[2])
        shared[2] = 1;
#pragma omp task depend(in : shared[2])
        shared[3] = 1;
    }
}

static void in_taskgroup(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup
        {
            omp_event_handle_t event;
#pragma omp task detach(event)
            shared[0] = (int)(size_t)event;
        }
    }
}

static void ordered(void) {
    omp_set_lock(&first_lock);
#pragma omp parallel num_threads(2)
    {
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            if (i == 0)
                omp_set_lock(&first_lock);
#pragma omp ordered
            shared[0] = i;
        }
    }
}

static void doacross(void) {
    omp_set_lock(&first_lock);
#pragma omp parallel num_threads(2)
    {
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            if (i == 0)
                omp_set_lock(&first_lock);
#pragma omp ordered depend(sink : i - 1)
            shared[0] = i;
#pragma omp ordered depend(source)
        }
    }
}

static void nested_lock(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_nest_lock(&nest_lock);
            omp_set_nest_lock(&nest_lock);
            omp_unset_nest_lock(&nest_lock);
        }
#pragma omp barrier
        omp_set_nest_lock(&nest_lock);
    }
}

/* One thread: another one could take the task. */
static void task_in_critical(void) {
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp critical(ledger)
        {
#pragma omp task
            add_to_ledger(1);
#pragma omp taskwait
        }
    }
}

static void undeferred(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : shared[1])
        shared[0] = (int)(size_t)event;
#pragma omp task if (0) depend(in : shared[1])
        shared[2] = 1;
    }
}

/* A host thread waits for the lock that it holds. */
static void *lock_twice(void *arg) {
    omp_set_lock(&first_lock);
    omp_set_lock(&first_lock);
    return arg;
}

static void in_own_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, lock_twice, NULL);
    pthread_join(thread, NULL);
}

static int count_threads(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

/* The child's reports go to the same place. It has one thread until it uses OpenMP. */
static void in_child(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0 && count_threads() == 1)
        two_locks();
    waitpid(child, &status, 0);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* ---- no hangs ---- */

static void long_body(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        compute(seconds);
    }
}

static void sleeping_body(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        usleep((useconds_t)(1e6 * seconds));
}

static void serial_phase(void) {
#pragma omp parallel num_threads(2)
    shared[omp_get_thread_num()]++;
    compute(seconds);
#pragma omp parallel num_threads(2)
    shared[omp_get_thread_num()]++;
}

/* Its input stays empty until it is closed. */
static void reading_alone(void) {
    char byte;
    if (read(0, &byte, 1) > 0)
        puts("?");
}

static void reading(void) {
#pragma omp parallel num_threads(2)
    shared[omp_get_thread_num()]++;
    reading_alone();
}

static void short_regions(void) {
    for (double end = now() + seconds; now() < end;) {
#pragma omp parallel num_threads(2)
        shared[omp_get_thread_num()]++;
        usleep(1000);
    }
}

static void slow_chunks(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
    for (int i = 0; i < (int)(seconds / 0.1); i++)
        usleep(100000);
}

/* A host thread fulfils the event. */
static void *fulfil(void *event) {
    usleep((useconds_t)(1e6 * seconds));
    omp_fulfill_event(*(omp_event_handle_t *)event);
    return NULL;
}

/* Fulfilled by a thread that a member starts: a thread of the program, or of the library, whose name it gets. */
static void fulfilled(void) {
    static omp_event_handle_t kept;
    pthread_t thread;
    for (int member = 0; member < 2; member++) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == member) {
            omp_event_handle_t event;
#pragma omp task detach(event)
            kept = event;
            pthread_create(&thread, NULL, fulfil, &kept);
#pragma omp taskwait
        }
        pthread_join(thread, NULL);
    }
}

/* A wait for the dependences of an undeferred task and of a taskwait, and a long body behind it. */
static void after_depend(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task depend(out : shared[1])
        usleep(1000);
#pragma omp task if (0) depend(in : shared[1])
        compute(seconds / 4);
        compute(seconds / 4);
    }
}

/* A host thread holds the lock that a region waits for; first it computes, then it sleeps. */
static void *hold_lock(void *arg) {
    omp_set_lock(&first_lock);
    meet(2);
    compute(seconds / 2);
    usleep((useconds_t)(1e6 * seconds / 2));
    omp_unset_lock(&first_lock);
    return arg;
}

static void held_outside(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hold_lock, NULL);
    meet(2);
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&first_lock);
        omp_unset_lock(&first_lock);
    }
    pthread_join(thread, NULL);
}

/* Repeats the same read call, which sometimes gets a byte. */
static int trickle_ends[2];

static void *trickle(void *arg) {
    for (double end = now() + seconds; now() < end; usleep(200000))
        if (write(trickle_ends[1], "", 1) != 1)
            break;
    close(trickle_ends[1]);
    return arg;
}

static void trickling(void) {
    static char byte;
    pthread_t thread;
    if (pipe(trickle_ends) != 0)
        exit(1);
    pthread_create(&thread, NULL, trickle, NULL);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        while (read(trickle_ends[0], &byte, 1) == 1)
            ;
    pthread_join(thread, NULL);
}

/* The watchdog does not keep the process alive, nor its record of a thread that has only taken a lock. */
static void *use_lock(void *arg) {
    omp_set_lock(&first_lock);
    omp_unset_lock(&first_lock);
    return arg;
}

static void main_leaves(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use_lock, NULL);
    pthread_join(thread, NULL);
    puts("done");
    fflush(stdout);
    pthread_exit(NULL);
}

/* All threads wait for one that reads. */
static void reading_in_region(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
    reading();
}

/* One thread waits for its turn, and one has finished. */
static void reading_in_turn(void) {
#pragma omp parallel for num_threads(3) ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            reading_alone();
#pragma omp ordered
        shared[0] = i;
    }
}

/* Its creator holds the lock that an older task waits for, which is not in the group. */
static void reading_in_group(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        omp_set_lock(&first_lock);
#pragma omp task
        {
            meet(2);
            omp_set_lock(&first_lock);
            omp_unset_lock(&first_lock);
        }
        meet(2);
#pragma omp taskgroup
        {
#pragma omp task
            {
                meet(4);
                reading_alone();
            }
            meet(4);
        }
        omp_unset_lock(&first_lock);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } kinds[] = {
#define KIND(name) {#name, name}
        KIND(barrier),       KIND(critical_in_itself), KIND(two_locks),           KIND(lock_and_critical),
        KIND(detached),      KIND(in_taskgroup),       KIND(depends_on_detached), KIND(ordered),
        KIND(doacross),      KIND(nested_lock),        KIND(task_in_critical),    KIND(undeferred),
        KIND(in_own_thread), KIND(in_child),           KIND(after_depend),        KIND(main_leaves),
        KIND(long_body),     KIND(sleeping_body),      KIND(serial_phase),        KIND(reading),
        KIND(short_regions), KIND(slow_chunks),        KIND(fulfilled),           KIND(held_outside),
        KIND(trickling),     KIND(reading_in_region),  KIND(reading_in_turn),     KIND(reading_in_group),
#undef KIND
    };
    omp_init_lock(&first_lock);
    omp_init_lock(&second_lock);
    omp_init_nest_lock(&nest_lock);
#pragma omp parallel num_threads(2)
    shared[omp_get_thread_num()]++; /* tools begin with the first region at the latest */
    if (argc > 2)
        seconds = atof(argv[2]);
    for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, argv[1]) == 0) {
            kinds[i].run();
            puts("done");
            return 0;
        }
    return 2;
}
