/* Probes of deque.h. deque.push_pop and deque.push_pop_public are one push and the pop that takes it back,
 * deque.steal_quiet a public push and a steal by the same thread; deque.steal is a steal while the owner pushes on
 * another thread. */
#include "sched/deque.h"

#include <pthread.h>

#include "os/os.h"
#include "probe.h"

enum { CAPACITY = 4096, FILLED = 2048 };

static struct bz_deque deque;
static struct bz_job job;
static struct bz_a32 stop; /* set by the thief, read by the owner */
static pthread_t owner;

static void open_deque(void) {
    bz_deque_init(&deque, CAPACITY);
    if (!bz_deque_reserve(&deque))
        probe_fail("no memory for a deque");
}
static void close_deque(void) {
    bz_deque_destroy(&deque);
}

static void push_pop(uint64_t times) {
    for (uint64_t i = 0; i < times; i++) {
        bz_deque_push(&deque, &job);
        if (bz_deque_pop(&deque) != &job)
            probe_fail("a pop did not give what was pushed");
    }
}

static void push_pop_public(uint64_t times) {
    for (uint64_t i = 0; i < times; i++) {
        bz_deque_push_public(&deque, &job);
        if (bz_deque_pop(&deque) != &job)
            probe_fail("a pop did not give what was pushed");
    }
}

static void steal_quiet(uint64_t times) {
    struct bz_job *got;
    for (uint64_t i = 0; i < times; i++) {
        bz_deque_push_public(&deque, &job);
        if (bz_deque_steal(&deque, NULL, NULL, &got) != BZ_STEAL_TAKEN)
            probe_fail("a steal found nothing");
    }
}

/* Keeps the deque filled. */
static void *owner_main(void *arg) {
    (void)arg;
    while (!bz_load_relaxed(&stop)) {
        if (bz_deque_size(&deque) >= FILLED)
            bz_os_yield();
        else
            bz_deque_push_public(&deque, &job);
    }
    return NULL;
}

static void open_owner(void) {
    open_deque();
    bz_store_relaxed(&stop, 0); /* relaxed: exposed by the thread's start */
    if (pthread_create(&owner, NULL, owner_main, NULL))
        probe_fail("no thread");
}
static void close_owner(void) {
    bz_store_relaxed(&stop, 1); /* relaxed: nothing comes with it */
    pthread_join(owner, NULL);
    close_deque();
}

static void steal(uint64_t times) {
    struct bz_job *got;
    for (uint64_t i = 0; i < times; i++)
        while (bz_deque_steal(&deque, NULL, NULL, &got) != BZ_STEAL_TAKEN)
            bz_cpu_relax();
}

static const struct probe probes[] = {
    {"deque.push_pop", open_deque, push_pop, close_deque},
    {"deque.push_pop_public", open_deque, push_pop_public, close_deque},
    {"deque.steal_quiet", open_deque, steal_quiet, close_deque},
    {"deque.steal", open_owner, steal, close_owner},
};
const struct probe_list probe_deque = {probes, sizeof probes / sizeof *probes};
