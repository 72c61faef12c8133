/* A host thread becomes a lone worker: a domain of its own, so that whatever runs on this thread finds a worker, and a
 * place to keep its gang. */
#include <stdlib.h>

#include "fork.h"
#include "gang.h"
#include "os/os.h"
#include "worker.h"

struct lone {
    struct bz_worker worker;
    struct bz_domain domain;
};

static void thread_exit(void *arg) {
    struct lone *lone = arg;
    bz_gang_destroy(lone->worker.inner);
    bz_self = NULL;
    bz_worker_destroy(&lone->worker);
    bz_domain_destroy(&lone->domain);
    bz_os_free(lone, sizeof *lone);
}

struct bz_worker *bz_worker_adopt(void) {
    if (bz_self)
        return bz_self;
    bz_fork_init();
    struct lone *lone = bz_os_alloc(sizeof *lone, BZ_LINE);
    if (!lone)
        return NULL;
    if (bz_domain_init(&lone->domain, 1, 0))
        goto no_domain;
    if (bz_worker_init(&lone->worker, &lone->domain, 0))
        goto no_worker;
    lone->domain.lone = true;
    bz_domain_enter(&lone->domain, &lone->worker);
    lone->worker.stack_limit = bz_os_stack_limit();
    if (bz_os_at_thread_exit(thread_exit, lone))
        goto no_exit;
    return bz_self = &lone->worker;

no_exit:
    bz_worker_destroy(&lone->worker);
no_worker:
    bz_domain_destroy(&lone->domain);
no_domain:
    bz_os_free(lone, sizeof *lone);
    return NULL;
}
