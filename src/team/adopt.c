/* Lone workers, with a domain of their own. A host thread becomes one, so that whatever runs on this thread finds a worker,
 * and a place to keep its team. And a thread may be one for a while beside the worker that it is. */

#include "env/error.h"
#include "os/os.h"
#include "sched/stack.h"
#include "sched/worker.h"
#include "team/fork.h"
#include "team/host.h"
#include "team/thread_team.h"

struct lone {
    struct bz_domain domain;
    struct bz_worker worker;
};

static struct lone *lone_new(bool counts) {
    struct lone *lone = bz_os_alloc(sizeof *lone);
    if (!lone)
        return NULL;
    if (bz_domain_init(&lone->domain, 1, 0))
        goto no_domain;
    if (bz_worker_init(&lone->worker, &lone->domain, 0))
        goto no_worker;
    lone->domain.lone = counts;
    bz_domain_enter(&lone->domain, &lone->worker);
    return lone;

no_worker:
    bz_domain_destroy(&lone->domain);
no_domain:
    bz_os_free(lone, sizeof *lone);
    return NULL;
}

/* Nothing is left to do on it, but for what its context does when it goes. */
static void lone_destroy(struct lone *lone) {
    bz_domain_wait_visitors(&lone->domain);
    bz_worker_destroy(&lone->worker);
    bz_domain_destroy(&lone->domain);
    bz_os_free(lone, sizeof *lone);
}

/* ---- a thread from outside ---- */

static void thread_exit(void *arg) {
    struct lone *lone = arg;
    if (bz_team_is_open(&lone->worker))
        bz_fatal("a thread has ended inside a parallel region: the others would wait for it for ever");
    if (bz_self && bz_self->domain->start)
        bz_fatal("a thread has ended inside a pool: in a call, or between a fork and its sync or a scope's "
                 "beginning and its wait");
    bz_become(&lone->worker); /* it may have been apart */
    bz_worker_retire(
        &lone->worker); /* still a worker: what it has left to do may be done now, and use the team */
    bz_team_destroy(lone->worker.inner);
    lone->worker.inner = NULL;
    bz_become(NULL);
    lone_destroy(lone);
}

struct bz_worker *bz_worker_adopt(void) {
    if (bz_self)
        return bz_self;
    bz_fork_init();
    struct lone *lone = lone_new(true);
    if (!lone)
        return NULL;
    lone->worker.stack_limit = bz_stack_bound();
    if (bz_host_begin(thread_exit, lone)) {
        lone_destroy(lone);
        return NULL;
    }
    bz_become(&lone->worker);
    return bz_self;
}

/* ---- apart from the own domain ---- */

struct bz_worker *bz_worker_go_apart(struct bz_worker *self) {
    if (!self->apart) {
        struct lone *lone = lone_new(self->domain->lone);
        if (!lone)
            return NULL;
        lone->domain.root = self->domain->root;
        self->apart = &lone->worker;
    }
    struct bz_worker *apart = self->apart;
    apart->inner = self->inner;
    apart->stack_limit = self->stack_limit;
    apart->beside = self;
    self->inner = NULL;
    bz_become(apart);
    return bz_self;
}

void bz_worker_come_back(struct bz_worker *self) {
    self->inner = self->apart->inner;
    self->apart->inner = NULL;
    self->apart->beside = NULL;
    bz_become(self);
}

void bz_worker_destroy_apart(struct bz_worker *apart) {
    struct bz_worker *self = bz_self;
    bz_become(apart); /* of a thread that ended while it was apart: the same as at a thread's end */
    bz_worker_retire(apart);
    bz_team_destroy(apart->inner);
    bz_become(self);
    lone_destroy(bz_container_of(apart, struct lone, worker));
}
