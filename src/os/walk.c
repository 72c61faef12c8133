/* bz_elf_walk (objects.h). The C library holds a lock during a walk, which the child of a fork by another thread
 * would find held forever (glibc 2.36). So forks and our walks wait for each other, but not forever: a fork handler
 * may wait for a thread that is about to walk. */
#include "base/atomic.h"
#include "base/compiler.h"
#include "os/elf.h"
#include "os/os.h"

/* A choice: a walking thread gets a CPU in less. */
#define LONGEST_NS 10000000000u

static struct bz_a32 walkers; /* threads in a walk; written by them, read by forks */
static struct bz_a32 forkers; /* threads in a fork; written by them, read by walks that begin */

/* The calling thread's. */
static _Thread_local unsigned depth; /* of nested walks */
static _Thread_local bool forks;

/* Yields. False: the deadline has passed. */
static bool wait_on(uint64_t *deadline_ns) {
    uint64_t now = bz_os_now_ns();
    if (*deadline_ns == 0)
        *deadline_ns = now + LONGEST_NS;
    bz_os_yield();
    return now < *deadline_ns;
}

static void begin(void) {
    uint64_t deadline_ns = 0;
    bool waits = !forks;
    for (;;) {
        bz_fetch_add_seq_cst(&walkers, 1);                       /* WK1: pairs with WK2 */
        if (bz_likely(bz_load_seq_cst(&forkers) == 0) || !waits) /* WK1: pairs with WK2 */
            return;
        bz_fetch_sub_release(&walkers, 1); /* WK3: pairs with WK2 */
        waits = wait_on(&deadline_ns);
    }
}

int bz_elf_walk(int (*fn)(struct dl_phdr_info *info, size_t size, void *arg), void *arg) {
    if (depth++ == 0)
        begin();
    int result = dl_iterate_phdr(fn, arg);
    if (--depth == 0)
        bz_fetch_sub_release(&walkers, 1); /* WK3: pairs with WK2 */
    return result;
}

/* ---- fork ---- */

/* A signal handler may fork in the middle of its thread's walk. */
static void prepare(void) {
    uint64_t deadline_ns = 0;
    forks = true;
    bz_fetch_add_seq_cst(&forkers, 1);                                       /* WK2: pairs with WK1 */
    while (bz_load_seq_cst(&walkers) > (depth > 0) && wait_on(&deadline_ns)) /* WK2: pairs with WK1, WK3 */
        ;
}

static void parent(void) {
    bz_fetch_sub_relaxed(&forkers, 1); /* relaxed: the number alone counts */
    forks = false;
}

static void child(void) {
    bz_store_relaxed(&walkers, depth > 0); /* relaxed, both: the only thread */
    bz_store_relaxed(&forkers, 0);
    forks = false;
}

__attribute__((constructor)) static void follow_forks(void) {
    (void)bz_os_at_fork(prepare, parent, child);
}
