/* The life of pools and of their threads. */
#include "pool/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/sanitizer.h"
#include "env/options.h"
#include "os/os.h"
#include "pool/tools.h"
#include "sched/stack.h"
#include "team/adopt.h"
#include "team/fork.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/mutex.h"
#include "wait/spin.h"

/* Ended pools that stay in memory, to detect their use. */
#define ENDED 64

static struct {
    struct bz_a32 lock;        /* guards all below; taken before a pool's lock */
    struct bz_pool_link first; /* written under the lock, read by all */
    struct bz_a32 reports;     /* threads in bz_stats_each_pool; changed by them, read at a pool's end */
    struct {
        struct blitz_pool *v;
    } global;            /* written under the lock, read by all */
    blitz_config config; /* of the global pool; its name points to the next */
    char name[BZ_POOL_NAME_MAX];
    struct blitz_pool *ended[ENDED]; /* only `life` is valid */
    unsigned ends;
} pools;

/* ---- with the pool's lock held ---- */

/* A surplus begins or ends. One long visit of an external thread adds up to BZ_POOL_LINGER_NS, and many short ones do. */
static void note_surplus(struct blitz_pool *pool, bool begins) {
    uint64_t now = bz_os_now_ns(), lasted = now - pool->surplus_changed, sum = pool->surplus_ns;
    lasted = lasted < 2 * BZ_POOL_LINGER_NS ? lasted : 2 * BZ_POOL_LINGER_NS;
    sum = !begins ? sum + lasted : sum > lasted ? sum - lasted : 0;
    pool->surplus_changed = now;
    pool->surplus_ns = sum < 2 * BZ_POOL_LINGER_NS ? sum : 2 * BZ_POOL_LINGER_NS;
    uint64_t leave_at = sum < BZ_POOL_LINGER_NS ? now + BZ_POOL_LINGER_NS - sum : now;
    bz_store_relaxed(&pool->leave_at, begins ? leave_at : 0); /* relaxed: a hint */
}

void bz_pool_balance(struct blitz_pool *pool) {
    unsigned busy = pool->threads + pool->external - pool->away;
    unsigned wanted = bz_load_relaxed(&pool->size) + pool->lent;
    unsigned missing = pool->closing || busy >= wanted ? 0 : wanted - busy;
    unsigned surplus = pool->closing ? pool->threads : busy > wanted ? busy - wanted : 0;
    if (missing > 0 && pool->refused && bz_os_now_ns() - pool->refused < BZ_REFUSED_NS)
        missing = 0;
    if (missing != pool->unstarted) {
        bz_counters_add_unstarted(&pool->domain.counters, (int)missing - (int)pool->unstarted);
        pool->unstarted = missing;
    }
    surplus = surplus < pool->threads ? surplus : pool->threads;
    if ((surplus > 0) != (pool->surplus > 0))
        note_surplus(pool, surplus > 0);
    pool->surplus = surplus;
    bz_store_relaxed(&pool->present, busy); /* relaxed: a hint */
}

static struct bz_place *new_place(struct blitz_pool *pool) {
    if (pool->places == BZ_POOL_PLACES)
        return NULL;
    struct bz_place *place = bz_os_alloc(sizeof *place);
    if (!place)
        return NULL;
    bz_worker_init(&place->worker, &pool->domain, pool->places);
    pool->places++;
    if (pool->serial)
        bz_deque_seal(&place->worker.deque);
    bz_domain_enter(&pool->domain, &place->worker);
    return place;
}

struct bz_place *bz_pool_take_place(struct blitz_pool *pool) {
    struct bz_place *place = pool->free;
    if (place)
        pool->free = place->next;
    else if (!(place = new_place(pool)))
        return NULL;
    place->open = 1;
    place->strict = (struct bz_strict){0};
    bz_tsan_after(place);  /* blitz/cilk.h in the program accesses the deque */
    bz_tsan_before(place); /* for the thread that is started for it */
    return place;
}

bool bz_pool_has_place(struct blitz_pool *pool) {
    struct bz_place *place = bz_pool_take_place(pool);
    if (place)
        bz_pool_free_place(place);
    return place;
}

void bz_pool_free_place(struct bz_place *place) {
    bz_tsan_before(place);
    place->holder = NULL;
    place->is_thread = place->worker.placement.moves = false;
    place->is_lent = false;
    place->stopping = false;
    struct blitz_pool *pool = bz_pool_of(&place->worker);
    place->next = pool->free;
    pool->free = place;
}

/* ---- threads ---- */

bool bz_pool_attend(struct blitz_pool *pool) {
    struct bz_domain *domain = &pool->domain;
    bz_fence_seq_cst(); /* S5: pairs with S4: we see the job, or the poster sees a thread that can be started */
    if (!bz_injector_has_jobs(&domain->injector))
        return true;
    bz_domain_posted_slow(domain, NULL);
    return bz_load_relaxed(&pool->present) > 0; /* relaxed: S5; it attends before it leaves or blocks */
}

/* Whether a thread stops its search for jobs. */
static bool is_called(void *arg) {
    struct bz_place *place = arg;
    struct blitz_pool *pool = bz_pool_of(&place->worker);
    if (bz_load_acquire(&place->mail) || place->stranded) /* X1: pairs with X2 */
        return true;
    uint64_t leave_at = bz_load_relaxed(&pool->leave_at); /* relaxed: a hint, decided under the lock */
    if (leave_at == 0)
        return false;
    uint64_t for_jobs = bz_injector_has_jobs(&pool->domain.injector) ? BZ_POOL_LINGER_NS : 0;
    return bz_os_now_ns() >= leave_at + for_jobs;
}

void bz_pool_run_own_jobs(struct bz_worker *self) {
    for (struct bz_job *job; (job = bz_worker_pop(self));)
        bz_worker_run(self, job);
}

void bz_pool_run_injected(struct bz_worker *self) {
    struct bz_filter filter = {.injected = true};
    for (struct bz_job *job; (job = bz_worker_find(self, &filter));)
        bz_worker_run(self, job);
}

/* With the lock held, which it releases meanwhile. The leaving thread no longer counts, so that no other one leaves for the
 * same surplus. It attends, since posters relied on it, and runs jobs itself if the system refuses threads. */
static void stop(struct bz_place *place) {
    struct blitz_pool *pool = bz_pool_of(&place->worker);
    place->is_thread = place->worker.placement.moves = false;
    place->stopping = true;
    pool->threads--;
    pool->stopping++;
    bz_pool_balance(pool);
    bz_mutex_unlock(&pool->lock);
    while (!bz_pool_attend(pool))
        bz_pool_run_injected(&place->worker);
    if (pool->on_stop)
        pool->on_stop(place->worker.index, pool->hook_arg);
    bz_team_drop(&place->worker);
    bz_mutex_lock(&pool->lock);
    pool->stopping--;
}

/* True: the thread has left, and the pool may be gone. */
static bool try_leave(struct bz_place *place) {
    struct blitz_pool *pool = bz_pool_of(&place->worker);
    if (!is_called(place))
        return false;
    bz_pool_run_own_jobs(&place->worker);
    bz_mutex_lock(&pool->lock);
    bool leave = (pool->surplus > 0 || place->stranded) &&
                 !bz_load_relaxed(&place->mail); /* relaxed: written under the lock */
    if (leave) {
        stop(place);
        bz_pool_free_place(place);
        bz_pool_balance(pool);
    }
    bz_mutex_unlock(&pool->lock); /* the pool may be gone after this line */
    return leave;
}

static void begin(struct bz_place *place) {
    static struct bz_aflag warned;
    struct blitz_pool *pool = bz_pool_of(&place->worker);
    int error = pool->pinned ? bz_pins_take(place->worker.index) : 0;
    if (error)
        bz_warn_once(&warned, "cannot pin a worker: %s; it runs unpinned", strerror(error));
    if (pool->on_start)
        pool->on_start(place->worker.index, pool->hook_arg);
}

static void thread_main(void *arg) {
    struct bz_place *place = arg;
    struct blitz_pool *pool = bz_pool_of(&place->worker);
    struct bz_wait wait = {.done = is_called, .arg = place, .filter = {.injected = true}, .what = "work"};
    char name[BZ_POOL_NAME_MAX + 6];
    bz_tsan_after(pool);
    bz_tsan_after(place);
    snprintf(name, sizeof name, "%s-%u", pool->name, place->worker.index);
    bz_os_thread_rename(name);
    place->worker.stack.limit = bz_stack_bound();
    bz_mutex_lock(&pool->lock);
    place->holder = &bz_self;
    bz_mutex_unlock(&pool->lock);
    bz_become(&place->worker);
    begin(place);
    do {
        bz_worker_wait_until(&place->worker, &wait);
        bz_broadcast_serve(place);
    } while (!try_leave(place));
    bz_become(NULL);
    bz_thread_cache_rename();
}

/* Starts an unstarted thread, or any that the size allows. 0, EALREADY (all run) or an error. */
static int start_one(struct blitz_pool *pool, bool any) {
    int error = EALREADY;
    bz_mutex_lock(&pool->lock);
    unsigned size = bz_load_relaxed(&pool->size); /* relaxed: under the lock */
    struct bz_place *place = NULL;
    if (!pool->closing && (any ? pool->threads < size : pool->unstarted > 0)) {
        error = ENOMEM;
        if ((place = bz_pool_take_place(pool))) {
            place->is_thread = place->worker.placement.moves = true;
            pool->threads++;
            bz_pool_balance(pool);
        }
    }
    bz_mutex_unlock(&pool->lock);
    if (place && !(error = bz_thread_cache_run(pool->domain.root, thread_main, place)))
        return 0;
    if (error == EALREADY)
        return error;
    bz_mutex_lock(&pool->lock);
    if (place) {
        bz_pool_free_place(place);
        pool->threads--;
    }
    pool->refused = bz_os_now_ns();
    bz_pool_balance(pool);
    unsigned threads = pool->threads;
    bz_mutex_unlock(&pool->lock);
    bz_thread_cache_warn(threads + 1, size, error);
    return error;
}

static bool start(struct bz_domain *domain) {
    return start_one((struct blitz_pool *)domain, false) == 0;
}

int bz_pool_start_all(struct blitz_pool *pool) {
    int error;
    while (!(error = start_one(pool, true)))
        ;
    return error == EALREADY ? 0 : error;
}

void bz_pool_wake_workers(struct blitz_pool *pool) {
    for (unsigned i = 0; i < pool->places; i++) {
        struct bz_place *place = bz_pool_place(pool, i);
        if (place && (place->is_thread || place->is_lent))
            bz_worker_wake(&place->worker);
    }
}

/* ---- fork ---- */

static void child(void) {
    bz_store_relaxed(&pools.lock, BZ_MUTEX_FREE);
    bz_store_relaxed(&pools.reports, 0); /* relaxed: the only thread */
    bz_pools_leave_behind(bz_load_relaxed(&pools.first));
}

static void init_once(void) {
    bz_fork_init();
    bz_os_at_fork(NULL, NULL, child);
    bz_tools_watch();
}

/* ---- creation and end ---- */

static uint64_t spin_of(const blitz_config *config) {
    uint64_t spin = bz_options_get()->spin_ns;
    if (config->spin_ns == BLITZ_FOREVER)
        return BZ_SPIN_INFINITE;
    if (config->spin_ns == BLITZ_SPIN_NEVER)
        return 0;
    if (config->spin_ns)
        return config->spin_ns;
    return spin == BZ_SPIN_AUTO ? bz_spin_ns() : spin;
}

static const char *name_in(const blitz_config *config) {
    return config->name && *config->name ? config->name : "blitz";
}

/* With the list's lock held. */
static int pool_new(const blitz_config *config, struct blitz_pool **result) {
    struct blitz_pool *pool = bz_os_alloc(sizeof *pool);
    if (!pool)
        return ENOMEM;
    int error = bz_domain_init(&pool->domain, BZ_POOL_PLACES, spin_of(config));
    if (error)
        goto no_domain;
    size_t stack = config->stack_size ? config->stack_size : bz_options_get()->stack_size;
    if (stack)
        bz_stack_set_size(stack);
    bz_store_relaxed(&pool->life, BZ_POOL_ALIVE); /* relaxed: not shared yet */
    pool->domain.start = start;
    pool->pinned = bz_pins_find(config);
    pool->on_start = config->on_start;
    pool->on_stop = config->on_stop;
    pool->hook_arg = config->hook_arg;
    pool->serial = (config->flags & BLITZ_POOL_SERIAL) || bz_options_get()->workers == 0;
    bz_store_relaxed(&pool->size, pool->serial ? 1 : bz_pool_size(config->workers)); /* relaxed: as below */
    bz_store_relaxed(&pool->budget, bz_pool_budget(pool, config->workers)); /* relaxed: not shared yet */
    snprintf(pool->name, sizeof pool->name, "%s", name_in(config));
    bz_tsan_before(pool);
    if (!bz_pool_has_place(pool)) {
        error = ENOMEM;
        goto no_place;
    }
    bz_pool_balance(pool);
    bz_store_relaxed(&pool->next_pool, bz_load_relaxed(&pools.first)); /* relaxed, both: under the lock */
    bz_store_release(&pools.first, pool); /* P6: pairs with P5 and P8; a child may find the list any time */
    *result = pool;
    return 0;

no_place:
    bz_domain_destroy(&pool->domain);
no_domain:
    bz_os_free(pool, sizeof *pool);
    return error;
}

static bool is_valid(const blitz_config *config) {
    return !(config->flags & ~(BLITZ_POOL_SERIAL | BLITZ_POOL_PINNED));
}

static void prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_once);
}

int blitz_pool_create(const blitz_config *config, blitz_pool **pool) {
    static const blitz_config defaults;
    if (!pool || (config && !is_valid(config)))
        return EINVAL;
    prepare();
    bz_mutex_lock(&pools.lock);
    int error = pool_new(config ? config : &defaults, pool);
    bz_mutex_unlock(&pools.lock);
    return error;
}

int blitz_configure(const blitz_config *config) {
    if (!config || !is_valid(config))
        return EINVAL;
    bz_mutex_lock(&pools.lock);
    bool used = bz_load_relaxed(&pools.global); /* relaxed: under the lock */
    if (!used) {
        pools.config = *config;
        snprintf(pools.name, sizeof pools.name, "%s", name_in(config));
        pools.config.name = pools.name;
    }
    bz_mutex_unlock(&pools.lock);
    if (!used)
        (void)bz_pins_find(config);
    return used ? EBUSY : 0;
}

static BZ_COLD struct blitz_pool *make_global(void) {
    prepare();
    bz_mutex_lock(&pools.lock);
    struct blitz_pool *global = bz_load_relaxed(&pools.global); /* relaxed: under the lock */
    bool makes = !global && pool_new(&pools.config, &global) == 0;
    if (makes)
        bz_store_release(&pools.global, global); /* P1: pairs with P2 */
    bz_mutex_unlock(&pools.lock);
    if (makes && bz_options_get()->stats && !bz_hooks)
        bz_stats_print_at_exit();
    return global;
}

struct blitz_pool *bz_pool_global_if_any(void) {
    return bz_load_acquire(&pools.global); /* P2: pairs with P1 */
}

struct blitz_pool *bz_pool_global(void) {
    struct blitz_pool *global = bz_pool_global_if_any();
    return bz_likely(global) ? global : make_global();
}

static void expect_alive(const struct blitz_pool *pool, const char *verb) {
    if (bz_unlikely(bz_load_relaxed(&pool->life) != BZ_POOL_ALIVE)) /* relaxed: only an error changes it */
        bz_misuse(verb, "pool", pool,
                  "was destroyed, or never was a pool; pass a pool that blitz_pool_create returned, or NULL "
                  "for the global one");
}

struct blitz_pool *bz_pool_or_global(struct blitz_pool *pool, const char *verb) {
    if (!pool)
        return bz_pool_global();
    expect_alive(pool, verb);
    return pool;
}

void bz_stats_each_pool(void (*fn)(const char *line, void *arg), void *arg) {
    char line[BZ_STATS_LINE];
    bz_fetch_add_seq_cst(&pools.reports, 1);                                  /* P3: pairs with P4 */
    struct blitz_pool *pool = bz_load_seq_cst(&pools.first);                  /* P5: pairs with P6 and P7 */
    for (; pool; pool = bz_load_seq_cst(&pool->next_pool)) {                  /* P8: pairs with P6 and P7 */
        bz_stats_line(pool, bz_load_relaxed(&pool->size), line, sizeof line); /* relaxed: an estimate */
        fn(line, arg);
    }
    bz_fetch_sub_release(&pools.reports, 1); /* P3: pairs with P4 */
}

bool bz_pool_has_worker(const struct bz_worker *worker, const void **holder) {
    const struct bz_place *place = bz_place_of((struct bz_worker *)worker); /* if it is a pool's */
    bool found = false;
    bz_mutex_lock(&pools.lock);
    for (struct blitz_pool *pool = bz_load_relaxed(&pools.first); pool && !found;
         pool = bz_load_relaxed(&pool->next_pool)) { /* relaxed, both: under the lock */
        bz_mutex_lock(&pool->lock);
        for (unsigned i = 0; i < pool->places && !found; i++)
            found = place && bz_pool_place(pool, i) == place;
        *holder = found ? place->holder : NULL;
        bz_mutex_unlock(&pool->lock);
    }
    bz_mutex_unlock(&pools.lock);
    return found;
}

static void send_threads_home(struct blitz_pool *pool) {
    bz_mutex_lock(&pool->lock);
    pool->closing = true;
    if (!pool->on_start && !pool->on_stop) /* hooks may need threads themselves */
        bz_thread_cache_expect(pool->threads + pool->stopping);
    bz_pool_balance(pool);
    bz_store_relaxed(&pool->leave_at, 1); /* relaxed, both: by the latches */
    bz_fetch_add_relaxed(&pool->recalls, 1);
    bz_pool_wake_workers(pool);
    while (pool->threads + pool->stopping > 0)
        bz_mutex_yield(&pool->lock);
    bz_mutex_unlock(&pool->lock);
    while (bz_load_acquire(&pool->lenders) > 0) /* R2: pairs with R1 */
        bz_os_yield();
}

static void free_place(struct bz_place *place) {
    bz_free(place->opened);
    bz_team_drop(&place->worker);
    bz_worker_destroy_all(&place->worker);
    bz_os_free(place, sizeof *place);
}

static void pool_free(struct blitz_pool *pool) {
    /* P4: pairs with P3: either the report is counted here, or it finds the list without the pool (P7) */
    while (bz_load_seq_cst(&pools.reports) > 0)
        bz_os_yield();
    for (unsigned i = 0; i < pool->places; i++)
        if (bz_pool_place(pool, i)) /* no thread is left */
            free_place(bz_pool_place(pool, i));
    bz_domain_destroy(&pool->domain);
    bz_store_relaxed(&pool->life, 0); /* relaxed: only misuse reads it */
    bz_mutex_lock(&pools.lock);
    struct blitz_pool **place = &pools.ended[pools.ends++ % ENDED], *old = *place;
    *place = pool;
    bz_mutex_unlock(&pools.lock);
    if (old)
        bz_os_free(old, sizeof *old);
}

static BZ_COLD void report_end(blitz_pool *pool) {
    char line[BZ_STATS_LINE];
    bz_stats_line(pool, bz_load_relaxed(&pool->size), line, sizeof line); /* relaxed: no thread is left */
    bz_hooks->pool_ends(line);
}

int blitz_pool_destroy(blitz_pool *pool) {
    if (!pool)
        return 0;
    expect_alive(pool, "blitz_pool_destroy");
    int error = bz_pool_is_inside(pool, "blitz_pool_destroy") ? EDEADLK : blitz_wait_idle(pool);
    if (error)
        return error;
    bz_mutex_lock(&pools.lock);
    if (bz_load_relaxed(&pools.global) == pool) /* relaxed: under the lock */
        bz_store_relaxed(&pools.global, NULL);  /* relaxed: verbs must not use it any more */
    bz_signal_fence();                          /* a child's global pool is in its list */
    struct bz_pool_link *link = &pools.first;
    struct blitz_pool *at; /* relaxed, all: under the lock */
    while ((at = bz_load_relaxed(link)) && at != pool)
        link = &at->next_pool;
    if (!at)
        bz_misuse("blitz_pool_destroy", "pool", pool,
                  "is being destroyed by another thread; destroy it once");
    (void)bz_exchange_seq_cst(link, bz_load_relaxed(&pool->next_pool)); /* P7: pairs with P5 and P8 */
    bz_mutex_unlock(&pools.lock);
    send_threads_home(pool);
    bz_pool_wait_for_external(pool);
    if (bz_unlikely(bz_hooks))
        report_end(pool);
    pool_free(pool);
    return 0;
}

int blitz_shutdown(void) {
    return blitz_pool_destroy(bz_pool_global_if_any());
}
