/* Replaces src/os/: the parts of the system that a protocol relies on. */
#include "check.h"
#include "os/os.h"

#include <errno.h>
#include <limits.h>

static struct check_site wait_site = {.file = "futex"}, wake_site = {.file = "futex"},
                         all_site = {.file = "membarrier"};
static const uint32_t *sleeps_on[CHECK_THREADS];
static uint32_t sleeps_as[CHECK_THREADS];
static int spurious;
static uint64_t clocks[CHECK_THREADS];

void check_system_reset(const struct check_test *test) {
    for (int t = 0; t < CHECK_THREADS; t++) {
        sleeps_on[t] = NULL;
        clocks[t] = 1;
    }
    spurious = test->spurious;
}

uint64_t check_system_hash(void) {
    uint64_t hash = (uint64_t)spurious;
    for (int t = 1; t < CHECK_THREADS; t++)
        hash = check_mix(hash, (uintptr_t)sleeps_on[t]);
    return hash;
}

bool check_ends_early(void) {
    unsigned early = spurious > 0 ? check_choose(2) : 0;
    check_note(check_self(), early);
    spurious -= (int)early;
    return early;
}

static bool sleep_on(uint32_t *word, uint32_t expected, uint32_t bits, bool timed) {
    check_point(word, true);
    uint32_t value = (uint32_t)check_futex_value(word);
    check_log(&wait_site, value == expected ? "sleeps" : "does not sleep", word, expected, value);
    if (value != expected)
        return true;
    if (check_ends_early())
        return true;
    sleeps_on[check_self()] = word;
    sleeps_as[check_self()] = bits;
    bool woken = check_block(timed ? CHECK_SLEEPS_TIMED : CHECK_SLEEPS);
    sleeps_on[check_self()] = NULL;
    return woken;
}

void bz_os_futex_wait(uint32_t *word, uint32_t expected) {
    (void)sleep_on(word, expected, UINT32_MAX, false);
}
int bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits) {
    bool timed = deadline_ns != 0 && deadline_ns != UINT64_MAX;
    return sleep_on(word, expected, bits ? bits : UINT32_MAX, timed) || !timed ? 0 : ETIMEDOUT;
}
void bz_os_futex_wait_off(uint32_t *word, uint32_t expected, const uint64_t *cpus) {
    (void)cpus;
    (void)sleep_on(word, expected, UINT32_MAX, false);
}

/* Only the address counts: the memory may be gone. */
static void wake(uint32_t *word, int count, uint32_t bits) {
    check_point(word, true);
    check_futex_published(word);
    check_log(&wake_site, "wakes", word, 0, (uint64_t)count);
    check_note(check_self(), (uintptr_t)word);
    for (; count > 0; count--) {
        int sleepers[CHECK_THREADS];
        unsigned n = 0;
        for (int t = 1; t < CHECK_THREADS; t++)
            if (sleeps_on[t] == word && (sleeps_as[t] & bits) != 0)
                sleepers[n++] = t;
        if (n == 0)
            return;
        int woken = sleepers[check_choose(n)];
        sleeps_on[woken] = NULL;
        check_ready(woken);
    }
}

void bz_os_futex_wake(uint32_t *word, int count) {
    wake(word, count, UINT32_MAX);
}
void bz_os_futex_wake_all_as(uint32_t *word, uint32_t bits) {
    wake(word, INT_MAX, bits);
}

bool bz_os_membarrier_register(void) {
    return true;
}
bool bz_os_membarrier(void) {
    check_point(NULL, false);
    check_barrier_all();
    check_log(&all_site, "barrier", NULL, 0, 0);
    return true;
}

/* Each clock reading advances the time by this much: spins with a limit are short. */
uint64_t check_tick_ns = 1000000000;
uint64_t bz_os_now_ns(void) {
    return clocks[check_self()]++ * check_tick_ns;
}
void bz_os_yield(void) {
    check_relax(true);
}
unsigned bz_os_cpu(void) {
    return (unsigned)check_self();
}
