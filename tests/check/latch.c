/* Latches (src/sched/latch.[ch]): the waiter is not blocked forever, returns only when all have set, and nobody touches a
 * latch that is gone. */
#include "sched/latch.h"
#include "check.h"
#include "os/os.h"
#include "sched/worker.h"
#include "wait/load.h"

/* What latch.c calls of the worker and of load.c. The owner parks as sleep.c does, without its counters. */
static struct bz_core_latch core;

bool bz_worker_wake(struct bz_worker *worker) {
    check_that(worker == (struct bz_worker *)&core);
    bool slept = bz_core_latch_set(&core);
    if (slept)
        bz_os_futex_wake(&core.state.v, 1);
    return slept;
}

void bz_awake_add(int delta) {
    (void)delta;
}

static void park(bool (*done)(void)) {
    while (!done()) {
        if (bz_core_latch_get_sleepy(&core) && !done() && bz_core_latch_fall_asleep(&core))
            while (bz_load_acquire(&core.state) == BZ_LATCH_SLEEPING)
                bz_os_futex_wait(&core.state.v, BZ_LATCH_SLEEPING);
        bz_core_latch_reset(&core);
    }
}

static struct bz_count_latch *count;
static struct bz_once_latch *once;
static struct bz_aflag second; /* the once latch is for the second wait */
static unsigned written[2];    /* before the latch is set, read after the wait */

static void begin(void) {
    written[0] = written[1] = 0;
    core = (struct bz_core_latch){{BZ_LATCH_UNSET}};
    second = (struct bz_aflag){false};
    count = check_new(sizeof *count);
    once = check_new(sizeof *once);
    bz_count_latch_init(count, (struct bz_worker *)&core, 2);
    bz_once_latch_init(once);
}

static bool is_counted_down(void) {
    return bz_count_latch_probe(count);
}

static void owner(void) {
    park(is_counted_down);
    check_that(written[0] == 1 && written[1] == 1);
    check_gone(count);
}

static void sets(unsigned i) {
    written[i] = 1;
    bz_count_latch_down(count);
}
static void first_sets(void) {
    sets(0);
}
static void second_sets(void) {
    sets(1);
}
static void both_set(void) {
    bz_count_latch_up(count, 1);
    sets(0);
    sets(1);
    bz_count_latch_down(count);
}
static void passes_by(void) {
    bz_worker_wake((struct bz_worker *)&core);
}

static void once_waiter(void) {
    bz_once_latch_wait(once);
    check_that(written[0] == 1);
    check_gone(once);
}
static void once_prober(void) {
    if (bz_once_latch_probe(once))
        check_that(written[0] == 1);
}
static void once_setter(void) {
    written[0] = 1;
    bz_once_latch_set(once);
}

/* The same address again: a late wake is a spurious one. */
static void waits_twice(void) {
    bz_once_latch_wait(once);
    check_that(written[0] == 1);
    bz_once_latch_init(once);
    bz_store_release(&second, true);
    bz_once_latch_wait(once);
    check_that(written[1] == 1);
}
static void sets_second_later(void) {
    while (!bz_load_acquire(&second))
        bz_cpu_relax();
    written[1] = 1;
    bz_once_latch_set(once);
}

static const struct check_test tests[] = {
    {"once", begin, {once_waiter, once_setter}, NULL, -1, 1},
    {"once_probe", begin, {once_prober, once_setter}, NULL, -1, 0},
    {"once_twice", begin, {waits_twice, once_setter, sets_second_later}, NULL, 4, 1},
    {"count", begin, {owner, both_set}, NULL, -1, 1},
    {"count_two", begin, {owner, first_sets, second_sets}, NULL, 4, 1},
    {"count_passer_by", begin, {owner, both_set, passes_by}, NULL, 3, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
