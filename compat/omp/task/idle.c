#include "omp/task/idle.h"

bool bomp_idle_sleep(struct bz_a32 *lock, struct bomp_idle **list, uint64_t ns) {
    struct bomp_idle me = {.next = *list};
    uint64_t deadline = bz_os_now_ns() + ns;
    *list = &me;
    bz_mutex_unlock(lock);
    bz_awake_add(-1);
    while (!bz_load_relaxed(&me.called) && bz_os_now_ns() < deadline) /* relaxed: decided under the lock */
        (void)bz_os_futex_wait_until(&me.called.v, 0, deadline);
    bz_awake_add(1);
    bz_mutex_lock(lock);
    if (bz_load_relaxed(&me.called)) /* relaxed: under the lock */
        return true;
    while (*list != &me)
        list = &(*list)->next;
    *list = me.next;
    return false;
}

struct bomp_idle *bomp_idle_call(struct bomp_idle **list) {
    struct bomp_idle *idle = *list;
    if (idle) {
        *list = idle->next;
        bz_store_relaxed(&idle->called, 1); /* relaxed: under the lock */
    }
    return idle;
}

/* It may be gone by now. */
void bomp_idle_wake(struct bomp_idle *idle) {
    bz_os_futex_wake(&idle->called.v, 1);
}
