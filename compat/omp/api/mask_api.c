/* mask_api.c: the C library's functions that set a thread's mask, which the library has, too: how many threads suit the
 * process follows from it (icv/procs.h). */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "omp/base/export.h"
#include "omp/icv/procs.h"
#include "omp/team/caller.h"
#include "runtime.h"

/* The C library's. Written by the constructor, or by whoever comes before it, with the same values. */
static struct { __typeof__(&sched_setaffinity) v; } real_sched;
static struct { __typeof__(&pthread_setaffinity_np) v; } real_pthread;

__attribute__((constructor)) static void find_real(void) {
    __typeof__(real_sched.v) of_process;
    __typeof__(real_pthread.v) of_thread;
    *(void **)&of_process = dlsym(RTLD_NEXT, "sched_setaffinity");
    *(void **)&of_thread = dlsym(RTLD_NEXT, "pthread_setaffinity_np");
    bz_store_relaxed(&real_sched, of_process); /* relaxed: constants of the C library's */
    bz_store_relaxed(&real_pthread, of_thread);
}

/* Only of a thread of the program's it may be asked where it is: one of ours, which moves, may sleep between regions. */
static struct bomp_mask_change begin(uint32_t thread) {
    struct bomp_mask_change change = bomp_mask_begin(thread);
    if (change.counts && change.own && bomp_active_level() > 0)
        bomp_mask_pin(&change);
    return change;
}

BOMP_EXPORT int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set) {
    if (!bz_load_relaxed(&real_sched))
        find_real();
    if (!bz_load_relaxed(&real_sched)) {
        errno = ENOSYS;
        return -1;
    }
    struct bomp_mask_change change = begin(pid == 0 ? bz_os_thread_id() : (uint32_t)pid);
    int result = bz_load_relaxed(&real_sched)(pid, size, set);
    bomp_mask_end(&change, result == 0);
    return result;
}

/* Of another thread we do not know whether it is the main one: then its mask is measured, unless that is a pin. */
BOMP_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
    if (!bz_load_relaxed(&real_pthread))
        find_real();
    if (!bz_load_relaxed(&real_pthread))
        return ENOSYS;
    struct bomp_mask_change change = begin(pthread_equal(thread, pthread_self()) ? bz_os_thread_id() : 0);
    int result = bz_load_relaxed(&real_pthread)(thread, size, set);
    bomp_mask_end(&change, result == 0);
    return result;
}
