/* The biased count of children: a task, its children on three threads, one wait, the end of the task.
 *
 * Maps to: base/tally.h; omp/task/task.c (task_child_complete, bomp_task_group_leave, task_end),
 * omp/task/task_wait.c (wait_for).
 *
 *   outstanding = local + shared count. `local` is the owner thread's plain word; the others subtract from `shared`.
 *
 *   Owner      creates children (local + 1); may wait once for all of them; ends. Runs children while it waits, and after
 *              its end.
 *   Wait       until local == 0, having moved what the others counted: count = shared; local + count; shared - count
 *              (fetch_sub). Before it may sleep: flag WAITING (fetch_or), latch SLEEPY, the same question again,
 *              latch SLEEPING, futex. Afterwards the flag is cleared.
 *   End        owner field = none. local == 0: releases at once. Else one fetch_add of local and the flag ENDED: if that
 *              makes the count zero, releases.
 *   A child is done on the owner's thread while the field names it: local - 1. On any other thread, or when the
 *              field is none: reads the owner, then shared - 1; WAITING seen: wakes the owner it has read; ENDED and zero:
 *              releases. It touches the tally no more.
 * GROUP: a taskgroup's tally. Members create members, on the owner's thread in `local`, elsewhere in `shared`, which may
 *   then be positive. The owner always waits, then frees the group.
 *
 * Properties: a wait returns only when all children are done (assert) and always returns then (no invalid end state);
 * what holds the tally is released exactly once, at last (Monitor), and never touched afterwards (asserts).
 *
 * Abstracted: the queue of children (anyone may find any), the references of tasks that ended before their children's
 * descendants (compat/omp), the sleep counters. Each read-modify-write is one step, also where the code tests before it.
 *
 * Twins, must fail
 *   TWIN_OWNER_LATE   a child reads the owner after its subtraction: the tally may be gone
 *   TWIN_NO_RECHECK   nothing is read between WAITING and SLEEPING
 *   TWIN_MERGE_STORE  the owner stores 0 to shared instead of subtracting what it has read
 *   TWIN_OWNER_STAYS  the owner field still names the thread after the end
 *   TWIN_ADD_LATE     GROUP: a member is counted after others may find it */
#ifndef CHILDREN
#define CHILDREN 3
#endif
#define NONE 0
#define HOME 1 /* the owner's thread; 2 and 3 are the others */

#define UNSET 0
#define SLEEPY 1
#define SLEEPING 2
#define SET 3

bool alive = true; /* what holds the tally: the task, or the group */
byte owner = HOME;
short local_count;
short shared;                  /* the count in the shared word, */
bool flag_waiting, flag_ended; /* and its flags */

byte latch; /* the owner worker's core latch */
bool asleep;

byte left = CHILDREN; /* children that may still be begotten */
byte queued, undone;  /* truly: begotten and not begun, not done */
bool home_over;       /* the task has ended, or the group was freed */
byte busy;            /* threads at work on a child */

inline release()
{
    assert(alive && undone == 0);
    alive = false
}

/* A child, seen from the thread `me` that begets it. */
inline beget(me)
{
#ifdef TWIN_ADD_LATE
    queued++;
    assert(alive);
#endif
    if
    :: me == HOME -> local_count++
    :: else -> shared++
    fi;
#ifndef TWIN_ADD_LATE
    queued++
#endif
}

#define MAY_BEGET left > 0 -> left--; undone++

/* The body of a child has run on thread `me`. */
inline complete(me)
{
    atomic {
        assert(alive);
#ifdef TWIN_OWNER_LATE
        if
        :: owner == me -> to_wake = me
        :: else
        fi;
#else
        to_wake = owner;
#endif
        undone--
    };
    if
    :: atomic { to_wake == me -> local_count-- }
    :: atomic {
           to_wake != me -> assert(alive);
           shared--;
           if
           :: flag_ended && shared == 0 -> release(); must_wake = false
           :: else -> must_wake = flag_waiting
           fi
       };
       if
       :: atomic { must_wake -> must_wake = false };
#ifdef TWIN_OWNER_LATE
           atomic { assert(alive); to_wake = owner };
#endif
           atomic {
               assert(to_wake == HOME);
               if
               :: latch == SLEEPING -> asleep = false
               :: else
               fi;
               latch = SET
           }
       :: !must_wake
       fi
    fi;
    atomic { to_wake = NONE; busy-- }
}

/* Moves what others counted into local_count. The read and the subtraction are two steps. */
inline merge()
{
    count = shared;
    atomic {
        local_count = local_count + count;
#ifdef TWIN_MERGE_STORE
        shared = 0;
#else
        shared = shared - count;
#endif
        count = 0
    }
}

proctype Home()
{
    byte to_wake;
    short count;
    bool must_wake;
    bool waiting_is_over = true; /* no wait under way */

body:
    do
    :: atomic { MAY_BEGET }; beget(HOME)
    :: break
    od;
#ifndef GROUP
    if
    :: goto end
    :: true
    fi;
#endif
    waiting_is_over = false;

wait:
    merge();
    if
    :: atomic { local_count == 0 -> goto waited }
    :: atomic { local_count != 0 && queued > 0 -> queued--; busy++ }; goto execute
    :: local_count != 0 /* may as well find nothing */
    fi;
    flag_waiting = true;
#ifndef TWIN_NO_RECHECK
    merge();
    if
    :: atomic { local_count == 0 -> goto waited }
    :: local_count != 0
    fi;
#endif
    atomic {
        if
        :: latch == UNSET -> latch = SLEEPY
        :: else -> latch = UNSET; goto wait
        fi
    };
#ifndef TWIN_NO_RECHECK
    merge();
    if
    :: atomic { local_count == 0 -> latch = UNSET; goto waited }
    :: local_count != 0
    fi;
#endif
    atomic { /* and futex_wait */
        if
        :: latch == SLEEPY -> latch = SLEEPING; asleep = true
        :: else -> latch = UNSET; goto wait
        fi
    };
    atomic { !asleep -> latch = UNSET; goto wait };

waited:
    atomic {
        assert(undone == 0);
        flag_waiting = false;
        waiting_is_over = true
    };
#ifdef GROUP
    atomic { release(); home_over = true; goto after };
#else
    do /* some more, without a waiter */
    :: atomic { MAY_BEGET }; beget(HOME)
    :: break
    od;
#endif

end:
#ifndef TWIN_OWNER_STAYS
    owner = NONE;
#endif
    atomic {
        home_over = true;
        if
        :: local_count == 0 -> release()
        :: else ->
            shared = shared + local_count;
            flag_ended = true;
            if
            :: shared == 0 -> release()
            :: else
            fi
        fi
    };

after:
end_after:
    do
    :: atomic { queued > 0 -> queued--; busy++; goto execute }
    od;

execute:
#ifdef GROUP
    if
    :: atomic { MAY_BEGET }; beget(HOME)
    :: true
    fi;
#endif
    complete(HOME);
    if
    :: waiting_is_over -> goto after
    :: else -> goto wait
    fi
}

proctype Other(byte me)
{
    byte to_wake;
    bool must_wake;

end_other:
    do
    :: atomic { queued > 0 -> queued--; busy++ };
#ifdef GROUP
       if
       :: atomic { MAY_BEGET }; beget(me)
       :: true
       fi;
#endif
       complete(me)
    od
}

proctype Monitor()
{
end_monitor:
    atomic { home_over && undone == 0 && busy == 0 -> assert(!alive) }
}

init
{
    atomic {
        run Home();
        run Other(2);
        run Other(3);
        run Monitor()
    }
}
