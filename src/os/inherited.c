#include "os/inherited.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/context.h"
#include "os/cpus.h"
#include "os/os.h"

/* Of sched_getattr and sched_setattr, which the C library lacks. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static bool get_attributes(uint32_t thread, struct attributes *attributes) {
    *attributes = (struct attributes){.size = sizeof *attributes}; /* valgrind checks it */
    return syscall(SYS_sched_getattr, thread, attributes, sizeof *attributes, 0) == 0;
}

/* A new thread of the caller would not have all of them if one is a flag, such as a reset at forks, or a deadline. */
static bool give_attributes(uint32_t thread) {
    struct attributes own, its;
    if (!get_attributes(0, &own) || !get_attributes(thread, &its))
        return true;
    if (own.flags != 0 || own.policy == SCHED_DEADLINE)
        return false;
    return (own.policy == its.policy && own.nice == its.nice && own.priority == its.priority &&
            its.flags == 0) ||
           syscall(SYS_sched_setattr, thread, &own, 0) == 0;
}

bool bz_inherited_give(uint32_t thread, struct bz_inherited *inherited) {
    BZ_KEEP_ERRNO;
    inherited->control = bz_os_control();
    (void)pthread_sigmask(SIG_BLOCK, NULL, &inherited->blocked);
    return give_attributes(thread) && bz_cpus_give(thread);
}

void bz_inherited_take(const struct bz_inherited *inherited) {
    BZ_KEEP_ERRNO;
    bz_os_renew_control(inherited->control);
    (void)pthread_sigmask(SIG_SETMASK, &inherited->blocked, NULL);
    (void)prctl(PR_SET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL); /* its first value */
}
