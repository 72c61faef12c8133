/* os_thread.h: a thread of bz_os_thread_start whose end a test awaits. */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomic.h"
#include "os/os.h"

struct os_thread {
    void (*main)(void *arg);
    void *arg;
    struct bz_a32 id;
    struct bz_aflag returned; /* from main */
};

static inline void os_thread_main(void *raw) {
    struct os_thread *thread = raw;
    bz_store_release(&thread->id, bz_os_thread_id());
    thread->main(thread->arg);
    bz_store_release(&thread->returned, true);
}

/* `attr` may be NULL. */
static inline int os_thread_start(struct os_thread *thread, const struct bz_os_thread_attr *attr,
                                  void (*main)(void *), void *arg) {
    static const struct bz_os_thread_attr defaults;
    *thread = (struct os_thread){.main = main, .arg = arg};
    return bz_os_thread_start(attr ? attr : &defaults, os_thread_main, thread);
}

/* The thread may have ended without a return from main. */
static inline void os_thread_join(struct os_thread *thread) {
    while (bz_load_acquire(&thread->id) == 0)
        sched_yield();
    while (syscall(SYS_tgkill, getpid(), bz_load_relaxed(&thread->id), 0) == 0)
        sched_yield();
    (void)bz_load_acquire(&thread->returned);
}

#endif
