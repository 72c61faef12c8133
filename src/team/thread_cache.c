#include "team/thread_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "env/error.h"
#include "os/cpus.h"
#include "os/inherited.h"
#include "os/limits.h"
#include "os/os.h"
#include "sched/stack.h"
#include "team/thread_team.h"
#include "wait/load.h"
#include "wait/mutex.h"
#include "wait/thread.h"

/* A thread's; reused when that ends. */
struct cached_thread {
    /* 0: idle, waits here; 1: main and arg are set. Set by the assigning thread, cleared by its own. */
    struct bz_a32 assigned;
    void (*main)(void *); /* NULL: the thread ends. As arg and root, written before `assigned` */
    void *arg;
    uint64_t root; /* that it serves, or served last */
    bool inherits; /* it takes `inherited` before it runs `main` */
    struct bz_inherited inherited;
    /* The system's number. Written by the thread at its begin; read under the lock, and by gdb's `info blitz`. */
    struct bz_a32 id;
    /* Set by the thread at its begin, NULL under the lock at its end. */
    struct {
        struct bz_cpus_own *v;
    } cpus;
    void *tls;                        /* for leak checkers (bz_os_thread_tls) */
    struct cached_thread *next;       /* idle or ended; under the lock */
    struct cached_thread *next_known; /* of all; under the lock */
};

static struct {
    struct bz_a32 lock;         /* guards all below */
    struct cached_thread *idle; /* last in, first out: with warm stacks */
    struct cached_thread *ended;
    unsigned size;               /* threads alive */
    unsigned expected;           /* of these: dismissed and not yet idle */
    unsigned takers;             /* threads that wait for these */
    bool over;                   /* without host threads: returning threads end */
    int error;                   /* of the last attempt to create a thread, or 0 */
    uint64_t refused;            /* clock of that */
    struct cached_thread *known; /* all descriptors; after a fork for leak checkers */
} cache;

static void give(struct cached_thread *thread, void (*main)(void *), void *arg) {
    thread->main = main;
    thread->arg = arg;
    bz_store_release(&thread->assigned, 1); /* K1: pairs with K2 */
    bz_os_futex_wake(&thread->assigned.v, 1);
}

static void become_idle(struct cached_thread *thread) {
    bz_store_relaxed(&thread->assigned, 0); /* relaxed: given after the lock below */
    bz_mutex_lock(&cache.lock);
    if (cache.expected > 0)
        cache.expected--;
    if (cache.over) {
        cache.size--;
        thread->main = NULL;
        bz_store_relaxed(&thread->assigned, 1); /* relaxed: its own */
    } else {
        thread->next = cache.idle;
        cache.idle = thread;
    }
    bz_mutex_unlock(&cache.lock);
}

static void retire(struct cached_thread *thread) {
    bz_mutex_lock(&cache.lock);
    bz_store_relaxed(&thread->cpus, NULL); /* relaxed: readers have the lock */
    thread->next = cache.ended;
    cache.ended = thread;
    bz_mutex_unlock(&cache.lock);
}

void bz_thread_cache_rename(void) {
    char name[24]; /* the system keeps 15 bytes */
    snprintf(name, sizeof name, "blitz/%u", bz_thread_number() - 1);
    bz_os_thread_rename(name);
}

static void cut_short(void) {
    bz_fatal("a thread has ended inside a parallel region or a task: its waiters would wait forever");
}

static void cached_main(void *arg) {
    struct cached_thread *self = arg;
    self->tls = bz_os_thread_tls();
    bz_store_relaxed(&self->id, bz_os_thread_id());
    bz_store_release(&self->cpus, &bz_cpus_own); /* K5: pairs with K6 */
    bz_thread_cache_rename();
    uint32_t generation = bz_fork_generation();
    while (self->main) {
        bz_awake_add(1);
        if (self->inherits) {
            bz_inherited_take(&self->inherited);
            bz_thread_cache_rename();
        }
        self->main(self->arg);
        if (bz_fork_generation() != generation)
            exit(EXIT_SUCCESS); /* the child of a fork */
        bz_unpin();
        bz_awake_add(-1);
        become_idle(self);
        while (!bz_load_acquire(&self->assigned)) /* K2: pairs with K1 */
            bz_os_futex_wait(&self->assigned.v, 0);
    }
    retire(self);
}

/* For a new thread: a reused or a new one. */
static struct cached_thread *descriptor(void) {
    bz_mutex_lock(&cache.lock);
    struct cached_thread *thread = cache.ended;
    if (thread)
        cache.ended = thread->next;
    bz_mutex_unlock(&cache.lock);
    if (thread || !(thread = bz_alloc_zero(1, sizeof *thread)))
        return thread;
    bz_mutex_lock(&cache.lock);
    thread->next_known = cache.known;
    bz_signal_fence(); /* for the child of a fork */
    cache.known = thread;
    bz_mutex_unlock(&cache.lock);
    return thread;
}

static int create(uint64_t root, unsigned index, void (*main)(void *), void *arg) {
    struct cached_thread *thread = descriptor();
    if (!thread)
        return ENOMEM;
    bz_store_relaxed(&thread->assigned, 1); /* relaxed, all: before the thread starts */
    thread->root = root;
    thread->inherits = false;
    thread->main = main;
    thread->arg = arg;
    (void)bz_thread_number(); /* lower than its threads' */
    const struct bz_os_thread_attr attr = {
        .stack_size = bz_stack_size(),
        .cut_short = cut_short,
        /* It begins off its creator's CPU, but some where they outnumber the CPUs (bench/decisions.md#placement). */
        .on_creator_cpu = index != 0 && index % bz_cpu_count() == 0,
        .anywhere = bz_far_outnumbers_cpus(index + 1),
    };
    int error = bz_os_thread_start(&attr, cached_main, thread);
    if (error)
        retire(thread);
    return error;
}

/* ---- threads that cannot be created ---- */

/* With the lock held: the last error, or 0 if another attempt is due. */
static int refusal(void) {
    return cache.error && bz_os_now_ns() - cache.refused < BZ_REFUSED_NS ? cache.error : 0;
}

/* Records an attempt. */
static void learn(int error) {
    bz_mutex_lock(&cache.lock);
    if (error) {
        cache.size--;
        cache.refused = bz_os_now_ns();
    }
    cache.error = error;
    bz_mutex_unlock(&cache.lock);
}

void bz_thread_cache_warn(unsigned number, unsigned wanted, int error) {
    static struct bz_aflag warned;
    char stack[48] = "", limit[64] = "";
    size_t bytes = bz_stack_size();
    if (bz_load_relaxed(&warned)) /* relaxed: a hint */
        return;
    if (bytes)
        snprintf(stack, sizeof stack, " with a stack of %zu bytes", bytes);
    if (error == EAGAIN)
        bz_os_thread_limit(limit, sizeof limit);
    bz_warn_once(&warned, "cannot start thread %u of %u%s: %s%s%s%s; going on with %u", number, wanted, stack,
                 strerror(error), limit[0] ? " (" : "", limit, limit[0] ? ")" : "", number - 1);
}

/* Whether a taken idle thread can serve that root. */
static bool suits(struct cached_thread *thread, uint64_t root) {
    thread->inherits = thread->root != root;
    thread->root = root;
    return !thread->inherits || bz_inherited_give(bz_load_relaxed(&thread->id), &thread->inherited);
}

static void send_away(struct cached_thread *thread) {
    bz_mutex_lock(&cache.lock);
    cache.size--;
    bz_mutex_unlock(&cache.lock);
    give(thread, NULL, NULL);
}

struct demand {
    uint64_t root;
    unsigned more; /* to reclaim at once */
    /* Teams with its root that are not in a run give their threads only if none can be created. */
    bool is_last_resort;
};

/* With the lock held. After an old refusal a creation is tried before teams lose threads that they use. */
static bool reclaim(const struct demand *demand) {
    bool asks = !demand->is_last_resort || refusal() != 0;
    return bz_team_reclaim(&cache.expected, asks ? demand->root : 0, demand->more);
}

/* With the lock held: waits while threads return that no other taker waits for. They are past all user code. */
static void wait_for_expected(const struct demand *demand) {
    while (!cache.idle && cache.size > 0 && (cache.expected > cache.takers || reclaim(demand))) {
        cache.takers++;
        bz_mutex_yield(&cache.lock);
        cache.takers--;
    }
}

/* An idle or reclaimed thread. NULL: the caller creates one, unless *error says why it cannot. */
static struct cached_thread *find(const struct demand *demand, int *error) {
    bz_mutex_lock(&cache.lock);
    cache.over = false;
    wait_for_expected(demand);
    struct cached_thread *thread = cache.idle;
    *error = thread ? 0 : refusal();
    if (thread)
        cache.idle = thread->next;
    else if (*error == 0)
        cache.size++;
    bz_mutex_unlock(&cache.lock);
    return thread;
}

/* If none can be created it searches again: a thread may have returned, and teams may give more then. It ends, since the
 * next search finds the refusal, unless other threads have been created since. */
int bz_thread_cache_run_below(uint64_t root, unsigned index, unsigned more, bool is_last_resort,
                              void (*main)(void *), void *arg) {
    const struct demand demand = {root, more, is_last_resort};
    for (;;) {
        int error;
        struct cached_thread *thread = find(&demand, &error);
        if (thread && !suits(thread, root)) {
            send_away(thread);
            continue;
        }
        if (thread)
            give(thread, main, arg);
        if (thread || error)
            return error;
        error = create(root, index, main, arg);
        learn(error);
        if (!error)
            return 0;
    }
}

int bz_thread_cache_run(uint64_t root, void (*main)(void *), void *arg) {
    return bz_thread_cache_run_below(root, 0, 1, true, main, arg);
}

void bz_thread_cache_expect_of(unsigned (*leave)(void *arg), void *arg) {
    bz_mutex_lock(&cache.lock);
    cache.expected += leave(arg);
    bz_mutex_unlock(&cache.lock);
}

void bz_thread_cache_expect(unsigned n) {
    bz_mutex_lock(&cache.lock);
    cache.expected += n;
    bz_mutex_unlock(&cache.lock);
}

void bz_thread_cache_add_cpus(const uint64_t *own, uint64_t *all) {
    bz_mutex_lock(&cache.lock);
    for (struct cached_thread *thread = cache.known; thread; thread = thread->next_known) {
        const struct bz_cpus_own *cpus = bz_load_acquire(&thread->cpus); /* K6: pairs with K5 */
        if (cpus && !bz_load_relaxed(&cpus->away))                       /* relaxed: a hint */
            bz_cpus_add_apart(bz_load_relaxed(&thread->id), own, all);
    }
    bz_mutex_unlock(&cache.lock);
}

void bz_thread_cache_dismiss(bool last) {
    bz_mutex_lock(&cache.lock);
    while (cache.expected > 0) /* they return, past all user code */
        bz_mutex_yield(&cache.lock);
    cache.over = last;
    for (struct cached_thread *thread; (thread = cache.idle);) {
        cache.idle = thread->next;
        cache.size--;
        give(thread, NULL, NULL);
    }
    bz_mutex_unlock(&cache.lock);
}

unsigned bz_thread_cache_size(void) {
    bz_mutex_lock(&cache.lock);
    unsigned size = cache.size;
    bz_mutex_unlock(&cache.lock);
    return size;
}

void bz_thread_cache_forget(void) {
    bz_store_relaxed(&cache.lock, BZ_MUTEX_FREE);
    for (struct cached_thread *thread = cache.known; thread; thread = thread->next_known)
        bz_store_relaxed(&thread->cpus, NULL); /* relaxed: there is one thread */
    cache.idle = cache.ended = NULL;           /* a lost thread may have been about to change them */
    cache.size = cache.expected = cache.takers = 0;
    cache.over = false;
    cache.error = 0;
}
