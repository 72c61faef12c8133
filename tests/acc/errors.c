// threads: 2
// Errors of a program that requests features that the host lacks: the text after the library's name, and the exit
// status.
#include "../omp/check.h"
#include "../omp/child.h"

#include <openacc.h>
#include <string.h>

static char data[16], other[16];

static void shut_in_region(void) {
#pragma acc data copy(data)
    acc_shutdown(acc_device_host);
}

static void wait_for(int queue) {
#pragma acc wait(queue)
}

static void wait_in(int queue) {
#pragma acc wait async(queue)
}

/* Each in a child process, unused or with an initialised device. */
enum { FIRST, INITIALISED };
#define CASES                                                                                                \
    CASE(FIRST, acc_init(-2))                                                                                \
    CASE(FIRST, acc_init(acc_device_current))                                                                \
    CASE(FIRST, acc_init(3))                                                                                 \
    CASE(FIRST, acc_init(acc_device_not_host))                                                               \
    CASE(FIRST, acc_init(acc_device_nvidia))                                                                 \
    CASE(FIRST, acc_init(6))                                                                                 \
    CASE(FIRST, acc_init(acc_device_radeon))                                                                 \
    CASE(FIRST, acc_init(9))                                                                                 \
    CASE(FIRST, acc_init(1000000000))                                                                        \
    CASE(INITIALISED, acc_init(acc_device_host))                                                             \
    CASE(INITIALISED, acc_init(acc_device_default))                                                          \
    CASE(FIRST, acc_shutdown(acc_device_host))                                                               \
    CASE(FIRST, acc_shutdown(acc_device_nvidia))                                                             \
    CASE(FIRST, acc_shutdown(9))                                                                             \
    CASE(FIRST, shut_in_region())                                                                            \
    CASE(FIRST, (acc_copyin(data, 1), acc_shutdown(acc_device_host), acc_shutdown(acc_device_host)))         \
    CASE(INITIALISED, (acc_shutdown(acc_device_host), acc_copyin(data, 1), acc_shutdown(acc_device_host)))   \
    CASE(INITIALISED, (acc_shutdown(acc_device_host), acc_wait(1)))                                          \
    CASE(FIRST, acc_get_num_devices(-1))                                                                     \
    CASE(FIRST, acc_get_num_devices(9))                                                                      \
    CASE(FIRST, acc_get_device_num(acc_device_nvidia))                                                       \
    CASE(FIRST, acc_get_device_num(7))                                                                       \
    CASE(FIRST, acc_set_device_type(acc_device_not_host))                                                    \
    CASE(FIRST, acc_set_device_type(acc_device_radeon))                                                      \
    CASE(FIRST, acc_set_device_type(77))                                                                     \
    CASE(FIRST, acc_set_device_num(1, acc_device_host))                                                      \
    CASE(INITIALISED, acc_set_device_num(2, acc_device_none))                                                \
    CASE(FIRST, acc_set_device_num(0, acc_device_nvidia))                                                    \
    CASE(FIRST, acc_set_device_num(0, -5))                                                                   \
    CASE(FIRST, acc_get_property(1, acc_device_host, acc_property_memory))                                   \
    CASE(FIRST, acc_get_property(0, acc_device_nvidia, acc_property_memory))                                 \
    CASE(FIRST, acc_get_property(0, acc_device_current, acc_property_memory))                                \
    CASE(FIRST, acc_get_property_string(0, 9, acc_property_name))                                            \
    CASE(FIRST, acc_async_test(1))                                                                           \
    CASE(FIRST, acc_async_test_all())                                                                        \
    CASE(FIRST, acc_wait(1))                                                                                 \
    CASE(FIRST, acc_wait_async(1, 2))                                                                        \
    CASE(FIRST, acc_wait_all_async(1))                                                                       \
    CASE(INITIALISED, acc_async_test(-3))                                                                    \
    CASE(INITIALISED, acc_wait(-3))                                                                          \
    CASE(INITIALISED, acc_async_wait(-1000))                                                                 \
    CASE(INITIALISED, acc_wait_async(-3, 1))                                                                 \
    CASE(INITIALISED, acc_wait_async(1, -3))                                                                 \
    CASE(INITIALISED, acc_wait_all_async(-3))                                                                \
    CASE(INITIALISED, acc_attach_async((void **)data, -3))                                                   \
    CASE(INITIALISED, acc_detach_async((void **)data, -3))                                                   \
    CASE(INITIALISED, acc_detach_finalize_async((void **)data, -3))                                          \
    CASE(INITIALISED, acc_copyin_async(data, 1, -3))                                                         \
    CASE(FIRST, wait_for(-3))                                                                                \
    CASE(FIRST, wait_for(acc_async_sync))                                                                    \
    CASE(FIRST, wait_in(-4))                                                                                 \
    CASE(FIRST, acc_copyin(NULL, 100))                                                                       \
    CASE(FIRST, acc_create(NULL, 0))                                                                         \
    CASE(FIRST, acc_present_or_copyin(NULL, 3))                                                              \
    CASE(FIRST, acc_pcreate(NULL, 4))                                                                        \
    CASE(FIRST, acc_copyin_async(NULL, 5, 1))                                                                \
    CASE(FIRST, acc_create_async(NULL, 6, 1))                                                                \
    CASE(FIRST, acc_map_data(data, other, 1))                                                                \
    CASE(FIRST, acc_map_data(NULL, other, 0))                                                                \
    CASE(FIRST, acc_map_data(NULL, NULL, 0))

static void body(void *arg) {
    int wanted = *(int *)arg;
#define CASE(when, call)                                                                                     \
    if (wanted-- == 0) {                                                                                     \
        if (when == INITIALISED)                                                                             \
            acc_init(acc_device_host);                                                                       \
        (void)(call);                                                                                        \
        return;                                                                                              \
    }
    CASES
#undef CASE
}

int main(void) {
#define CASE(when, call) #call,
    static const char *const names[] = {CASES};
#undef CASE
    int count = sizeof names / sizeof *names;
    for (int i = 0; i < count; i++) {
        int status = child_run(body, &i, 60);
        const char *text = strstr(child_heard, ": ");
        printf("%s: %s", names[i], text ? text + 2 : "nothing\n");
        CHECK_EQ(status, text ? EXIT_FAILURE << 8 : 0);
        CHECK(!text || strchr(text, '\n') == child_heard + strlen(child_heard) - 1);
    }
    return check_done("errors");
}
