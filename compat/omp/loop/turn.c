/* turn.c: see turn.h.
 *
 *   sleeper   count itself (OR3); read the eventcount (OR6); announce; sleep if the turn is not over
 *   waker     end the turn; if a member may sleep: advance the eventcount (OR7), wake all who sleep on it
 *
 * By the loop's protocol the waker sees the sleeper, or the sleeper sees that its turn is over. A waker that sees the
 * sleeper advances the eventcount. If the sleeper has read that before, the futex does not sleep or is woken; if after, the
 * sleeper sees by OR6 what the waker did.
 *
 * Pairing table
 *   OR6 parks_for_turn   OR7 bomp_turn_notify   the turn that the eventcount was advanced for */
#include "omp/loop/turn.h"

static bool parks_for_turn(void *arg, uint32_t *value) {
    const struct bomp_turn *turn = arg;
    *value = bz_load_acquire(turn->eventcount); /* OR6: pairs with OR7 */
    if (turn->announce)
        turn->announce(turn);
    return !turn->is_over(turn);
}

static void count_sleeper(void *arg, bool in) {
    struct bz_a32 *sleepers = ((struct bomp_turn *)arg)->sleepers;
    if (in)
        bz_fetch_add_seq_cst(sleepers, 1); /* OR3: pairs with OR5, MG3 and CN3 */
    else
        bz_fetch_sub_relaxed(sleepers, 1); /* relaxed: counting it too long is harmless */
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
