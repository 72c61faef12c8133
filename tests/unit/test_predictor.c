/* test_predictor.c: predictor.h: predictions after given waits. Times are made up. */
#include "wait/predictor.h"

#include "../asserts.h"
#include "wait/policy.h"

enum { SPIN = 2 * BZ_WAKE_NS, MS = 1000000 };

/* A full history: alternating waits of `low` and `high`, with timed parks that ended `late`. */
static struct bz_history history_of(uint64_t low, uint64_t high, uint64_t late) {
    struct bz_history history = {0};
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        bz_times_add(&history.waited, i % 2 ? high : low);
        bz_times_add(&history.late, late);
    }
    return history;
}

static void learn_more(struct bz_history *history, uint64_t waited, unsigned times) {
    for (unsigned i = 0; i < times; i++)
        bz_times_add(&history->waited, waited);
}

static void assert_prediction(struct bz_history history, uint64_t park_ns, uint64_t spin) {
    struct bz_prediction prediction = bz_history_predict(&history, false);
    assert_int_equal(prediction.park_ns, park_ns);
    assert_int_equal(prediction.spin_ns, spin);
}

static void nothing_known_spins(void **state) {
    (void)state;
    assert_prediction((struct bz_history){0}, 0, SPIN);
}

static void short_waits_spin(void **state) {
    (void)state;
    assert_prediction(history_of(0, 0, 0), 0, SPIN);
    assert_prediction(history_of(10000, 12000, 0), 0, SPIN);
    assert_prediction(history_of(0, 40000, 0), 0, SPIN);
}

/* A sleep would hardly have begun when the start is due: a slightly longer spin is better. */
static void waits_of_about_a_spin_spin_longer(void **state) {
    (void)state;
    assert_prediction(history_of(33000, 33000, 11000), 0, 33000 + 2 * 11000 + BZ_PARK_MARGIN_NS);
}

static void regular_waits_park_until_shortly_before(void **state) {
    (void)state;
    assert_prediction(history_of(MS, MS, 0), MS - BZ_PARK_MARGIN_NS, MS + BZ_PARK_MARGIN_NS);
    assert_prediction(history_of(100000, 100000, 0), 100000 - BZ_PARK_MARGIN_NS, 100000 + BZ_PARK_MARGIN_NS);
}

static void a_timed_park_ends_sooner_where_waits_differ(void **state) {
    (void)state;
    uint64_t low = MS, high = MS + 20000, width = 20000;
    assert_prediction(history_of(low, high, 0), low - width - BZ_PARK_MARGIN_NS,
                      high + width + BZ_PARK_MARGIN_NS);
}

static void a_timed_park_ends_sooner_where_others_were_late(void **state) {
    (void)state;
    uint64_t margin = 2 * 7000 + BZ_PARK_MARGIN_NS;
    assert_prediction(history_of(MS, MS, 7000), MS - margin, MS + margin);
}

static void irregular_waits_spin(void **state) {
    (void)state;
    assert_prediction(history_of(10000, MS, 0), 0, SPIN);
}

/* The waiter spins for the short ones, and sleeps through the others. */
static void long_irregular_waits_park_until_the_short_ones(void **state) {
    (void)state;
    assert_prediction(history_of(MS, 10 * MS, 0), MS - BZ_PARK_MARGIN_NS, MS + BZ_PARK_MARGIN_NS);
    assert_prediction(history_of(200000, 800000, 9000), 200000 - 2 * 9000 - BZ_PARK_MARGIN_NS,
                      200000 + BZ_PARK_MARGIN_NS);
}

/* Spinning is bounded, and parking respects the bounds even where it ends later than that. */
static void timed_parks_that_are_far_too_late_end_as_soon_as_allowed(void **state) {
    (void)state;
    uint64_t most = SPIN + MS / BZ_SPIN_SHARE;
    assert_prediction(history_of(MS, MS, MS), MS - most, MS + most);
    most = SPIN + 90000 / BZ_SPIN_SHARE;
    assert_prediction(history_of(90000, 90000, 50000), 90000 - most, 90000 + most);
}

/* A busy moment is forgotten after some timed parks, whatever the other waits between them. */
static void lateness_is_learnt_from_timed_parks_alone(void **state) {
    (void)state;
    struct bz_history history = history_of(MS, MS, 30000);
    learn_more(&history, MS, BZ_PREDICTOR_WAITS);
    uint64_t margin = 2 * 30000 + BZ_PARK_MARGIN_NS;
    assert_prediction(history, MS - margin, MS + margin);
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS - 1; i++) /* all but one that may be an outlier */
        bz_times_add(&history.late, 9000);
    margin = 2 * 9000 + BZ_PARK_MARGIN_NS;
    assert_prediction(history, MS - margin, MS + margin);
}

/* Before any timed park has ended a usual lateness is assumed; the first one that ends counts for all. */
static void the_first_time_stands_for_all(void **state) {
    (void)state;
    struct bz_history history = {0};
    uint64_t margin = 2 * BZ_WAKE_NS + BZ_PARK_MARGIN_NS;
    bz_times_add(&history.waited, MS);
    assert_prediction(history, MS - margin, MS + margin);
    bz_times_add(&history.late, 5000);
    margin = 2 * 5000 + BZ_PARK_MARGIN_NS;
    assert_prediction(history, MS - margin, MS + margin);
}

static void one_outlier_changes_nothing(void **state) {
    (void)state;
    struct bz_history history = history_of(MS, MS, 0);
    bz_times_add(&history.waited, 100 * MS);
    assert_prediction(history, MS - BZ_PARK_MARGIN_NS, MS + BZ_PARK_MARGIN_NS);
    history = history_of(MS, MS, 0);
    bz_times_add(&history.waited, 0);
    bz_times_add(&history.late, 50 * MS);
    assert_prediction(history, MS - BZ_PARK_MARGIN_NS, MS + BZ_PARK_MARGIN_NS);
}

static void a_change_is_learnt_when_the_last_few_agree(void **state) {
    (void)state;
    struct bz_history history = history_of(MS, MS, 0);
    for (unsigned i = 0; i < BZ_PREDICTOR_RECENT; i++) {
        assert_true(bz_history_predict(&history, false).park_ns < 3 * MS);
        bz_times_add(&history.waited, 4 * MS);
    }
    assert_prediction(history, 4 * MS - BZ_PARK_MARGIN_NS, 4 * MS + BZ_PARK_MARGIN_NS);
}

/* A few that differ by less than a fraction count with their width; one more makes them irregular again. */
static void the_last_few_agree_within_a_part_of_them(void **state) {
    (void)state;
    struct bz_history history = history_of(0, 4 * MS, 0);
    uint64_t width = MS / BZ_PREDICTOR_ALIKE;
    learn_more(&history, MS + width, 1);
    learn_more(&history, MS, BZ_PREDICTOR_RECENT - 1);
    assert_prediction(history, MS - width - BZ_PARK_MARGIN_NS, MS + 2 * width + BZ_PARK_MARGIN_NS);
    history = history_of(0, 4 * MS, 0);
    learn_more(&history, MS + width + 1, 1);
    learn_more(&history, MS, BZ_PREDICTOR_RECENT - 1);
    assert_prediction(history, 0, SPIN);
}

/* Spins until the end of the longest cost less than sleeps, and no timed park where it is too late for the shortest. */
static void irregular_waits_are_spun_through(void **state) {
    (void)state;
    assert_prediction(history_of(100000, 400000, 0), 100000 - BZ_PARK_MARGIN_NS, 400000 + BZ_PARK_MARGIN_NS);
    assert_prediction(history_of(60000, 160000, 30000), 0, 160000 + BZ_PARK_MARGIN_NS);
}

/* A spin would catch one wait of 16, and cost 15 spins for the others. */
static void few_short_waits_are_not_worth_spins(void **state) {
    (void)state;
    struct bz_history history = history_of(5 * MS, 50 * MS, 100000);
    learn_more(&history, 300000, 1);
    struct bz_prediction prediction = bz_history_predict(&history, false);
    assert_true(prediction.park_ns > 4 * MS);
}

/* Long ones among many short ones, also where the last few are alike. */
static void rare_longer_waits_are_spun_through(void **state) {
    (void)state;
    struct bz_history history = history_of(10000, 10000, 0);
    learn_more(&history, 130000, 1);
    learn_more(&history, 10000, BZ_PREDICTOR_WAITS - 1);
    assert_prediction(history, 0, 130000 + BZ_PARK_MARGIN_NS);
    learn_more(&history, 10000, 1); /* forgotten */
    assert_prediction(history, 0, SPIN);
    learn_more(&history, 10 * MS, 1); /* too long for spins */
    assert_prediction(history, 0, SPIN);
}

/* The cost of a prediction for the remembered waits: the time that it spins, and the number of waits that it spins
 * through. */
static uint64_t spins_of(const struct bz_history *history, struct bz_prediction plan, uint64_t *met) {
    uint64_t spins = 0;
    *met = 0;
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        uint64_t t = history->waited.ns[i], end = t < plan.spin_ns ? t : plan.spin_ns;
        spins += bz_ns_minus(end, plan.park_ns > 0 ? plan.park_ns + history->late.ns[i] : 0);
        *met += t >= plan.park_ns && t <= plan.spin_ns;
    }
    return spins;
}

/* For any waits: spins take no more than a fraction of the waits and their gain, and no timed park outlasts the spin
 * after it. */
static void spinning_is_bounded(void **state) {
    (void)state;
    for (uint64_t low = 0; low < 20 * MS; low = low * 3 / 2 + 1000)
        for (uint64_t width = 0; width < 10 * MS; width = width * 2 + 500)
            for (uint64_t late = 0; late < MS; late = late * 3 + 700) {
                struct bz_history history = history_of(low, low + width, late);
                struct bz_prediction prediction = bz_history_predict(&history, false);
                uint64_t most = SPIN + low / BZ_SPIN_SHARE, met;
                assert_true(prediction.park_ns <= prediction.spin_ns);
                assert_true(prediction.spin_ns - prediction.park_ns <=
                            (2 * most > bz_long_spin() ? 2 * most : bz_long_spin()));
                uint64_t spins = spins_of(&history, prediction, &met);
                assert_true(spins <= BZ_PREDICTOR_WAITS * most + met * bz_long_spin());
            }
}

static void assert_prediction_within_run(struct bz_history history, uint64_t park_ns, uint64_t spin) {
    struct bz_prediction prediction = bz_history_predict(&history, true);
    assert_int_equal(prediction.park_ns, park_ns);
    assert_int_equal(prediction.spin_ns, spin);
}

static void within_runs_irregular_waits_are_spun_through(void **state) {
    (void)state;
    uint64_t most = 8 * SPIN;
    assert_prediction_within_run(history_of(10000, MS, 0), 0, most);
    assert_prediction_within_run(history_of(60000, 160000, 30000), 0,
                                 most); /* where a timed park might be too late for some */
    uint64_t park_ns = 300000 - 2 * 7000 - BZ_PARK_MARGIN_NS;
    assert_prediction_within_run(history_of(300000, 600000, 7000), park_ns, park_ns + most);
    assert_prediction_within_run(history_of(MS, 10 * MS, 0), 0, 0); /* lateness is a small part of these */
    assert_prediction_within_run(history_of(1000 * MS, 1100 * MS, 0), 0, 0);
}

static void within_runs_regular_waits_are_as_elsewhere(void **state) {
    (void)state;
    assert_prediction_within_run((struct bz_history){0}, 0, SPIN);
    assert_prediction_within_run(history_of(MS, MS, 0), MS - BZ_PARK_MARGIN_NS, MS + BZ_PARK_MARGIN_NS);
}

static void very_long_waits_count_as_the_longest(void **state) {
    (void)state;
    struct bz_history history = history_of(UINT64_MAX, UINT64_MAX, 0);
    assert_int_equal(history.waited.ns[0], UINT32_MAX);
    assert_true(bz_history_predict(&history, false).park_ns <= UINT32_MAX);
    history = history_of(UINT64_MAX, UINT64_MAX, UINT64_MAX);
    uint64_t most = SPIN + UINT32_MAX / BZ_SPIN_SHARE;
    assert_prediction(history, UINT32_MAX - most, UINT32_MAX + most);
}

static void sites_are_distinguished(void **state) {
    (void)state;
    static const char sites[BZ_PREDICTOR_SITES];
    struct bz_predictor predictor = {0};
    for (unsigned i = 0; i < BZ_PREDICTOR_SITES - 1; i++) /* NULL is one of them from the beginning */
        bz_times_add(&bz_predictor_history(&predictor, &sites[i])->waited, i + 1);
    for (unsigned i = 0; i < BZ_PREDICTOR_SITES - 1; i++)
        assert_int_equal(bz_predictor_history(&predictor, &sites[i])->waited.ns[0], i + 1);
}

static void the_oldest_site_is_forgotten(void **state) {
    (void)state;
    static const char sites[BZ_PREDICTOR_SITES + 1];
    struct bz_predictor predictor = {0};
    for (unsigned i = 0; i <= BZ_PREDICTOR_SITES; i++)
        bz_times_add(&bz_predictor_history(&predictor, &sites[i])->waited, i + 1);
    for (unsigned i = 1; i <= BZ_PREDICTOR_SITES; i++)
        assert_int_equal(bz_predictor_history(&predictor, &sites[i])->waited.ns[0], i + 1);
    struct bz_history *again = bz_predictor_history(&predictor, &sites[0]);
    assert_int_equal(again->waited.ns[0], 0);
    assert_int_equal(again->waited.next, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_spins),
        cmocka_unit_test(short_waits_spin),
        cmocka_unit_test(waits_of_about_a_spin_spin_longer),
        cmocka_unit_test(regular_waits_park_until_shortly_before),
        cmocka_unit_test(a_timed_park_ends_sooner_where_waits_differ),
        cmocka_unit_test(a_timed_park_ends_sooner_where_others_were_late),
        cmocka_unit_test(irregular_waits_spin),
        cmocka_unit_test(irregular_waits_are_spun_through),
        cmocka_unit_test(few_short_waits_are_not_worth_spins),
        cmocka_unit_test(rare_longer_waits_are_spun_through),
        cmocka_unit_test(long_irregular_waits_park_until_the_short_ones),
        cmocka_unit_test(timed_parks_that_are_far_too_late_end_as_soon_as_allowed),
        cmocka_unit_test(lateness_is_learnt_from_timed_parks_alone),
        cmocka_unit_test(the_first_time_stands_for_all),
        cmocka_unit_test(one_outlier_changes_nothing),
        cmocka_unit_test(a_change_is_learnt_when_the_last_few_agree),
        cmocka_unit_test(the_last_few_agree_within_a_part_of_them),
        cmocka_unit_test(spinning_is_bounded),
        cmocka_unit_test(within_runs_irregular_waits_are_spun_through),
        cmocka_unit_test(within_runs_regular_waits_are_as_elsewhere),
        cmocka_unit_test(very_long_waits_count_as_the_longest),
        cmocka_unit_test(sites_are_distinguished),
        cmocka_unit_test(the_oldest_site_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
