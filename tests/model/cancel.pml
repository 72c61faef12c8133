/* Meetings that can be called off, and the region's end behind them.
 *
 * Maps to: src/barrier.c (bz_barrier_wait_unless, leave, try_complete; bz_barrier_join), compat/omp/cancel.c (cancel_region)
 * and src/sleep.c (park).
 *
 *   Member     up to PHASES times: body, meeting; then the join, from anywhere once it knows that the region is cancelled
 *   Body       may begin a task, may cancel: off = 1, wake every member that may sleep; a task may, too
 *   Meeting    off: to the join. Arrive; until the generation moves or off is set: run a task, try to complete, park.
 *              Then, unless it has moved: take the arrival back, not while it is claimed; on
 *              the way to the join a task may be begun
 *   Join       arrive at the other word; until that one's generation moves: run a task, try to complete, park
 *   Complete   {my generation, all}; quiet: not stirred, or nothing unfinished. If stirred, claim, clear it. Then the CAS to
 *              {generation + 1, 0}, and wake every member that may sleep
 *   Park       latch UNSET -> SLEEPY; all questions again; SLEEPY -> SLEEPING; sleep while SLEEPING
 *
 * Properties: nothing begun is unfinished when a meeting or the join completes; a meeting completes with all members in it,
 * and none that has passed it finds one that has not; nobody arrives at two things at once; after the join the meeting's
 * word has no arrivals and no claim; nobody is left blocked (no invalid end state).
 *
 * Abstracted. How quiet is found out, and deques: barrier.pml; `unfinished` is exact, and whoever looks may find any task.
 *
 * Twins, must fail
 *   TWIN_LEAVE_CLAIMED   an arrival is taken back although somebody has claimed
 *   TWIN_STAY            an arrival is not taken back
 *   TWIN_ONE_WORD        the join arrives at the meetings' word
 *   TWIN_NO_WAKE         whoever cancels wakes nobody
 *   TWIN_NO_RECHECK      off is not asked again between SLEEPY and SLEEPING */
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

byte generation[2], arrived[2]; /* the words */
bool claimed[2];
bool off, stirred;
byte unfinished; /* begun and not ended */
byte queue;      /* of these, in some deque */
byte left = TASKS;
byte latch[K];
bool asleep[K];
byte passed[K];  /* meetings that completed for the member */
bool joining[K];

inline begin_task()
{
    left > 0 -> left--; unfinished++; queue++; stirred = true
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
    generation[word]++;
    arrived[word] = 0;
    claimed[word] = false
}

proctype Member(byte me)
{
    byte word, mine, i;
    bool sleepy, won;

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
    atomic { mine = generation[word]; arrived[word]++; goto wait };

end:
    atomic { joining[me] = true; word = JOIN; mine = generation[word]; arrived[word]++ };

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
    won = false;
    atomic {
        if
        :: generation[word] == mine && arrived[word] == K && !claimed[word] && (!stirred || unfinished == 0)
        :: else -> goto not_yet
        fi
    };
    if
    :: stirred ->
        atomic {
            if
            :: generation[word] == mine && arrived[word] == K && !claimed[word] -> claimed[word] = true
            :: else -> goto not_yet
            fi
        };
        stirred = false;
        atomic { /* the word is as it was claimed, or the CAS fails */
            if
            :: generation[word] == mine && arrived[word] == K -> publish(); won = true
            :: else -> claimed[word] = false; goto not_yet
            fi
        }
    :: !stirred ->
        atomic {
            if
            :: generation[word] == mine && arrived[word] == K && !claimed[word] -> publish(); won = true
            :: else -> goto not_yet
            fi
        }
    fi;
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
#ifdef TWIN_LEAVE_CLAIMED
        :: generation[word] == mine -> arrived[word]--; goto gone
#elif defined(TWIN_STAY)
        :: generation[word] == mine && !claimed[word] -> goto gone
#else
        :: generation[word] == mine && !claimed[word] -> arrived[word]--; goto gone
#endif
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
    assert(arrived[MEETING] == 0 && !claimed[MEETING])
}

init
{
    atomic {
        run Member(0);
        run Member(1);
#if K > 2
        run Member(2)
#endif
    }
}
