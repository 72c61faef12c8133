/* Latches (src/sched/latch.[ch]): the waiter is not blocked forever, returns only after all sets, and no thread touches
 * a latch that is gone. */
#include "api/scope.h"
#include "check.h"
#include "os/os.h"
#include "sched/worker.h"

/* What latch.c calls of the worker. The owner parks as sleep.c does, without its counters. */
static struct bz_core_latch core;

void bz_worker_wake(struct bz_worker *worker) {
    check_that(worker == (struct bz_worker *)&core);
    if (bz_core_latch_set(&core))
        bz_os_futex_wake(&core.state.v, 1);
}

static void park(bool (*done)(void)) {
    while (!done()) {
        if (bz_core_latch_get_sleepy(&core) && !done() && bz_core_latch_fall_asleep(&core))
            while (bz_load_acquire(&core.state) == BZ_LATCH_SLEEPING)
                bz_os_futex_wait(&core.state.v, BZ_LATCH_SLEEPING);
        bz_core_latch_reset(&core);
    }
}

static struct bz_scope *count;
static unsigned written[2]; /* before the latch is set, read after the wait */

static void begin(void) {
    written[0] = written[1] = 0;
    core = (struct bz_core_latch){{BZ_LATCH_UNSET}};
    count = check_new(sizeof *count);
    *count = (struct bz_scope){.self = (struct bz_worker *)&core, .left = {2}};
}

static bool is_counted_down(void) {
    return bz_scope_is_done(count);
}

static void owner(void) {
    park(is_counted_down);
    check_that(written[0] == 1 && written[1] == 1);
    check_gone(count);
}

static void sets(unsigned i) {
    written[i] = 1;
    bz_scope_end_task(count);
}
static void first_sets(void) {
    sets(0);
}
static void second_sets(void) {
    sets(1);
}
static void both_set(void) {
    bz_fetch_add_relaxed(&count->left, 1);
    sets(0);
    sets(1);
    bz_scope_end_task(count);
}
static void passes_by(void) {
    bz_worker_wake((struct bz_worker *)&core);
}

static const struct check_test tests[] = {
    {"count", begin, {owner, both_set}, NULL, -1, 1},
    {"count_two", begin, {owner, first_sets, second_sets}, NULL, 4, 1},
    {"count_passer_by", begin, {owner, both_set, passes_by}, NULL, 3, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
