/* events.c: programs of each kind, and the events that tools receive. Run with 1 to 8 threads. */
#include "rules.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int threads;

static void reset(void) {
    memset(&seen, 0, sizeof seen);
}

#define EXPECT(a, b)                                                                                         \
    do {                                                                                                     \
        uint64_t left = (a), right = (b);                                                                    \
        if (left != right) {                                                                                 \
            fprintf(stderr, "events.c:%d: %s is %llu, not %s, which is %llu\n", __LINE__, #a,                \
                    (unsigned long long)left, #b, (unsigned long long)right);                                \
            broken++;                                                                                        \
        }                                                                                                    \
    } while (0)

static unsigned ends(void) {
    return seen.status[ompt_task_complete] + seen.status[ompt_task_cancel] + seen.status[ompt_task_detach];
}

/* ---- tasks ---- */

static int fib(int n) {
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b) untied
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

/* The same with structures, which a function of GCC's code copies, in the new task. */
static int fib_of_structures(int n) {
    struct {
        char of[16];
    } less = {{(char)(n - 1), (char)(n - 2)}};
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) firstprivate(less)
    a = fib_of_structures(less.of[0]);
#pragma omp task shared(b) firstprivate(less) untied
    b = fib_of_structures(less.of[1]);
#pragma omp taskwait
    return a + b;
}

/* Each task is created once, begins once and ends once, wherever it runs: at once, queued, stolen. */
static void recursion(int (*function)(int)) {
    int result;
    reset();
#pragma omp parallel
#pragma omp single
    result = function(12);
    EXPECT(result, 144);
    EXPECT(seen.created, 464);
    EXPECT(seen.untied, 232);
    EXPECT(seen.status[ompt_task_switch], 464);
    EXPECT(ends(), 464);
    EXPECT(seen.waits[ompt_sync_region_taskwait], 232);
    EXPECT(seen.without_code, 0);
}

static void clauses(void) {
    int x = 0, y = 0;
    reset();
#pragma omp parallel
#pragma omp single
    {
#pragma omp task if (0) shared(x)
        x++;
#pragma omp task final(1) shared(x)
        {
#pragma omp task shared(x)
            x++;
        }
#pragma omp task depend(out : y) shared(y)
        y++;
#pragma omp task depend(inout : y) shared(y)
        y++;
#pragma omp task if (0) depend(inout : y) shared(y) /* a taskwait and a task */
        y++;
#pragma omp taskwait depend(in : y)
#pragma omp taskwait
        x += y;
    }
    EXPECT(x, 5);
    EXPECT(seen.created, 6);
    EXPECT(seen.undeferred, 5); /* of if, of final's child, of the taskwaits with dependences */
    EXPECT(seen.final, 2);
    EXPECT(seen.dependent, 4);
    EXPECT(seen.dependences, 4);
    EXPECT(ends(), 6);
    EXPECT(seen.status[ompt_taskwait_complete], 2);
}

/* A task that must wait for another reports that. */
static void chain(void) {
    volatile int go = 0;
    int y = 0;
    reset();
#pragma omp parallel num_threads(2)
#pragma omp single
    if (omp_get_num_threads() == 2) {
#pragma omp task depend(out : y) shared(y, go)
        {
            while (!go)
                usleep(100);
            y++;
        }
        usleep(20000); /* the other thread has it */
#pragma omp task depend(inout : y) shared(y)
        y++;
        go = 1;
    }
    if (y == 2)
        EXPECT(seen.edges, 1);
}

static void groups(void) {
    int x = 0;
    reset();
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(x)
                {
#pragma omp atomic
                    x++;
                }
            }
        }
        EXPECT(x, 20);
    }
    EXPECT(seen.created, 20);
    EXPECT(ends(), 20);
    EXPECT(seen.waits[ompt_sync_region_taskgroup], 1);
}

static void taskloops(void) {
    int x = 0;
    reset();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10) shared(x)
    for (int i = 0; i < 200; i++) {
#pragma omp atomic
        x++;
    }
    EXPECT(x, 200);
    EXPECT(seen.created, 20);
    EXPECT(ends(), 20);
    EXPECT(seen.begun[ompt_work_taskloop], 1);
    EXPECT(seen.ended[ompt_work_taskloop], 1);
    EXPECT(seen.dispatched[ompt_dispatch_taskloop_chunk], 200);
    EXPECT(seen.without_code, 0);
}

/* Fulfilled in its body, and by a later task. */
static void detached(void) {
    omp_event_handle_t early = (omp_event_handle_t)0, late = early;
    reset();
#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(early)
        omp_fulfill_event(early);
#pragma omp taskwait
        EXPECT(seen.status[ompt_task_early_fulfill], 1);
        EXPECT(seen.status[ompt_task_detach], 0);
        int done = 0;
#pragma omp task detach(late) shared(done)
        __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
#pragma omp task shared(late, done)
        {
            while (__atomic_load_n(&seen.status[ompt_task_detach], __ATOMIC_ACQUIRE) == 0) {
#pragma omp taskyield
            }
            omp_fulfill_event(late);
        }
#pragma omp taskwait
    }
    EXPECT(seen.status[ompt_task_detach], 1);
    EXPECT(seen.status[ompt_task_late_fulfill], 1);
    EXPECT(seen.created, 3);
}

/* Tasks that yield to each other: none ends before all have begun. */
static void yields(void) {
    enum { STAGES = 6 };
    int begun = 0;
    reset();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < STAGES; i++) {
#pragma omp task shared(begun) untied
        {
            __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
            while (__atomic_load_n(&begun, __ATOMIC_RELAXED) < STAGES) {
#pragma omp taskyield
            }
        }
    }
    EXPECT(seen.created, STAGES);
    EXPECT(seen.status[ompt_task_complete], STAGES);
    if (threads < STAGES)
        EXPECT(seen.status[ompt_task_yield] > 0, 1);
}

static void cancelled(void) {
    if (!omp_get_cancellation())
        return;
    reset();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task
            {
#pragma omp cancel taskgroup
            }
        }
    }
    EXPECT(seen.cancels > 0, 1);
    EXPECT(ends() + seen.discarded, seen.created);
    EXPECT(seen.status[ompt_task_complete], 0);
}

/* ---- worksharing ---- */

static void loops(void) {
    int n = 0;
    unsigned team = 0;
    reset();
#pragma omp parallel
    {
#pragma omp single
        team = (unsigned)omp_get_num_threads();
#pragma omp for schedule(dynamic, 3) reduction(+ : n)
        for (int i = 0; i < 100; i++)
            n++;
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < 100; i++)
            ;
    }
    EXPECT(n, 100);
    EXPECT(seen.begun[ompt_work_loop_dynamic], team);
    EXPECT(seen.ended[ompt_work_loop_dynamic], team);
    ompt_work_t guided =
        team > 1 ? ompt_work_loop_guided : ompt_work_loop_static; /* one thread takes all at once */
    EXPECT(seen.begun[guided], team);
    EXPECT(seen.ended[guided], team);
    EXPECT(seen.dispatched[ompt_dispatch_ws_loop_chunk], 200);
    EXPECT(seen.begun[ompt_work_single_executor], 1);
    EXPECT(seen.ended[ompt_work_single_executor], 1);
    EXPECT(seen.begun[ompt_work_single_other], team - 1);
#ifdef __clang__ /* gcc divides these itself */
    reset();
#    pragma omp parallel
    {
#    pragma omp for schedule(static)
        for (int i = 0; i < 100; i++)
            ;
#    pragma omp masked
        n = 1;
    }
    EXPECT(seen.begun[ompt_work_loop_static], team);
    EXPECT(seen.ended[ompt_work_loop_static], team);
    EXPECT(seen.dispatched[ompt_dispatch_ws_loop_chunk], 100);
    EXPECT(seen.count, 100);
    EXPECT(seen.masked, 1);
#endif
    reset();
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 50; i++)
        ;
    EXPECT(seen.begun[ompt_work_loop_dynamic], team);
    EXPECT(seen.ended[ompt_work_loop_dynamic], team);
    EXPECT(seen.dispatched[ompt_dispatch_ws_loop_chunk], 50);
    EXPECT(seen.count, 50);
}

static void sections(void) {
    int a = 0, b = 0;
    reset();
#pragma omp parallel
    {
#pragma omp sections
        {
            a++;
#pragma omp section
            b++;
        }
    }
    EXPECT(a + b, 2);
    EXPECT(seen.begun[ompt_work_sections], (unsigned)threads);
    EXPECT(seen.ended[ompt_work_sections], (unsigned)threads);
    EXPECT(seen.dispatched[ompt_dispatch_section], 2);
    EXPECT(seen.count, 2);
}

static void ordered(void) {
    int last = -1;
    reset();
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 20; i++) {
#pragma omp ordered
        {
            EXPECT(i, last + 1);
            last = i;
        }
    }
    EXPECT(seen.acquired[ompt_mutex_ordered], 20);
    EXPECT(seen.released[ompt_mutex_ordered], 20);
}

/* Iterations wait for earlier ones. An iteration out of bounds is no dependence; clang's code still calls, and a team
 * of one does not know the bounds. */
static void doacross(void) {
    reset();
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
    }
#ifdef __clang__
    EXPECT(seen.dependences, threads > 1 ? 10 + 9 : 10 + 10);
    EXPECT(seen.acquired[ompt_mutex_ordered], 10 + 10);
#else
    EXPECT(seen.dependences, 10 + 9);
    EXPECT(seen.acquired[ompt_mutex_ordered], 10 + 9);
#endif
    EXPECT(seen.released[ompt_mutex_ordered], seen.acquired[ompt_mutex_ordered]);
}

/* ---- mutual exclusion ---- */

static void mutexes(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int n = 0;
    (void)n;
    reset();
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    EXPECT(seen.inits, 2);
#pragma omp parallel
    {
        for (int i = 0; i < 10; i++) {
#pragma omp critical
            n++;
#pragma omp critical(named)
            n++;
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
        }
    }
    EXPECT(seen.acquired[ompt_mutex_critical], 20u * (unsigned)threads);
    EXPECT(seen.released[ompt_mutex_critical], 20u * (unsigned)threads);
    EXPECT(seen.acquired[ompt_mutex_lock], 10u * (unsigned)threads);
    EXPECT(seen.released[ompt_mutex_lock], 10u * (unsigned)threads);
    EXPECT(seen.acquired[ompt_mutex_nest_lock], 10u * (unsigned)threads);
    EXPECT(seen.released[ompt_mutex_nest_lock], 10u * (unsigned)threads);
    EXPECT(seen.nested, 10u * (unsigned)threads);
    reset();
    EXPECT(omp_test_lock(&lock), 1);
    EXPECT(omp_test_lock(&lock), 0);
    omp_unset_lock(&lock);
    EXPECT(omp_test_nest_lock(&nest), 1);
    EXPECT(omp_test_nest_lock(&nest), 2);
    EXPECT(seen.acquired[ompt_mutex_test_lock], 1);
    EXPECT(seen.acquired[ompt_mutex_test_nest_lock], 1);
    EXPECT(seen.nested, 1);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    EXPECT(seen.destroys, 2);
#ifdef __clang__ /* gcc drops hints, and makes fences of flushes */
#    pragma omp critical(hinted) hint(2)
    n = 0;
    EXPECT(seen.hint, 2);
#    pragma omp flush
    EXPECT(seen.flushes, 1);
#endif
}

/* ---- target constructs, which the host runs; clang's code makes no call for them ---- */

static void targets(void) {
    int n = 0;
    reset();
#pragma omp target map(tofrom : n)
    n++;
#pragma omp target nowait depend(out : n) map(tofrom : n)
    n++;
#pragma omp taskwait
    EXPECT(n, 2);
#ifndef __clang__
    EXPECT(seen.targets[ompt_target], 1);
    EXPECT(seen.targets[ompt_target_nowait], 1);
    EXPECT(seen.submits, 2);
    EXPECT(seen.created, 2);
    EXPECT(seen.undeferred, 1);
#    pragma omp target data map(tofrom : n)
    {
#    pragma omp target update to(n)
    } EXPECT(seen.targets[ompt_target_enter_data], 1);
    EXPECT(seen.targets[ompt_target_exit_data], 1);
    EXPECT(seen.targets[ompt_target_update], 1);
    EXPECT(seen.ended_targets, 5);
    reset();
#    pragma omp target teams num_teams(3) map(tofrom : n)
    {
#    pragma omp parallel num_threads(2)
#    pragma omp masked
        n += 1 + omp_get_team_num();
    }
    EXPECT(n, 8);
    EXPECT(seen.leagues, 1);
    EXPECT(seen.ended_leagues, 1);
    EXPECT(seen.teams, 3);
#endif
}

/* ---- leagues of the host; libomp reports a region of its own in each team, so clang's code has that ---- */

static void leagues(void) {
    int n = 0, known = 0;
    reset();
#pragma omp teams num_teams(3) thread_limit(2)
    {
        ompt_data_t *team = NULL, *inner = NULL, *outer = NULL;
        int flags = 0, size = 0, right = 0;
        right += get_task_info(0, &flags, &inner, NULL, &team, NULL) == 2 &&
                 get_parallel_info(0, &outer, &size) == 2 && inner->value == current() && outer == team &&
                 size == 1;
#ifdef __clang__
        right += flags & ompt_task_implicit && team->value == REGION;
        right += get_task_info(1, &flags, &outer, NULL, &team, NULL) == 2 && flags & ompt_task_initial &&
                 team->value == LEAGUE && outer->value != inner->value;
#else
        right += flags & ompt_task_initial && team->value == LEAGUE;
        right += get_task_info(1, &flags, &outer, NULL, &team, NULL) == 2 && flags & ompt_task_initial &&
                 team->value != LEAGUE;
#endif
#pragma omp parallel num_threads(2)
#pragma omp masked
        __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&known, right, __ATOMIC_RELAXED);
    }
    EXPECT(n, 3);
    EXPECT(known, 9);
    EXPECT(seen.leagues, 1);
    EXPECT(seen.ended_leagues, 1);
    EXPECT(seen.teams, 3);
#ifdef __clang__
    EXPECT(seen.inner, 3);
#else
    EXPECT(seen.inner, 0);
#endif
    EXPECT(seen.ended_inner, seen.inner);
}

/* ---- frames ---- */

/* Clang's code calls the body of an undeferred task itself: from this frame, if it keeps a frame pointer. */
static void frames(void) {
#pragma omp parallel
    {
        void *caller = __builtin_frame_address(0);
#pragma omp task if (0)
        {
            ompt_frame_t *frame = NULL;
            RULE(get_task_info(0, NULL, NULL, &frame, NULL, NULL) == 2 && frame->exit_frame.ptr);
#ifdef __clang__
            RULE(frame->exit_frame.ptr == caller);
            RULE(frame->exit_frame_flags == (ompt_frame_application | ompt_frame_framepointer));
#else
            RULE((char *)frame->exit_frame.ptr < (char *)caller);
#endif
        }
    }
}

/* ---- all of it, nested ---- */

static void nested(void) {
    int n = 0;
    reset();
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp task shared(n)
        {
#pragma omp parallel num_threads(2)
            {
#pragma omp task shared(n)
                {
#pragma omp critical
                    n++;
                }
#pragma omp taskwait
            }
        }
    }
    EXPECT(seen.created, 2 + (unsigned)n);
    EXPECT(ends(), seen.created);
}

int main(int argc, char **argv) {
    threads = argc > 1 ? atoi(argv[1]) : 2;
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
    recursion(fib);
    recursion(fib_of_structures);
    clauses();
    chain();
    groups();
    taskloops();
    detached();
    yields();
    cancelled();
    loops();
    sections();
    ordered();
    doacross();
    mutexes();
    targets();
    leagues();
    frames();
    nested();
    if (!found)
        fprintf(stderr, "events.c: the library has not found the tool\n");
    return found && broken == 0 ? 0 : 1;
}
