#include "sched/pqueue.h"

#include <stddef.h>

#include "wait/mutex.h"

static void count(struct bz_pqueue *pqueue, int delta) {
    /* relaxed: one writer at a time; made visible by the fences of posters and sleepers */
    bz_store_relaxed(&pqueue->count, bz_load_relaxed(&pqueue->count) + (uint32_t)delta);
}

/* The lists themselves are whole at any moment: each change of them is one store, after all that it leads to. */
void bz_pqueue_mend(struct bz_pqueue *pqueue) {
    if (bz_load_relaxed(&pqueue->lock) == BZ_MUTEX_FREE)
        return;
    bz_store_relaxed(&pqueue->lock, BZ_MUTEX_FREE); /* relaxed, all: the only thread */
    uint32_t items = 0;
    for (struct bz_pqueue_item *head = pqueue->first; head; head = head->lower)
        for (struct bz_pqueue_item *item = head; item; item = item->next) {
            head->last = item;
            items++;
        }
    bz_store_relaxed(&pqueue->count, items);
}

void bz_pqueue_put(struct bz_pqueue *pqueue, struct bz_pqueue_item *item) {
    item->next = NULL;
    item->last = item;
    bz_mutex_lock(&pqueue->lock);
    struct bz_pqueue_item **at = &pqueue->first;
    while (*at && (*at)->priority > item->priority)
        at = &(*at)->lower;
    struct bz_pqueue_item *head = *at;
    if (head && head->priority == item->priority) {
        head->last->next = item;
        head->last = item;
    } else {
        item->lower = head;
        bz_signal_fence();
        *at = item;
    }
    count(pqueue, 1);
    bz_mutex_unlock(&pqueue->lock);
}

/* The first job that may be taken; *head points to the first one of its priority, *before is the one before it there. */
static struct bz_pqueue_item *find(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg,
                                   struct bz_pqueue_item ***head, struct bz_pqueue_item **before) {
    for (struct bz_pqueue_item **at = &pqueue->first; *at; at = &(*at)->lower) {
        *before = NULL;
        for (struct bz_pqueue_item *item = *at; item; item = item->next) {
            *head = at;
            if (!may_take || may_take(item->job, arg))
                return item;
            *before = item;
        }
    }
    return NULL;
}

static void take_out(struct bz_pqueue_item **head, struct bz_pqueue_item *before,
                     struct bz_pqueue_item *item) {
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

struct bz_job *bz_pqueue_take(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg) {
    struct bz_pqueue_item **head, *before;
    bz_mutex_lock(&pqueue->lock);
    struct bz_pqueue_item *item = find(pqueue, may_take, arg, &head, &before);
    if (item) {
        take_out(head, before, item);
        count(pqueue, -1);
    }
    bz_mutex_unlock(&pqueue->lock);
    return item ? item->job : NULL;
}

bool bz_pqueue_has_allowed(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg) {
    struct bz_pqueue_item **head, *before;
    bz_mutex_lock(&pqueue->lock);
    bool found = find(pqueue, may_take, arg, &head, &before);
    bz_mutex_unlock(&pqueue->lock);
    return found;
}
