/* test_policy.c: policy.h: what each class of wait gets, fact by fact. */
#include "wait/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "env/options.h"
#include "wait/placement.h"

enum {
    WAKE = 1000,
    USUAL = 2 * WAKE,
    LONG = BZ_LONG_WAKES * WAKE,
    CPUS = 4,
    MANY = CPUS * BZ_OVERCROWDED + 1
};

#define USER BZ_SPIN_INFINITE
#define AUTO .chosen_ns = BZ_SPIN_AUTO

static const struct row {
    const char *what;
    struct bz_wait_facts facts;
    struct bz_wait_plan plan;
} rows[] = {
    {"a start",
     {AUTO, .class = BZ_WAIT_START},
     {USUAL, 0, BZ_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"a barrier",
     {AUTO, .class = BZ_WAIT_BARRIER},
     {USUAL, 0, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"a turn",
     {AUTO, .class = BZ_WAIT_TURN},
     {BZ_SLICE_NS, 0, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, false}},
    {"a lock",
     {AUTO, .class = BZ_WAIT_LOCK, .policy = BZ_YIELD_LATE},
     {LONG, USUAL, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"a join",
     {AUTO, .class = BZ_WAIT_JOIN},
     {USUAL, 0, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"work",
     {AUTO, .class = BZ_WAIT_WORK},
     {USUAL, 0, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},

    {"predicted",
     {AUTO, .class = BZ_WAIT_BARRIER, .predicts = true, .predicted = {0, 5 * USUAL}},
     {5 * USUAL, 0, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"predicted to be long",
     {AUTO, .class = BZ_WAIT_START, .predicts = true},
     {0, 0, BZ_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"predicted in a crowd",
     {AUTO, .class = BZ_WAIT_START, .predicts = true, .predicted = {0, 5 * USUAL}, .crowded = true},
     {USUAL, 0, 0, 1, 1, false, false, true}},

    {"beside the awaited thread",
     {AUTO, .class = BZ_WAIT_JOIN, .policy = BZ_YIELD_EARLY},
     {USUAL, 0, 0, 1, BZ_BRIEF_POLLS, false, false, true}},
    {"after it has woken a thread",
     {AUTO, .class = BZ_WAIT_BARRIER, .policy = BZ_YIELD_LATE},
     {USUAL, USUAL, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"the turn of a partner here",
     {AUTO, .class = BZ_WAIT_TURN, .partner = true},
     {BZ_SLICE_NS, 0, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, true, true}},

    {"a barrier in a crowd, the others elsewhere",
     {AUTO, .class = BZ_WAIT_BARRIER, .crowded = true, .missing = CPUS - 1},
     {USUAL, 0, BZ_BRIEF_POLLS, 1, 1, false, false, true}},
    {"a barrier in a crowd, some others here",
     {AUTO, .class = BZ_WAIT_BARRIER, .crowded = true, .missing = CPUS},
     {USUAL, 0, 0, 1, 1, true, false, true}},
    {"a turn in a crowd",
     {AUTO, .class = BZ_WAIT_TURN, .crowded = true},
     {BZ_SLICE_NS, 0, 0, 1, 1, false, false, true}},
    {"a partner's turn in a crowd",
     {AUTO, .class = BZ_WAIT_TURN, .crowded = true, .partner = true},
     {BZ_SLICE_NS, 0, 0, 1, 1, false, false, true}},
    {"a lock in a crowd", {AUTO, .class = BZ_WAIT_LOCK, .crowded = true}, {0}},
    {"far too many threads", {AUTO, .class = BZ_WAIT_BARRIER, .crowded = true, .team = MANY}, {0}},
    {"as many, with enough CPUs for those awake",
     {AUTO, .class = BZ_WAIT_START, .team = MANY},
     {USUAL, 0, BZ_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"one less",
     {AUTO, .class = BZ_WAIT_START, .crowded = true, .team = MANY - 1},
     {USUAL, 0, 0, 1, 1, false, false, true}},
    {"a turn with far too many threads",
     {AUTO, .class = BZ_WAIT_TURN, .crowded = true, .team = MANY},
     {BZ_SLICE_NS, 0, 0, 1, 1, false, false, true}},
    {"another program here", {AUTO, .class = BZ_WAIT_TURN, .competitor = true}, {0}},

    {"as the user says",
     {.class = BZ_WAIT_LOCK, .chosen_ns = 77},
     {77, 0, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
    {"passive", {.class = BZ_WAIT_START, .chosen_ns = 0}, {0}},
    {"active, far too many threads",
     {.class = BZ_WAIT_START, .chosen_ns = USER, .crowded = true, .team = MANY},
     {USER, 0, 0, 1, 1, false, false, true}},
    {"active, a partner's turn",
     {.class = BZ_WAIT_TURN, .chosen_ns = USER, .partner = true},
     {USER, 0, BZ_BRIEF_POLLS, BZ_POLLS, BZ_BRIEF_POLLS, false, false, true}},
};

static void each_wait_gets_its_plan(void **state) {
    (void)state;
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
        struct bz_wait_facts facts = row->facts;
        facts.wake_ns = WAKE;
        facts.cpus = CPUS;
        struct bz_wait_plan plan = bz_wait_plan(&facts);
        if (plan.spin_ns != row->plan.spin_ns || plan.keep_ns != row->plan.keep_ns ||
            plan.brief != row->plan.brief || plan.first != row->plan.first ||
            plan.interval != row->plan.interval || plan.yields_first != row->plan.yields_first ||
            plan.moves != row->plan.moves || plan.yields != row->plan.yields)
            fail_msg("%s", row->what);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wait_gets_its_plan),
    };
    return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
