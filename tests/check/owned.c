/* Locks with a known owner (compat/omp/sync/lock.c), in the child of a fork: a lock whose owner is lost goes to one
 * thread, and from then on works like others: one holder at a time, and no waiter stays asleep. */
#include "check.h"
#include "omp/base/report.h"
#include "omp/sync/lock.h"
#include "omp/team/member.h"

enum { LOST = 9, OTHER = 17 }; /* numbers of threads of the parent */

static uint32_t lock;
static unsigned inside, entered; /* plain: two at a time are a data race */

_Thread_local struct bz_thread_mark bz_thread_mark __attribute__((tls_model("initial-exec")));
uint32_t bz_thread_number_new(void) {
    bz_thread_mark = (struct bz_thread_mark){(uint32_t)check_self(), 0};
    return bz_thread_mark.number;
}
void bz_thread_init(void) {
}
bool bz_thread_is_lost(uint32_t number) {
    return number == LOST || number == OTHER;
}
bool bomp_task_let_others(void) {
    return false;
}
/* For nestable locks, which are not called here. */
_Thread_local struct bz_worker *bz_self __attribute__((tls_model("initial-exec")));
_Thread_local void *bz_context __attribute__((tls_model("initial-exec")));
struct bomp_member *bomp_self_slow(void) {
    return NULL;
}
void *bz_realloc(void *memory, size_t size) {
    (void)size;
    return memory;
}
void bomp_no_memory(const char *what) {
    check_fail("no memory for %s", what);
}

static void make(uint32_t word) {
    check_own(&bz_thread_mark, sizeof bz_thread_mark);
    bz_fence_init();
    lock = word;
    inside = entered = 0;
}
static void begin_free(void) {
    make(0);
}
static void begin_lost(void) {
    make(LOST);
}
/* Threads of the parent slept on it: its bucket is quiet again (bz_parking_forget), but the mark remains. */
static void begin_lost_marked(void) {
    make(LOST | BOMP_OWNED_WAITED);
}
/* It was about to be handed over. */
static void begin_reserved(void) {
    make(BZ_PARKING_RESERVED | LOST);
}

static void enter(void) {
    check_that(inside++ == 0 && bomp_owned_is_mine(&lock));
    entered++;
    inside--;
    bomp_owned_unlock(&lock);
}
/* A thread without a number; check_own makes it all zero. */
static void come(void) {
    if (bz_thread_mark.number == 0)
        bz_thread_mark.none = BZ_THREAD_NUMBERS;
}
static void once(void) {
    come();
    bomp_owned_lock(&lock);
    enter();
}
static void twice(void) {
    once();
    once();
}
static void thrice(void) {
    twice();
    once();
}
static void tries(void) {
    come();
    if (bomp_owned_try(&lock))
        enter();
}

static void check_free(void) {
    struct bz_a32 *word = bomp_mutex(&lock);
    check_that(bz_load_relaxed(word) == 0);
    check_that(bz_load_relaxed(&bz_parking_of(word)->sleepers) == 0);
}
static void end(void) {
    check_free();
    check_that(entered >= 2);
}
/* One of the trying threads acquires it. */
static void end_tries(void) {
    check_free();
    check_that(entered >= 1);
}

static const struct check_test tests[] = {
    {"free", begin_free, {twice, twice}, end, 2, 0},
    {"handed_over", begin_free, {thrice, thrice}, end, 2, 0},
    {"lost", begin_lost, {once, once}, end, -1, 0},
    {"lost_marked", begin_lost_marked, {twice, once}, end, 2, 0},
    {"lost_three", begin_lost, {once, once, once}, end, 1, 0},
    {"lost_tries", begin_lost, {tries, tries}, end_tries, -1, 0},
    {"lost_try", begin_lost_marked, {tries, once}, end_tries, -1, 0},
    {"reserved", begin_reserved, {once, once}, end, 3, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
