/* A team between two runs and its resizer: a thread that needs another one parks the team's members, and reclaims one of
 * them, while the leader may open its next run.
 *
 * Maps to: team/thread_team.c (lead, leave_all_out, reclaim_from, shrink, announce, attach, member_main), team/start.c
 * (bz_start_wait_parked), team/thread_cache.c (bz_thread_cache_run_below, become_idle).
 *
 *   Leader   for each run, of any size: stores `led`, light fence, waits until there is no resizer (G14); shrinks or
 *            attaches; announces; waits until all have run; clears `led` (G16)
 *   Resizer  needs a thread, that many times, with the thread cache's lock held: takes an idle one, or reclaims a parked
 *            one, or stores `resizer`, heavy fence, and unless `led` leaves all out (G15), clears `resizer` (G17) and
 *            reclaims one; or creates one. Then it no longer needs the thread, which becomes idle
 *   Member   waits for a start, runs, finishes; or, left out, waits, parked, until a run has it again or it is reclaimed
 *
 * The leader's store of `led` stays in a store buffer until it is drained: at any time when the resizer reads it, before a
 * store after it, or by the resizer's heavy fence.
 *
 * Properties: leader and resizer never have the team at the same time; members left out have finished; each member runs
 * each run that has it once, and finds members left out ready to be reclaimed; no thread is blocked forever (no
 * invalid end state).
 *
 * Abstracted: sleeping for a start (check/team.c) is a wait for another start word; the run's barrier is a count; the epoch
 * does not wrap; the list's lock is part of the thread cache's. One thread waits for an expected thread, and
 * takes it from the idle ones; of several, each is given its own (K3). `attached` is a state other than DETACHED.
 *
 * Variant
 *   SYMMETRIC   full fences instead of membarrier
 *
 * Twins, must fail
 *   TWIN_NO_LIGHT        the leader checks for a resizer before it stores `led`
 *   TWIN_NO_HEAVY        the resizer's fence does not reach the leader's store buffer
 *   TWIN_LED_EARLY       `led` is cleared before the run is over
 *   TWIN_RESIZER_EARLY   `resizer` is cleared before the team is as the resizer leaves it
 *   TWIN_NO_FINISHED     the resizer does not wait until the members have finished
 *   TWIN_NO_WORD         the resizer parks members without a start word that leaves them out
 *   TWIN_WORD_FIRST      the start word is written before the members that it leaves out are parked
 *   TWIN_NO_CLAIM        RECLAIMED is stored after a read of the state, not by compare and swap
 *   TWIN_CALL_FIRST      it is called before the member is claimed */
#ifndef M
#define M 2 /* members besides the leader */
#endif
#ifndef RUNS
#define RUNS 3
#endif
#ifndef TAKES
#define TAKES 2
#endif

#define IN 0
#define PARKED 1
#define RECLAIMED 2
#define SIZE(word) ((word) % 4)

byte start = 1;         /* 4 * epoch + size */
byte call[M + 1];       /* sleeping on it and waking: tests/check/team.c */
byte team_size = 1;
byte state[M + 1], finished[M + 1];
bool attached[M + 1];
bool led, led_stored; /* in memory; still in the leader's store buffer */
bool resizer;
bool locked;          /* the thread cache's lock */
byte idle, expected;
byte ran;             /* members, in the run under way */

/* Ghosts. */
bool leading, visiting;
bool searches[M + 1]; /* it has not left its last run for good */

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }
inline drain() { d_step { led = led || led_stored; led_stored = false } }

inline park(size)
{
    i = size;
    do
    :: i < last -> state[i] = PARKED; i++
    :: else -> break
    od
}

inline announce(size)
{
    atomic { drain(); last = SIZE(start) };
#ifndef TWIN_WORD_FIRST
    park(size);
#endif
    start = start - last + 4 + size;
#ifdef TWIN_WORD_FIRST
    park(size);
#endif
    i = last;
    do
    :: i < size -> call[i]++; i++
    :: else -> break
    od
}

/* As leader, or as resizer. */
inline shrink(size)
{
    last = SIZE(start);
    i = size;
    do
    :: i < team_size ->
        if
        :: i < last ->
#ifdef TWIN_NO_FINISHED
            visiting || finished[i] == start || !attached[i];
#else
            finished[i] == start || !attached[i];
#endif
            assert(!searches[i])
        :: else -> state[i] = PARKED
        fi;
        i++
    :: else -> break
    od;
    if
    :: size == 1 && last > 1 ->
#ifdef TWIN_NO_WORD
        if
        :: visiting ->
            park(1)
        :: else -> announce(1)
        fi
#else
        announce(1)
#endif
    :: else
    fi
}

/* A thread for the leader. Nobody else's team has one to give. */
inline take_thread()
{
    lock();
    do
    :: idle == 0 && expected > 0 -> unlock(); idle > 0 || expected == 0; lock()
    :: else -> break
    od;
    if
    :: idle > 0 -> idle--
    :: else /* it is created */
    fi;
    unlock()
}

inline attach(n)
{
    if
    :: atomic { attached[n] && state[n] == PARKED -> state[n] = IN }
    :: attached[n] && state[n] == IN
    :: atomic { !attached[n] || state[n] == RECLAIMED };
        !attached[n];
        state[n] = IN;
        finished[n] = start;
        take_thread();
        attached[n] = true
    fi
}

proctype Leader()
{
    byte turn, i, n, last, size;
    do
    :: turn == RUNS -> break
    :: else ->
        turn++;
        select(size : 1 .. M + 1);
#ifdef TWIN_NO_LIGHT
        !resizer;
        led_stored = true;
#else
        led_stored = true;
#ifdef SYMMETRIC
        drain();
#endif
        !resizer;
#endif
        leading = true;
        assert(!visiting);
        if
        :: size != team_size ->
            shrink(size);
            n = team_size;
            do
            :: n < size -> attach(n); n++
            :: else -> break
            od;
            team_size = size
        :: else
        fi;
        ran = 0;
        if
        :: size > 1 -> announce(size)
        :: else
        fi;
#ifdef TWIN_LED_EARLY
        drain();
        led = false;
#endif
        atomic { ran == size - 1 -> leading = false; drain() };
        d_step { led = false; i = 0; n = 0; last = 0; size = 0 }
    od
}

inline run_and_finish()
{
    if
    :: me < SIZE(word) ->
        d_step {
            assert(!searches[me]);
            assert(!attached[M] || M < SIZE(word) || state[M] != IN);
            searches[me] = true;
            ran++
        }
    :: else
    fi;
    d_step { searches[me] = false; finished[me] = word }
}

proctype Member(byte me)
{
    byte word, seen;
end_free:
    do
    :: attached[me] ->
        word = finished[me];
        do
        :: me < SIZE(word) ->
end_start:
            atomic { start != word -> word = start };
            run_and_finish()
        :: else ->
            seen = call[me];
            word = start;
            if
            :: state[me] == RECLAIMED -> word = 0; break
            :: else ->
                if
                :: me < SIZE(word) -> run_and_finish()
                :: else ->
end_parked:
                    call[me] != seen
                fi
            fi;
            seen = 0
        od;
        seen = 0;
        attached[me] = false;
        atomic { !locked -> expected--; idle++ }
    od
}

inline reclaim()
{
    i = 1;
    do
    :: i > M || found -> break
    :: else ->
#ifdef TWIN_NO_CLAIM
        if
        :: attached[i] && state[i] == PARKED -> state[i] = RECLAIMED; call[i]++; found = true
        :: else
        fi;
#else
#ifdef TWIN_CALL_FIRST
        if
        :: attached[i] && state[i] == PARKED -> call[i]++
        :: else
        fi;
#endif
        atomic {
            if
            :: attached[i] && state[i] == PARKED -> state[i] = RECLAIMED; found = true
            :: else
            fi
        };
#ifndef TWIN_CALL_FIRST
        if
        :: found -> call[i]++
        :: else
        fi;
#endif
#endif
        i++
    od
}

inline leave_all_out()
{
    if
    :: led
    :: atomic { led_stored -> drain() }
    :: !led ->
        resizer = true;
#if !defined(TWIN_NO_HEAVY) && !defined(SYMMETRIC)
        drain();
#endif
        if
        :: led
        :: atomic { led_stored -> drain() }
        :: atomic { !led -> visiting = true; assert(!leading) };
            shrink(1);
#ifdef TWIN_RESIZER_EARLY
            resizer = false;
#endif
            team_size = 1;
            visiting = false
        fi;
        resizer = false
    fi
}

proctype Resizer()
{
    byte turn, i, last;
    bool found;
    do
    :: turn == TAKES -> break
    :: else ->
        turn++;
        lock();
        do
        :: idle > 0 -> idle--; break
        :: idle == 0 && expected > 0 -> unlock(); idle > 0 || expected == 0; lock()
        :: idle == 0 && expected == 0 ->
            found = false;
            reclaim();
            if
            :: !found -> leave_all_out(); reclaim()
            :: else
            fi;
            if
            :: found -> expected++
            :: else -> break /* it is created */
            fi
        od;
        i = 0;
        last = 0;
        unlock();
        atomic { !locked -> idle++ }
    od
}

init
{
    byte i = 1;
    atomic {
        run Leader();
        run Resizer();
        do
        :: i <= M -> run Member(i); i++
        :: else -> break
        od
    }
}
