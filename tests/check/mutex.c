/* The mutex and the parking of threads (src/wait/mutex.[ch], parking.[ch]): one holder at a time, and no waiter stays
 * asleep. Every second unlock of a bucket that is not quiet hands over to a waiter. */
#include "wait/mutex.h"
#include "check.h"
#include "wait/thread.h"

#include <string.h>

static struct bz_a32 mutex;
static unsigned inside; /* plain: two at a time are a data race */
/* How often the other thread has acquired the lock while all threads knew of a waiter: the checker does not check
 * that. */
static unsigned overtaken;

_Thread_local struct bz_thread_mark bz_thread_mark __attribute__((tls_model("initial-exec")));
uint32_t bz_thread_number_new(void) {
    return bz_thread_mark.number = (uint32_t)check_self();
}
void bz_thread_init(void) {
}

static void begin_symmetric(void) {
    check_own(&bz_thread_mark, sizeof bz_thread_mark);
    mutex.v = BZ_MUTEX_FREE;
    inside = overtaken = 0;
}
static void begin(void) {
    begin_symmetric();
    bz_fence_init();
}
/* The state after all sleepers have gone. */
static void begin_known(void) {
    begin();
    bz_store_relaxed(&bz_parking_of(&mutex)->state, BZ_PARKING_KNOWN);
}

static struct bz_a32 *other_of_bucket(void) {
    static struct bz_a32 words[64 * BZ_PARKING_BUCKETS];
    struct bz_a32 *word = words;
    while (bz_parking_of(word) != bz_parking_of(&mutex))
        word++;
    return word;
}

static void once(void) {
    bz_mutex_lock(&mutex);
    inside++;
    bz_mutex_unlock(&mutex);
}

__attribute__((no_sanitize("thread"))) static void note_taken(bool first) {
    const struct bz_parking_bucket *bucket = bz_parking_of(&mutex);
    bool waited_for = bucket->awaited.v % 1024 != 0 && bucket->state.v == BZ_PARKING_KNOWN;
    overtaken = first && waited_for ? overtaken + 1 : 0;
    check_that(overtaken <= 3);
}
static void again_and_again(void) {
    for (unsigned i = 0; i < 6; i++) {
        bz_mutex_lock(&mutex);
        note_taken(true);
        bz_mutex_unlock(&mutex);
    }
}
static void waits(void) {
    bz_mutex_lock(&mutex);
    note_taken(false);
    bz_mutex_unlock(&mutex);
}
static void twice(void) {
    once();
    once();
}
static void thrice(void) {
    twice();
    once();
}
/* May make the bucket quiet, but never acquires the lock. */
static void quiets(void) {
    struct bz_a32 *other = other_of_bucket();
    for (unsigned i = 0; i < 2; i++) {
        bz_mutex_lock(other);
        bz_mutex_unlock(other);
    }
}
static void tries(void) {
    if (bz_mutex_trylock(&mutex)) {
        inside++;
        bz_mutex_unlock(&mutex);
    }
}

static void end(void) {
    check_that(bz_load_relaxed(&mutex) == BZ_MUTEX_FREE);
    check_that(bz_load_relaxed(&bz_parking_of(&mutex)->sleepers) == 0);
    check_that(bz_load_relaxed(&bz_parking_of(&mutex)->awaited) % 1024 == 0);
}

static const struct check_test tests[] = {
    {"once", begin, {once, once}, end, -1, 1},
    {"rounds", begin, {thrice, thrice}, end, 2, 0},
    {"symmetric", begin_symmetric, {twice, twice}, end, 2, 0},
    {"three", begin, {once, once, once}, end, 2, 0},
    {"three_symmetric", begin_symmetric, {once, once, once}, end, 2, 0},
    {"known", begin_known, {twice, once, once}, end, 2, 0},
    {"quieter", begin_known, {once, once, quiets}, end, 3, 0},
    {"overtaken", begin, {again_and_again, waits}, end, 2, 0},
    {"try", begin, {twice, tries, once}, end, 2, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
