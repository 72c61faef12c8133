#include "wait/thread.h"

#include <pthread.h>

#include "base/atomic.h"
#include "base/sanitizer.h"
#include "os/cpus.h"
#include "os/os.h"
#include "wait/backoff.h"
#include "wait/competitor.h"
#include "wait/fence.h"
#include "wait/lease.h"
#include "wait/load.h"
#include "wait/parking.h"

static struct bz_a32 generation; /* written in the child of a fork, while it has one thread */

/* The calling thread will get this number; 0: any. */
static _Thread_local uint32_t kept;

static struct bz_a64 numbers; /* given so far; raised by each thread */

/* Written in the child of a fork, while it has one thread. */
static struct bz_a64 first_here; /* threads with lower numbers were there at the fork */
static struct bz_a32 survivor;   /* the one of these that is here; 0: it has no number */

_Thread_local struct bz_thread_mark bz_thread_mark
    __attribute__((tls_model("initial-exec"))) = {0, BZ_THREAD_NUMBERS};

uint32_t bz_fork_generation(void) {
    return bz_load_relaxed(&generation);
}

/* Before the handler of fork.c, which is registered after this one. */
static void child(void) {
    bz_store_relaxed(&generation, bz_load_relaxed(&generation) + 1);
    bz_store_relaxed(&first_here, bz_load_relaxed(&numbers) + 1);
    bz_store_relaxed(&survivor, bz_thread_mark.number ? bz_thread_mark.number : kept);
    bz_unpin(); /* a program that this process becomes may not inherit the pin */
    bz_parking_forget();
    bz_awake_reset(0);
    bz_competitor_forget();
    bz_leases_forget();
    bz_fence_init();
}

static void init(void) {
    bz_os_at_fork(NULL, NULL, child);
    bz_fence_init();
    bz_os_choose_tick_clock();
    bz_backoff_measure();
}

void bz_thread_init(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init);
}

void bz_thread_number_keep(void) {
    if (bz_thread_mark.number == 0 && kept == 0)
        kept = (uint32_t)(bz_fetch_add_relaxed(&numbers, 1) + 1); /* relaxed: the number alone counts */
}

uint32_t bz_thread_numbers_reserve(uint32_t count) {
    return (uint32_t)(bz_fetch_add_relaxed(&numbers, count) + 1); /* relaxed: likewise */
}

uint32_t bz_thread_number_change(uint32_t number) {
    uint32_t old = bz_thread_number();
    bz_thread_mark.number = number;
    return old;
}

BZ_COLD uint32_t bz_thread_number_new(void) {
    bz_thread_init();
    uint32_t number = kept;
    while (number == 0) /* relaxed: the number alone counts */
        number = (uint32_t)(bz_fetch_add_relaxed(&numbers, 1) + 1) % BZ_THREAD_NUMBERS;
    /* ThreadSanitizer hears of locks on the slow path, and so do others. */
    bz_thread_mark = (struct bz_thread_mark){number, bz_attended ? BZ_THREAD_NUMBERS : 0};
    return number;
}

void bz_thread_attend(void) {
    bz_attended = true;
    bz_thread_mark.none = BZ_THREAD_NUMBERS;
}

bool bz_thread_is_lost(uint32_t number) {
    return number < bz_load_relaxed(&first_here) && number != bz_load_relaxed(&survivor) &&
           bz_load_relaxed(&numbers) < BZ_THREAD_NUMBERS; /* or it may be that of another thread again */
}
