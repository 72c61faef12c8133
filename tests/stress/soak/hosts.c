/* hosts.c: threads and processes that the program creates, with regions of their own. */
#include "soak.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_HOSTS = 4 };

struct host {
    struct scene scene;
    struct node node;
    unsigned from, step;
    pthread_t thread;
};

static void *host_main(void *arg) {
    struct host *host = arg;
#pragma omp taskgroup
    for (unsigned i = host->from; i < node_count(host->node); i += host->step)
        solo(host->scene, node_child(host->node, i));
    return NULL;
}

void hosts_threads(struct scene s, struct node n) {
    unsigned count = 1 + pick(n, PICK_SIZE, MOST_HOSTS);
    struct host hosts[MOST_HOSTS];
    struct scene in = s;
    in.level++;
    in.final = 0;
    in.outside = 1;
    in.width = s.width > count ? s.width / count : 1;
    for (unsigned i = 0; i < count; i++) {
        hosts[i] = (struct host){in, n, i, count, 0};
        if (pthread_create(&hosts[i].thread, NULL, host_main, &hosts[i]) != 0)
            soak_refused("a thread for a host");
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(hosts[i].thread, NULL);
}

/* A child process plays the node, and so does the parent meanwhile. */
void hosts_fork(struct scene s, struct node n) {
    pid_t child = SANITIZED ? -1 : fork(); /* a sanitizer may leave its locks held in the child */
    if (child == 0) {
        unsigned before = soak_failures(); /* the parent's */
        struct ledger ledger;              /* the other's lock may be held by a thread that the child lacks */
        s.ledger = &ledger;
        trail_watch(60);
        ledger_open(&ledger);
        hosts_threads(s, n);
        ledger_close(&ledger, n, "child process");
        _exit(soak_failures() != before);
    }
    for (unsigned i = 0; i < node_count(n); i++)
        solo(s, node_child(n, i));
    if (child > 0) {
        int status = -1;
        soak_check(waitpid(child, &status, 0) == child && status == 0, n);
    }
}
