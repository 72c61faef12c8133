/* The clock of bz_tick_ns where the kernel's own function is there, missing, slow, or refuses. */
#include "wait/tick.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/objects.h"
#include "os/os.h"

#define TICK_NS UINT64_C(10000000) /* at most */

typedef int clock_reader(clockid_t clock, struct timespec *time);

void *__real_bz_os_defined(const char *library, const char *name);
void *__wrap_bz_os_defined(const char *library, const char *name);

static clock_reader *instead; /* NULL: the kernel's, if there is one */
static int readings;

void *__wrap_bz_os_defined(const char *library, const char *name) {
    return instead ? *(void **)&instead : __real_bz_os_defined(library, name);
}

/* Beside a function of the test's own, time goes by as that says, and with each reading of the system's clock. */
static uint64_t moment = UINT64_C(1000000000);

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

static int tell_moment(struct timespec *time) {
    *time =
        (struct timespec){.tv_sec = (time_t)(moment / 1000000000), .tv_nsec = (long)(moment % 1000000000)};
    return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    if (!instead)
        return __real_clock_gettime(clock, time);
    moment += 50;
    return tell_moment(time);
}

static int tell_at_once(clockid_t clock, struct timespec *time) {
    (void)clock;
    readings++;
    return tell_moment(time);
}

static int refuse(clockid_t clock, struct timespec *time) {
    (void)clock, (void)time;
    readings++;
    return -EINVAL;
}

static int take_long(clockid_t clock, struct timespec *time) {
    (void)clock;
    readings++;
    moment += 100;
    return tell_moment(time);
}

/* Never ahead. How far behind counts where nobody was interrupted meanwhile: in one of a few readings. */
static bool is_a_tick(void) {
    for (int try = 0; try < 1000; try++) {
        uint64_t before = bz_os_now_ns(), tick = bz_tick_ns(), after = bz_os_now_ns();
        if (tick > after)
            return false;
        if (tick + TICK_NS >= before)
            return true;
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

/* 0 if the clock is right with this function as the kernel's, and uses it in the end, or not. */
static int run(clock_reader *reader, bool used) {
    instead = reader;
    if (!is_a_tick())
        return 1;
    for (int i = 0; i < 100; i++) {
        int before = readings;
        if (!is_a_tick())
            return 2;
        if ((readings > before) != used)
            return 3;
    }
    return 0;
}

/* A process chooses once. */
static void in_child(clock_reader *reader, bool used) {
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(run(reader, used));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void the_kernels_own_is_taken(void **state) {
    (void)state;
    in_child(NULL, false);
    in_child(tell_at_once, true);
}

static void one_that_does_not_work_is_not(void **state) {
    (void)state;
    in_child(refuse, false);
    in_child(take_long, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernels_own_is_taken),
        cmocka_unit_test(one_that_does_not_work_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
