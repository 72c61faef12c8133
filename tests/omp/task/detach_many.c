// beyond libomp: its tasks take more memory
// env: OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=2
// threads: 1 2 8
// repeat: 500
// beyond libgomp: it runs tasks in place when there are many, and waits for their events; it does not bound its stack
// Many detached tasks: complete ones are forgotten, although some task is always incomplete. Also the event of a task
// that is cancelled before it is created, and too many tasks with a priority.
#include "../../sanitized.h"
#include "../check.h"

#include <sys/resource.h>

static int done;

/* Overlapping readers of one address: one is always incomplete. */
static void overlapping_readers(int tasks) {
    omp_event_handle_t event, last;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(in : done) detach(last)
        count_up(&done);
        for (int i = 1; i < tasks; i++) {
#pragma omp task depend(in : done) detach(event)
            count_up(&done);
            omp_fulfill_event(last);
            last = event;
#pragma omp taskyield
        }
        omp_fulfill_event(last);
    }
}

/* Their creator fulfills them, and never waits for them. */
static void never_waited_for(int tasks) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < tasks; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event)
        count_up(&done);
        omp_fulfill_event(event);
    }
}

/* A task's own settings: one copy is enough until another task inherits it. */
static void changes_its_settings(int times) {
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        {
            for (int i = 0; i < times; i++)
                omp_set_num_threads(1 + i % 3);
            omp_fulfill_event(event);
        }
    }
}

/* The same while a child exists that has inherited the earlier settings. */
static void changes_them_with_a_child(int times) {
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
        omp_set_num_threads(3);
#pragma omp task detach(event)
        CHECK_EQ(omp_get_max_threads(), 3);
        for (int i = 0; i < times; i++)
            omp_set_num_threads(1 + i % 2);
        omp_event_handle_t gates[2];
        int gate[2];
#pragma omp taskgroup
        {
#pragma omp taskloop if (0) nogroup shared(gates, gate)
            for (int i = 0; i < 2; i++) {
                omp_event_handle_t before;
#pragma omp task depend(out : gate[i]) detach(before) shared(gate)
                gate[i] = 1;
                gates[i] = before;
#pragma omp task depend(in : gate[i])
                CHECK_EQ(omp_get_max_threads(), 1 + (times - 1) % 2);
            }
            omp_set_num_threads(4); /* the settings that the last two have inherited stay */
            for (int i = 0; i < 2; i++)
                omp_fulfill_event(gates[i]);
        }
        omp_fulfill_event(event);
        CHECK_EQ(gate[0] + gate[1], 2);
    }
}

/* They are never created, but their creator still fulfills their events. */
static int cancelled(void) {
    int ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task
        {
#pragma omp cancel taskgroup
        }
#pragma omp taskwait
        for (int i = 0; i < 20; i++) {
            omp_event_handle_t event = (omp_event_handle_t)8;
#pragma omp task detach(event) depend(inout : ran) shared(ran)
            ran++;
            omp_fulfill_event(event);
        }
    }
    return ran;
}

/* They are cancelled before they begin, and fulfilled afterwards. By then other tasks exist, which that must not
 * affect. */
static void fulfilled_too_late(int times) {
    static int gate;
    int ran = 0, early = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < times; i++) {
        omp_event_handle_t first, late, one, another;
        int go = 0;
#pragma omp taskgroup
        {
#pragma omp task depend(out : gate) detach(first)
            gate = i;
#pragma omp task depend(in : gate) detach(late) shared(ran)
            count_up(&ran);
#pragma omp task if (0)
            {
#pragma omp cancel taskgroup
            } omp_fulfill_event(first);
        }
#pragma omp task depend(in : gate) detach(one)
        count_up(&done);
#pragma omp task depend(in : gate) detach(another)
        count_up(&done);
#pragma omp task depend(out : gate) shared(early, go)
        early += !count_read(&go);
        omp_fulfill_event(one);
        omp_fulfill_event(late);
#pragma omp taskyield
        sched_yield();
        count_up(&go);
        omp_fulfill_event(another);
#pragma omp taskwait
    }
    CHECK_EQ(ran, 0);
    CHECK_EQ(early, 0);
}

/* Later still, after another region of the thread: a task that reuses the place of an event must not become
 * complete. */
static void fulfilled_a_region_later(void) {
    enum { TASKS = 8 };
    omp_event_handle_t first, event, late[TASKS], now[TASKS];
    int gates[TASKS], begun = 0;
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
    {
#pragma omp task depend(out : begun) detach(first)
        begun = 0;
        for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(in : begun) detach(event)
            count_up(&begun);
            late[i] = event;
        }
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        } omp_fulfill_event(first);
    }
#pragma omp parallel num_threads(1)
    {
        int behind = 0;
        for (int i = 0; i < TASKS; i++) {
#pragma omp task depend(out : gates[i]) shared(gates) detach(event)
            gates[i] = 1;
            now[i] = event;
#pragma omp task depend(in : gates[i]) shared(behind)
            count_up(&behind);
        }
        for (int i = 0; i < TASKS; i++)
            omp_fulfill_event(late[i]);
        for (int i = 0; i < 100; i++) {
#pragma omp taskyield
        }
        CHECK_EQ(count_read(&behind), 0);
        for (int i = 0; i < TASKS; i++)
            omp_fulfill_event(now[i]);
#pragma omp taskwait
        CHECK_EQ(gates[TASKS - 1], 1);
        CHECK_EQ(behind, TASKS);
    }
    CHECK_EQ(begun, 0);
}

/* All wait for a task that their creator fulfills after it has created them. */
static void fulfilled_last(int tasks) {
    static int gate;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task depend(out : gate) detach(event)
        gate = 1;
        for (int i = 0; i < tasks; i++) {
#pragma omp task depend(in : gate)
            count_up(&done);
        }
        omp_fulfill_event(event);
    }
}

static void chain(int length) {
    count_up(&done);
    if (length > 0) {
#pragma omp task priority(1)
        chain(length - 1);
    }
}

/* More tasks than may be queued, while the other threads are busy with one of them. */
static void too_many_of_a_priority(int length) {
    int go = 0, begun = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 1; i < omp_get_num_threads(); i++) {
#pragma omp task priority(2) shared(go, begun)
            {
                count_up(&begun);
                while (!count_read(&go))
                    sched_yield();
            }
        }
        while (count_read(&begun) < omp_get_num_threads() - 1)
            sched_yield();
        for (int i = 0; i < 2000; i++) {
#pragma omp task priority(2)
            count_up(&done);
        }
        chain(length);
        count_up(&go);
    }
}

int main(int argc, char **argv) {
    int tasks = (int)check_arg(argc, argv, 1, SANITIZED ? 20000 : 200000);
    struct rusage usage;
    overlapping_readers(tasks);
    never_waited_for(tasks);
    changes_its_settings(tasks);
    changes_them_with_a_child(5 * tasks);
    getrusage(RUSAGE_SELF, &usage);
    CHECK(usage.ru_maxrss < 32 * 1024 || SANITIZED);
    if (argc > 2)
        printf("%ld KiB\n", usage.ru_maxrss);
    fulfilled_last(tasks / 2);
    CHECK_EQ(cancelled(), 0);
    fulfilled_too_late(tasks / 100);
    fulfilled_a_region_later();
    too_many_of_a_priority(tasks);
    printf("done %d\n", done);
    return check_done("detach_many");
}
