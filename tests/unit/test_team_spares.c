/* test_team_spares.c: thread_team.h: which teams release threads that they do not need, and which keep them. */
#include "team/thread_team.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "../team_run.h"
#include "base/config.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "teams.h"
#include "wait/load.h"
#include "wait/mutex.h"

/* ---- what is replaced (linked with --wrap=NAME) ---- */

static struct bz_a32 threads_left = {UINT32_MAX}; /* threads that the system will still start */

int __real_bz_os_thread_start(const struct bz_os_thread_attr *, void (*)(void *), void *);
int __wrap_bz_os_thread_start(const struct bz_os_thread_attr *, void (*)(void *), void *);
int __wrap_bz_os_thread_start(const struct bz_os_thread_attr *attr, void (*main)(void *), void *arg) {
    uint32_t left = bz_load_relaxed(&threads_left);
    if (left == 0)
        return EAGAIN;
    if (left != UINT32_MAX)
        bz_store_relaxed(&threads_left, left - 1); /* one thread creates at a time */
    return __real_bz_os_thread_start(attr, main, arg);
}

/* ---- tests ---- */

static struct bz_a32 nested_wrong;

static void nothing(unsigned index, void *arg) {
    (void)index;
    (void)arg;
}

static void nest_alone(unsigned index, void *arg) {
    enum { NESTING = 5 };
    unsigned size = 2;
    if (index >= NESTING)
        return;
    bz_mutex_lock(arg);
    struct bz_team *team = bz_team_enter(bz_self, &size);
    if (team && size == 2)
        team_run(team, nothing, NULL);
    else
        bz_fetch_add_relaxed(&nested_wrong, 1);
    bz_mutex_unlock(arg);
}

/* Below `depth` teams of one: a team with all idle threads and one more, whose members take turns to open nested
 * ones. */
struct below {
    unsigned depth, size, more;
};

static void go_deeper(unsigned index, void *arg) {
    struct below *below = arg;
    unsigned size = below->depth > 0 ? 1 : below->size;
    struct bz_a32 lock = {BZ_MUTEX_FREE};
    (void)index;
    struct bz_team *team = bz_team_enter(bz_self, &size);
    if (below->depth-- > 0) {
        team_run(team, go_deeper, below);
        return;
    }
    if (size != below->size)
        bz_fetch_add_relaxed(&nested_wrong, 1);
    bz_store_relaxed(&threads_left, below->more);
    team_run(team, nest_alone, &lock);
    bz_store_relaxed(&threads_left, UINT32_MAX);
}

/* With many teams, a team between runs keeps its threads, unless no other threads are left. */
static void many_teams_have_threads_of_their_own_while_there_are_any(void **state) {
    (void)state;
    struct below below = {.depth = BZ_TEAMS_ASKED, .size = bz_thread_cache_size() + 6, .more = 3};
    unsigned threads = below.size - 1 + below.more;
    (void)bz_worker_adopt();
    go_deeper(0, &below);
    assert_int_equal(nested_wrong.v, 0);
    assert_int_equal(bz_thread_cache_size(), threads);
    leave();
}

struct one_of_two {
    unsigned index, size;
};

static void one_nests(unsigned index, void *arg) {
    const struct one_of_two *one = arg;
    unsigned size = one->size;
    if (index != one->index)
        return;
    struct bz_team *team = bz_team_enter(bz_self, &size);
    if (size != one->size)
        bz_fetch_add_relaxed(&nested_wrong, 1);
    team_run(team, nothing, NULL);
}

static void never(void *arg) {
    (void)arg;
    abort();
}

/* The refusal was a while ago, so another attempt is worthwhile. */
static void a_thread_was_refused(void) {
    bz_store_relaxed(&threads_left, 0);
    assert_int_equal(bz_thread_cache_run(0, never, NULL), EAGAIN);
    bz_store_relaxed(&threads_left, UINT32_MAX);
    usleep(2 * BZ_REFUSED_NS / 1000);
}

/* The first time one team takes the threads of the other; afterwards each has its own, though one thread could not be
 * started once. */
static void large_teams_in_turns_do_not_take_threads_from_each_other(void **state) {
    (void)state;
    struct one_of_two one = {0, bz_thread_cache_size() + BZ_LARGE_TEAM + 2};
    bz_set_cpus(1);
    assert_int_equal(enter(2), 2);
    for (unsigned i = 0; i < 6; i++) {
        one.index = i % 2;
        if (i == 2)
            a_thread_was_refused();
        team_run(bz_self->inner, one_nests, &one);
        assert_int_equal(enter(2), 2);
        assert_int_equal(bz_thread_cache_size(), i < 2 ? one.size : 2 * one.size - 1);
    }
    assert_int_equal(nested_wrong.v, 0);
    leave();
    bz_set_cpus(0);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_teams_in_turns_do_not_take_threads_from_each_other),
        cmocka_unit_test(many_teams_have_threads_of_their_own_while_there_are_any),
    };
    return cmocka_run_group_tests_name("team_spares", tests, NULL, NULL);
}
