#include "omp/task/depend_mutex.h"

#include <string.h>

#include "omp/base/report.h"
#include "omp/task/depend_node.h"

#define HELD ((struct bomp_node *)(uintptr_t)1)

struct bomp_mutex *bomp_mutex_new(void) {
    struct bomp_mutex *mutex = bomp_scratch(sizeof *mutex, "a mutexinoutset");
    bz_store_relaxed(&mutex->refs, 1); /* relaxed, both: not shared yet */
    bz_store_relaxed(&mutex->word, NULL);
    return mutex;
}

void bomp_mutex_unref(struct bomp_mutex *mutex) {
    if (bz_fetch_sub_acq_rel(&mutex->refs, 1) == 1) /* X4: pairs with X4 (what others did with it) */
        bz_free(mutex);
}

void bomp_mutexes_add(struct bomp_mutexes **mutexes, struct bomp_mutex *mutex, size_t most) {
    struct bomp_mutexes *all = *mutexes;
    if (!all) {
        all = *mutexes = bomp_scratch(sizeof *all + most * sizeof all->items[0], "a mutexinoutset");
        all->count = all->got = 0;
    }
    uint32_t at = all->count;
    while (at > 0 && (uintptr_t)all->items[at - 1] > (uintptr_t)mutex)
        at--;
    if (at > 0 && all->items[at - 1] == mutex)
        return;
    memmove(&all->items[at + 1], &all->items[at], (all->count - at) * sizeof all->items[0]);
    all->items[at] = mutex;
    all->count++;
    bz_fetch_add_relaxed(&mutex->refs, 1); /* relaxed: by a holder of one */
}

void bomp_mutexes_free(struct bomp_mutexes *mutexes) {
    for (uint32_t i = 0; i < mutexes->count; i++)
        bomp_mutex_unref(mutexes->items[i]);
    bz_free(mutexes);
}

/* True: got it. False: the node is parked, and may run and be gone. */
static bool acquire(struct bomp_mutex *mutex, struct bomp_node *node) {
    struct bomp_node *word = bz_load_relaxed(&mutex->word); /* relaxed: decided by the exchange */
    for (;;) {
        if (!word) {
            if (bz_cas_acquire(&mutex->word, &word, HELD)) /* X1: pairs with X2 */
                return true;
            continue;
        }
        node->mutexes->parked = word == HELD ? NULL : word;
        if (bz_cas_release(&mutex->word, &word, node)) /* X3: pairs with X2 (the node) */
            return false;
    }
}

/* Returns the node that has it now, NULL if none was parked. */
static struct bomp_node *release(struct bomp_mutex *mutex) {
    struct bomp_node *word = bz_load_acquire(&mutex->word); /* X2: pairs with X3 */
    for (;;) {
        struct bomp_node *next = word == HELD ? NULL : word->mutexes->parked;
        struct bomp_node *left = word == HELD ? NULL : next ? next : HELD;
        if (bz_cas_acq_rel(&mutex->word, &word, left)) /* X2: pairs with X1 and X3 */
            return word == HELD ? NULL : word;
    }
}

bool bomp_mutexes_acquire(struct bomp_mutexes *mutexes, struct bomp_node *node) {
    while (mutexes->got < mutexes->count) {
        if (!acquire(mutexes->items[mutexes->got], node))
            return false;
        mutexes->got++;
    }
    return true;
}

void bomp_mutexes_release(struct bomp_mutexes *mutexes, void (*ready)(struct bomp_node *, void *),
                          void *arg) {
    for (uint32_t i = 0; i < mutexes->count; i++) {
        struct bomp_node *next = release(mutexes->items[i]);
        if (!next)
            continue;
        next->mutexes->got++; /* this one */
        if (bomp_mutexes_acquire(next->mutexes, next))
            ready(next, arg);
    }
    mutexes->got = 0;
}
