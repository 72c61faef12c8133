#include "sched/shelf.h"

#include <stddef.h>

#include "wait/mutex.h"

void bz_shelf_init(struct bz_shelf *shelf) {
    bz_store_relaxed(&shelf->count, 0); /* relaxed, both: not shared yet */
    bz_store_relaxed(&shelf->lock, BZ_MUTEX_FREE);
    shelf->first = NULL;
}

static void count(struct bz_shelf *shelf, int delta) {
    /* relaxed: one writer at a time; seen in time by the fences of whoever posts and sleeps */
    bz_store_relaxed(&shelf->count, bz_load_relaxed(&shelf->count) + (uint32_t)delta);
}

/* The lists themselves are whole at any moment: each change of them is one store, after all that it leads to. */
void bz_shelf_mend(struct bz_shelf *shelf) {
    if (bz_load_relaxed(&shelf->lock) == BZ_MUTEX_FREE)
        return;
    bz_store_relaxed(&shelf->lock, BZ_MUTEX_FREE); /* relaxed, all: the only thread */
    uint32_t items = 0;
    for (struct bz_shelf_item *head = shelf->first; head; head = head->lower)
        for (struct bz_shelf_item *item = head; item; item = item->next) {
            head->last = item;
            items++;
        }
    bz_store_relaxed(&shelf->count, items);
}

void bz_shelf_put(struct bz_shelf *shelf, struct bz_shelf_item *item) {
    item->next = NULL;
    item->last = item;
    bz_mutex_lock(&shelf->lock);
    struct bz_shelf_item **at = &shelf->first;
    while (*at && (*at)->level > item->level)
        at = &(*at)->lower;
    struct bz_shelf_item *head = *at;
    if (head && head->level == item->level) {
        head->last->next = item;
        head->last = item;
    } else {
        item->lower = head;
        bz_signal_fence();
        *at = item;
    }
    count(shelf, 1);
    bz_mutex_unlock(&shelf->lock);
}

/* The first job that may be taken; *head points to the first one of its level, *before is the one before it there. */
static struct bz_shelf_item *find(struct bz_shelf *shelf, bz_may_take *may_take, const void *arg,
                                  struct bz_shelf_item ***head, struct bz_shelf_item **before) {
    for (struct bz_shelf_item **at = &shelf->first; *at; at = &(*at)->lower) {
        *before = NULL;
        for (struct bz_shelf_item *item = *at; item; item = item->next) {
            *head = at;
            if (!may_take || may_take(item->job, arg))
                return item;
            *before = item;
        }
    }
    return NULL;
}

static void take_out(struct bz_shelf_item **head, struct bz_shelf_item *before, struct bz_shelf_item *item) {
    if (before) {
        before->next = item->next;
        if ((*head)->last == item)
            (*head)->last = before;
    } else if (item->next) {
        item->next->lower = item->lower;
        item->next->last = item->last;
        bz_signal_fence();
        *head = item->next;
    } else {
        *head = item->lower;
    }
}

struct bz_job *bz_shelf_take(struct bz_shelf *shelf, bz_may_take *may_take, const void *arg) {
    struct bz_shelf_item **head, *before;
    bz_mutex_lock(&shelf->lock);
    struct bz_shelf_item *item = find(shelf, may_take, arg, &head, &before);
    if (item) {
        take_out(head, before, item);
        count(shelf, -1);
    }
    bz_mutex_unlock(&shelf->lock);
    return item ? item->job : NULL;
}

bool bz_shelf_offers(struct bz_shelf *shelf, bz_may_take *may_take, const void *arg) {
    struct bz_shelf_item **head, *before;
    bz_mutex_lock(&shelf->lock);
    bool offers = find(shelf, may_take, arg, &head, &before) != NULL;
    bz_mutex_unlock(&shelf->lock);
    return offers;
}
