/* The team barrier that runs tasks: arrivals, quiescence by two sums, parking.
 *
 * Maps to: team/barrier.c (arrive, try_complete, wake_others), sched/quiet.h, sched/domain.c (bz_domain_quiet),
 * sched/worker.h (bz_worker_begin, bz_worker_end), sched/sleep.c (park).
 *
 *   Member     runs its body, which may begin tasks; arrives; until the generation moves: takes a task and runs it, or
 *              tries to complete, or parks; then the next phase. Two phases are two meetings.
 *   Begin      begun[me] + 1; push. A task may begin another.
 *   End        ended[me] + 1: a store that the store buffer may hold back
 *   Arrive     how many meet is read. Then arrived + 1, and pending + 1 if begun[me] is not what it was at the last
 *              arrival. The one that makes arrived == all with none pending then stores {generation + 1, 0, 0}, whatever the
 *              word is by then.
 *   Complete   word == {my generation, all}, and some pending; quiet: the sum of all `ended` equals the sum of all `begun`,
 *              read after it, one counter at a time. Then CAS to {generation + 1, 0, 0}.
 *   Wake       by whoever has moved the generation: every member that may sleep
 *   Park       latch UNSET -> SLEEPY (drains the store buffer); done or complete, asked again; SLEEPY -> SLEEPING;
 *              futex_wait while SLEEPING
 *
 * Properties: the barrier completes only when all have arrived and no task that was begun is unfinished (assert in
 * publish); nobody is left blocked (no invalid end state).
 *
 * GROUPED: in groups (arrive_grouped, arrive_last, try_complete_grouped). Members 0 and 1 are one, 2 is another one. The
 * last of a group resets its counts and adds them to the word; the last one of all resets that, and either completes or
 * says that all have come, which is what Complete asks instead. The generation is the phase's number.
 *
 * SHRINK: after the first meeting the last member goes, and member 0, when that one has, opens the next phase without it.
 *
 * Abstracted. The deque: a member surely finds what it pushed itself, and may or may not find what others pushed. Wakes
 * for new tasks: there are none, the worst case; whoever pushed a task runs it in the end. `begun` and the push are seen
 * in this order (release and acquire in the deque). The sleep counters, by which
 * the completer sees whether anybody sleeps, and the join in which only one is woken: tests/check/barrier.c has both.
 *
 * Twins, must fail
 *   TWIN_BEGUN_FIRST     the sum of `begun` is read before the sum of `ended`
 *   TWIN_QUIET_FIRST     quiet is asked before the arrivals
 *   TWIN_BEGUN_LATE      begun is counted after the push
 *   TWIN_NO_RECHECK      nothing is asked between SLEEPY and SLEEPING
 *   TWIN_ANY             others than the last one to come complete a meeting with none pending, too
 *   TWIN_SIZE_LATE       how many meet is read after the arrival (SHRINK)
 *   TWIN_REPORTED_LATE   what was begun is compared before the body has begun its last task
 *   TWIN_RESET_LATE      a group's counts are reset after they were added to the word (GROUPED) */
#define K 3
#ifndef TASKS
#define TASKS 2
#endif
#ifndef PHASES
#define PHASES 2
#endif
#define EVEN 8 /* start of the difference of the two sums, which may be negative */

#define UNSET 0
#define SLEEPY 1
#define SLEEPING 2
#define SET 3

byte generation, arrived, pending; /* the word */
bool here;                /* all have come, some have begun (GROUPED) */
byte came[2], brought[2]; /* the words of the groups */
byte size = K;
bool left_team; /* the last member has (SHRINK) */
byte opened;    /* phases after the first */
byte begun[K], ended[K];
byte last_reported[K];   /* begun[i] when i last arrived */
byte held[K];   /* increments of ended[i] in the store buffer of i */
byte queue[K];  /* tasks in the deque of i */
byte latch[K];
bool waiting[K];
byte left = TASKS;  /* tasks that may still be begun */
byte unfinished;    /* begun and not ended, truly */

inline drain(i)
{
    ended[i] = ended[i] + held[i];
    held[i] = 0
}

#define BEGIN left > 0 -> left--; unfinished++

inline count_and_push()
{
#ifdef TWIN_BEGUN_LATE
    queue[me]++;
    begun[me]++
#else
    begun[me]++;
    queue[me]++
#endif
}

/* Adds ended[i] of all to diff, one at a time; i back to 0. The own buffer is seen. */
inline sum_ended()
{
    do
    :: atomic {
           diff = diff + ended[i];
           if
           :: i == me -> diff = diff + held[i]
           :: else
           fi;
           i++;
           if
           :: i == K -> i = 0; break
           :: else
           fi
       }
    od
}

inline sum_begun()
{
    do
    :: atomic {
           diff = diff - begun[i];
           i++;
           if
           :: i == K -> i = 0; break
           :: else
           fi
       }
    od
}

inline publish()
{
    assert(unfinished == 0);
    generation = phase + 1;
#ifdef GROUPED
    here = false
#else
    arrived = 0;
    pending = 0
#endif
}

#define GROUP (me / 2)
#define MEMBERS (all - 2 * GROUP >= 2 -> 2 : all - 2 * GROUP)
#ifdef GROUPED
#define ALL_HERE here
#else
#define ALL_HERE (arrived == all && pending != 0)
#endif

#define VICTIM(n) queue[(me + n) % K]
#define STEAL(n) \
    atomic { \
        generation == phase && queue[me] == 0 && VICTIM(n) > 0 -> VICTIM(n)--; \
        drain(me); \
        goto execute \
    }

#define NOT_YET \
    if \
    :: sleepy -> goto commit \
    :: else -> goto park \
    fi

#define PASS_OVER (i == me || latch[i] == UNSET || latch[i] == SET)
#define NEXT \
    i++; \
    if \
    :: i == K -> i = 0; goto complete \
    :: else \
    fi

proctype Member(byte me)
{
    byte phase, i, diff, old;
    byte all, now; /* who meet; arrivals with the own one */
    bool sleepy; /* try_complete was called from park */
    bool has_begun;

body:
#ifdef TWIN_REPORTED_LATE
    has_begun = (begun[me] != last_reported[me]);
#endif
    do
    :: atomic { BEGIN }; count_and_push()
    :: atomic { all = size; break }
    od;
    atomic { /* arrive */
        drain(me);
#ifndef TWIN_REPORTED_LATE
        has_begun = (begun[me] != last_reported[me]);
#endif
        last_reported[me] = begun[me];
#ifdef GROUPED
        came[GROUP]++;
        if
        :: has_begun -> brought[GROUP]++
        :: else
        fi;
        has_begun = false;
        now = came[GROUP];
        if
        :: now == MEMBERS -> now = brought[GROUP]
        :: else -> now = 0; goto loop
        fi
    };
#ifndef TWIN_RESET_LATE
    atomic { came[GROUP] = 0; brought[GROUP] = 0 };
#endif
    atomic {
        arrived = arrived + MEMBERS;
        pending = pending + now;
        now = (arrived == all -> 1 + pending : 0)
    };
#ifdef TWIN_RESET_LATE
    atomic { came[GROUP] = 0; brought[GROUP] = 0 };
#endif
    atomic {
        if
        :: now == 0 -> goto loop
        :: else -> arrived = 0; pending = 0
        fi
    };
    atomic {
        if
        :: now == 1 -> now = 0
        :: else -> now = 0; here = true; goto loop
        fi
    };
#else
        arrived++;
        if
        :: has_begun -> pending++
        :: else
        fi;
        has_begun = false;
        now = arrived;
        if
        :: pending == 0 -> skip
        :: else -> now = 0; goto loop
        fi
#ifndef TWIN_SIZE_LATE
        ;
        if
        :: now == all -> now = 0
        :: else -> now = 0; goto loop
        fi
#endif
    };
#ifdef TWIN_SIZE_LATE
    atomic {
        all = size;
        if
        :: now == all -> now = 0
        :: else -> now = 0; goto loop
        fi
    };
#endif
#endif
    atomic { publish() };
    goto wake;

loop:
    if
    :: atomic { generation != phase -> goto complete }
    :: atomic { generation == phase && queue[me] > 0 -> queue[me]--; goto execute }
    :: STEAL(1)
    :: STEAL(2)
    :: generation == phase && queue[me] == 0
    fi;

try:
#ifdef TWIN_QUIET_FIRST
    diff = EVEN;
    sum_ended();
    sum_begun();
#endif
    atomic {
        if
        :: generation != phase -> diff = 0; goto complete
#ifdef TWIN_ANY
        :: generation == phase && arrived != all -> diff = 0; NOT_YET
#else
        :: generation == phase && !ALL_HERE -> diff = 0; NOT_YET
#endif
        :: else
        fi;
#ifndef TWIN_QUIET_FIRST
        diff = EVEN
#endif
    };
#ifndef TWIN_QUIET_FIRST
#ifdef TWIN_BEGUN_FIRST
    sum_begun();
    sum_ended();
#else
    sum_ended();
    sum_begun();
#endif
#endif
    atomic {
        if
        :: diff == EVEN -> diff = 0
        :: else -> diff = 0; NOT_YET
        fi
    };

    atomic {
        drain(me);
        if
#ifdef GROUPED
        :: generation == phase && here -> publish()
#else
        :: generation == phase && arrived == all -> publish()
#endif
        :: generation != phase -> goto complete
        :: else -> NOT_YET
        fi
    };
wake:
    do /* wake the others */
    :: atomic { PASS_OVER -> NEXT }
    :: !PASS_OVER ->
        atomic {
            old = latch[i];
            latch[i] = SET;
            if
            :: old == SLEEPING -> old = UNSET
            :: else -> old = UNSET; NEXT; goto woken
            fi
        };
        atomic { waiting[i] = false; NEXT };
woken:
        skip
    od;

park:
    atomic {
        drain(me);
        if
        :: latch[me] == UNSET -> latch[me] = SLEEPY
        :: else -> latch[me] = UNSET; goto loop
        fi
    };
#ifndef TWIN_NO_RECHECK
    atomic { sleepy = true; goto try };
#endif
commit:
    atomic { /* and futex_wait: a wake in between would make it return at once */
        sleepy = false;
        if
        :: latch[me] == SLEEPY -> latch[me] = SLEEPING; waiting[me] = true
        :: else -> latch[me] = UNSET; goto loop
        fi
    };
    atomic { !waiting[me] -> latch[me] = UNSET; goto loop };

execute:
    if
    :: atomic { BEGIN }; count_and_push()
    :: true
    fi;
    atomic { unfinished--; held[me]++; goto loop };

complete:
    atomic {
        if
        :: sleepy -> sleepy = false; latch[me] = UNSET
        :: else
        fi;
        phase++;
        if
        :: phase == PHASES -> goto end
        :: else
        fi
    };
#ifdef SHRINK
    if
    :: me == K - 1 -> left_team = true; goto end
    :: me == 0 && left_team -> atomic { size = K - 1; opened++ }
    :: me != 0 && me != K - 1 && opened == phase
    fi;
#endif
    goto body;
end:
    skip
}

proctype Memory()
{
end_memory:
    do
    :: atomic { held[0] > 0 -> drain(0) }
    :: atomic { held[1] > 0 -> drain(1) }
    :: atomic { held[2] > 0 -> drain(2) }
    od
}

init
{
    atomic {
        run Member(0);
        run Member(1);
        run Member(2);
        run Memory()
    }
}
