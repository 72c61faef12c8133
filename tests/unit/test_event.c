/* test_event.c: event.h: handles whose event is gone, and the messages about them. */
#include "omp/task/event.h"

#include "../asserts.h"
#include "capture.h"
#include "omp/bomp.h"
#include "omp/task/task.h"

static struct bomp_event event;
static struct bomp_task task;

static void *init(void) {
    return bomp_event_init(&event, &task, bz_worker_adopt());
}

/* Whether fulfilling it prints a message. */
static bool is_reported(void *handle) {
    struct capture capture;
    char text[200];
    capture_begin(&capture);
    bomp_event_fulfill(handle);
    capture_next(&capture, text, sizeof text);
    capture_end(&capture);
    return strstr(text, "omp_fulfill_event") != NULL;
}

static void a_wrong_handle_is_reported(void **state) {
    void *handle = init();
    (void)state;
    assert_true(is_reported(NULL));
    assert_true(is_reported((char *)handle + 1));
    assert_true(is_reported(&task));
    assert_false(is_reported(bomp_event_of_no_task()));
    assert_false(is_reported(handle));
    assert_true(is_reported(handle)); /* twice */
    assert_true(bomp_event_body_ended(&event));
    bomp_event_end(&event);
    assert_true(is_reported(handle));
}

static void one_of_a_discarded_task_is_not(void **state) {
    void *handle = init();
    (void)state;
    bomp_event_discard(&event);
    assert_false(is_reported(handle));
    assert_true(is_reported(handle));
    handle = init();
    assert_false(is_reported(handle)); /* before it is discarded: nothing is left to fulfill */
    bomp_event_discard(&event);
    assert_true(is_reported(handle));
}

static void the_place_may_be_another_ones(void **state) {
    void *old = init();
    (void)state;
    bomp_event_discard(&event);
    void *new = init();
    assert_ptr_not_equal(old, new);
    assert_false(is_reported(old));
    assert_false(bomp_event_body_ended(&event)); /* it was not for that one */
    bomp_event_end(&event);
    memset(&event, 0xff, sizeof event);
    assert_true(is_reported(old));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_handle_is_reported),
        cmocka_unit_test(one_of_a_discarded_task_is_not),
        cmocka_unit_test(the_place_may_be_another_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
