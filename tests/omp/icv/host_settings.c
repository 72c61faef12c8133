// beyond libomp: its threads keep the floating-point flags of their last user
// flags: -D_GNU_SOURCE -Wl,--no-as-needed -lm
// threads: 4
// env: OMP_DYNAMIC=false KMP_INHERIT_FP_CONTROL=no
// env: OMP_DYNAMIC=false OMP_WAIT_POLICY=passive KMP_INHERIT_FP_CONTROL=no
// Settings of the threads of a host thread's team stay from region to region. Another host thread's team sees none of
// them: its threads have the settings of newly created ones.
#include "../check.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct settings {
    cpu_set_t cpus;
    int policy, nice, rounding, flags, blocked, slack, named;
};

static struct settings read_settings(void) {
    struct settings now;
    sigset_t set;
    char name[32] = "";
    memset(&now, 0, sizeof now);
    CHECK_EQ(sched_getaffinity(0, sizeof now.cpus, &now.cpus), 0);
    now.policy = sched_getscheduler(0);
    now.nice = getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid));
    now.rounding = fegetround();
    now.flags = fetestexcept(FE_ALL_EXCEPT);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &set), 0);
    now.blocked = sigismember(&set, SIGUSR1);
    now.slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    CHECK_EQ(prctl(PR_GET_NAME, name, 0, 0, 0), 0);
    now.named = strcmp(name, "changed") == 0;
    return now;
}

static void check_alike(const struct settings *a, const struct settings *b) {
    CHECK(CPU_EQUAL(&a->cpus, &b->cpus));
    CHECK_EQ(a->policy, b->policy);
    CHECK_EQ(a->nice, b->nice);
    CHECK_EQ(a->rounding, b->rounding);
    CHECK_EQ(a->flags, b->flags);
    CHECK_EQ(a->blocked, b->blocked);
    CHECK_EQ(a->slack, b->slack);
    CHECK_EQ(a->named, b->named);
}

/* Changes settings of the calling thread. */
static void change(void) {
    struct sched_param none = {.sched_priority = 0};
    sigset_t set;
    cpu_set_t last;
    int cpu = CPU_SETSIZE - 1;
    CHECK_EQ(sched_getaffinity(0, sizeof last, &last), 0);
    while (!CPU_ISSET(cpu, &last))
        cpu--;
    CPU_ZERO(&last);
    CPU_SET(cpu, &last);
    CHECK_EQ(sched_setaffinity(0, sizeof last, &last), 0);
    CHECK_EQ(sched_setscheduler(0, SCHED_BATCH, &none), 0);
    CHECK_EQ(setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), read_settings().nice + 4), 0);
    CHECK_EQ(fesetround(FE_UPWARD), 0);
    CHECK_EQ(feraiseexcept(FE_OVERFLOW | FE_INEXACT), 0);
    CHECK_EQ(sigemptyset(&set) + sigaddset(&set, SIGUSR1) + pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
    CHECK_EQ(prctl(PR_SET_TIMERSLACK, 123456, 0, 0, 0), 0);
    CHECK_EQ(prctl(PR_SET_NAME, "changed", 0, 0, 0), 0);
}

/* The team's threads have the host's settings, change them, and keep the changes. */
static void *host(void *arg) {
    struct settings own = read_settings(), changed[CHECK_MAX_THREADS];
    (void)arg;
#pragma omp parallel
    {
        struct settings its = read_settings();
        check_alike(&own, &its);
#pragma omp barrier
        if (omp_get_thread_num() != 0)
            change();
        changed[omp_get_thread_num()] = read_settings();
    }
    for (int i = 0; i < 3; i++) {
#pragma omp parallel
        {
            struct settings its = read_settings();
            check_alike(&changed[omp_get_thread_num()], &its);
        }
    }
    return NULL;
}

static void start(pthread_t *thread) {
    CHECK_EQ(pthread_create(thread, NULL, host, NULL), 0);
}

/* One after the other, so that they reuse threads of hosts that have ended, while another host has threads to spare. */
static void hosts(int count) {
    pthread_t thread;
    for (int i = 0; i < count; i++) {
        start(&thread);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
}

int main(void) {
    sigset_t set;
    cpu_set_t all, one;
    int cpu = 0;
    CHECK_EQ(sigemptyset(&set) + sigaddset(&set, SIGUSR1) + pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    hosts(3);

    /* Another host, and hosts with other settings. */
    host(NULL);
    CHECK_EQ(fesetround(FE_DOWNWARD), 0);
    int before = read_settings().nice; /* the tests may run at any nice value */
    CHECK_EQ(nice(3), before < 16 ? before + 3 : 19);
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
#pragma omp parallel num_threads(1)
    hosts(3);
    omp_pause_resource_all(omp_pause_soft);
    hosts(1);

    /* A host that may not lower a nice value gets other threads. */
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
        fprintf(stderr, "still root: %s\n", strerror(errno));
    hosts(4);
    return check_done("host_settings");
}
