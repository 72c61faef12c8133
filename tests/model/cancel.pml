/* Meetings that can be called off, and the region's end after them.
 *
 * Maps to: team/barrier.c (bz_barrier_wait_unless, leave, try_complete; bz_barrier_join), omp/loop/cancel.c (cancel_region)
 * and sched/sleep.c (park).
 *
 *   Member     up to PHASES times: body, meeting; then the join, from anywhere once it knows that the region is cancelled
 *   Body       may begin a task, may cancel: off = 1, wake every member that may sleep; a task may cancel as well
 *   Meeting    off: to the join. Arrive; until the generation moves or off is set: run a task, try to complete, park.
 *              Then, unless it has moved: take the arrival back, and what it reported, but not when all are there and none
 *              pending; on the way to the join a task may be begun
 *   Join       arrive at the other word; until that one's generation moves: run a task, try to complete, park
 *   Arrive     arrived + 1, and pending + 1 if the member has begun a task since it last reported. The one that makes it
 *              all, and none pending, then stores {generation + 1, 0, 0}
 *   Complete   {my generation, all}, some pending, and nothing unfinished: CAS to {generation + 1, 0, 0}. The completing
 *              member wakes every member that may sleep
 *   Park       latch UNSET -> SLEEPY; all questions again; SLEEPY -> SLEEPING; sleep while SLEEPING
 *
 * Properties: nothing begun is unfinished when a meeting or the join completes; a meeting completes with all members in it,
 * and none that has passed it finds one that has not; no member arrives at two words at once; after the join the meeting's
 * word has no arrivals and none pending; no member stays blocked (no invalid end state).
 *
 * OUTSIDE: a non-member cancels as well. The runtime never does that, but the barrier allows it. Without it no member calls
 * off a meeting where all have arrived and none is pending.
 *
 * Abstracted. Quiescence and deques: check/barrier.c. `unfinished` is exact, and any member may find any
 * task.
 *
 * Twins, must fail
 *   TWIN_LEAVE_LAST   an arrival is taken back although all are there and none pending
 *   TWIN_UNREPORTED   the arrival is taken back, but not what it reported
 *   TWIN_STAY         an arrival is not taken back
 *   TWIN_ONE_WORD     the join arrives at the meetings' word
 *   TWIN_NO_WAKE      the canceller wakes no member
 *   TWIN_NO_RECHECK   off is not read again between SLEEPY and SLEEPING */
#ifndef K
#define K 3
#endif
#ifndef PHASES
#define PHASES 2
#endif
#ifndef TASKS
#define TASKS 1
#endif

#define UNSET 0
#define SLEEPY 1
#define SLEEPING 2
#define SET 3

#define MEETING 0
#ifdef TWIN_ONE_WORD
#define JOIN 0
#else
#define JOIN 1
#endif

byte generation[2], arrived[2], pending[2]; /* the words */
bool off;
bool fresh[K]; /* has begun a task since it last reported */
byte unfinished; /* begun and not ended */
byte queue;      /* of these, in some deque */
byte left = TASKS;
byte latch[K];
bool asleep[K];
byte passed[K];  /* meetings that completed for the member */
bool joining[K];

inline begin_task()
{
    left > 0 -> left--; unfinished++; queue++; fresh[me] = true
}

inline wake_all()
{
    i = 0;
    do
    :: i < K ->
        atomic {
            if
            :: i != me && latch[i] != UNSET ->
                if
                :: latch[i] == SLEEPING -> asleep[i] = false
                :: else
                fi;
                latch[i] = SET
            :: else
            fi;
            i++
        }
    :: else -> i = 0; break
    od
}

/* What the C code asks of a wait that is over: `over`. */
#define OVER (generation[word] != mine || (word == MEETING && !joining[me] && off))

inline publish()
{
    assert(unfinished == 0);
    if
    :: word == MEETING && !joining[me] ->
        for (i : 0 .. K - 1) {
            assert(!joining[i] && passed[i] == passed[me])
        }
    :: else -> /* all members are at the end */
        for (i : 0 .. K - 1) {
            assert(joining[i])
        }
    fi;
    i = 0;
    generation[word] = mine + 1;
    arrived[word] = 0;
    pending[word] = 0
}

inline arrive()
{
    mine = generation[word];
    arrived[word]++;
    tells = fresh[me];
    pending[word] = pending[word] + tells;
    fresh[me] = false;
    if
    :: arrived[word] == K && pending[word] == 0 -> goto last
    :: else -> goto wait
    fi
}

proctype Member(byte me)
{
    byte word, mine, i;
    bool sleepy, tells;

body:
    do
    :: atomic { begin_task() }
    :: !off ->
        off = true;
#ifndef TWIN_NO_WAKE
        wake_all();
#endif
        goto end
    :: break
    od;
    word = MEETING;
    atomic {
        if
        :: off -> goto end
        :: else
        fi
    };
    atomic { arrive() };

end:
    atomic { joining[me] = true; word = JOIN; arrive() };

last:
    atomic { publish() };
    goto wake;

wait:
    atomic {
        sleepy = false;
        if
        :: OVER -> goto over
        :: !OVER && queue > 0 -> queue--; goto execute
        :: else
        fi
    };

try:
    atomic {
        if
        :: generation[word] == mine && arrived[word] == K && pending[word] > 0 && unfinished == 0
        :: else -> goto not_yet
        fi
    };
    atomic {
        if
        :: generation[word] == mine && arrived[word] == K -> publish()
        :: else -> goto not_yet
        fi
    };
wake:
    wake_all();
    goto over;

not_yet:
    if
    :: sleepy -> goto commit
    :: else
    fi;

park:
    atomic {
        if
        :: latch[me] == UNSET -> latch[me] = SLEEPY
        :: else -> latch[me] = UNSET; goto wait
        fi
    };
    atomic {
        sleepy = true;
        if
#ifdef TWIN_NO_RECHECK
        :: generation[word] != mine -> latch[me] = UNSET; goto wait
#else
        :: OVER -> latch[me] = UNSET; goto wait
#endif
        :: else -> goto try
        fi
    };

commit:
    atomic {
        sleepy = false;
        if
        :: latch[me] == SLEEPY -> latch[me] = SLEEPING; asleep[me] = true
        :: else -> latch[me] = UNSET; goto wait
        fi
    };
    atomic { !asleep[me] -> latch[me] = UNSET; goto wait };

execute:
    if
    :: atomic { begin_task() }
    :: !off ->
        off = true;
#ifndef TWIN_NO_WAKE
        wake_all()
#endif
    :: true
    fi;
    atomic { unfinished--; goto wait };

over:
    atomic {
        sleepy = false;
        latch[me] = UNSET;
        if
        :: joining[me] -> goto done
        :: else
        fi
    };
leave:
    atomic {
        if
        :: generation[word] != mine -> goto pass
#ifdef TWIN_LEAVE_LAST
        :: generation[word] == mine ->
#else
        :: generation[word] == mine && !(arrived[word] == K && pending[word] == 0) ->
#endif
#ifndef TWIN_STAY
            arrived[word]--;
            pending[word] = pending[word] - tells;
#endif
#ifndef TWIN_UNREPORTED
            fresh[me] = fresh[me] || tells;
#endif
            goto gone
        fi
    };
gone:
    if
    :: atomic { begin_task() }
    :: true
    fi;
    goto end;
pass:
    atomic {
        passed[me]++;
        if
        :: passed[me] < PHASES -> goto body
        :: else -> goto end
        fi
    };

done:
    assert(arrived[MEETING] == 0 && pending[MEETING] == 0)
}

#ifdef OUTSIDE
proctype Outsider(byte me)
{
    byte i;
    off = true;
    wake_all()
}
#endif

init
{
    atomic {
#ifdef OUTSIDE
        run Outsider(K);
#endif
        run Member(0);
        run Member(1);
#if K > 2
        run Member(2)
#endif
    }
}
