/* test_adopt.c: a host thread becomes a worker, and stops being one when it ends. */
#include <errno.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "team/adopt.h"
#include "team/thread_team.h"

/* The call with number `fails_at` fails; linked with --wrap=NAME. */
static _Thread_local unsigned calls, fails_at;

static bool fails(void) {
    return ++calls == fails_at;
}

void *__real_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size) {
    return fails() ? NULL : __real_bz_alloc(size);
}

void *__real_bz_alloc_zero(size_t count, size_t size);
void *__wrap_bz_alloc_zero(size_t count, size_t size);
void *__wrap_bz_alloc_zero(size_t count, size_t size) {
    return fails() ? NULL : __real_bz_alloc_zero(count, size);
}

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size) {
    return fails() ? NULL : __real_bz_os_alloc(size);
}

int __real_bz_os_at_thread_exit(void (*fn)(void *), void *arg);
int __wrap_bz_os_at_thread_exit(void (*fn)(void *), void *arg);
int __wrap_bz_os_at_thread_exit(void (*fn)(void *), void *arg) {
    return fails() ? EAGAIN : __real_bz_os_at_thread_exit(fn, arg);
}

static void on_a_thread(void (*body)(struct bz_worker *, void *), void *arg) {
    struct rig_thread thread;
    rig_start(&thread, NULL, body, arg);
    rig_join(&thread);
}

/* ---- */

struct report {
    bool ok;
    struct bz_a32 released;
};

static void run_job(struct bz_job *job, struct bz_worker *self) {
    (void)job;
    bz_fetch_add_relaxed(&((struct report *)self->context)->released, 1);
}

static bool always(void *arg) {
    return bz_load_relaxed(&((struct report *)arg)->released) > 0;
}

static void adopt_and_work(struct bz_worker *none, void *arg) {
    struct report *report = arg;
    struct bz_worker *self = bz_worker_adopt();
    report->ok = !none && self && self == bz_self && self == bz_worker_adopt() && self->index == 0 &&
                 self->domain->host && self->domain->capacity == 1 && self->stack.limit > 0 &&
                 self->stack.limit < (uintptr_t)__builtin_frame_address(0);
    struct bz_job job = {run_job};
    struct bz_wait wait = {.done = always, .arg = report};
    self->context = report;
    report->ok &= bz_worker_push(self, &job);
    bz_worker_wait_until(self, &wait);
}

static void a_thread_is_adopted_once(void **state) {
    (void)state;
    struct report report = {.ok = false};
    on_a_thread(adopt_and_work, &report);
    assert_true(report.ok);
    assert_int_equal(report.released.v, 1);
}

static void release(void *context) {
    bz_fetch_add_relaxed(&((struct report *)context)->released, 1);
}

static void adopt_with_context(struct bz_worker *none, void *arg) {
    (void)none;
    struct bz_worker *self = bz_worker_adopt();
    self->context = arg;
    self->release = release;
}

static void the_context_goes_with_the_thread(void **state) {
    (void)state;
    struct report report = {.ok = false};
    on_a_thread(adopt_with_context, &report);
    assert_int_equal(report.released.v, 1);
}

static void adopt_short_of(struct bz_worker *none, void *arg) {
    (void)none;
    unsigned *failed = arg;
    fails_at = ++*failed;
    calls = 0;
    struct bz_worker *self = bz_worker_adopt();
    bool all_there = calls < fails_at;
    fails_at = 0;
    if (all_there)
        *failed = self && self == bz_self ? 100 : 200;
    else if (self || bz_self || !bz_worker_adopt()) /* nothing is half done: a second attempt succeeds */
        *failed = 300;
}

/* Each step fails in turn, until all succeed. */
static void without_memory_there_is_no_worker(void **state) {
    (void)state;
    unsigned failed = 0;
    while (failed < 100)
        on_a_thread(adopt_short_of, &failed);
    assert_int_equal(failed, 100);
}

/* ---- isolated ---- */

static void never(struct bz_job *job, struct bz_worker *self) {
    (void)job;
    ((struct report *)self->context)->ok = false;
}

static void isolate_and_work(struct bz_worker *none, void *arg) {
    struct report *report = arg;
    struct bz_worker *self = bz_worker_adopt();
    struct bz_job mine = {run_job}, other = {never};
    struct bz_wait wait = {.done = always, .arg = report};
    unsigned size = 1;
    struct bz_team *team = bz_team_enter(self, &size);
    self->context = report;
    self->release = release;
    report->ok = !none && team && bz_worker_push(self, &other);
    for (int i = 0; i < 3; i++) {
        struct bz_worker *isolated = bz_worker_isolate(self);
        report->ok &= isolated && isolated == bz_self && isolated != self && isolated->domain != self->domain;
        report->ok &= isolated->inner == team && !self->inner && isolated->stack.limit == self->stack.limit;
        report->ok &= isolated->context == (i == 0 ? NULL : report); /* the same one again */
        isolated->context = report;
        isolated->release = release;
        bz_store_relaxed(&report->released, 0);
        report->ok &= bz_worker_push(isolated, &mine);
        bz_worker_wait_until(isolated, &wait); /* and not the job that waits in the other deque */
        bz_worker_come_back(self);
        report->ok &= bz_self == self && self->inner == team && !isolated->inner;
    }
    report->ok &= bz_worker_pop(self) == &other;
    bz_store_relaxed(&report->released, 0);
}

static void a_thread_is_isolated(void **state) {
    (void)state;
    struct report report = {.ok = false};
    on_a_thread(isolate_and_work, &report);
    assert_true(report.ok);
    assert_int_equal(report.released.v, 2); /* both contexts */
}

static void isolate_short_of(struct bz_worker *none, void *arg) {
    (void)none;
    unsigned *failed = arg;
    struct bz_worker *self = bz_worker_adopt();
    fails_at = ++*failed;
    calls = 0;
    struct bz_worker *isolated = bz_worker_isolate(self);
    bool all_there = calls < fails_at;
    fails_at = 0;
    if (all_there)
        *failed = isolated && isolated == bz_self ? 100 : 200;
    else if (isolated || bz_self != self || !bz_worker_isolate(self))
        *failed = 300;
    bz_worker_come_back(self);
}

static void without_memory_no_worker_is_isolated(void **state) {
    (void)state;
    unsigned failed = 0;
    while (failed < 100)
        on_a_thread(isolate_short_of, &failed);
    assert_int_equal(failed, 100);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_is_adopted_once),
        cmocka_unit_test(the_context_goes_with_the_thread),
        cmocka_unit_test(without_memory_there_is_no_worker),
        cmocka_unit_test(a_thread_is_isolated),
        cmocka_unit_test(without_memory_no_worker_is_isolated),
    };
    return cmocka_run_group_tests_name("adopt", tests, NULL, NULL);
}
