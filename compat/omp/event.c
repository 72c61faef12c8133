#include "event.h"

#include "bomp.h"
#include "task.h"
#include "task_inner.h"

static struct bomp_event nobodys; /* its address is all that matters */
static struct bz_a32 serials;     /* events so far: relaxed, they only shall differ */

/* A handle is an address, with a serial number in the bits above those that addresses have. */
#define ADDRESS_BITS 48

static uint32_t mark_of(uintptr_t handle) {
    return (uint32_t)(handle >> 3) ^ (uint32_t)(handle >> ADDRESS_BITS) * 0x9e3779b1u ^ 0xe7e27u;
}

void *bomp_event_init(struct bomp_event *event, struct bomp_task *task, struct bz_worker *self) {
    uintptr_t serial = bz_fetch_add_relaxed(&serials, 1);
    uintptr_t handle = (uintptr_t)event | serial << ADDRESS_BITS;
    bz_store_relaxed(&event->state,
                     task ? 0 : BOMP_EVENT_WAITED); /* relaxed, both: the program passes it on */
    bz_store_relaxed(&event->mark, mark_of(handle));
    event->domain = self->domain;
    if (task)
        event->task = task;
    else
        event->waiter = self;
    return (void *)handle;
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
    if (handle == &nobodys)
        return;
    uintptr_t address = (uintptr_t)handle & (((uintptr_t)1 << ADDRESS_BITS) - 1);
    struct bomp_event *event = (struct bomp_event *)address;
    if (!event || address % _Alignof(struct bomp_event) != 0 ||
        bz_load_relaxed(&event->mark) !=
            mark_of((uintptr_t)handle)) { /* relaxed: constant as long as the event is */
        bz_warn("omp_fulfill_event: %p is no event, or it has been fulfilled before: ignored", handle);
        return;
    }
    struct bz_domain *domain = event->domain;
    bz_domain_visit(domain);
    fulfill(event, domain);
    bz_domain_leave(domain);
}
