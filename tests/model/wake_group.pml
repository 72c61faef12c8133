/* Who wakes many leaves it to the first of each group that is parked to wake the others.
 *
 * Maps to: sched/domain.c (leave_to, wake_range, bz_domain_wake_group), sched/sleep.c (park), sched/worker.c
 * (bz_worker_wake).
 *
 *   Waker      makes its news known. Looks at the first one's latch; if it is SLEEPING: wakes_group = 1, exchange SET. If
 *              that was SLEEPING, the rest is the first one's affair; else exchange wakes_group with 0, which says whether
 *              the first one has found it meanwhile. If not, or if the first one did not sleep, the waker wakes the other
 *              one itself
 *   Passer     wakes the first one alone, for a job
 *   First      waits until there is any news, or a job, and after each sleep, its latch reset, does what wakes_group says.
 *              Then it goes on to what may take forever: it does not sleep again
 *   Other      waits for the news of all wakers
 *
 * Both wait as sleep.pml has it: latch UNSET -> SLEEPY, a look, SLEEPY -> SLEEPING, sleep.
 *
 * Property: nobody is left blocked (no invalid end state).
 *
 * Abstracted. The counters, and light fences: as for all events (tests/check/sleep.c). All accesses here are exchanges, or
 * come behind a full fence.
 *
 * Twins, must fail
 *   TWIN_RELY          a waker relies on the first one, whether or not it slept
 *   TWIN_LATE          wakes_group is set after the latch */
#ifndef WAKERS
#define WAKERS 2
#endif

#define UNSET 0
#define SLEEPY 1
#define SLEEPING 2
#define SET 3

#define FIRST 0
#define OTHER 1

byte latch[2];
bit wakes_group;
byte news; /* of how many wakers */
bit job;

inline wake(who)
{
    if
    :: atomic { latch[who] == SLEEPY || latch[who] == SLEEPING -> latch[who] = SET }
    :: atomic { latch[who] == UNSET || latch[who] == SET -> skip }
    fi
}

proctype Waker()
{
    byte old;
    bit left;
    news++;
    if
    :: latch[FIRST] == SLEEPING ->
#ifdef TWIN_LATE
        atomic { old = latch[FIRST]; latch[FIRST] = SET };
        wakes_group = 1;
#else
        wakes_group = 1;
        atomic { old = latch[FIRST]; latch[FIRST] = SET };
#endif
        if
#ifdef TWIN_RELY
        :: true -> goto done
#endif
        :: old == SLEEPING -> goto done
        :: else
        fi;
        atomic { left = wakes_group; wakes_group = 0 };
        if
        :: left == 0 -> goto done
        :: else
        fi
    :: else
    fi;
    wake(FIRST);
    wake(OTHER);
done:
    skip
}

proctype Passer()
{
    job = 1;
    wake(FIRST)
}

/* One sleep, unless `over` is true before. */
inline sleep_unless(who, over)
{
    if
    :: atomic { latch[who] == UNSET -> latch[who] = SLEEPY };
        if
        :: over
        :: else ->
            if
            :: atomic { latch[who] == SLEEPY -> latch[who] = SLEEPING };
                latch[who] != SLEEPING
            :: latch[who] == SET
            fi
        fi
    :: latch[who] == SET
    fi;
    latch[who] = UNSET
}

proctype First()
{
    bit mine;
    do
    :: news > 0 || job -> break
    :: else ->
        sleep_unless(FIRST, news > 0 || job);
        if
        :: wakes_group == 1 ->
            atomic { mine = wakes_group; wakes_group = 0 };
            if
            :: mine == 1 -> wake(OTHER)
            :: else
            fi
        :: else
        fi
    od
}

proctype Other()
{
    do
    :: news == WAKERS -> break
    :: else -> sleep_unless(OTHER, news == WAKERS)
    od
}

init
{
    atomic {
        run First();
        run Other();
        run Passer();
        run Waker();
#if WAKERS == 2
        run Waker()
#endif
    }
}
