/* Latches: who may touch what when, and the futex under them.
 *
 * Maps to: sched/latch.h and sched/latch.c (core, count and once latch), sched/worker.c (bz_worker_wake),
 * sched/sleep.c (park).
 *
 * Default: a worker (Owner) waits twice, each time on a count latch in its frame that two others (Setter) count down.
 *   Setter     reads the owner from the count latch, then subtracts one. The last one exchanges SET into the owner's core
 *              latch; if the old state was SLEEPING it wakes the futex. After the subtraction the frame may be gone; the
 *              core latch is the worker's and stays.
 *   Owner      while the count is not zero: latch UNSET -> SLEEPY (if SET: reset, look again), look at the count again,
 *              SLEEPY -> SLEEPING (if SET: reset, look again), futex_wait while SLEEPING, reset to UNSET
 *   Passer-by  wakes the owner for another reason, once
 * ONCE: a thread that is no worker waits twice on a once latch, both times at the same address.
 *   Setter i   exchanges SET; if the old state was SLEEPING: wakes the futex at that address, by then perhaps the next
 *              latch's
 *   Waiter     UNSET -> SLEEPING (if SET: returns), then futex_wait until SET
 *
 * Properties: the waiter is never blocked forever (no invalid end state); it returns only when all have set (assert);
 * nobody reads or writes a latch whose frame is gone (assert). One futex wait may return for no reason.
 *
 * Abstracted: the sleep counters (sleep.pml), the work that an owner runs while it waits.
 *
 * Twins, must fail
 *   TWIN_TWO_STATE   a core latch of two states: the setter wakes if it reads "asleep", the owner stores "asleep" after
 *                    its look at the count: blocked forever
 *   TWIN_OWNER_LATE  the setter reads the owner from the count latch after its subtraction: reads freed memory
 *   TWIN_IN_FRAME    the core latch dies with the frame: the exchange writes to freed memory
 *   ONCE TWIN_WAIT_ONCE    the waiter takes any return from futex_wait for the set
 *   ONCE TWIN_TOUCH_AFTER  the setter stores SET, then reads the latch to see whether to wake */
#define UNSET 0
#define SLEEPY 1
#define SLEEPING 2
#define SET 3

bool alive[2] = true; /* the frame of wait r */
bool waiting;         /* in the kernel, on the latch word */
bool spurious_used;
byte latch; /* core latch; with ONCE, the word at the one address */

/* Blocks the caller while the word is SLEEPING, and returns for any wake at its address. */
inline futex_wait()
{
    atomic {
        if
        :: latch == SLEEPING -> waiting = true
        :: else
        fi
    };
    if
    :: !waiting
    :: atomic { waiting && !spurious_used -> spurious_used = true; waiting = false }
    fi
}

#define FUTEX_WAKE waiting = false /* of an address: touches no latch */

#ifndef ONCE

byte count[2] = 2;   /* the count latch of wait r */

#ifdef TWIN_IN_FRAME
#define LATCH_ALIVE(r) alive[r]
#else
#define LATCH_ALIVE(r) true
#endif

inline wake_owner(r)
{
#ifdef TWIN_TWO_STATE
    if
    :: atomic { latch == SLEEPING -> latch = UNSET; FUTEX_WAKE }
    :: else
    fi
#else
    atomic {
        assert(LATCH_ALIVE(r));
        old = latch;
        latch = SET
    };
    if
    :: old == SLEEPING -> FUTEX_WAKE
    :: else
    fi
#endif
}

proctype Setter()
{
    byte r, old;
    bool last;

    do
    :: r < 2 ->
#ifndef TWIN_OWNER_LATE
        assert(alive[r]); /* reads the owner */
#endif
        atomic {
            assert(alive[r]);
            count[r]--;
            last = (count[r] == 0)
        };
        if
        :: last ->
#ifdef TWIN_OWNER_LATE
            assert(alive[r]);
#endif
            wake_owner(r)
        :: else
        fi;
        r++
    :: else -> break
    od
}

proctype PasserBy()
{
    byte old;
#ifndef TWIN_IN_FRAME
    wake_owner(0)
#endif
}

proctype Owner()
{
    byte r;

look:
    do
    :: atomic { count[r] == 0 -> break }
    :: atomic { count[r] != 0 -> skip };
#ifdef TWIN_TWO_STATE
        latch = SLEEPING;
#else
        atomic {
            if
            :: latch == UNSET -> latch = SLEEPY
            :: else -> latch = UNSET; goto look
            fi
        };
        atomic {
            if
            :: count[r] == 0 -> latch = UNSET; goto look
            :: else
            fi
        };
        atomic {
            if
            :: latch == SLEEPY -> latch = SLEEPING
            :: else -> latch = UNSET; goto look
            fi
        };
#endif
        do
        :: latch == SLEEPING -> futex_wait()
        :: else -> break
        od;
        latch = UNSET
    od;
    assert(count[r] == 0);
    alive[r] = false; /* returns */
    r++;
    if
    :: r < 2 -> goto look
    :: else
    fi
}

init
{
    atomic {
        run Owner();
        run Setter();
        run Setter();
        run PasserBy()
    }
}

#else

bool was_set[2];
byte begun; /* latches that are initialised: setter r learns of latch r by it */

proctype Setter(byte r)
{
    byte old;

    begun > r;
#ifdef TWIN_TOUCH_AFTER
    atomic {
        assert(alive[r]);
        old = latch;
        was_set[r] = true;
        latch = SET
    };
    assert(alive[r]); /* reads it again */
#else
    atomic {
        assert(alive[r]);
        old = latch;
        was_set[r] = true;
        latch = SET
    };
#endif
    if
    :: old == SLEEPING -> FUTEX_WAKE
    :: else
    fi
}

proctype Waiter()
{
    byte r;

again:
    atomic {
        latch = UNSET; /* nobody touches the previous latch any more */
        begun++
    };
    if
    :: atomic { latch == SET -> goto set } /* probe */
    :: true
    fi;
    atomic {
        if
        :: latch == UNSET -> latch = SLEEPING
        :: else -> goto set
        fi
    };
#ifdef TWIN_WAIT_ONCE
    futex_wait();
#else
    do
    :: latch != SET -> futex_wait()
    :: else -> break
    od;
#endif
set:
    assert(was_set[r]);
    alive[r] = false; /* returns */
    r++;
    if
    :: r < 2 -> goto again
    :: else
    fi
}

init
{
    atomic {
        run Waiter();
        run Setter(0);
        run Setter(1)
    }
}

#endif
