#include "crew.h"

#include <errno.h>
#include <stdlib.h>

#include "gang.h"
#include "mutex.h"
#include "os/cpus.h"
#include "os/os.h"
#include "sleep.h"

/* Stays when its thread ends, for the next one. */
struct crew_thread {
    struct bz_a32
        assigned; /* 0: idle, waits here; 1: main and arg are for it. Set by the giver, cleared by the thread */
    void (*main)(void *); /* NULL: the thread ends. Written by the giver before `assigned` */
    void *arg;
    struct crew_thread *next;       /* in the idle list, or in that of the ended; under the lock */
    struct crew_thread *next_known; /* in the list of all; under the lock */
};

static struct {
    struct bz_a32 lock;       /* guards all below */
    struct crew_thread *idle; /* last come, first taken: its stack is warm */
    struct crew_thread *ended;
    unsigned size;     /* threads alive */
    unsigned expected; /* of these, told to leave their places and not yet idle */
    size_t stack;      /* bytes for new ones */
    /* All that were ever created. Descriptors stay, also after a fork, without their threads: one of these may just
     * have been reading its own. */
    struct crew_thread *known;
} crew;

static void give(struct crew_thread *thread, void (*main)(void *), void *arg) {
    thread->main = main;
    thread->arg = arg;
    bz_store_release(&thread->assigned, 1); /* K1: pairs with K2 */
    bz_os_futex_wake(&thread->assigned.v, 1);
}

static void become_idle(struct crew_thread *thread) {
    bz_store_relaxed(&thread->assigned, 0); /* relaxed: given again only after the lock below */
    bz_mutex_lock(&crew.lock);
    if (crew.expected > 0)
        crew.expected--;
    thread->next = crew.idle;
    crew.idle = thread;
    bz_mutex_unlock(&crew.lock);
}

static void retire(struct crew_thread *thread) {
    bz_mutex_lock(&crew.lock);
    thread->next = crew.ended;
    crew.ended = thread;
    bz_mutex_unlock(&crew.lock);
}

static void crew_main(void *arg) {
    struct crew_thread *self = arg;
    while (self->main) {
        bz_awake_add(1);
        self->main(self->arg);
        bz_unpin();
        bz_awake_add(-1);
        become_idle(self);
        while (!bz_load_acquire(&self->assigned)) /* K2: pairs with K1 */
            bz_os_futex_wait(&self->assigned.v, 0);
    }
    retire(self);
}

/* For a new thread: that of one that has ended, or a new one. */
static struct crew_thread *descriptor(void) {
    bz_mutex_lock(&crew.lock);
    struct crew_thread *thread = crew.ended;
    if (thread)
        crew.ended = thread->next;
    bz_mutex_unlock(&crew.lock);
    if (thread || !(thread = malloc(sizeof *thread)))
        return thread;
    *thread = (struct crew_thread){0};
    bz_mutex_lock(&crew.lock);
    thread->next_known = crew.known;
    crew.known = thread;
    bz_mutex_unlock(&crew.lock);
    return thread;
}

static int create(void (*main)(void *), void *arg, size_t stack) {
    struct crew_thread *thread = descriptor();
    if (!thread)
        return ENOMEM;
    bz_store_relaxed(&thread->assigned, 1); /* relaxed, all: before the thread starts */
    thread->main = main;
    thread->arg = arg;
    struct bz_os_thread_attr attr = {.stack_size = stack, .name = "blitz", .detached = true};
    struct bz_os_thread handle;
    int error = bz_os_thread_start(&handle, &attr, crew_main, thread);
    if (error)
        retire(thread);
    return error;
}

int bz_crew_run(void (*main)(void *), void *arg) {
    bz_mutex_lock(&crew.lock);
    while (!crew.idle && crew.size > 0 && (crew.expected > 0 || bz_gang_recall_one(&crew.expected))) {
        bz_mutex_unlock(&crew.lock); /* one is on its way: it has no user code left to run */
        bz_os_yield();
        bz_mutex_lock(&crew.lock);
    }
    struct crew_thread *thread = crew.idle;
    if (thread)
        crew.idle = thread->next;
    else
        crew.size++;
    size_t stack = crew.stack;
    bz_mutex_unlock(&crew.lock);
    if (thread) {
        give(thread, main, arg);
        return 0;
    }
    int error = create(main, arg, stack);
    if (error) {
        bz_mutex_lock(&crew.lock);
        crew.size--;
        bz_mutex_unlock(&crew.lock);
    }
    return error;
}

void bz_crew_expect(unsigned n) {
    bz_mutex_lock(&crew.lock);
    crew.expected += n;
    bz_mutex_unlock(&crew.lock);
}

void bz_crew_dismiss(void) {
    bz_mutex_lock(&crew.lock);
    while (crew.expected > 0) {
        bz_mutex_unlock(&crew.lock); /* on their way, with no user code left to run */
        bz_os_yield();
        bz_mutex_lock(&crew.lock);
    }
    struct crew_thread *idle = crew.idle;
    crew.idle = NULL;
    for (struct crew_thread *thread = idle; thread; thread = thread->next)
        crew.size--;
    bz_mutex_unlock(&crew.lock);
    while (idle) {
        struct crew_thread *next = idle->next;
        give(idle, NULL, NULL);
        idle = next;
    }
}

void bz_crew_set_stack(size_t bytes) {
    bz_mutex_lock(&crew.lock);
    crew.stack = bytes;
    bz_mutex_unlock(&crew.lock);
}

unsigned bz_crew_size(void) {
    bz_mutex_lock(&crew.lock);
    unsigned size = crew.size;
    bz_mutex_unlock(&crew.lock);
    return size;
}

void bz_crew_lock(void) {
    bz_mutex_lock(&crew.lock);
}

void bz_crew_unlock(void) {
    bz_mutex_unlock(&crew.lock);
}

void bz_crew_forget(void) {
    crew.idle = NULL;
    crew.size = 0;
    crew.expected = 0;
}
