#include "team/adopt.h"

#include <errno.h>

#include "env/error.h"
#include "os/os.h"
#include "sched/stack.h"
#include "team/fork.h"
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

/* ---- host threads ---- */

/* Those alive. Each counts itself up and down. */
static struct bz_a32 hosts;

/* Stands for the worker of a registered main thread. */
static char registered;

static void end_adopted(struct solo *solo) {
    if (bz_team_is_open(&solo->worker))
        bz_fatal("a thread has ended inside a parallel region: the others would wait for it forever");
    if (bz_self && bz_self->domain->start)
        bz_fatal("a thread has ended inside a pool: in a call, or between a fork and its sync or a scope's "
                 "beginning and its wait");
    bz_lease_drop(&bz_own_lease);
    solo_end(solo, NULL);
}

static void host_ended(void *arg) {
    if (arg != &registered)
        end_adopted(arg);
    if (bz_fetch_sub_acq_rel(&hosts, 1) == 1) /* H1: pairs with H1 (that they are done with the cache) */
        bz_thread_cache_dismiss(true);
}

/* The calling thread is a host thread until its end. 0 or an errno. */
static int host_begin(void *arg) {
    bool counted = bz_os_thread_exit_arg();
    int error = bz_os_at_thread_exit(host_ended, arg);
    if (!error && !counted)
        bz_fetch_add_relaxed(&hosts, 1); /* relaxed: by H1, the thread's own end */
    return error;
}

void bz_host_register_main(void) {
    if (bz_os_thread_id() != bz_os_process_id() || host_begin(&registered))
        return;                                      /* or no key left: as if it were not registered */
    (void)bz_os_at_fork(NULL, NULL, bz_host_forget); /* a thread that bz_fork_init has not seen may fork */
}

void bz_host_forget(void) {
    bz_store_relaxed(&hosts, bz_os_thread_exit_arg() ? 1 : 0); /* relaxed: the only thread */
}

struct bz_worker *bz_worker_adopt(void) {
    if (bz_self)
        return bz_self;
    bz_fork_init();
    struct solo *solo = solo_new(true);
    if (!solo)
        return NULL;
    solo->worker.stack.limit = bz_stack_bound();
    if (host_begin(solo)) {
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
