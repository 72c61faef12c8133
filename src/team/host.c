#include "team/host.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/atomic.h"
#include "os/os.h"
#include "team/thread_cache.h"

/* Host threads alive. Each counts itself up and down. */
static struct bz_a32 hosts;

/* For the end of an adopted thread. Written by all host threads, always the same; read by them at their end. */
static struct { void (*v)(void *); } adopted;

/* Stands for the worker of a registered main thread. */
static char registered;

static void host_ended(void *arg) {
    if (arg != &registered)
        bz_load_relaxed (&adopted)(arg);      /* relaxed: this thread has written it */
    if (bz_fetch_sub_acq_rel(&hosts, 1) == 1) /* H1: pairs with H1 (that they are done with the cache) */
        bz_thread_cache_dismiss(true);
}

static int begin(void *arg) {
    bool counted = bz_os_thread_exit_arg();
    int error = bz_os_at_thread_exit(host_ended, arg);
    if (!error && !counted)
        bz_fetch_add_relaxed(&hosts, 1); /* relaxed: by H1, the thread's own end */
    return error;
}

void bz_host_register_main(void) {
    if (bz_os_thread_id() != bz_os_process_id() || begin(&registered))
        return;                                      /* or no key left: as if it were not registered */
    (void)bz_os_at_fork(NULL, NULL, bz_host_forget); /* a thread that bz_fork_init has not seen may fork */
}

int bz_host_begin(void (*ended)(void *), void *arg) {
    bz_store_relaxed(&adopted, ended); /* relaxed: read by this thread */
    return begin(arg);
}

void bz_host_forget(void) {
    bz_store_relaxed(&hosts, bz_os_thread_exit_arg() ? 1 : 0); /* relaxed: the only thread */
}
