/* turn.c: see turn.h.
 *
 *   sleeper   count itself (OR3); read the eventcount (OR6); announce; ask whether its turn has come; sleep if neither
 *   waker     make it come; if it may be that somebody sleeps: advance the eventcount (OR7), wake all who sleep on it
 *
 * How the waker sees whoever may sleep is the loop's protocol. A waker that does not see the sleeper has made the turn come
 * before the sleeper asks. One that does advances the eventcount: if the sleeper has read it before that, it does not fall
 * asleep or is woken; if after that, it sees the turn by OR6.
 *
 * Pairing table
 *   OR6 parks_for_turn   OR7 bomp_turn_notify   the turn that the eventcount was advanced for */
#include "omp/loop/turn.h"

static bool parks_for_turn(void *arg, uint32_t *value) {
    const struct bomp_turn *turn = arg;
    *value = bz_load_acquire(turn->eventcount); /* OR6: pairs with OR7 */
    return !turn->announce(turn) && !turn->is_over(turn);
}

static void count_sleeper(void *arg, bool in) {
    struct bz_a32 *sleepers = ((struct bomp_turn *)arg)->sleepers;
    if (in)
        bz_fetch_add_seq_cst(sleepers, 1); /* OR3: pairs with OR5, MG3 and CN3 */
    else
        bz_fetch_sub_relaxed(sleepers, 1); /* relaxed: counted for too long is harmless */
}

BZ_COLD void bomp_turn_sleep(struct bomp_turn *turn) {
    const struct bz_waiter waiter = {
        .parks = parks_for_turn, .count = count_sleeper, .word = &turn->eventcount->v, .arg = turn};
    (void)bz_waiter_park(&waiter, 0);
}

void bomp_turn_notify(struct bz_a32 *eventcount) {
    bz_fetch_add_release(eventcount, 1); /* OR7: pairs with OR6 */
    bz_os_futex_wake(&eventcount->v, INT_MAX);
}
