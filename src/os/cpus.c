/* See cpus.h. On 64-bit Linux a set has the system's layout.
 *
 * Pairing table
 *   O3 bz_cpus_keep publishes the set   O4 bz_cpus_kept reads it   its words */
#include "os/cpus.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/config.h"
#include "os/os.h"

/* A system with longer sets gets no answer. */
#define WORDS_MAX ((size_t)1 << 14)

_Thread_local const uint64_t *bz_pinned;
_Thread_local struct bz_cpus_own bz_cpus_own;

static size_t words; /* written under pthread_once, read after it */

/* The system has refused a set: no thread leaves a CPU from now on. Written and read by any thread. */
static struct bz_aflag staying;

/* Written once, by bz_cpus_keep; read by any thread. */
static struct { uint64_t *v; } kept;

static bool is_real_time(void) {
    BZ_KEEP_ERRNO;
    int policy = sched_getscheduler(0);
    policy = policy < 0 ? SCHED_OTHER : policy & ~SCHED_RESET_ON_FORK;
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

bool bz_cpus_sleep_is_due(void) {
    return ++bz_cpus_own.yields % BZ_YIELDS_PER_SLEEP == 0 && is_real_time();
}

unsigned bz_cpus_next(const uint64_t *set, size_t length, unsigned from) {
    for (size_t word = from / BZ_CPUS_WORD_BITS; word < length; word++) {
        uint64_t rest = set[word] >> (from % BZ_CPUS_WORD_BITS);
        if (rest != 0)
            return from + (unsigned)__builtin_ctzll(rest);
        from = (unsigned)(word + 1) * BZ_CPUS_WORD_BITS;
    }
    return UINT_MAX;
}

unsigned bz_cpus_count(const uint64_t *set, size_t length) {
    unsigned count = 0;
    for (size_t word = 0; word < length; word++)
        count += (unsigned)__builtin_popcountll(set[word]);
    return count;
}

static int ask(int thread, uint64_t *set, size_t length) {
    memset(set, 0, length * sizeof *set);
    return sched_getaffinity(thread, length * sizeof *set, (cpu_set_t *)set) == 0 ? 0 : errno;
}

/* For the configured CPUs, or as many as the system demands. */
static void find_words(void) {
    long configured = sysconf(_SC_NPROCESSORS_CONF);
    size_t enough = configured > 0 ? ((size_t)configured + BZ_CPUS_WORD_BITS - 1) / BZ_CPUS_WORD_BITS : 1;
    int rc = EINVAL;
    for (words = enough; rc == EINVAL && words <= WORDS_MAX; words *= 2) {
        uint64_t *set = bz_alloc(words * sizeof *set);
        rc = set ? ask(0, set, words) : ENOMEM;
        bz_free(set);
        if (rc == 0)
            return;
    }
    words = enough;
}

size_t bz_cpus_words(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, find_words);
    return words;
}

int bz_cpus_of_thread(uint64_t *set) {
    return ask(0, set, bz_cpus_words());
}

int bz_cpus_of_process(uint64_t *set) {
    const uint64_t *known = bz_cpus_kept();
    if (known) {
        memcpy(set, known, bz_cpus_words() * sizeof *set);
        return 0;
    }
    return ask(getpid(), set, bz_cpus_words());
}

int bz_cpus_keep(const uint64_t *set) {
    size_t bytes = bz_cpus_words() * sizeof *set;
    uint64_t *copy = bz_alloc(bytes);
    if (!copy)
        return ENOMEM;
    memcpy(copy, set, bytes);
    uint64_t *none = NULL;
    if (!bz_cas_release(&kept, &none, copy)) /* O3: pairs with O4 */
        bz_free(copy);
    return 0;
}

const uint64_t *bz_cpus_kept(void) {
    return bz_load_acquire(&kept); /* O4: pairs with O3 */
}

/* Thread 0 is the caller. */
static int bind(int thread, const uint64_t *set) {
    return sched_setaffinity(thread, bz_cpus_words() * sizeof *set, (const cpu_set_t *)set) == 0 ? 0 : errno;
}

static bool is_part_of(const uint64_t *part, const uint64_t *set) {
    for (size_t i = 0; i < words; i++)
        if ((part[i] & ~set[i]) != 0)
            return false;
    return true;
}

void bz_cpus_add_apart(uint32_t thread, const uint64_t *own, uint64_t *all) {
    uint64_t *its = __builtin_alloca(words * sizeof *its);
    if (ask((int)thread, its, words) != 0 || is_part_of(own, its))
        return;
    for (size_t i = 0; i < words; i++)
        all[i] |= its[i];
}

bool bz_cpus_give(uint32_t thread) {
    size_t length = bz_cpus_words();
    uint64_t *own = __builtin_alloca(2 * length * sizeof *own), *its = own + length;
    int rc = bz_pinned ? bz_cpus_of_process(own) : bz_cpus_of_thread(own);
    if (rc != 0 || ask((int)thread, its, length) != 0 || memcmp(own, its, length * sizeof *own) == 0)
        return true;
    return bind((int)thread, own) == 0;
}

void bz_cpus_take(const uint64_t *set) {
    BZ_KEEP_ERRNO;
    (void)bind(0, set);
}

/* bind; a refusal is for good. */
static bool try_bind(const uint64_t *set) {
    bool bound = bind(0, set) == 0;
    if (!bound)
        bz_store_relaxed(&staying, true); /* relaxed: a flag alone */
    return bound;
}

bool bz_cpus_leave(const uint64_t *off, uint64_t *had, uint64_t *without) {
    BZ_KEEP_ERRNO;
    bool left = false;
    if (!bz_load_relaxed(&staying) && ask(0, had, words) == 0) {
        for (size_t i = 0; i < words; i++)
            without[i] = had[i] & ~off[i];
        left = memcmp(without, had, words * sizeof *had) != 0 && bz_cpus_next(without, words, 0) != UINT_MAX;
    }
    if (left) {
        bz_store_relaxed(&bz_cpus_own.away, true); /* relaxed: ordered by the system calls */
        left = try_bind(without);
        bz_store_relaxed(&bz_cpus_own.away, left);
    }
    return left;
}

/* A set other than `without`: the process has lost CPUs, and the system does not return all of `had`; or another thread has
 * assigned it. */
void bz_cpus_return(const uint64_t *had, const uint64_t *without) {
    BZ_KEEP_ERRNO;
    size_t bytes = words * sizeof *had;
    uint64_t *now = __builtin_alloca(2 * bytes), *got = now + words;
    if (ask(0, now, words) == 0 && try_bind(had) && memcmp(now, without, bytes) != 0 &&
        ask(0, got, words) == 0 && memcmp(got, had, bytes) == 0)
        (void)bind(0, now);
    bz_store_relaxed(&bz_cpus_own.away, false); /* relaxed: as in bz_cpus_leave */
}

int bz_pin_slow(const uint64_t *set) {
    BZ_KEEP_ERRNO;
    bz_pinned = set;
    int rc = bind(0, set);
    bz_cpus_own.missed = rc != 0;
    return rc;
}

/* A refusal would mean that the process has lost all its CPUs: the system then chooses others. */
void bz_unpin_slow(void) {
    BZ_KEEP_ERRNO;
    bz_pinned = NULL;
    (void)bind(0, bz_cpus_kept());
}
