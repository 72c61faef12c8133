/* record.c: see record.h.
 *
 * Pairing table
 *   W1 a thread's record is published   W2 the monitor and other walks read it   its constant fields
 *   W7 a thread ends                    W8 another one takes its record         its fields */
#include "tools/watchdog/record.h"

#include <string.h>

static struct { struct bomp_hang_thread *v; } newest; /* written by registering threads, read by all */

struct bomp_hang_thread *bomp_hang_threads(void) {
    return bz_load_acquire(&newest); /* W2: pairs with W1 */
}

/* ---- threads ---- */

/* Changed by threads that begin and end. relaxed: the monitor's mutex orders the decisions that use it. */
static struct bz_a32 alive;

unsigned bomp_hang_alive(void) {
    return bz_load_relaxed(&alive);
}

/* Takes the record of a thread that has ended. */
static struct bomp_hang_thread *take_over(void) {
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread; thread = thread->next)
        if (!bz_load_relaxed(&thread->is_alive) &&
            !bz_exchange_acquire(&thread->is_alive, true)) /* W8: pairs with W7 */
            return thread;
    return NULL;
}

static struct bomp_hang_thread *make(void) {
    struct bomp_hang_thread *thread = bz_os_alloc(sizeof *thread);
    if (!thread)
        return NULL;
    thread->items.size = sizeof(struct bomp_hang_item);
    struct bomp_hang_thread *older = bomp_hang_threads();
    bz_store_relaxed(&thread->is_alive, true); /* not shared yet */
    do {
        thread->next = older;
        thread->number = older ? older->number + 1 : 0;
        bz_store_relaxed(&thread->last_number, (uint64_t)thread->number << BOMP_HANG_NUMBERS_SHIFT);
    } while (!bz_cas_release(&newest, &older, thread)); /* W1: pairs with W2 */
    return thread;
}

struct bomp_hang_thread *bomp_hang_thread_new(void) {
    struct bomp_hang_thread *thread = take_over();
    if (!thread)
        thread = make();
    if (!thread)
        return NULL;
    (void)bz_fetch_add_relaxed(&alive, 1);
    bz_store_relaxed(&thread->system_id, bz_os_thread_id());
    bz_store_relaxed(&thread->current, NULL);
    bz_store_relaxed(&thread->work, 0);
    return thread;
}

void bomp_hang_thread_end(struct bomp_hang_thread *thread) {
    bz_store_relaxed(&thread->current, NULL);
    bz_store_release(&thread->is_alive, false); /* W7: pairs with W8 */
    (void)bz_fetch_sub_relaxed(&alive, 1);
}

void bomp_hang_threads_lost(const struct bomp_hang_thread *survivor) {
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread; thread = thread->next)
        if (thread == survivor)
            bz_store_relaxed(&thread->system_id, bz_os_thread_id());
        else if (bz_load_relaxed(&thread->is_alive))
            bomp_hang_thread_end(thread);
    bz_store_relaxed(&alive, survivor ? 1 : 0); /* the fork may have interrupted a begin or an end */
}

/* ---- items ---- */

struct bomp_hang_item *bomp_hang_item_new(struct bomp_hang_thread *self, enum bomp_hang_state state) {
    struct bomp_hang_item *item = bomp_cells_take(&self->items);
    if (!item)
        return NULL;
    uint64_t number = bz_load_relaxed(&self->last_number) + 1;
    bz_store_relaxed(&self->last_number, number);
    bz_store_relaxed(&item->number, number);
    bz_store_relaxed(&item->since, bz_os_tick_ns());
    bz_store_relaxed(&item->group_after, 0);
    bz_store_relaxed(&item->thread, NULL);
    bz_store_relaxed(&item->wait.kind, BOMP_HANG_NO_WAIT);
    bz_store_relaxed(&item->last_site, NULL);
    bz_store_relaxed(&item->depend_count, 0);
    bz_store_relaxed(&item->parent.item, NULL);
    bz_store_relaxed(&item->team.item, NULL);
    bz_store_relaxed(&item->size, 0);
    bz_store_relaxed(&item->state, state);
    return item;
}

void bomp_hang_item_free(struct bomp_hang_item *item) {
    if (item && bz_exchange_relaxed(&item->state, BOMP_HANG_FREE) != BOMP_HANG_FREE)
        bomp_cell_return(&item->cell);
}

void bomp_hang_each_item(bool (*fn)(void *item, void *arg), void *arg) {
    const struct bomp_hang_thread *thread = bomp_hang_threads();
    while (thread && bomp_cells_each(&thread->items, fn, arg))
        thread = thread->next;
}
