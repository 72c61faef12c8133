/* test_policy.c: policy.h: the policy of each class of wait, fact by fact. */
#include "wait/policy.h"

#include "../asserts.h"
#include "env/options.h"
#include "wait/competitor.h"

enum { SHORT = 1000, USUAL = 2 * BZ_WAKE_NS, LONG = BZ_LONG_WAKES * BZ_WAKE_NS };

#define USER BZ_SPIN_INFINITE
#define AUTO .chosen_ns = BZ_SPIN_AUTO

static const struct row {
    const char *what;
    struct bz_wait_facts facts;
    uint32_t brief;
    bool yields_first;
    struct bz_wait_plan plan;
    bool keeps; /* its CPU */
} rows[] = {
    {"a start", {AUTO, .class = BZ_WAIT_START}, BZ_POLLS, false, {USUAL, 0, BZ_POLLS, BZ_BRIEF_POLLS}, false},
    {"a call", {AUTO, .class = BZ_WAIT_CALL}, BZ_POLLS, false, {USUAL, 0, BZ_POLLS, BZ_BRIEF_POLLS}, false},
    {"a barrier",
     {AUTO, .class = BZ_WAIT_BARRIER},
     BZ_BRIEF_POLLS,
     false,
     {USUAL, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"a turn",
     {AUTO, .class = BZ_WAIT_TURN},
     BZ_POLLS,
     false,
     {BZ_SLICE_NS, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     true},
    {"a lock",
     {AUTO, .class = BZ_WAIT_LOCK, .policy = BZ_YIELD_LATE},
     BZ_POLLS,
     false,
     {LONG, USUAL, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"a join", {AUTO, .class = BZ_WAIT_JOIN}, BZ_POLLS, false, {USUAL, 0, BZ_POLLS, BZ_BRIEF_POLLS}, false},
    {"work", {AUTO, .class = BZ_WAIT_WORK}, BZ_POLLS, false, {USUAL, 0, BZ_POLLS, BZ_BRIEF_POLLS}, false},

    {"predicted",
     {AUTO, .class = BZ_WAIT_BARRIER, .predicts = true, .predicted = {0, 5 * USUAL}},
     BZ_BRIEF_POLLS,
     false,
     {5 * USUAL, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"predicted to be long",
     {AUTO, .class = BZ_WAIT_START, .predicts = true},
     BZ_POLLS,
     false,
     {0, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"a start in a crowd",
     {AUTO, .class = BZ_WAIT_START, .crowded = true, .sharing = 3},
     0,
     false,
     {3 * USUAL, 0, 1, 1},
     false},
    {"predicted in a crowd",
     {AUTO, .class = BZ_WAIT_START, .predicts = true, .predicted = {0, 5 * USUAL}, .crowded = true},
     0,
     false,
     {USUAL, 0, 1, 1},
     false},

    {"on the awaited thread's CPU",
     {AUTO, .class = BZ_WAIT_BARRIER, .policy = BZ_YIELD_EARLY},
     0,
     false,
     {USUAL, 0, 2, BZ_BRIEF_POLLS},
     false},
    {"the start by a thread on its CPU",
     {AUTO, .class = BZ_WAIT_START, .policy = BZ_YIELD_EARLY},
     1,
     false,
     {USUAL, 0, 2, BZ_BRIEF_POLLS},
     false},
    {"after it has woken a thread",
     {AUTO, .class = BZ_WAIT_BARRIER, .policy = BZ_YIELD_LATE},
     BZ_BRIEF_POLLS,
     false,
     {USUAL, USUAL, BZ_POLLS, BZ_BRIEF_POLLS},
     false},

    {"a barrier in a crowd, the others elsewhere",
     {AUTO, .class = BZ_WAIT_BARRIER, .crowded = true},
     BZ_POLLS,
     false,
     {USUAL, 0, 1, 1},
     false},
    {"the same, after that failed",
     {AUTO, .class = BZ_WAIT_BARRIER, .crowded = true, .skips = true},
     0,
     false,
     {USUAL, 0, 1, 1},
     false},
    {"a barrier in a crowd, some others here",
     {AUTO, .class = BZ_WAIT_BARRIER, .crowded = true, .some_here = true},
     0,
     true,
     {USUAL, 0, 1, 1},
     false},
    {"the same, and another program",
     {AUTO, .class = BZ_WAIT_BARRIER, .crowded = true, .some_here = true, .competitor = true},
     0,
     false,
     {0, 0, 0, 0},
     false},
    {"a turn in a crowd",
     {AUTO, .class = BZ_WAIT_TURN, .crowded = true},
     0,
     false,
     {BZ_SLICE_NS, 0, 1, 1},
     false},
    {"a lock in a crowd", {AUTO, .class = BZ_WAIT_LOCK, .crowded = true}, 0, false, {0}, false},
    {"a call in a crowd", {AUTO, .class = BZ_WAIT_CALL, .crowded = true}, 0, false, {0}, false},
    {"a barrier in a crowd of a large team",
     {AUTO, .class = BZ_WAIT_BARRIER, .crowded = true, .sharing = 40, .some_here = true},
     0,
     true,
     {40 * USUAL, 0, 1, 1},
     false},
    {"the same, when the crowd has gone",
     {AUTO, .class = BZ_WAIT_BARRIER, .sharing = 40},
     BZ_BRIEF_POLLS,
     false,
     {USUAL, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"another program here",
     {AUTO, .class = BZ_WAIT_TURN, .competitor = true},
     BZ_POLLS,
     false,
     {BZ_SLICE_NS, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     true},

    {"a barrier beside another program",
     {AUTO, .class = BZ_WAIT_BARRIER, .competitor = true},
     0,
     false,
     {0},
     false},
    {"the same, as the user says",
     {.class = BZ_WAIT_BARRIER, .chosen_ns = 77, .competitor = true},
     BZ_BRIEF_POLLS,
     false,
     {77, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"as the user says",
     {.class = BZ_WAIT_LOCK, .chosen_ns = 77},
     BZ_POLLS,
     false,
     {77, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"passive", {.class = BZ_WAIT_START, .chosen_ns = 0}, 0, false, {0}, false},
    {"passive, a barrier in a crowd",
     {.class = BZ_WAIT_BARRIER, .chosen_ns = 0, .crowded = true, .some_here = true},
     0,
     false,
     {0},
     false},
    {"active, in a crowd",
     {.class = BZ_WAIT_START, .chosen_ns = USER, .crowded = true, .sharing = 3},
     0,
     false,
     {USER, 0, 1, 1},
     false},
    {"active, a turn",
     {.class = BZ_WAIT_TURN, .chosen_ns = USER},
     BZ_POLLS,
     false,
     {USER, 0, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"active, after it has woken a thread",
     {.class = BZ_WAIT_BARRIER, .chosen_ns = USER, .policy = BZ_YIELD_LATE},
     BZ_BRIEF_POLLS,
     false,
     {USER, USUAL, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
    {"a short spin, after it has woken a thread",
     {.class = BZ_WAIT_BARRIER, .chosen_ns = SHORT, .policy = BZ_YIELD_LATE},
     BZ_BRIEF_POLLS,
     false,
     {SHORT, SHORT, BZ_POLLS, BZ_BRIEF_POLLS},
     false},
};

static void each_wait_gets_its_plan(void **state) {
    (void)state;
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
        struct bz_wait_facts facts = row->facts;
        facts.wake_ns = BZ_WAKE_NS;
        struct bz_wait_plan plan = bz_wait_plan(&facts);
        if (plan.spin_ns != row->plan.spin_ns || plan.keep_ns != row->plan.keep_ns ||
            plan.first != row->plan.first || plan.interval != row->plan.interval)
            fail_msg("%s: its plan", row->what);
        if (bz_wait_brief(&facts) != row->brief || bz_wait_yields_first(&facts) != row->yields_first)
            fail_msg("%s: its beginning", row->what);
        if (bz_wait_keeps_cpu(&facts) != row->keeps)
            fail_msg("%s: its CPU", row->what);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wait_gets_its_plan),
    };
    return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
