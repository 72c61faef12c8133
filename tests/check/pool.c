/* A pool (src/pool/) with the thread cache as mailboxes: never two threads in one place; no job is lost; the child of a
 * fork would find its thread in its place and nowhere else; each lease ends; no thread uses a pool that is gone. At
 * rest no thread is counted, and all places are free. */
#include "pool/pool.h"
#include "check.h"
#include "env/options.h"
#include "pool/tools.h"
#include "team/adopt.h"
#include "team/fork.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/mutex.h"

#include <errno.h>
#include <string.h>

enum { HOSTS = CHECK_THREADS, PLACES = 2 };
unsigned check_places; /* the pool's maximum */

static struct bz_domain host_domains[HOSTS];
static struct bz_worker hosts[HOSTS];
static struct blitz_pool *pool;
static struct bz_options options;
static bool taken[PLACES]; /* by a thread that works there */
static unsigned ran;       /* jobs */
static struct bz_a32 done; /* an external thread waits for it */
static struct bz_a32 left; /* threads of the program that have not finished */
static struct mail {
    struct bz_a32 state; /* IDLE, TAKEN by a thread that is about to give, GIVEN, RUNS */
    void (*main)(void *arg);
    void *arg;
} mails[HOSTS];
enum { IDLE, TAKEN, GIVEN, RUNS };
static unsigned cached;    /* threads of the cache */
static struct bz_a32 over; /* the cache ends */
extern uint64_t check_tick_ns;

/* Replaces the thread-local word: its address is the thread. */
struct bz_worker *check_workers[CHECK_THREADS];
int check_key(void) {
    return check_self();
}

/* ---- functions that the sources call ---- */

int bz_thread_cache_run(uint64_t root, void (*main)(void *), void *arg) {
    (void)root;
    for (unsigned i = 0; i < cached; i++) {
        uint32_t idle = IDLE;
        if (bz_cas_acquire(&mails[i].state, &idle, TAKEN)) {
            mails[i].main = main;
            mails[i].arg = arg;
            bz_store_release(&mails[i].state, GIVEN);
            return 0;
        }
    }
    return EAGAIN;
}
void bz_thread_cache_expect(unsigned n) {
    (void)n;
}
void bz_thread_cache_warn(unsigned number, unsigned wanted, int error) {
    (void)number;
    (void)wanted;
    (void)error;
}
void bz_thread_cache_rename(void) {
}
void bz_os_thread_rename(const char *name) {
    (void)name;
}
const struct bz_options *bz_options_get(void) {
    return &options;
}
struct bz_worker *bz_worker_adopt(void) {
    return bz_self;
}
void bz_worker_destroy_all(struct bz_worker *worker) {
    bz_worker_destroy(worker);
}
void bz_team_drop(struct bz_worker *worker) {
    (void)worker;
}
uintptr_t bz_stack_bound(void) {
    return 0;
}
uint32_t bz_fork_generation(void) {
    return 0;
}
void bz_fork_init(void) {
}
int bz_os_at_fork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
    (void)before;
    (void)parent;
    (void)child;
    return 0;
}
void bz_tools_watch(void) {
}
bool bz_pins_find(const blitz_config *config) {
    (void)config;
    return false;
}
void bz_broadcast_serve(struct bz_place *place) {
    (void)place;
}
/* A report also reads fields that never change in a pool. */
int bz_stats_line(blitz_pool *of, unsigned workers, char *line, size_t size) {
    (void)workers;
    (void)size;
    line[0] = 0;
    check_that(of->domain.slots != NULL);
    return 0;
}
struct bz_a32 bz_budget_count;
struct bz_a64 bz_budget_due;

/* Functions that no test calls. */
#define REFUSES(result, name, ...)                                                                           \
    result name(__VA_ARGS__) {                                                                               \
        check_fail("%s: not called here", #name);                                                            \
    }
/* clang-format off */
_Pragma("GCC diagnostic ignored \"-Wunused-parameter\"")
REFUSES(unsigned, bz_budget_read, void)
REFUSES(uint64_t, bz_os_tick_ns, void)
REFUSES(int, bz_pins_take, unsigned index)
REFUSES(void, bz_stats_print_at_exit, void)
REFUSES(void, bz_stack_set_size, size_t size)
REFUSES(void, bz_pools_leave_behind, struct blitz_pool *first)
REFUSES(bool, bz_help_once, struct bz_worker *self)
REFUSES(void, bz_warn_value, const char *name, const char *value, const char *format, ...)
REFUSES(void, bz_strict_left, const struct bz_strict *strict, const char *verb, uintptr_t frame)
REFUSES(_Noreturn void, bz_strict_unsynced, struct bz_place *place, const char *verb, const void *fn)
REFUSES(void, bz_views_hand_over, struct bz_worker *self, struct bz_worker *outer)
REFUSES(void, bz_views_mark, struct bz_worker *self)
REFUSES(void, bz_views_take_none, struct bz_worker *self, const char *where)
    /* clang-format on */

    /* ---- the threads ---- */

    /* callers: threads of the program; the one that ends the pool waits for the others. */
    static void make(unsigned size, unsigned threads, unsigned callers) {
    check_own(&bz_context, sizeof bz_context);
    check_own(check_workers, sizeof check_workers);
    memset(hosts, 0, sizeof hosts);
    memset(host_domains, 0, sizeof host_domains);
    memset(mails, 0, sizeof mails);
    memset(taken, 0, sizeof taken);
    ran = over.v = done.v = 0;
    left.v = callers;
    options.workers = size;
    check_places = PLACES;
    cached = threads;
    check_tick_ns = 1000000;
    bz_fence_init();
    for (unsigned i = 1; i < HOSTS; i++) {
        (void)bz_domain_init(&host_domains[i], 1, 0);
        host_domains[i].host = true;
        bz_worker_init(&hosts[i], &host_domains[i], 0);
    }
    pool = size > 0 ? bz_pool_global() : NULL;
}
static void begin(void) {
    make(2, 0, 0);
}
/* Without a pool. */
static void begin_none(void) {
    make(0, 0, 0);
    options.workers = 2;
}
static void begin_full(void) {
    make(2, 0, 2);
    check_places = 1;
}
static void begin_job(void) {
    make(1, 1, 2);
}

static void thread(struct mail *mail) {
    for (;;) {
        while (bz_load_acquire(&mail->state) != GIVEN)
            if (bz_load_acquire(&over))
                return;
            else
                bz_cpu_relax();
        bz_store_relaxed(&mail->state, RUNS);
        mail->main(mail->arg);
        bz_store_release(&mail->state, IDLE);
    }
}
static void cached_thread(void) {
    thread(&mails[0]);
}

/* The place where a child forked by this thread now would find it; PLACES: nowhere. The others may be at any point. */
__attribute__((no_sanitize_thread)) static unsigned place_in_child(void) {
    unsigned found = PLACES;
    for (unsigned i = 0; i < PLACES; i++) {
        const struct bz_place *place = (const struct bz_place *)pool->domain.slots[i].v;
        if (place && &bz_self == place->holder)
            found = found == PLACES ? i : PLACES + 1;
    }
    return found;
}

static void come(void) {
    bz_become(&hosts[check_self()]);
}
static void go(void) {
    bz_fetch_sub_release(&left, 1);
}

static void begin_work(struct bz_worker *self) {
    check_that(!taken[self->index]);
    taken[self->index] = true;
    check_that(place_in_child() == self->index);
}
static void end_work(struct bz_worker *self) {
    check_fence(CHECK_RELAXED); /* another thread may come between */
    check_that(place_in_child() == self->index);
    taken[self->index] = false;
    bz_pool_close(self);
    check_that(place_in_child() == PLACES);
}
static void pass(void) {
    struct bz_worker *self = bz_pool_come();
    if (!self)
        return; /* the pool is full */
    begin_work(self);
    end_work(self);
}
static void passes(void) {
    come();
    pass();
    go();
}
static void passes_twice(void) {
    come();
    pass();
    pass();
    go();
}

/* The first thread creates the pool. */
static void makes(void) {
    come();
    struct bz_worker *self = bz_pool_come();
    check_that(!taken[self->index]);
    taken[self->index] = true;
    taken[self->index] = false;
    bz_pool_close(self);
}

/* The only place is free again. */
static void passes_later(void) {
    while (bz_load_acquire(&left) > 1)
        bz_cpu_relax();
    come();
    struct bz_worker *self = bz_pool_come();
    check_that(self);
    begin_work(self);
    end_work(self);
}

static void check_counts(void) {
    check_that(pool->threads + pool->external + pool->away + pool->lent + pool->stopping == 0);
}

static void destroy(void) {
    check_that(blitz_pool_destroy(pool) == 0);
    check_counts();
    check_gone(pool); /* as the rest of the call would do */
    bz_store_release(&over, 1);
}

static void sees_line(const char *line, void *arg) {
    (void)arg;
    check_that(line[0] == 0);
}
static void reports(void) {
    bz_stats_each_pool(sees_line, NULL);
}

/* Ends the pool after all others have left. */
static void end_pool(void) {
    while (bz_load_acquire(&left) > 1)
        bz_cpu_relax();
    destroy();
}

static void job(void *arg) {
    (void)arg;
    check_that(!taken[bz_self->index]);
    ran++;
}
static void submit(unsigned jobs) {
    come();
    check_that(blitz_submit(pool, job, NULL) == 0);
    check_that(blitz_wait_idle(pool) == 0);
    check_that(ran == jobs);
}
static void submits(void) {
    submit(1);
    end_pool();
}

static void submits_and_goes(void) {
    come();
    check_that(blitz_submit(pool, job, NULL) == 0);
    go();
}
static void waits_and_ends(void) {
    come();
    check_that(blitz_wait_idle(pool) == 0);
    end_pool();
}

/* Blocks in its second entry, until another thread has run a job. */
static void blocks(void) {
    come();
    pass();
    struct bz_worker *self = bz_pool_come();
    if (self) {
        begin_work(self);
        taken[self->index] = false; /* it may run the job itself first */
        bz_pool_leave_outer();
        while (bz_load_acquire(&done) == 0)
            bz_cpu_relax();
        bz_pool_return_to_outer();
        taken[self->index] = true;
        end_work(self);
    }
    go();
}
static void submits_awaited(void) {
    submit(1);
    bz_store_release(&done, 1);
    end_pool();
}

static void resizes(void) {
    come();
    check_that(blitz_pool_resize(pool, 1) == 0);
}

static void lends_for(uint64_t ns) {
    come();
    bz_store_release(&done, 1);
    check_that(blitz_pool_lend(pool, ns) == 0);
    go();
}
static void lends(void) {
    lends_for(BLITZ_FOREVER);
}
static void lends_for_a_time(void) {
    lends_for(3000000);
}
/* Ends the pool after the lender's call has begun. */
static void end_lent(void) {
    while (bz_load_relaxed(&pool->lenders) == 0 && bz_load_acquire(&left) > 1)
        bz_cpu_relax();
    destroy();
}
static void ends(void) {
    come();
    end_lent();
}
static void recalls(void) {
    come();
    check_that(blitz_pool_recall(pool) == 0);
    end_lent();
}
static void submits_to_lent(void) {
    submit(1);
    end_lent();
}

static void end(void) {
    unsigned places = 0;
    if (bz_load_relaxed(&over))
        return;
    pool = bz_pool_global_if_any();
    for (const struct bz_place *place = pool->free; place && places <= PLACES; place = place->next)
        places++;
    check_that(places == pool->places);
    check_counts();
}

static const struct check_test tests[] = {
    {"entry", begin, {passes_twice, passes_twice}, end, 2, 0},
    {"entry_three", begin, {passes_twice, passes, passes}, end, 1, 0},
    {"made", begin_none, {makes, makes}, end, 1, 0},
    {"reported", begin, {reports, destroy}, end, 2, 0},
    {"made_reported", begin_none, {makes, reports}, end, 1, 0},
    {"full", begin_full, {passes, passes_later}, end, 2, 0},
    {"resized", begin, {passes, passes, resizes}, end, 1, 0},
    {"job", begin_job, {passes_twice, submits, NULL, cached_thread}, end, 1, 0},
    {"idle", begin_job, {submits_and_goes, waits_and_ends, NULL, cached_thread}, end, 1, 0},
    {"blocks", begin_job, {blocks, submits_awaited, NULL, cached_thread}, end, 0, 0},
    {"lent", begin_job, {lends, ends}, end, 1, 0},
    {"lent_recalled", begin_job, {lends, recalls}, end, 1, 0},
    {"lent_for_a_time", begin_job, {lends_for_a_time, ends}, end, 1, 0},
    {"lent_job", begin_job, {lends, submits_to_lent, NULL, cached_thread}, end, 0, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
