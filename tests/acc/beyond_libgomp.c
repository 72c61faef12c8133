// beyond libgomp: it crashes, fails assertions of its own, or hangs where callbacks register callbacks
// threads: 2
// flags: -pthread
// Calls without initialisation, functions of queues on a second thread, callbacks that change callbacks, constructs
// within observed constructs, and numbers that are no device.
#include "../omp/check.h"
#include "../omp/child.h"

#include <acc_prof.h>
#include <pthread.h>
#include <string.h>

static char data[16];

static void first_calls(void *arg) {
    acc_copyout(data, 4);
    acc_delete(data, 4);
    acc_free(malloc(4));
    acc_unmap_data(data);
    acc_memcpy_to_device(data, "abc", 4);
    CHECK(strcmp(data, "abc") == 0);
    acc_set_device_num(0, acc_device_none);
    CHECK(arg == NULL);
}

static void *second_thread(void *arg) {
    CHECK_EQ(acc_async_test(1), 1);
    acc_wait_all();
    acc_attach((void **)data);
    return arg;
}

static void two_threads(void *arg) {
    pthread_t thread;
    acc_init(acc_device_host);
    CHECK(pthread_create(&thread, NULL, second_thread, arg) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

enum { START = acc_ev_compute_construct_start };
static int firsts, seconds, thirds;

static void third(acc_prof_info *info, acc_event_info *event, acc_api_info *api) {
    (void)info, (void)event, (void)api;
    thirds++;
}

static void second(acc_prof_info *info, acc_event_info *event, acc_api_info *api) {
    (void)info, (void)event, (void)api;
    seconds++;
}

static void first(acc_prof_info *info, acc_event_info *event, acc_api_info *api) {
    (void)info, (void)event, (void)api;
    firsts++;
    acc_prof_unregister(START, first, acc_reg);
    acc_prof_register(START, first, acc_reg); /* comes last from now on */
    acc_prof_unregister(START, second, acc_reg);
    acc_prof_register(START, third, acc_reg);
}

static void inner(void) {
#pragma acc parallel
    data[0]++;
}

static void watched(void *arg) {
    acc_prof_register(START, first, acc_reg);
    acc_prof_register(START, second, acc_reg);
    acc_prof_register(START, NULL, acc_reg);
    data[0] = 0;
#pragma acc parallel
    inner();
    CHECK_EQ(data[0], 1);
    CHECK_EQ(firsts, 2);
    CHECK_EQ(seconds, 0);
    CHECK_EQ(thirds, 1);
    CHECK(arg == NULL);
    acc_register_library(acc_prof_register, acc_prof_unregister, acc_prof_lookup);
}

static void no_device(void *arg) {
    (void)arg;
    acc_init(acc_device_none);
}

static void before_the_first(void *arg) {
    (void)arg;
    acc_get_property(-1, acc_device_host, acc_property_memory);
}

int main(void) {
    CHECK_EQ(child_run(first_calls, NULL, 60), 0);
    CHECK_EQ(child_run(two_threads, NULL, 60), 0);
    CHECK_EQ(child_run(watched, NULL, 60), 0);
    CHECK_EQ(child_run(no_device, NULL, 60), EXIT_FAILURE << 8);
    CHECK(strstr(child_heard, "device type none not supported\n"));
    CHECK_EQ(child_run(before_the_first, NULL, 60), EXIT_FAILURE << 8);
    CHECK(strstr(child_heard, "device -1 out of range\n"));
    return check_done("beyond_libgomp");
}
