/* thread.c: see thread.h.
 *
 * Pairing table
 *   XS3 thread_begin publishes a new table   XS4 a walk of the list       the initialised table
 *   XS5 thread_end leaves a table            XS6 thread_begin takes it    its counts */
#include "tools/stats/thread.h"

#include <string.h>

/* All tables. Written by threads that add one, and in the child of a fork. */
static struct { struct bomp_stats_thread *v; } threads;

static void init_cells(struct bomp_stats_thread *thread) {
    thread->tasks.size = sizeof(struct bomp_stats_task);
    thread->regions.size = sizeof(struct bomp_stats_region);
    thread->members.size = sizeof(struct bomp_stats_member);
}

static struct bomp_stats_thread *new_thread(void) {
    struct bomp_stats_thread *thread = bz_os_alloc(sizeof *thread);
    if (!thread)
        return NULL;
    init_cells(thread);
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++) {
        if (!bomp_stats_places_init(&thread->places[kind], kind)) {
            while (kind-- > 0)
                bomp_stats_places_free(&thread->places[kind]);
            bz_os_free(thread, sizeof *thread);
            return NULL;
        }
    }
    return thread;
}

static bool take(struct bomp_stats_thread *thread) {
    bool expected = false;
    if (bz_load_relaxed(&thread->is_used) ||                /* relaxed: the exchange decides */
        !bz_cas_acquire(&thread->is_used, &expected, true)) /* XS6: pairs with XS5 */
        return false;
    bz_store_relaxed(&thread->was_used, true); /* relaxed: as all counts */
    return true;
}

struct bomp_stats_thread *bomp_stats_thread_begin(void) {
    for (struct bomp_stats_thread *thread = bomp_stats_threads(); thread; thread = thread->next)
        if (take(thread))
            return thread;
    struct bomp_stats_thread *thread = new_thread();
    if (!thread)
        return NULL;
    bz_store_relaxed(&thread->is_used, true);                    /* relaxed: not shared yet */
    bz_store_relaxed(&thread->was_used, true);                   /* relaxed: not shared yet */
    struct bomp_stats_thread *first = bz_load_relaxed(&threads); /* relaxed: the exchange below decides */
    do {
        thread->next = first;
    } while (!bz_cas_release(&threads, &first, thread)); /* XS3: pairs with XS4 */
    return thread;
}

void bomp_stats_thread_end(struct bomp_stats_thread *thread) {
    thread->fresh = NULL;
    bz_store_relaxed(&thread->member, NULL);   /* relaxed: see below */
    bz_store_relaxed(&thread->current, NULL);  /* relaxed: see below */
    bz_store_release(&thread->is_used, false); /* XS5: pairs with XS6 */
}

struct bomp_stats_thread *bomp_stats_threads(void) {
    return bz_load_acquire(&threads); /* XS4: pairs with XS3 */
}

static void forget_counts(struct bomp_stats_thread *thread) {
    for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
        bomp_stats_places_clear(&thread->places[kind]);
    memset(thread->waits, 0, sizeof thread->waits);
}

void bomp_stats_threads_forked(struct bomp_stats_thread *self, uint64_t now) {
    for (struct bomp_stats_thread *thread = bomp_stats_threads(); thread; thread = thread->next) {
        forget_counts(thread);
        thread->is_main = thread == self;
        bz_store_relaxed(&thread->was_used, thread == self); /* relaxed: there is no other thread */
        if (thread != self)
            bomp_stats_thread_end(thread);
    }
    if (!self)
        return;
    bz_store_relaxed(&self->since, now); /* relaxed: there is no other thread */
    for (struct bomp_stats_member *member = self->member.v; member; member = member->outer.v) {
        memset(member->time, 0, sizeof member->time);
        member->tasks.v = 0;
        if (member->region.v)
            member->region.v->began = now;
    }
}

/* relaxed throughout: tests call it when all is over. */
void bomp_stats_threads_free(void) {
    struct bomp_stats_thread *thread = bz_exchange_relaxed(&threads, NULL);
    while (thread) {
        struct bomp_stats_thread *next = thread->next;
        for (unsigned kind = 0; kind < BOMP_STATS_WAITS; kind++)
            bomp_stats_places_free(&thread->places[kind]);
        bomp_cells_free(&thread->tasks);
        bomp_cells_free(&thread->regions);
        bomp_cells_free(&thread->members);
        bz_os_free(thread, sizeof *thread);
        thread = next;
    }
}
