/* rig.h: a domain whose workers run on the test's own threads, for tests of the layers below teams and pools. */
#ifndef RIG_H
#define RIG_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "os/os.h"
#include "sched/domain.h"
#include "sched/worker.h"
#include "wait/fence.h"

struct rig {
    struct bz_domain domain;
    struct bz_worker *workers;
    unsigned count;
};

typedef void rig_body(struct bz_worker *self, void *arg);

static inline void rig_require(bool ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "rig: %s\n", what);
        abort();
    }
}

/* A domain of `count` workers, all entered. */
static inline void rig_init(struct rig *rig, unsigned count, uint64_t spin_ns) {
    *rig = (struct rig){.count = count};
    rig_require(bz_domain_init(&rig->domain, count, spin_ns) == 0, "no domain");
    rig->workers = bz_os_alloc(count * sizeof *rig->workers);
    rig_require(rig->workers, "no memory");
    for (unsigned i = 0; i < count; i++) {
        bz_worker_init(&rig->workers[i], &rig->domain, i);
        bz_domain_enter(&rig->domain, &rig->workers[i]);
    }
}

/* Chooses asymmetric fences, as in a process that has made its first worker, or full fences on both sides, as where the
 * kernel lacks membarrier, and in tests that do not call this. Not while workers run. */
static inline void rig_choose_fences(bool asymmetric) {
    bz_store_relaxed(&bz_fence_symmetric, true);
    if (asymmetric)
        bz_fence_init();
}

static inline void rig_destroy(struct rig *rig) {
    for (unsigned i = 0; i < rig->count; i++)
        bz_worker_destroy(&rig->workers[i]);
    bz_os_free(rig->workers, rig->count * sizeof *rig->workers);
    bz_domain_destroy(&rig->domain);
}

/* ---- a thread that is a worker ---- */

struct rig_thread {
    struct bz_worker *self;
    rig_body *body;
    void *arg;
    pthread_t handle;
};

static inline void *rig_thread_main(void *arg) {
    struct rig_thread *thread = arg;
    bz_become(thread->self);
    thread->body(thread->self, thread->arg);
    bz_become(NULL);
    return NULL;
}

static inline void rig_start(struct rig_thread *thread, struct bz_worker *self, rig_body *body, void *arg) {
    *thread = (struct rig_thread){self, body, arg, 0};
    rig_require(pthread_create(&thread->handle, NULL, rig_thread_main, thread) == 0, "no thread");
}

static inline void rig_join(struct rig_thread *thread) {
    pthread_join(thread->handle, NULL);
}

/* Runs body on all workers at once and waits for them. */
static inline void rig_run(struct rig *rig, rig_body *body, void *arg) {
    struct rig_thread *threads = calloc(rig->count, sizeof *threads);
    rig_require(threads, "no memory");
    for (unsigned i = 0; i < rig->count; i++)
        rig_start(&threads[i], &rig->workers[i], body, arg);
    for (unsigned i = 0; i < rig->count; i++)
        rig_join(&threads[i]);
    free(threads);
}

/* Waits until another thread has made the condition true. */
#define rig_until(condition)                                                                                 \
    while (!(condition))                                                                                     \
    bz_os_yield()

#endif
