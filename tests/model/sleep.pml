/* Sleep and wake: the packed counters, the jobs event counter (JEC), the core latch and the fences together.
 *
 * Maps to: sched/counters.h, sched/latch.h (core latch), sched/sleep.c (bz_sleep_no_work, park, sleep_counted),
 * sched/domain.h
 * and domain.c (bz_domain_posted, bz_domain_inject, bz_domain_posted_slow, wake_any, bz_domain_stop_searching,
 * bz_domain_chain_wake), sched/worker.c (look, bz_worker_wake), wait/fence.h.
 *
 *   Worker that finds nothing
 *     announce  JEC odd -> even (nothing if even already); the JEC afterwards is the snapshot
 *     fence     heavy: every other thread's store buffer drains
 *     poll      its own event, then every queue once more
 *     sleepy    latch UNSET -> SLEEPY; if it was SET: consume it, poll again
 *     count     sleeping + 1, only while JEC == snapshot; else latch back to UNSET, poll again
 *     recheck   fence, then the own event and the injected queue; something there: sleeping - 1, latch back, poll again
 *     commit    latch SLEEPY -> SLEEPING; if it was SET: the same way back
 *     park      while latch == SLEEPING: futex_wait(latch, SLEEPING); then latch back, poll again
 *     chain     on leaving with a job or for the event: inactive - 1; if now all inactive workers sleep: fence, and if
 *               a queue has a job, wake one. Only with CHAIN, to keep the other variants small
 *   Poster
 *     push      internal: a store that the store buffer may hold back, no fence. Injected: followed by a fence
 *     read      internal: a load of the counters: odd and no worker sleeps: done. Else a fence
 *     post      JEC even -> odd; one read-modify-write
 *     decide    on the word of the post: if all inactive workers sleep, wake one
 *   Wake one    the first worker whose latch is SLEEPY or SLEEPING: exchange SET; if the old state was SLEEPING:
 *               sleeping - 1 and futex_wake. Those that may not run everything come last
 *   Event of one worker: its flag, then either the exchange (bz_worker_wake), or fence and exchange only if SLEEPY or
 *   SLEEPING (bz_domain_wake_if_asleep). With LIGHT: no fence after the flag, a load of the counters as after an internal
 *   push, then fence, post, and the exchange only if the word shows sleepers (bz_domain_wake_first)
 *
 * Count comes before commit: the thread that changes SLEEPING owns exactly one decrement, and a worker that
 * was not yet SLEEPING takes itself off.
 *
 * Property (process Monitor): when all posters are done and all workers are blocked in the futex, no job is queued, the
 * event was seen and the counters are exact. `sleeping` never goes below zero.
 *
 * Abstracted. A CAS loop that retries until it succeeds is one step. The polling phase is one round that may give up at
 * any time. The JEC never wraps, so all that matters of it is whether it is odd and whether it still equals a worker's
 * snapshot: that makes the model finite for any number of posts. Taking a job is running it. Wakes beyond the first, for
 * a backlog, are left out: fewer wakes are the worse case. So are threads that are yet to be started. Only the pushes of
 * posters go through a store buffer; all else is sequentially consistent.
 *
 * Variants
 *   SETTER                worker 0 waits for an event as well
 *   SETTER FILTERED CHAIN and runs no job while it waits: it counts as inactive only while it counts as sleeping
 *   SETTER LIGHT          the event is brought about on a hot path
 *   UNCOUNTED             a worker counts as inactive from some time of its polling on, or from after its last poll
 *   SPURIOUS              one futex wait returns spuriously
 *   TIMED CHAIN           worker 0 waits until a time: it is over at any moment, for good. Asleep it wakes itself, by the
 *                         same exchange as others would; then it goes, and passes on what it was woken for
 *   TIMED_PARK            any sleep may be one: announced without a fence, over at any moment, and followed by a poll
 *   SHARED                a worker that finds the JEC fenced since its announcement does not fence again
 *   SYMMETRIC             no membarrier in the kernel: a full fence after an internal push instead of the heavy one
 *   NO_FENCE              neither of the two, and the poster blocks afterwards: must fail
 *   NO_FENCE SELF_RUN     the same, but the poster runs what is left in its own queue: must hold
 *   RENDEZVOUS CHAIN      a job ends only when all jobs have started: a job without a wake is detected.
 *                         RENDEZVOUS without CHAIN must fail
 * Twins, must fail
 *   TWIN_SEED_JEC         sleeper and poster share one helper, even -> odd; the snapshot is taken after it
 *   TWIN_COMMIT_FIRST     SLEEPY -> SLEEPING before the count: the waker subtracts what was not added
 *   TWIN_FENCED_FIRST     the JEC is marked as fenced before it is (with SHARED)
 *   TWIN_FENCED_STAYS     and the mark also holds for the next announcement (with SHARED)
 *   TWIN_EXACT            "all inactive workers sleep" asked as inactive - sleeping == 0
 *   TWIN_SKIP_SLEEPY      a waker passes over a counted worker that is still SLEEPY
 *   TWIN_INJECT_NO_FENCE  no fence between the injected push and the read of the counters
 *   TWIN_NO_RECHECK       no poll of its own event after the count (with SETTER)
 *   TWIN_TAKE_OFF         a worker whose time is over takes itself off the sleepers, even if another has (with TIMED)
 *   TWIN_GO_AT_ONCE       and goes without passing anything on (with TIMED)
 *   TWIN_STAY_COUNTED     a worker that has found a job, or its event, counts as inactive as before (with UNCOUNTED) */
#ifndef NW
#define NW 3 /* workers */
#endif
#define NP 2 /* posters: 0 pushes to its own deque, 1 injects */
#ifndef JOBS0
#define JOBS0 1
#endif
#ifndef JOBS1
#define JOBS1 1
#endif

#define UNSET 0
#define SLEEPY 1
#define SLEEPING 2
#define SET 3

byte sleeping;      /* the packed word: workers counted as parked, */
#ifdef UNCOUNTED
byte inactive; /* workers that have no job and say so, */
#else
byte inactive = NW;
#endif
bool jec_odd;       /* whether the JEC is odd, */
#ifdef SHARED
bool fenced;        /* whether a worker has fenced since it was announced, */
#endif
bool unchanged[NW]; /* and whether it still equals the snapshot of worker i */
byte latch[NW];
bool waiting[NW]; /* in the kernel, on latch[i] */
byte queue[NP];   /* jobs that all can see */
byte buffer[NP];  /* pushes in the poster's store buffer */
byte done;        /* posters and setter that are finished */

#ifdef SETTER
bool event;      /* what worker 0 waits for */
bool event_held; /* in the setter's store buffer */
bool event_seen;
#define EVENT_FOR_ME (me == 0 && event && !event_seen)
#define FINISHERS (NP + 1)
#else
#define FINISHERS NP
#endif

#ifdef FILTERED
#define MAY_RUN (me != 0 || event_seen)
#define IS_FILTERED (me == 0 && !event_seen)
/* Back from the bed: who may not run everything was inactive only since its count. */
#define UP \
    if \
    :: IS_FILTERED -> goto work \
    :: else -> goto search \
    fi
#define ARRIVED event_seen = true; goto again
#else
#define MAY_RUN true
#define IS_FILTERED false
#define ARRIVED event_seen = true; goto work
#define UP goto search
#endif

#ifdef SPURIOUS
bool spurious_used;
#endif

#ifdef TIMED
bool gone; /* worker 0 */
#define PRESENT (NW - gone)
#else
#define PRESENT NW
#endif

#ifdef TIMED_PARK
bool timed_park[NW]; /* its sleep, the next one or the one that it is in, has an end */
#define FOR_GOOD(w) (waiting[w] && !timed_park[w])
#else
#define FOR_GOOD(w) waiting[w]
#endif

#ifdef RENDEZVOUS
byte taken; /* jobs started */
#define TAKEN taken++
#else
#define TAKEN skip
#endif

inline drain(p)
{
    queue[p] = queue[p] + buffer[p];
    buffer[p] = 0
}

#ifdef SETTER
inline drain_event()
{
    if
    :: event_held -> event_held = false; event = true
    :: else
    fi
}
#endif

inline flip_jec()
{
    jec_odd = !jec_odd;
#if defined(SHARED) && !defined(TWIN_FENCED_STAYS)
    fenced = false;
#endif
    unchanged[0] = false;
    unchanged[1] = false;
    unchanged[NW - 1] = false
}

/* All inactive workers sleep. Not `==`: between a waker's exchange and its subtraction the woken worker may have been
 * counted again, so for a moment sleeping > inactive. */
#ifdef TWIN_EXACT
#define NONE_SEARCHES (inactive == sleeping)
#else
#define NONE_SEARCHES (inactive <= sleeping)
#endif

inline sub_sleeping()
{
    assert(sleeping > 0);
    sleeping--
}

#define DEAD(label) old = UNSET; w = 0; goto label /* dead variables back to zero, then on */

/* Exchanges SET into the latch of worker w; then, if it was SLEEPING, wakes it. p: the buffer that drains. */
inline set_latch(p, out)
{
    atomic {
        drain(p);
        old = latch[w];
        latch[w] = SET;
        if
        :: old == SLEEPING
        :: else -> DEAD(out)
        fi
    };
    atomic {
        sub_sleeping();
        waiting[w] = false; /* futex_wake: of an address, nothing is read */
        DEAD(out)
    }
}

#ifdef TWIN_SKIP_SLEEPY
#define PASS_OVER(w) (latch[w] != SLEEPING)
#else
#define PASS_OVER(w) (latch[w] == UNSET || latch[w] == SET)
#endif

/* To be labelled `scan`. Worker 0 comes last: it is the one that may be filtered. Between the read of the latch and the
 * exchange the worker may have moved on: then it polls again anyway. */
inline wake_one(p, out)
{
    if
    :: atomic {
           PASS_OVER((w + 1) % NW) -> w++;
           if
           :: w == NW -> DEAD(out)
           :: else -> goto scan
           fi
       }
    :: atomic { !PASS_OVER((w + 1) % NW) -> w = (w + 1) % NW }
    fi;
    set_latch(p, out)
}

inline take(q)
{
    atomic {
        if
        :: MAY_RUN && queue[q] > 0 -> queue[q]--; TAKEN; goto work
        :: else
        fi
    }
}

proctype Worker(byte me)
{
    byte w, old;
#ifdef UNCOUNTED
    bool counted;
#endif
#ifdef TIMED
    bool over;
#endif

search:
#ifdef UNCOUNTED
    if
    :: atomic { !counted && !IS_FILTERED -> counted = true; inactive++ }
    :: true
    fi;
#endif
    atomic { /* nothing is concluded from not finding, so giving up is allowed at any time */
        unchanged[me] = false; /* no longer used */
        if
#ifdef SETTER
        :: EVENT_FOR_ME -> ARRIVED
#endif
        :: MAY_RUN && queue[0] > 0 -> queue[0]--; TAKEN; goto work
        :: MAY_RUN && queue[1] > 0 -> queue[1]--; TAKEN; goto work
#ifdef TIMED
        :: me == 0 -> over = true; goto work
        :: !over /* announce */
#else
        :: true /* announce */
#endif
        fi;
        if
#ifdef TWIN_SEED_JEC
        :: !jec_odd -> flip_jec()
#else
        :: jec_odd -> flip_jec()
#endif
        :: else
        fi;
        unchanged[me] = true
    };

#ifdef TIMED_PARK
    if
    :: timed_park[me] = true; goto looked
    :: timed_park[me] = false
    fi;
#endif
#ifdef SHARED
    if
    :: fenced || !unchanged[me] -> goto looked
    :: !fenced
    fi;
#ifdef TWIN_FENCED_FIRST
    atomic { fenced = fenced || unchanged[me] };
#endif
#endif
#if !defined(SYMMETRIC) && !defined(NO_FENCE)
    atomic { drain(0) }; /* heavy fence: one thread after the other; poster 1 has fences of its own */
#ifdef LIGHT
    atomic { drain_event() };
#endif
#endif
#ifdef SHARED
    atomic { fenced = fenced || unchanged[me] };
#endif
#if defined(TIMED_PARK) || defined(SHARED)
looked:
    skip;
#endif
#ifdef SETTER
    atomic {
        if
        :: EVENT_FOR_ME -> ARRIVED
        :: else
        fi
    };
#endif
    take(0);
    take(1);
#ifdef UNCOUNTED
    if
    :: atomic { !counted && !IS_FILTERED -> counted = true; inactive++ }
    :: counted || IS_FILTERED
    fi;
#endif

    atomic { /* sleepy */
        if
        :: latch[me] == UNSET -> latch[me] = SLEEPY
        :: else -> latch[me] = UNSET; goto search
        fi
    };
#ifdef TWIN_COMMIT_FIRST
    atomic {
        if
        :: latch[me] == SLEEPY -> latch[me] = SLEEPING
        :: else -> latch[me] = UNSET; goto search
        fi
    };
#endif
    atomic { /* count */
        if
        :: unchanged[me] ->
            unchanged[me] = false;
            sleeping++;
#ifdef FILTERED
            if
            :: IS_FILTERED ->
                inactive++;
#ifdef UNCOUNTED
                counted = true
#endif
            :: else
            fi
#endif
        :: else -> latch[me] = UNSET; goto search
        fi
    };
#if defined(SETTER) && !defined(TWIN_NO_RECHECK)
    atomic { /* recheck */
        if
        :: EVENT_FOR_ME -> goto back
        :: else
        fi
    };
#endif
    atomic {
        if
        :: MAY_RUN && queue[1] > 0 -> goto back
        :: else
        fi
    };
#ifndef TWIN_COMMIT_FIRST
    atomic { /* commit */
        if
        :: latch[me] == SLEEPY -> latch[me] = SLEEPING
        :: else -> goto back
        fi
    };
#endif

park:
    atomic { /* futex_wait compares and blocks in one step */
        if
        :: latch[me] == SLEEPING -> waiting[me] = true
        :: else -> latch[me] = UNSET; UP
        fi
    };
end_parked:
    if
    :: !waiting[me]
#ifdef SPURIOUS
    :: atomic { waiting[me] && !spurious_used -> spurious_used = true; waiting[me] = false }
#endif
#ifdef TIMED
    :: atomic { me == 0 && waiting[me] -> waiting[me] = false; over = true };
#ifdef TWIN_TAKE_OFF
       atomic { latch[me] = SET; sub_sleeping() }
#else
       w = me;
       set_latch(1, park)
#endif
#endif
#ifdef TIMED_PARK
    :: atomic { timed_park[me] && waiting[me] -> waiting[me] = false };
       w = me;
       set_latch(1, park)
#endif
    fi;
    goto park;

back:
#ifdef TWIN_COMMIT_FIRST /* the state is SLEEPING: if a waker changed it, the waker has subtracted */
    atomic {
        if
        :: latch[me] == SLEEPING -> latch[me] = UNSET
        :: else -> latch[me] = UNSET; goto search
        fi
    };
    atomic { sub_sleeping(); goto search };
#else
    atomic { sub_sleeping() };
    atomic { latch[me] = UNSET; UP };
#endif

ready: /* the chained wake is over */
#ifdef TIMED
    if
    :: atomic { over -> gone = true; over = false };
end_gone:
       false
    :: !over
    fi;
#endif
#ifdef FILTERED
    if
    :: atomic { IS_FILTERED -> goto search }
    :: !IS_FILTERED
    fi;
#endif
#ifdef RENDEZVOUS
    taken == JOBS0 + JOBS1;
#endif
again: /* the job is done, or what follows the event; back as a plain worker */
#ifdef UNCOUNTED
    goto search;
#else
    atomic { inactive++; goto search };
#endif

work:
#ifdef UNCOUNTED
    if
#ifdef TWIN_STAY_COUNTED
    :: goto ready
#else
    :: atomic { !counted -> goto ready }
    :: atomic { counted -> counted = false }
#endif
    fi;
#endif
#ifndef CHAIN
    inactive--;
    goto ready
#else
    atomic {
        inactive--;
        if
#ifdef TWIN_GO_AT_ONCE
        :: over -> goto ready
        :: !over && sleeping > 0 && NONE_SEARCHES
#else
        :: sleeping > 0 && NONE_SEARCHES
#endif
        :: else -> goto ready
        fi
    };
    if
    :: queue[1] > 0
    :: atomic {
           queue[1] == 0 ->
           if
           :: queue[0] > 0
           :: else -> goto ready
           fi
       }
    fi;
scan:
    wake_one(1, ready)
#endif
}

proctype Poster(byte me; byte jobs)
{
    byte w, old;

next:
    atomic {
        if
        :: jobs > 0 -> jobs--; buffer[me]++ /* push */
        :: else -> goto posted
        fi;
        if /* a fence right after the push is one step with it */
#ifdef SYMMETRIC
        :: me == 0 -> drain(me)
#else
        :: me == 0
#endif
#ifdef TWIN_INJECT_NO_FENCE
        :: me == 1
#else
        :: me == 1 -> drain(me); goto post
#endif
        fi
    };
    atomic { /* look: a load, the buffer stays */
        if
        :: jec_odd && sleeping == 0 -> goto next
        :: else -> drain(me)
        fi
    };
post:
    atomic { /* post, and decide from the same word */
        if
        :: !jec_odd -> flip_jec()
        :: else
        fi;
        if
        :: sleeping > 0 && NONE_SEARCHES
        :: else -> goto next
        fi
    };
scan:
    wake_one(me, next);

posted:
#ifdef SELF_RUN
    do /* pop and run what is left: the poster sees its own buffer */
    :: atomic { me == 0 && queue[me] + buffer[me] > 0 -> drain(me); queue[me]--; TAKEN }
    :: atomic { me == 1 || queue[me] + buffer[me] == 0 -> break }
    od;
#endif
    done++
}

#ifdef SETTER
/* Completes what worker 0 waits for. */
proctype Setter()
{
    byte w, old;
#ifdef LIGHT
    atomic {
        event_held = true;
#ifdef SYMMETRIC
        drain_event()
#endif
    };
    atomic { /* look: a load, the buffer stays */
        if
        :: jec_odd && sleeping == 0 -> goto finished
        :: else -> drain_event()
        fi
    };
    atomic { /* post */
        if
        :: !jec_odd -> flip_jec()
        :: else
        fi;
        if
        :: sleeping == 0 -> goto finished
        :: else
        fi
    };
#else
    event = true; /* and a fence */
#endif
    if
#ifndef LIGHT
    :: true            /* wake whatever it does */
#endif
    :: !PASS_OVER(0)   /* wake if it may sleep */
    :: PASS_OVER(0) -> goto finished
    fi;
    set_latch(1, finished);
finished:
    done++
}
#endif

/* The store buffers drain by themselves, at any time. */
proctype Memory()
{
end_memory:
    do
    :: atomic { buffer[0] > 0 -> drain(0) }
    :: atomic { buffer[1] > 0 -> drain(1) }
#ifdef LIGHT
    :: atomic { event_held -> drain_event() }
#endif
    od
}

#ifdef TIMED
#define ALL_PARKED ((gone || FOR_GOOD(0)) && FOR_GOOD(1) && FOR_GOOD(NW - 1))
#else
#define ALL_PARKED (FOR_GOOD(0) && FOR_GOOD(1) && FOR_GOOD(NW - 1))
#endif

#ifdef SETTER
#define ALL_VISIBLE (buffer[0] + buffer[1] == 0 && !event_held)
#else
#define ALL_VISIBLE (buffer[0] + buffer[1] == 0)
#endif

proctype Monitor()
{
end_monitor:
    atomic {
        done == FINISHERS && ALL_PARKED && ALL_VISIBLE ->
        assert(queue[0] + queue[1] == 0);
#ifdef SETTER
        assert(event_seen);
#endif
        assert(sleeping == PRESENT && inactive == PRESENT)
    }
}

init
{
    atomic {
#if defined(FILTERED) && !defined(UNCOUNTED)
        inactive = NW - 1;
#endif
        run Worker(0);
        run Worker(1);
#if NW > 2
        run Worker(2);
#endif
        run Poster(0, JOBS0);
        run Poster(1, JOBS1);
#ifdef SETTER
        run Setter();
#endif
        run Memory();
        run Monitor()
    }
}
