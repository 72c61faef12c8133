/* The biased count (src/base/tally.h): a wait always returns, after all children are done, and the memory of the tally
 * is released once, at last. The owner sleeps as the layer above does. */
#include "base/tally.h"
#include "check.h"
#include "os/os.h"
#include "sched/latch.h"

struct holder {
    struct bz_tally tally;
};
static struct holder *holder;
static struct bz_core_latch owner;
static unsigned done[3]; /* written before a child ends */
static struct bz_a32 begotten;

static void make(unsigned children) {
    holder = check_new(sizeof *holder);
    owner = (struct bz_core_latch){{BZ_LATCH_UNSET}};
    done[0] = done[1] = done[2] = begotten.v = 0;
    bz_tally_init(&holder->tally);
    for (unsigned i = 0; i < children; i++)
        bz_tally_add(&holder->tally);
}
static void begin_one(void) {
    make(1);
}
static void begin_two(void) {
    make(2);
}

/* The last access: none may come later. */
static void release(unsigned children) {
    for (unsigned i = 0; i < children; i++)
        check_that(done[i] == 1);
    check_gone(holder);
}

static void child_ends(unsigned i) {
    done[i] = 1;
    switch (bz_tally_sub_shared(&holder->tally)) {
    case BZ_TALLY_WAKE:
        if (bz_core_latch_set(&owner))
            bz_os_futex_wake(&owner.state.v, 1);
        break;
    case BZ_TALLY_RELEASE:
        release(2);
        break;
    default:
        break;
    }
}
static void first_ends(void) {
    child_ends(0);
}
static void second_ends(void) {
    child_ends(1);
}
static void begets_another(void) {
    bz_tally_add_shared(&holder->tally);
    child_ends(0);
    child_ends(2);
}

static void wait_for_all(void) {
    struct bz_tally *tally = &holder->tally;
    if (bz_tally_none(tally))
        return;
    bz_tally_set_waiting(tally);
    while (!bz_tally_none(tally)) {
        if (bz_core_latch_get_sleepy(&owner) && !bz_tally_none(tally) && bz_core_latch_fall_asleep(&owner))
            while (bz_load_acquire(&owner.state) == BZ_LATCH_SLEEPING)
                bz_os_futex_wait(&owner.state.v, BZ_LATCH_SLEEPING);
        bz_core_latch_reset(&owner);
    }
    bz_tally_clear_waiting(tally);
}
static void waits_for_one(void) {
    wait_for_all();
    release(1);
}
static void waits_for_two(void) {
    wait_for_all();
    release(2);
}
static void waits_for_three(void) {
    wait_for_all();
    release(3);
}
static void does_its_own_and_waits(void) {
    done[1] = 1;
    bz_tally_sub(&holder->tally);
    waits_for_two();
}
static void ends(void) {
    if (bz_tally_none(&holder->tally) || bz_tally_end(&holder->tally))
        release(2);
}
static void checks_and_waits(void) {
    done[1] = 1;
    bz_tally_sub(&holder->tally);
    if (bz_tally_peek_none(&holder->tally))
        check_that(done[0] == 1);
    waits_for_two();
}
/* A member that another one has created ends on the owner's thread. */
static void begets_for_owner(void) {
    bz_tally_add_shared(&holder->tally);
    bz_store_release(&begotten, 1);
    child_ends(0);
}
static void ends_begotten(void) {
    if (!bz_load_acquire(&begotten))
        return;
    bz_tally_sub(&holder->tally);
    if (bz_tally_untouched(&holder->tally))
        check_that(done[0] == 1);
}

static const struct check_test tests[] = {
    {"wait", begin_one, {waits_for_one, first_ends}, NULL, -1, 1},
    {"wait_for_two", begin_two, {waits_for_two, first_ends, second_ends}, NULL, 3, 0},
    {"own", begin_two, {does_its_own_and_waits, first_ends}, NULL, -1, 0},
    {"peeks", begin_two, {checks_and_waits, first_ends}, NULL, -1, 0},
    {"untouched", begin_one, {ends_begotten, begets_for_owner}, NULL, -1, 0},
    {"group", begin_two, {waits_for_three, begets_another, second_ends}, NULL, 2, 0},
    {"end", begin_two, {ends, first_ends, second_ends}, NULL, -1, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
