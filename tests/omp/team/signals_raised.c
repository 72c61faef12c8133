// flags: -pthread
// threads: 2 8
// Signals that a thread of a team sends to itself, or that its own write raises, arrive at once, and only there. The
// thread blocks the same signals before and after.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../check.h"
#include "../child.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

enum { SECONDS = 60 };

static void by_raise(int number) {
    CHECK_EQ(raise(number), 0);
}

static void by_kill(int number) {
    CHECK_EQ(pthread_kill(pthread_self(), number), 0);
}

/* A pipe without a reader. */
static void by_pipe(int number) {
    int ends[2];

    (void)number;
    CHECK_EQ(pipe(ends), 0);
    close(ends[0]);
    CHECK_EQ(write(ends[1], "x", 1), 1);
}

/* A file would exceed the size limit. */
static void by_size(int number) {
    static const struct rlimit none = {0, 0};
    char name[] = "/tmp/signals_raised.XXXXXX";
    int file = mkstemp(name);

    (void)number;
    unlink(name);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
    CHECK_EQ(write(file, "x", 1), 1);
}

static const struct way {
    void (*send)(int);
    int number;
} ways[] = {
    {by_raise, SIGTERM}, {by_raise, SIGUSR1}, {by_kill, SIGINT},
    {by_kill, SIGHUP},   {by_pipe, SIGPIPE},  {by_size, SIGXFSZ},
};

enum { WAYS = sizeof ways / sizeof ways[0] };

static const struct way *way;

/* Sent on the thread that leaves the region last, while the others wait for it. */
static void send_in_region(void *arg) {
    struct sigaction standard = {.sa_handler = SIG_DFL};

    way = arg;
    sigaction(way->number, &standard, NULL);
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        way->send(way->number);
}

static int came, strayed;
static _Thread_local int mine;

static void take(int number) {
    (void)number;
    __atomic_fetch_add(mine ? &came : &strayed, 1, __ATOMIC_RELAXED);
}

static void send_to_handler(void *arg) {
    struct sigaction action = {.sa_handler = take};

    way = arg;
    sigaction(way->number, &action, NULL);
#pragma omp parallel
#pragma omp critical
    {
        sigset_t before, after;
        int had = count_read(&came);

        mine = 1;
        pthread_sigmask(SIG_BLOCK, NULL, &before);
        way->send(way->number);
        pthread_sigmask(SIG_BLOCK, NULL, &after);
        mine = 0;
        CHECK_EQ(count_read(&came), had + 1);
        for (int number = 1; number <= 64; number++)
            CHECK_EQ(sigismember(&after, number), sigismember(&before, number));
    }
    CHECK_EQ(strayed, 0);
}

int main(void) {
    sigset_t none;

    sigemptyset(&none); /* signals may be blocked where the tests were started */
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    for (int i = 0; i < WAYS; i++) {
        int status = child_run(send_in_region, (void *)&ways[i], SECONDS);

        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == ways[i].number);
        if (ways[i].send == by_raise || ways[i].send == by_kill)
            CHECK_EQ(child_run(send_to_handler, (void *)&ways[i], SECONDS), 0);
    }
    return check_done("signals_raised");
}
