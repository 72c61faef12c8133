#include "omp/task/event.h"

#include "omp/bomp.h"
#include "omp/task/task.h"
#include "omp/task/task_inner.h"
#include "omp/tool/hooks.h"

static struct bomp_event nobodys; /* only its address matters */
static struct bz_a32 serials;     /* events so far: relaxed, numbers must only differ */
/* Handles of discarded tasks that may still be fulfilled: relaxed, ordered by the event's word. */
static struct bz_a32 orphans;

/* A handle is an address with a serial number above it. */
#define ADDRESS_BITS 48

static uint64_t mark_of(uintptr_t handle) {
    uint32_t mark = (uint32_t)(handle >> 3) ^ (uint32_t)(handle >> ADDRESS_BITS) * 0x9e3779b1u ^ 0xe7e27u;
    return (uint64_t)(mark | 1) << 32;
}

static bool has_mark(uint64_t word, uint64_t mark) {
    return word >> 32 == mark >> 32;
}

void *bomp_event_init(struct bomp_event *event, struct bomp_task *task, struct bz_worker *self) {
    uintptr_t serial = bz_fetch_add_relaxed(&serials, 1);
    uintptr_t handle = (uintptr_t)event | serial << ADDRESS_BITS;
    bz_store_relaxed(&event->domain, bz_worker_domain(self)); /* relaxed, all: the program passes it on */
    bz_store_relaxed(&event->who, task ? (void *)task : self);
    bz_store_relaxed(&event->word, mark_of(handle) | (task ? 0 : BOMP_EVENT_WAITED));
    return (void *)handle;
}

/* A thread that fulfills it earlier only sets its bit. */
void bomp_event_await(struct bomp_event *event, struct bz_worker *self) {
    bz_store_relaxed(&event->who, self);                        /* relaxed: next */
    (void)bz_fetch_or_acq_rel(&event->word, BOMP_EVENT_WAITED); /* E1: pairs with E1 and E2 */
}

void bomp_event_known(struct bomp_event *event, struct bomp_tool_task *tool) {
    event->tool = tool;
    tool->event = event;
    /* E1: pairs with E1 and E2 (which is first; `tool`) */
    if (bz_fetch_or_acq_rel(&event->word, BOMP_EVENT_KNOWN) & BOMP_EVENT_FULFILLING)
        bomp_hooks->task->fulfill(tool, false);
}

void *bomp_event_of_no_task(void) {
    return &nobodys;
}

void bomp_event_end(struct bomp_event *event) {
    bz_store_relaxed(&event->word, 0); /* relaxed: only helps to find mistakes */
}

bool bomp_event_body_ended(struct bomp_event *event) {
    /* E1: pairs with E1 (what the other side did before) */
    return bz_fetch_or_acq_rel(&event->word, BOMP_EVENT_ENDED) & BOMP_EVENT_FULFILLED;
}

/* For tools: waits for the other side's report, between `begun` and `ended`. Returns the word. */
BZ_COLD static uint64_t await_side(const struct bomp_event *event, uint64_t begun, uint64_t ended) {
    uint64_t now;
    /* E2: pairs with E1 (what it reported) */
    while (((now = bz_load_acquire(&event->word)) & (begun | ended)) == begun)
        bz_os_yield();
    return now;
}

bool bomp_event_leave_body(struct bomp_event *event) {
    /* E1: pairs with E1 (which of both is first) */
    if (!(bz_fetch_or_acq_rel(&event->word, BOMP_EVENT_LEAVING) & BOMP_EVENT_FULFILLING))
        return false;
    (void)await_side(event, BOMP_EVENT_FULFILLING, BOMP_EVENT_FULFILLED);
    return true;
}

void bomp_event_left(struct bomp_event *event) {
    (void)bz_fetch_or_acq_rel(&event->word, BOMP_EVENT_LEFT); /* E1: pairs with E2 (what was reported) */
}

static bool end_orphan(void) {
    uint32_t left = bz_load_relaxed(&orphans);
    while (left > 0)
        if (bz_cas_relaxed(&orphans, &left, left - 1))
            return true;
    return false;
}

BZ_COLD static uint64_t take_away(struct bomp_event *event) {
    uint64_t before;
    do
        before = await_side(event, BOMP_EVENT_FULFILLING, BOMP_EVENT_FULFILLED);
    while (!bz_cas_acq_rel(&event->word, &before, 0)); /* E1: pairs with E1 and E2 */
    return before;
}

void bomp_event_discard(struct bomp_event *event) {
    bz_fetch_add_relaxed(&orphans, 1); /* first: who misses the mark finds this */
    uint64_t before = bz_likely(!bomp_hooks)
                          ? bz_exchange_acq_rel(&event->word, 0) /* E1: pairs with E1 and E2 */
                          : take_away(event);
    /* Before any later store to this memory: a thread that reads an overwritten `domain` misses the mark. */
    bz_fence_seq_cst(); /* E3: pairs with E4 */
    if (before & BOMP_EVENT_FULFILLED)
        (void)end_orphan();
}

bool bomp_event_is_fulfilled(void *arg) {
    const struct bomp_event *event = arg;
    return bz_load_acquire(&event->word) & BOMP_EVENT_FULFILLED; /* E2: pairs with E1 */
}

static void complete(struct bomp_task *task, struct bz_domain *domain) {
    if (bz_self && bz_worker_domain(bz_self) == domain)
        bomp_task_complete_here(task, bz_self); /* a team of one may not search for long */
    else
        bz_domain_put_from_outside(domain, bomp_task_late_item(task));
}

static void ignore(void *handle) {
    if (!end_orphan())
        bz_warn("omp_fulfill_event: event=%p: no such event, or already fulfilled; ignored", handle);
}

/* Reports to tools. The task and its event stay until it is fulfilled. */
BZ_COLD static void notify(struct bomp_event *event, uint64_t mark) {
    uint64_t before = bz_load_acquire(&event->word); /* E2: pairs with E1 (the orphan) */
    do {
        if (!has_mark(before, mark) || before & BOMP_EVENT_FULFILLING)
            return;
        /* E1: pairs with E1 (which is first) */
    } while (!bz_cas_acq_rel(&event->word, &before, before | BOMP_EVENT_FULFILLING));
    if (!(before & BOMP_EVENT_KNOWN)) /* its creator reports both */
        return;
    if (before & BOMP_EVENT_LEAVING)
        (void)await_side(event, BOMP_EVENT_LEAVING, BOMP_EVENT_LEFT);
    bomp_hooks->task->fulfill(event->tool, before & BOMP_EVENT_LEAVING);
}

/* The thread is in `domain` as an external one. False: the event is gone. */
static bool fulfill(struct bomp_event *event, uint64_t mark, struct bz_domain *domain) {
    void *who;
    bz_tsan_before(event);
    uint64_t before = bz_load_acquire(&event->word); /* E2: pairs with E1 (the orphan) */
    do {
        if (!has_mark(before, mark))
            return false;
        who = bz_load_relaxed(&event->who); /* relaxed: as `before` says; it may be gone after the bit */
        /* E1: pairs with E1 and E2 */
    } while (!bz_cas_acq_rel(&event->word, &before, before | BOMP_EVENT_FULFILLED));
    if (before & BOMP_EVENT_FULFILLED)
        bz_warn("omp_fulfill_event: already fulfilled; ignored");
    else if (before & BOMP_EVENT_WAITED)
        bz_worker_wake(who);
    else if (before & BOMP_EVENT_ENDED)
        complete(who, domain);
    return true;
}

static struct bz_domain *domain_of(struct bomp_event *event, uint64_t mark) {
    if (!has_mark(bz_load_acquire(&event->word), mark)) /* E2: pairs with E1 (the orphan) */
        return NULL;
    struct bz_domain *domain = bz_load_relaxed(&event->domain); /* relaxed: next */
    bz_fence_seq_cst();                                         /* E4: pairs with E3 */
    return has_mark(bz_load_relaxed(&event->word), mark) ? domain : NULL;
}

void bomp_event_fulfill(void *handle) {
    if (handle == &nobodys)
        return;
    uintptr_t address = (uintptr_t)handle & (((uintptr_t)1 << ADDRESS_BITS) - 1);
    struct bomp_event *event = (struct bomp_event *)address;
    uint64_t mark = mark_of((uintptr_t)handle);
    bool possible = event && address % _Alignof(struct bomp_event) == 0;
    struct bz_domain *domain = possible ? domain_of(event, mark) : NULL;
    if (!domain) {
        ignore(handle);
        return;
    }
    bz_domain_enter_external(domain);
    if (bz_unlikely(bomp_hooks))
        notify(event, mark);
    if (!fulfill(event, mark, domain))
        ignore(handle);
    bz_domain_leave_external(domain);
}
