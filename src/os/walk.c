/* walk.c: bz_elf_walk (objects.h). The C library holds a lock while it walks over the loaded objects, and the child of a
 * fork that another thread makes meanwhile finds it held, forever (glibc 2.36). So a fork waits until no walk of ours is
 * under way, and a walk until no fork is. Neither waits forever: a handler of the program's may wait for a thread that
 * would walk, and somebody else's walk may take as long as it likes. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/elf.h"
#include "os/os.h"

/* A choice: longer than a thread that walks is without a CPU on a busy machine. */
#define LONGEST_NS 10000000000u

static struct bz_a32 walkers; /* threads in a walk; changed by them, read by those that fork */
static struct bz_a32 forkers; /* threads in a fork; changed by them, read by those that begin a walk */

/* The calling thread's. */
static _Thread_local unsigned depth; /* walks within each other */
static _Thread_local bool forks;

/* Gives the CPU away. False: it has waited for too long. */
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

int bz_elf_walk(int (*look)(struct dl_phdr_info *info, size_t size, void *arg), void *arg) {
    if (depth++ == 0)
        begin();
    int result = dl_iterate_phdr(look, arg);
    if (--depth == 0)
        bz_fetch_sub_release(&walkers, 1); /* WK3: pairs with WK2 */
    return result;
}

/* ---- fork ---- */

/* A handler of a signal may fork in the middle of its thread's walk. */
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
