/* Meetings whose last member wakes the others as a poster does: a light fence, one load of the sleep counters, and the rest
 * only if somebody has announced that it may sleep, or sleeps.
 *
 * Maps to: team/barrier.c (arrive, wake_others), sched/domain.h and domain.c (bz_domain_wake_first, its slow half,
 * bz_domain_wake_if_asleep), sched/sleep.c (bz_sleep_no_work, park, sleep_counted), team/thread_team.c (wake_members),
 * sched/counters.h, sched/latch.h, wait/fence.h.
 *
 *   Member     arrives; the last one completes the meeting and wakes the sleepers; the others wait until it is complete
 *   Complete   {generation + 1, no arrivals}: a store that the store buffer may hold back
 *   Wake       light fence: none at all where there is membarrier. A load of the counters: odd and nobody sleeps: done. Else
 *              a fence and the post, JEC even -> odd; nobody sleeps: done. Else one member after the other: a load of its
 *              latch; if it is SLEEPY or SLEEPING: exchange SET, and if that was SLEEPING: sleeping - 1 and futex_wake
 *   Wait       looks at the generation, or announces, at any time: JEC odd -> even, or just a load if it is even; the JEC
 *              then is the snapshot. Heavy fence: all store buffers drain. Last look. Latch UNSET -> SLEEPY. Sleeping + 1,
 *              only while JEC == snapshot. Recheck. Latch SLEEPY -> SLEEPING. futex_wait while SLEEPING. A step that fails:
 *              what was done is undone, and all begins again
 *
 * They meet PHASES times. While somebody is still to wake others after one meeting, they may be on their way to sleep in the
 * next one: latches are set late, the post comes between another one's announcement and its count, and who announces finds
 * the JEC odd, or even from somebody else's announcement, or from an earlier meeting.
 *
 * Properties: nobody is left blocked (no invalid end state); `sleeping` is never below zero, and zero in the end.
 *
 * Abstracted. Jobs, and so who counts as inactive: only who posts a job asks for that (sleep.pml). The JEC never wraps: all
 * that matters is whether it is odd, and whether it still equals a member's snapshot. A machine that does a load before an
 * earlier store shows what a buffer that holds the store back shows; on any machine a heavy fence falls between two
 * instructions of each other thread, with all done that comes before and nothing that comes after.
 *
 * Variants
 *   SYMMETRIC          no membarrier in the kernel: light and heavy are full fences of who executes them
 *   JOIN               all meetings are ends of regions, at which only member 0 is woken. It then starts the next region:
 *                      fences, and wakes all if it sees sleepers, without a post. The others wait for that start (which
 *                      start.pml is about) before they come to the next meeting
 * Twins, must fail
 *   TWIN_NO_HEAVY      no membarrier, and yet the light fence is none
 *   TWIN_LOAD_FIRST    the counters are loaded before the store
 *   TWIN_FENCE_FIRST   heavy fence and last look come before the announcement
 *   TWIN_NO_COMPARE    who counts itself does not compare the JEC with its snapshot
 *   TWIN_SKIP_SLEEPY   a waker passes over a member that is counted but still SLEEPY
 *   TWIN_NO_RECHECK    nothing is asked between being counted and committing (with JOIN: else the post is enough) */
#ifndef K
#define K 3 /* members */
#endif
#ifndef PHASES
#define PHASES 4
#endif

#define UNSET 0
#define SLEEPY 1
#define SLEEPING 2
#define SET 3

byte generation, arrived; /* the barrier's word */
bool held[K];             /* the completing store is in the store buffer of i */
byte sleeping;            /* the counters: members counted as parked, */
bool jec_odd = true;      /* whether the JEC is odd, */
bool unchanged[K];        /* and whether it still equals the snapshot of i */
byte latch[K];
bool waiting[K]; /* in the kernel, on latch[i] */
byte over;       /* members that have been to all meetings */
#ifdef JOIN
byte started; /* regions */
#endif

inline drain(i)
{
    if
    :: held[i] -> held[i] = false; generation++; arrived = 0
    :: else
    fi
}

inline flip_jec()
{
    jec_odd = !jec_odd;
    unchanged[0] = false;
    unchanged[1] = false;
    unchanged[K - 1] = false
}

#define IS_COMPLETE (generation > phase || held[me])

#ifdef TWIN_SKIP_SLEEPY
#define PASS_OVER (w == me || latch[w] != SLEEPING)
#else
#define PASS_OVER (w == me || latch[w] == UNSET || latch[w] == SET)
#endif

#ifdef JOIN
#define WOKEN 1
#else
#define WOKEN K
#endif

/* Members 0 to count - 1, but for the own one. Dead variables back to zero. */
inline wake_sleepers(count)
{
    do
    :: atomic { w == count -> w = 0; break }
    :: atomic { w < count && PASS_OVER -> w++ }
    :: w < count && !PASS_OVER ->
        atomic {
            drain(me);
            old = latch[w];
            latch[w] = SET;
            if
            :: old == SLEEPING
            :: else -> w++
            fi
        };
        if
        :: atomic {
               old == SLEEPING ->
               assert(sleeping > 0);
               sleeping--;
               waiting[w] = false; /* futex_wake */
               w++;
               old = UNSET
           }
        :: atomic { old != SLEEPING -> old = UNSET }
        fi
    od
}

proctype Member(byte me)
{
    byte phase, w, old;
#ifdef TWIN_LOAD_FIRST
    bool all_awake;
#endif

arrive:
    atomic {
        drain(me);
        arrived++;
        if
        :: arrived == K
        :: else -> goto search
        fi
    };
#ifdef TWIN_LOAD_FIRST
    atomic { all_awake = (jec_odd && sleeping == 0) };
#endif
    atomic {
        held[me] = true;
#ifdef SYMMETRIC
        drain(me)
#endif
    };
    atomic { /* a load, the buffer stays */
        if
#ifdef TWIN_LOAD_FIRST
        :: all_awake -> all_awake = false; goto complete
#else
        :: jec_odd && sleeping == 0 -> goto complete
#endif
        :: else -> drain(me)
        fi
    };
    atomic { /* post */
        if
        :: !jec_odd -> flip_jec()
        :: else
        fi;
        if
        :: sleeping == 0 -> goto complete
        :: else
        fi
    };
    wake_sleepers(WOKEN);
    goto complete;

search:
    if
    :: IS_COMPLETE -> goto complete
    :: true
    fi;
#ifdef TWIN_FENCE_FIRST
    atomic { drain(0); drain(1); drain(K - 1) };
    if
    :: IS_COMPLETE -> goto complete
    :: else
    fi;
#endif
    atomic { /* announce */
        drain(me);
        if
        :: jec_odd -> flip_jec()
        :: else
        fi;
        unchanged[me] = true
    };
#if !defined(SYMMETRIC) && !defined(TWIN_NO_HEAVY) && !defined(TWIN_FENCE_FIRST)
    atomic { drain(0); drain(1); drain(K - 1) };
#endif
#ifndef TWIN_FENCE_FIRST
    atomic {
        if
        :: IS_COMPLETE -> unchanged[me] = false; goto complete
        :: else
        fi
    };
#endif
    atomic { /* sleepy */
        if
        :: latch[me] == UNSET -> latch[me] = SLEEPY
        :: else -> latch[me] = UNSET; unchanged[me] = false; goto search
        fi
    };
    atomic { /* count */
        if
#ifdef TWIN_NO_COMPARE
        :: true -> unchanged[me] = false; sleeping++
#else
        :: unchanged[me] -> unchanged[me] = false; sleeping++
        :: else -> latch[me] = UNSET; goto search
#endif
        fi
    };
#ifndef TWIN_NO_RECHECK
    atomic { /* recheck */
        if
        :: IS_COMPLETE -> goto back
        :: else
        fi
    };
#endif
    atomic { /* commit */
        if
        :: latch[me] == SLEEPY -> latch[me] = SLEEPING
        :: else -> goto back
        fi
    };

park:
    atomic { /* futex_wait compares and blocks in one step */
        if
        :: latch[me] == SLEEPING -> waiting[me] = true
        :: else -> latch[me] = UNSET; goto search
        fi
    };
    atomic { !waiting[me] -> goto park };

back:
    atomic { assert(sleeping > 0); sleeping-- };
    atomic { latch[me] = UNSET; goto search };

complete:
#ifdef JOIN
    if
    :: atomic { me == 0 -> drain(me); started++ };
       if
       :: sleeping > 0 -> wake_sleepers(K)
       :: sleeping == 0
       fi
    :: me != 0 && started > phase
    fi;
#endif
    atomic {
        phase++;
        if
        :: phase < PHASES -> goto arrive
        :: else
        fi;
        over++
    }
}

/* The store buffers drain by themselves, at any time. */
proctype Memory()
{
end_memory:
    do
    :: atomic { held[0] -> drain(0) }
    :: atomic { held[1] -> drain(1) }
    :: atomic { held[K - 1] -> drain(K - 1) }
    :: atomic { over == K -> assert(sleeping == 0); over = 0 }
    od
}

init
{
    atomic {
        run Member(0);
        run Member(1);
#if K > 2
        run Member(2);
#endif
        run Memory()
    }
}
