#include "event.h"

#include "bomp.h"
#include "task.h"
#include "task_inner.h"

static struct bomp_event nobodys; /* its address is all that matters */

static uint32_t mark_of(const struct bomp_event *event) {
    return (uint32_t)((uintptr_t)event >> 3) ^ 0xe7e27u;
}

void bomp_event_init(struct bomp_event *event, struct bomp_task *task, struct bz_worker *self) {
    bz_store_relaxed(&event->state,
                     task ? 0 : BOMP_EVENT_WAITED); /* relaxed, both: the program passes it on */
    bz_store_relaxed(&event->mark, mark_of(event));
    event->domain = self->domain;
    if (task)
        event->task = task;
    else
        event->waiter = self;
}

void *bomp_event_of_nobody(void) {
    return &nobodys;
}

void bomp_event_end(struct bomp_event *event) {
    bz_store_relaxed(&event->mark, 0); /* relaxed: helps to find mistakes, no more */
}

bool bomp_event_body_ended(struct bomp_event *event) {
    /* E1: pairs with E1 (what the other side did before) */
    return bz_fetch_or_acq_rel(&event->state, BOMP_EVENT_ENDED) & BOMP_EVENT_FULFILLED;
}

bool bomp_event_discard(struct bomp_event *event) {
    return bz_fetch_or_acq_rel(&event->state, BOMP_EVENT_DISCARDED) &
           BOMP_EVENT_FULFILLED; /* E1: pairs with E1 */
}

bool bomp_event_is_fulfilled(const struct bomp_event *event) {
    return bz_load_acquire(&event->state) & BOMP_EVENT_FULFILLED; /* E2: pairs with E1 */
}

static void complete(struct bomp_task *task, struct bz_domain *domain) {
    if (bz_self && bz_self->domain == domain)
        bomp_task_complete_here(task, bz_self); /* a team of one may not look for long */
    else
        bz_domain_put_from_outside(domain, bomp_task_late_item(task));
}

/* The side of the program; `domain` is being visited. */
static void fulfill(struct bomp_event *event, struct bz_domain *domain) {
    struct bomp_task *task = event->task; /* read first: the event may be gone once the bit is set */
    struct bz_worker *waiter = event->waiter;
    bz_tsan_before(event);
    uint32_t before = bz_fetch_or_acq_rel(&event->state, BOMP_EVENT_FULFILLED); /* E1: pairs with E1 and E2 */
    if (before & BOMP_EVENT_FULFILLED)
        bz_warn("omp_fulfill_event: the event has been fulfilled before: ignored");
    else if (before & BOMP_EVENT_WAITED)
        bz_worker_wake(waiter);
    else if ((before & BOMP_EVENT_ENDED) && !(before & BOMP_EVENT_DISCARDED))
        complete(task, domain);
}

void bomp_event_fulfill(void *handle) {
    struct bomp_event *event = handle;
    if (event == &nobodys)
        return;
    if (!event || (uintptr_t)event % _Alignof(struct bomp_event) != 0 ||
        bz_load_relaxed(&event->mark) != mark_of(event)) { /* relaxed: constant as long as the event is */
        bz_warn("omp_fulfill_event: %p is no event, or it has been fulfilled before: ignored", handle);
        return;
    }
    struct bz_domain *domain = event->domain;
    bz_domain_visit(domain);
    fulfill(event, domain);
    bz_domain_leave(domain);
}
