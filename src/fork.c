#include "fork.h"

#include <pthread.h>

#include "atomic.h"
#include "crew.h"
#include "fence.h"
#include "gang.h"
#include "os/cpus.h"
#include "os/os.h"
#include "sleep.h"

static struct bz_a32 generation; /* written in the child of a fork, while it has one thread */

uint32_t bz_fork_generation(void) {
    return bz_load_relaxed(&generation);
}

static void prepare(void) {
    bz_crew_lock();
    bz_gang_lock();
}

static void parent(void) {
    bz_gang_unlock();
    bz_crew_unlock();
}

static void child(void) {
    bz_store_relaxed(&generation, bz_load_relaxed(&generation) + 1);
    bz_unpin(); /* nor may a program that this process turns into inherit the parent's pin */
    bz_gang_forget();
    bz_crew_forget();
    bz_awake_reset();
    bz_gang_unlock();
    bz_crew_unlock();
    bz_fence_init();
}

static void init(void) {
    bz_os_at_fork(prepare, parent, child);
    bz_fence_init();
}

void bz_fork_init(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init);
}
