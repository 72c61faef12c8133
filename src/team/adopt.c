#include "team/adopt.h"

#include <errno.h>

#include "env/error.h"
#include "os/os.h"
#include "sched/stack.h"
#include "team/fork.h"
#include "team/host.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"

struct solo {
    struct bz_domain domain;
    struct bz_worker worker;
    /* Of a cached thread; written before it starts. */
    void (*main)(void *);
    void *arg;
};

static struct solo *solo_new(bool counts) {
    struct solo *solo = bz_os_alloc(sizeof *solo);
    if (!solo)
        return NULL;
    if (bz_domain_init(&solo->domain, 1, 0)) {
        bz_os_free(solo, sizeof *solo);
        return NULL;
    }
    bz_worker_init(&solo->worker, &solo->domain, 0);
    solo->domain.host = counts;
    bz_domain_enter(&solo->domain, &solo->worker);
    return solo;
}

/* It has no work left, except its context's end. */
static void solo_destroy(struct solo *solo) {
    bz_domain_wait_external(&solo->domain);
    bz_worker_destroy_all(&solo->worker);
    bz_domain_destroy(&solo->domain);
    bz_os_free(solo, sizeof *solo);
}

/* Ends it on its thread, whose worker is `after` then (NULL: none). */
static void solo_end(struct solo *solo, struct bz_worker *after) {
    bz_become(&solo->worker);
    bz_worker_retire(&solo->worker); /* first: the context's end may use the team */
    bz_team_drop(&solo->worker);
    bz_become(after);
    solo_destroy(solo);
}

/* ---- a thread from outside ---- */

static void thread_exit(void *arg) {
    struct solo *solo = arg;
    if (bz_team_is_open(&solo->worker))
        bz_fatal("a thread has ended inside a parallel region: the others would wait for it forever");
    if (bz_self && bz_self->domain->start)
        bz_fatal("a thread has ended inside a pool: in a call, or between a fork and its sync or a scope's "
                 "beginning and its wait");
    solo_end(solo, NULL);
}

struct bz_worker *bz_worker_adopt(void) {
    if (bz_self)
        return bz_self;
    bz_fork_init();
    struct solo *solo = solo_new(true);
    if (!solo)
        return NULL;
    solo->worker.stack.limit = bz_stack_bound();
    if (bz_host_begin(thread_exit, solo)) {
        solo_destroy(solo);
        return NULL;
    }
    bz_become(&solo->worker);
    return bz_self;
}

/* ---- a cached thread ---- */

static void solo_main(void *arg) {
    struct solo *solo = arg;
    solo->worker.stack.limit = bz_stack_bound();
    bz_become(&solo->worker);
    solo->main(solo->arg);
    solo_end(solo, NULL);
}

int bz_solo_run(struct bz_worker *self, void (*main)(void *), void *arg) {
    struct solo *solo = solo_new(false);
    if (!solo)
        return ENOMEM;
    solo->domain.root = self->domain->root;
    solo->main = main;
    solo->arg = arg;
    int error = bz_thread_cache_run(solo->domain.root, solo_main, solo);
    if (error)
        solo_destroy(solo);
    return error;
}

/* ---- isolated from the own domain ---- */

struct bz_worker *bz_worker_isolate(struct bz_worker *self) {
    if (!self->isolation.worker) {
        struct solo *solo = solo_new(self->domain->host);
        if (!solo)
            return NULL;
        solo->domain.root = self->domain->root;
        self->isolation.worker = &solo->worker;
    }
    struct bz_worker *isolated = self->isolation.worker;
    isolated->inner = self->inner;
    isolated->stack.limit = self->stack.limit;
    isolated->isolation.from = self;
    self->inner = NULL;
    bz_become(isolated);
    return bz_self;
}

void bz_worker_come_back(struct bz_worker *self) {
    self->inner = self->isolation.worker->inner;
    self->isolation.worker->inner = NULL;
    self->isolation.worker->isolation.from = NULL;
    bz_become(self);
}

void bz_worker_destroy_all(struct bz_worker *worker) {
    struct bz_worker *isolated = worker->isolation.worker;
    bz_worker_retire(worker);
    if (isolated)
        solo_end(bz_container_of(isolated, struct solo, worker), bz_self);
    bz_worker_destroy(worker);
}
