#include "team/fork.h"

#include <pthread.h>

#include "os/os.h"
#include "sched/domain.h"
#include "sched/worker.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/load.h"
#include "wait/thread.h"

/* After that of thread.c. The layers below come first, code that starts and stops threads last. */
static void child(void) {
    bz_domain_forget();
    bz_team_forget();
    bz_thread_cache_forget();
    bz_host_forget();
    bz_awake_reset(!bz_is_outside(bz_self)); /* a host thread outside of all counts for nothing */
}

static void init(void) {
    bz_thread_init();
    bz_os_at_fork(NULL, NULL, child);
}

void bz_fork_init(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init);
}
