/* Replaces the parts that protocols use and no check examines: load, predictions, stacks, coroutines. A check that
 * compiles one of these sources uses that source instead. */
#include "base/sanitizer.h"
#include "check.h"
#include "env/error.h"
#include "os/os.h"
#include "sched/coroutine.h"
#include "sched/stack.h"
#include "sched/views.h"
#include "wait/competitor.h"
#include "wait/load.h"
#include "wait/mutex.h"
#include "wait/placement.h"
#include "wait/waiter.h"

#pragma weak bz_mutex_lock_slow
#pragma weak bz_mutex_unlock_slow
#pragma weak bz_parking
#pragma weak bz_parking_wake
#pragma weak bz_spin_on
#pragma weak bz_slabs_destroy
#pragma weak bz_awake_add
#pragma weak bz_os_thread_count
#pragma weak bz_crowded
#pragma weak bz_sharing
#pragma weak bz_cpu_count
#pragma weak bz_cpus_left
#pragma weak bz_slabs_refill
#pragma weak bz_slabs_send

void bz_fatal(const char *format, ...) {
    check_fail("the library ends the process: %s", format);
}
void bz_misuse(const char *verb, const char *what, const void *object, const char *rule, ...) {
    check_fail("the library ends the process: %s: %s=%p %s", verb, what, object, rule);
}

unsigned bz_os_thread_count(void) {
    return 2;
}

/* ---- memory ---- */

void *bz_alloc(size_t size) {
    return check_new(size);
}

void *bz_alloc_zero(size_t count, size_t size) {
    return check_new(count * size);
}

void bz_free(void *memory) {
    if (memory)
        check_gone(memory);
}

void *bz_os_alloc(size_t size) {
    return check_new(size);
}

void bz_os_free(void *memory, size_t size) {
    (void)size;
    bz_free(memory);
}

/* ---- load ---- */

void bz_awake_add(int delta) {
    (void)delta;
}
bool bz_crowded(void) {
    return false;
}
uint32_t bz_sharing(uint32_t count) {
    (void)count;
    return 1;
}
struct bz_competitor bz_competitor;
bool bz_competitor_tries_parks(void) {
    return false;
}
void bz_competitor_waited(void) {
}
void bz_competitor_leave(void) {
}
uint64_t bz_competitor_yield(bool shares) {
    (void)shares;
    return 0;
}
uint32_t bz_cpu_count(void) {
    return 1;
}
bool bz_cpus_left(void) {
    return false;
}

/* ---- waits: the first failed poll ends a spin ---- */

struct bz_a32 bz_backoff_pauses;

bool bz_spin_on(struct bz_spin *spin) {
    spin->rounds++;
    return false;
}
/* Waits are predicted, and each begins with a timed sleep. */
bool check_predicts;
uint64_t check_spin_ns;
uint64_t bz_spin_ns(void) {
    return check_predicts ? BZ_SPIN_AUTO : check_spin_ns;
}
struct bz_a64 bz_wake_ns = {1};
bool bz_wake_measure(uint32_t *word, uint32_t value, uint32_t bits) {
    (void)bits;
    (void)word;
    (void)value;
    return false;
}
void bz_placement_meet(struct bz_placement *self) {
    (void)self;
}

/* ---- locks: not contended ---- */

struct bz_parking_bucket bz_parking[BZ_PARKING_BUCKETS];

void bz_mutex_lock_slow(struct bz_a32 *mutex) {
    while (!bz_mutex_trylock(mutex))
        bz_cpu_relax();
}
void bz_mutex_unlock_slow(struct bz_a32 *mutex) {
    (void)bz_exchange_release(mutex, BZ_MUTEX_FREE);
}
void bz_parking_wake(struct bz_a32 *word) {
    (void)word;
}

/* ---- predictions ---- */

struct bz_history *bz_predictor_history(struct bz_predictor *predictor, const void *site) {
    (void)site;
    return check_predicts ? &predictor->histories[0] : NULL;
}
struct bz_prediction bz_history_predict(const struct bz_history *history, bool within_run) {
    (void)history;
    (void)within_run;
    return (struct bz_prediction){1, 1};
}
bool bz_history_outlasts(const struct bz_history *history, uint64_t ns) {
    (void)history;
    (void)ns;
    return false;
}
void bz_times_add(struct bz_times *times, uint64_t ns) {
    (void)times;
    (void)ns;
}

/* ---- the parts of a worker besides its deque ---- */

void bz_slabs_destroy(struct bz_slabs *slabs) {
    (void)slabs;
}
/* Each object is a separate piece of memory, which is gone when it is freed. */
void *bz_slabs_refill(struct bz_slabs *slabs, unsigned class) {
    (void)slabs;
    (void)class; /* no worker is its home, so bz_slabs_send frees it */
    return (char *)check_new(BZ_SLAB_MAX + 8) + 8;
}
void bz_slabs_send(struct bz_slabs *self, struct bz_slab_object *object) {
    (void)self;
    check_gone((char *)object - 8);
}
void bz_stack_destroy(struct bz_stack *stack) {
    (void)stack;
}
void bz_coroutines_destroy(struct bz_coroutines *coroutines) {
    (void)coroutines;
}
bool bz_coroutine_yield(struct bz_worker *self, bool any) {
    (void)self;
    (void)any;
    check_fail("no coroutines here");
}
#pragma weak bz_views_run
#pragma weak bz_views_set_aside
void bz_views_run(struct bz_worker *self, struct bz_job *job) {
    (void)self;
    (void)job;
    check_fail("no views here");
}
bool bz_views_set_aside(struct bz_worker *self, int64_t index) {
    (void)self;
    (void)index;
    check_fail("no views here");
}

/* ---- without sanitizers ---- */

bool bz_tsan, bz_attended;
void bz_tsan_after_slow(const void *key) {
    (void)key;
}
void bz_tsan_before_slow(const void *key) {
    (void)key;
}
void bz_tsan_ignore(const void *memory, size_t size) {
    (void)memory;
    (void)size;
}
