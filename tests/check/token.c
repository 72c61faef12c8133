/* Cancellation tokens (src/pool/token.c): a thread that sees a token cancelled, by its own flag or a parent's, sees the
 * canceller's earlier writes. Only a cancellation sets the flag, and it stays set. */
#include "pool/token.h"
#include "check.h"

static blitz_token parent, child, other;
static unsigned reason; /* written before the parent is cancelled */

static void begin(void) {
    blitz_token_init(&parent, NULL);
    blitz_token_init(&child, &parent);
    blitz_token_init(&other, NULL);
    reason = 0;
}

static void cancels(void) {
    reason = 7;
    blitz_token_cancel(&parent);
    check_that(blitz_token_is_cancelled(&child));
}
static void cancels_child(void) {
    blitz_token_cancel(&child);
    check_that(blitz_token_is_cancelled(&child));
}
static void asks_twice(blitz_token *token) {
    bool first = blitz_token_is_cancelled(token), second = blitz_token_is_cancelled(token);
    check_that(!first || second);
    check_that(!blitz_token_is_cancelled(&other) && !blitz_token_is_cancelled(NULL));
}
static void asks_child(void) {
    asks_twice(&child);
}
static void asks_parent(void) {
    asks_twice(&parent);
    if (blitz_token_is_cancelled(&parent))
        check_that(reason == 7);
}
static void waits(void) {
    while (!blitz_token_is_cancelled(&child))
        bz_cpu_relax();
    check_that(reason == 7);
}
static void end(void) {
    check_that(blitz_token_is_cancelled(&child) && !blitz_token_is_cancelled(&other));
}

static const struct check_test tests[] = {
    {"parent", begin, {cancels, asks_parent, asks_child}, end, -1, 0},
    {"wait", begin, {cancels, waits}, end, -1, 0},
    {"child", begin, {cancels_child, asks_child}, end, -1, 0},
    {"both", begin, {cancels, cancels_child, asks_child}, end, -1, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
