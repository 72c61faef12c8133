/* heritage.c: see heritage.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/heritage.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/context.h"
#include "os/cpus.h"
#include "os/os.h"

/* What sched_getattr and sched_setattr take; the C library has neither. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

#define RESET_ON_FORK UINT64_C(1)

static bool ask(uint32_t thread, struct attributes *attributes) {
    *attributes = (struct attributes){.size = sizeof *attributes}; /* valgrind looks at it */
    return syscall(SYS_sched_getattr, thread, attributes, sizeof *attributes, 0) == 0;
}

/* What a thread that the caller creates would have. False: the system does not say. */
static bool own_attributes(struct attributes *attributes) {
    if (!ask(0, attributes))
        return false;
    bool resets = (attributes->flags & RESET_ON_FORK) != 0;
    bool special = attributes->policy != SCHED_OTHER && attributes->policy != SCHED_BATCH &&
                   attributes->policy != SCHED_IDLE;
    bool real_time = attributes->policy == SCHED_FIFO || attributes->policy == SCHED_RR;
    if (special && (resets || !real_time))
        *attributes = (struct attributes){.size = sizeof *attributes, .policy = SCHED_OTHER};
    if (resets && attributes->nice < 0)
        attributes->nice = 0;
    attributes->flags = 0;
    return true;
}

static bool give_attributes(uint32_t thread) {
    struct attributes own, its;
    if (!own_attributes(&own) || !ask(thread, &its))
        return true;
    if (own.policy == its.policy && own.nice == its.nice && own.priority == its.priority &&
        (its.flags & RESET_ON_FORK) == 0)
        return true;
    return syscall(SYS_sched_setattr, thread, &own, 0) == 0;
}

bool bz_heritage_give(uint32_t thread, struct bz_heritage *heritage) {
    int saved = errno;
    heritage->control = bz_os_control();
    (void)pthread_sigmask(SIG_BLOCK, NULL, &heritage->blocked);
    bool given = give_attributes(thread) && bz_cpus_give(thread);
    errno = saved;
    return given;
}

void bz_heritage_take(const struct bz_heritage *heritage, const char *name) {
    int saved = errno;
    bz_os_renew_control(heritage->control);
    (void)pthread_sigmask(SIG_SETMASK, &heritage->blocked, NULL);
    bz_os_thread_rename(name);
    (void)prctl(PR_SET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL); /* what it began with */
    errno = saved;
}
