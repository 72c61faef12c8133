/* test_thread_cache.c: thread_cache.h: a thread is created only when none is idle or on its way. */
#include "team/thread_cache.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "base/config.h"
#include "os/inherited.h"
#include "sched/stack.h"
#include "wait/thread.h"

/* Linked with --wrap=bz_os_thread_start, --wrap=bz_alloc and --wrap=bz_os_now_ns. */
static bool no_threads, no_memory;
static unsigned attempts;
static struct bz_a64 now_ns; /* the clock */

uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    return bz_load_relaxed(&now_ns);
}
static struct bz_os_thread_attr last_attr;

int __real_bz_os_thread_start(const struct bz_os_thread_attr *, void (*)(void *), void *);
int __wrap_bz_os_thread_start(const struct bz_os_thread_attr *, void (*)(void *), void *);
int __wrap_bz_os_thread_start(const struct bz_os_thread_attr *attr, void (*main)(void *), void *arg) {
    last_attr = *attr;
    attempts++;
    return no_threads ? EAGAIN : __real_bz_os_thread_start(attr, main, arg);
}

static bool refused; /* affinity that other code has set cannot be restored */
static unsigned gifts;

bool __real_bz_inherited_give(uint32_t thread, struct bz_inherited *inherited);
bool __wrap_bz_inherited_give(uint32_t thread, struct bz_inherited *inherited);
bool __wrap_bz_inherited_give(uint32_t thread, struct bz_inherited *inherited) {
    gifts++;
    return !refused && __real_bz_inherited_give(thread, inherited);
}

void *__real_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size) {
    return no_memory ? NULL : __real_bz_alloc(size);
}

/* ---- something to run ---- */

struct place {
    struct bz_a32 entered, leave, left;
    uint32_t thread, number;
    char name[16];
};

static void stay(void *arg) {
    struct place *place = arg;
    place->thread = bz_os_thread_id();
    place->number = bz_thread_number();
    prctl(PR_GET_NAME, place->name);
    bz_store_release(&place->entered, 1);
    rig_until(bz_load_acquire(&place->leave));
    bz_store_release(&place->left, 1); /* the place is not touched after this */
}

static void enter_below(uint64_t root, struct place *place) {
    *place = (struct place){.thread = 0};
    assert_int_equal(bz_thread_cache_run(root, stay, place), 0);
    rig_until(bz_load_acquire(&place->entered));
}

static void enter(struct place *place) {
    enter_below(1, place);
}

/* Ends the place's run, announced as the rules for leaving require. */
static void leave(struct place *place) {
    bz_thread_cache_expect(1);
    bz_store_release(&place->leave, 1);
    rig_until(bz_load_acquire(&place->left));
}

/* ---- tests ---- */

static void there_are_no_threads_before_they_are_needed(void **state) {
    (void)state;
    assert_int_equal(bz_thread_cache_size(), 0);
}

static void a_thread_comes_back_for_the_next_place(void **state) {
    (void)state;
    struct place place;
    enter(&place);
    uint32_t first = place.thread;
    assert_int_equal(bz_thread_cache_size(), 1);
    assert_int_not_equal(first, bz_os_thread_id());
    for (unsigned i = 0; i < 100; i++) {
        leave(&place); /* perhaps still on its way: the call waits for it */
        enter(&place);
        assert_int_equal(place.thread, first);
    }
    leave(&place);
    assert_int_equal(bz_thread_cache_size(), 1);
}

static void as_many_threads_as_places_at_once(void **state) {
    (void)state;
    struct place places[5];
    for (unsigned round = 0; round < 20; round++) {
        unsigned count = 1 + round % 5;
        for (unsigned i = 0; i < count; i++)
            enter(&places[i]);
        for (unsigned i = 0; i < count; i++)
            for (unsigned j = 0; j < i; j++)
                assert_int_not_equal(places[i].thread, places[j].thread);
        for (unsigned i = 0; i < count; i++)
            leave(&places[i]);
    }
    assert_int_equal(bz_thread_cache_size(), 5); /* the peak */
}

static void threads_are_named_by_their_numbers(void **state) {
    (void)state;
    char name[32], mine[16] = "";
    struct place places[2];
    enter(&places[0]);
    enter_below(2, &places[1]);
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "blitz/%u", places[i].number - 1);
        assert_string_equal(places[i].name, name);
        assert_true(places[i].number > bz_thread_number()); /* numbers come in the order of creation */
        leave(&places[i]);
    }
    enter_below(3, &places[0]); /* a thread that moves to another root keeps its number */
    snprintf(name, sizeof name, "blitz/%u", places[0].number - 1);
    assert_string_equal(places[0].name, name);
    leave(&places[0]);
    prctl(PR_GET_NAME, mine);
    assert_string_not_equal(mine, "blitz/0"); /* the program's own thread keeps its name */
}

static struct place slow;

static void let_go_late(struct bz_worker *self, void *arg) {
    (void)self;
    (void)arg;
    for (unsigned i = 0; i < 1000; i++)
        bz_os_yield();
    bz_store_release(&slow.leave, 1);
}

static void a_thread_that_is_expected_is_waited_for(void **state) {
    (void)state;
    struct place places[5];
    struct rig_thread thread;
    for (unsigned i = 0; i < 4; i++)
        enter(&places[i]);
    enter(&slow);
    bz_thread_cache_expect(1);
    rig_start(&thread, NULL, let_go_late, NULL);
    enter(&places[4]);
    assert_int_equal(places[4].thread, slow.thread);
    assert_int_equal(bz_thread_cache_size(), 5);
    rig_join(&thread);
    for (unsigned i = 0; i < 5; i++)
        leave(&places[i]);
}

static void a_thread_that_cannot_be_had_is_an_error(void **state) {
    (void)state;
    struct place places[5], more;
    for (unsigned i = 0; i < 5; i++)
        enter(&places[i]);
    more = (struct place){.thread = 0};
    no_memory = true;
    int error = bz_thread_cache_run(1, stay, &more);
    no_memory = false;
    assert_int_equal(error, ENOMEM);
    no_threads = true;
    bz_fetch_add_relaxed(&now_ns, BZ_REFUSED_NS);
    assert_int_equal(bz_thread_cache_run(1, stay, &more), EAGAIN);
    no_threads = false;
    assert_int_equal(bz_thread_cache_size(), 5);
    assert_int_equal(more.entered.v, 0); /* nothing has run */
    leave(&places[0]);
    no_threads = true;
    enter(&more); /* an idle thread suffices */
    no_threads = false;
    for (unsigned i = 1; i < 5; i++)
        leave(&places[i]);
    leave(&more);
}

/* The number of attempts in that many calls, one per millisecond. */
static unsigned attempts_in(unsigned calls) {
    struct place place = {.thread = 0};
    attempts = 0;
    for (unsigned i = 0; i < calls; i++) {
        assert_int_equal(bz_thread_cache_run(1, stay, &place), EAGAIN);
        bz_fetch_add_relaxed(&now_ns, 1000000);
    }
    return attempts;
}

/* A new thread starts and ends. */
static void one_comes(void) {
    struct place place;
    bz_fetch_add_relaxed(&now_ns, BZ_REFUSED_NS);
    bz_thread_cache_dismiss(false);
    enter(&place);
    leave(&place);
    bz_thread_cache_dismiss(false);
}

static void attempts_are_rare_and_never_end(void **state) {
    (void)state;
    one_comes();
    no_threads = true;
    assert_int_equal(attempts_in(256), 26); /* at 0, 10, 20 .. 250 ms */
    no_threads = false;
    struct place place = {.thread = 0};
    assert_int_equal(bz_thread_cache_run(1, stay, &place), EAGAIN); /* no attempt */
    one_comes();
}

static void new_threads_get_the_stack_that_was_asked_for(void **state) {
    (void)state;
    struct place places[2];
    bz_stack_set_size(1 << 20);
    enter(&places[0]);
    assert_int_equal(last_attr.stack_size, 1 << 20);
    bz_stack_set_size(0);
    enter(&places[1]);
    assert_int_equal(last_attr.stack_size, 0);
    for (unsigned i = 0; i < 2; i++)
        leave(&places[i]);
    assert_int_equal(bz_thread_cache_size(), 2);
}

static void dismissed_threads_end(void **state) {
    (void)state;
    struct place stays, places[3];
    enter(&stays);
    uint32_t before = 0;
    for (unsigned round = 0; round < 50; round++) {
        for (unsigned i = 0; i < 3; i++)
            enter(&places[i]);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_not_equal(places[i].thread, before);
            leave(&places[i]); /* perhaps still on its way */
        }
        before = places[0].thread;
        bz_thread_cache_dismiss(false);
        assert_int_equal(bz_thread_cache_size(), 1);
    }
    assert_int_equal(stays.left.v, 0);
    leave(&stays);
    bz_thread_cache_dismiss(false);
    bz_thread_cache_dismiss(false);
    assert_int_equal(bz_thread_cache_size(), 0);
}

static bool is_asleep(uint32_t thread) {
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/self/task/%u/stat", thread);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*[^)]) %c", &state), 1);
    fclose(file);
    return state == 'S';
}

/* Waits until the thread is back in the thread cache, not only on its way: before that, only this thread could delay
 * it. */
static void leave_for_good(struct place *place) {
    leave(place);
    rig_until(is_asleep(place->thread));
}

static void a_thread_that_moves_to_another_root_inherits(void **state) {
    (void)state;
    struct place places[2];
    enter_below(1, &places[0]);
    enter_below(2, &places[1]);
    uint32_t first = places[0].thread, second = places[1].thread;
    gifts = 0;
    for (unsigned i = 0; i < 2; i++)
        leave_for_good(&places[i]);
    enter_below(2, &places[1]); /* the last to come is the first taken */
    enter_below(1, &places[0]);
    assert_int_equal(places[0].thread, first);
    assert_int_equal(places[1].thread, second);
    for (unsigned k = 0; k < 2; k++)
        leave_for_good(&places[k]);
    assert_int_equal(gifts, 0);
    enter_below(3, &places[0]);
    assert_true(places[0].thread == first || places[0].thread == second);
    assert_int_equal(gifts, 1);
    leave(&places[0]);
    assert_int_equal(bz_thread_cache_size(), 2);
    bz_thread_cache_dismiss(false);
}

static void a_thread_that_cannot_move_ends(void **state) {
    (void)state;
    struct place places[3];
    for (unsigned i = 0; i < 3; i++)
        enter_below(4, &places[i]);
    uint32_t before = places[0].thread;
    for (unsigned i = 0; i < 3; i++)
        leave_for_good(&places[i]);
    attempts = 0;
    refused = true;
    enter_below(5, &places[0]);
    refused = false;
    assert_int_not_equal(places[0].thread, before);
    assert_int_equal(attempts, 1);
    assert_int_equal(bz_thread_cache_size(), 1);
    leave(&places[0]);
    bz_thread_cache_dismiss(false);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_no_threads_before_they_are_needed),
        cmocka_unit_test(a_thread_comes_back_for_the_next_place),
        cmocka_unit_test(as_many_threads_as_places_at_once),
        cmocka_unit_test(threads_are_named_by_their_numbers),
        cmocka_unit_test(a_thread_that_is_expected_is_waited_for),
        cmocka_unit_test(a_thread_that_cannot_be_had_is_an_error),
        cmocka_unit_test(attempts_are_rare_and_never_end),
        cmocka_unit_test(new_threads_get_the_stack_that_was_asked_for),
        cmocka_unit_test(dismissed_threads_end),
        cmocka_unit_test(a_thread_that_moves_to_another_root_inherits),
        cmocka_unit_test(a_thread_that_cannot_move_ends),
    };
    return cmocka_run_group_tests_name("thread_cache", tests, NULL, NULL);
}
