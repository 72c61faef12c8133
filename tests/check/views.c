/* Frames and views of reducers (src/api/join.c, cilk.c, sched/views.c, api/reducer.c): a stolen job's results reach its
 * owner, complete and in program order. The owner waits as long as the job runs, and steals from its thief. Also with a
 * program's own code, inlined from blitz/cilk.h, as the owner's fast path. */
#include "sched/views.h"
#include "api/join.h"
#include "blitz/cilk.h"
#include "check.h"
#include "team/adopt.h"

#include <string.h>

enum { WORKERS = 3 };

/* A sequence of digits. */
struct digits {
    unsigned long value, scale;
};

static struct bz_domain domain;
static struct bz_worker workers[WORKERS];
static struct bz_a32 over;
static blitz_reducer reducer;
static struct digits result;
extern uint64_t check_tick_ns;

static void append(void *left, void *right, void *ctx) {
    struct digits *a = left, *b = right;
    (void)ctx;
    a->value = a->value * b->scale + b->value;
    a->scale *= b->scale;
}
static const struct digits none = {0, 1};
static const blitz_reducer_op op = {sizeof none, &none, append};

static void add(unsigned long digit) {
    struct digits one = {digit, 10};
    append(blitz_reducer_view(&reducer), &one, NULL);
}

/* ---- functions that the sources call, but no test does ---- */

bool bz_pool_is_free(struct bz_worker *worker) {
    (void)worker;
    return false;
}
bool bz_os_stack_holds(uintptr_t address) {
    (void)address;
    return false;
}

_Noreturn static void refuse(void) {
    check_fail("not called here");
}
void *bz_os_room(size_t size) {
    (void)size;
    refuse();
}
void bz_warn_value(const char *name, const char *value, const char *format, ...) {
    (void)name;
    (void)value;
    (void)format;
    refuse();
}
void bz_strict_refuse(const char *verb, const char *what, const void *object, const struct bz_worker *worker,
                      const char *begun, const char *ended) {
    check_fail("%s %s %p %p %s %s", verb, what, object, (const void *)worker, begun, ended);
}
int bz_pool_run(struct blitz_pool *pool, blitz_fn *fn, void *arg, const char *verb, uintptr_t named) {
    (void)pool;
    (void)fn;
    (void)arg;
    (void)named;
    check_fail("%s: not called here", verb);
}
struct bz_worker *bz_pool_come(void) {
    refuse();
}
void bz_pool_go(struct bz_worker *self) {
    (void)self;
    refuse();
}
struct blitz_pool *bz_pool_global(void) {
    refuse();
}
struct bz_worker *bz_worker_adopt(void) {
    refuse();
}

/* ---- the atomic accesses of blitz/cilk.h, as gcc reports them ---- */

uint64_t __tsan_atomic64_load(const volatile void *word, int order) {
    (void)order; /* relaxed, all of them */
    return bz_load_relaxed((const struct bz_a64 *)word);
}
void __tsan_atomic64_store(volatile void *word, uint64_t value, int order) {
    if (order == __ATOMIC_RELAXED)
        bz_store_relaxed((struct bz_a64 *)word, value);
    else
        bz_store_release((struct bz_a64 *)word, value);
}
void __tsan_atomic_signal_fence(int order) {
    (void)order;
}

/* ---- the threads ---- */

static void begin(void) {
    check_own(&bz_self, sizeof bz_self);
    check_own(&bz_context, sizeof bz_context);
    memset(&domain, 0, sizeof domain);
    memset(workers, 0, sizeof workers);
    over.v = 0;
    result = none;
    check_tick_ns = 1; /* no wait for a job's start times out */
    bz_fence_init();
    (void)bz_domain_init(&domain, WORKERS, 0);
    for (unsigned i = 0; i < 2; i++) {
        bz_worker_init(&workers[i], &domain, i);
        bz_domain_enter(&domain, &workers[i]);
    }
}

static void end(void) {
    check_that(bz_counters_sleeping(bz_load_relaxed(&domain.counters.word)) == 0);
    check_that(!workers[0].views.top && !workers[1].views.top);
}

static void adds_2(void *arg) {
    (void)arg;
    add(2);
}
static void adds_4(void *arg) {
    (void)arg;
    add(4);
}

static void is_over(unsigned long value) {
    blitz_reducer_end(&reducer);
    check_that(result.value == value);
    bz_store_release(&over, 1);
}
static void come(void) {
    bz_become(&workers[0]);
    blitz_reducer_begin(&reducer, &op, NULL, &result);
    add(1);
}
/* Simulates a stack that was in use. */
static void soil(struct bz_call *call) {
    memset(call, 0x5c, sizeof *call);
}
static void forks(void) {
    struct bz_call call;
    soil(&call);
    come();
    bz_call_fork(&workers[0], &call, adds_2, NULL);
    add(3);
    bz_call_sync(&workers[0], &call);
    is_over(123);
}
static void forks_two(void) {
    struct bz_call first, second;
    come();
    bz_call_fork(&workers[0], &first, adds_2, NULL);
    add(3);
    bz_call_fork(&workers[0], &second, adds_4, NULL);
    add(5);
    bz_call_sync(&workers[0], &second);
    bz_call_sync(&workers[0], &first);
    is_over(12345);
}
/* The forked function comes second in program order. */
static void joins(void) {
    struct bz_call call = {.frame.job.run = NULL};
    come();
    int64_t index = bz_deque_bottom(&workers[0].deque);
    bz_call_fork(&workers[0], &call, adds_4, NULL);
    add(2);
    add(3);
    bz_call_sync_after(&workers[0], &call, index);
    is_over(1234);
}
static void forks_in_it(void *arg) {
    struct bz_call call;
    (void)arg;
    soil(&call);
    bz_call_fork(bz_self, &call, adds_2, NULL);
    add(3);
    bz_call_sync(bz_self, &call);
}
static void forks_deep(void) {
    struct bz_call call;
    come();
    bz_call_fork(&workers[0], &call, forks_in_it, NULL);
    add(4);
    bz_call_sync(&workers[0], &call);
    is_over(1234);
}

/* ---- tasks of blitz/cilk.h ---- */

BLITZ_TASK_1(unsigned long, digit, unsigned long, n) {
    add(n);
    return n;
}
BLITZ_TASK_1(unsigned long, digits, unsigned long, n) {
    BLITZ_FORK(first, digit, n);
    BLITZ_FORK(second, digit, n + 1);
    add(n + 2);
    unsigned long sum = BLITZ_SYNC(second, digit);
    return sum + BLITZ_SYNC(first, digit);
}
static void spawns(void) {
    blitz_worker *blitz_me = (blitz_worker *)&workers[0];
    come();
    BLITZ_FORK(x, digit, 2);
    add(3);
    check_that(BLITZ_SYNC(x, digit) == 2);
    is_over(123);
}
static void spawns_two(void) {
    blitz_worker *blitz_me = (blitz_worker *)&workers[0];
    come();
    check_that(BLITZ_CALL(digits, 2) == 5);
    is_over(1234);
}
/* Runs in a stolen task, from whose thief the owner may steal. */
static void spawns_deep(void) {
    blitz_worker *blitz_me = (blitz_worker *)&workers[0];
    come();
    BLITZ_FORK(x, digits, 2);
    add(5);
    check_that(BLITZ_SYNC(x, digits) == 5);
    is_over(12345);
}
/* Not last in first out: until the last sync all pops are slow. */
static void spawns_in_order(void) {
    blitz_worker *blitz_me = (blitz_worker *)&workers[0];
    come();
    BLITZ_FORK(x, digit, 2);
    BLITZ_FORK(y, digit, 3);
    check_that(BLITZ_SYNC(x, digit) == 2);
    BLITZ_FORK(z, digit, 4);
    check_that(BLITZ_SYNC(y, digit) == 3);
    check_that(BLITZ_SYNC(z, digit) == 4);
    blitz_reducer_end(&reducer);
    bz_store_release(&over, 1);
}
/* Together with a call of the library in one deque. */
static void spawns_and_forks(void) {
    blitz_worker *blitz_me = (blitz_worker *)&workers[0];
    struct bz_call call;
    soil(&call);
    come();
    bz_call_fork(&workers[0], &call, adds_2, NULL);
    BLITZ_FORK(x, digit, 3);
    add(4);
    check_that(BLITZ_SYNC(x, digit) == 3);
    bz_call_sync(&workers[0], &call);
    is_over(1234);
}

static void steals(void) {
    const struct bz_filter filter = {0};
    bz_become(&workers[1]);
    while (!bz_load_acquire(&over)) {
        struct bz_job *job = bz_worker_find(&workers[1], &filter);
        if (job)
            bz_worker_run(&workers[1], job);
        else if (!bz_worker_expose_others(&workers[1], &filter) && !bz_load_acquire(&over)) /* read last */
            bz_cpu_relax();
    }
}

static const struct check_test tests[] = {
    {"fork", begin, {forks, steals}, end, 1, 0},
    {"fork_two", begin, {forks_two, steals}, end, 1, 0},
    {"join", begin, {joins, steals}, end, 1, 0},
    {"deep", begin, {forks_deep, steals}, end, 1, 0},
    {"cilk", begin, {spawns, steals}, end, 1, 0},
    {"cilk_two", begin, {spawns_two, steals}, end, 1, 0},
    {"cilk_deep", begin, {spawns_deep, steals}, end, 1, 0},
    {"cilk_in_order", begin, {spawns_in_order, steals}, end, 1, 0},
    {"cilk_and_call", begin, {spawns_and_forks, steals}, end, 1, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
