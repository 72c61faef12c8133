/* A gang between two runs and its guest: a thread that needs another one puts the gang's members into reserve, and recalls
 * one of them, while the leader may open its next run.
 *
 * Maps to: team/gang.c (lead, leave_all_out, recall_from, shrink, announce, dock, member_main, wait_in_reserve),
 * team/thread_cache.c (bz_thread_cache_run_below, become_idle).
 *
 *   Leader  for each run, of any size: stores `led`, light fence, waits until there is no guest (G14); shrinks or docks;
 *           announces; waits until all have run; clears `led` (G16)
 *   Guest   needs a thread, so many times, with the thread cache's lock held: takes an idle one, or recalls one in
 *           reserve, or stores `guest`, heavy fence, and unless `led` leaves all out (G15), clears `guest` (G17) and
 *           recalls one; or creates one. Then it has no more use for the thread, which becomes idle
 *   Member  waits for a start, runs, settles; or, left out, waits in reserve until a run has it again or it is recalled
 *
 * The leader's store of `led` stays in a store buffer until it is drained: at any time when the guest looks, before a
 * store after it, or by the guest's heavy fence.
 *
 * Properties: leader and guest never have the gang at the same time; whoever is left out has settled; each member runs each
 * run that has it once, and finds those who are left out ready to be recalled; nobody is blocked for ever (no invalid end
 * state).
 *
 * Abstracted: sleeping for a start (start.pml) is a wait for another start word; the run's barrier is a count; the epoch
 * does not wrap; the list's lock is part of the thread cache's.
 *
 * Variant
 *   SYMMETRIC   full fences instead of membarrier
 *
 * Twins, must fail
 *   TWIN_NO_LIGHT    the leader looks for a guest before it stores `led`
 *   TWIN_NO_HEAVY    the guest's fence does not reach the leader's store buffer
 *   TWIN_LED_EARLY   `led` is cleared before the run is over
 *   TWIN_GUEST_EARLY `guest` is cleared before the gang is as the guest leaves it
 *   TWIN_NO_SETTLED  the guest does not wait until the members have settled
 *   TWIN_NO_WORD     the guest puts members into reserve without a start word that leaves them out
 *   TWIN_WORD_FIRST  the start word is written before those whom it leaves out go into reserve
 *   TWIN_NO_CLAIM    RECALLED is stored after a look at the state, not by compare and swap
 *   TWIN_GROWN_FIRST `grown` is changed before the member is claimed */
#ifndef M
#define M 2 /* members besides the leader */
#endif
#ifndef RUNS
#define RUNS 3
#endif
#ifndef TAKES
#define TAKES 2
#endif

#define DOCKED 0
#define RESERVE 1
#define RECALLED 2
#define SIZE(word) ((word) % 4)

byte start = 1;         /* 4 * epoch + size */
byte grown;
byte gang_size = 1;
byte state[M + 1], settled[M + 1];
bool attached[M + 1];
bool led, led_stored; /* in memory; still in the leader's store buffer */
bool guest;
bool locked;          /* the thread cache's lock */
byte idle, expected;
byte ran;             /* members, in the run under way */

/* Ghosts. */
bool leading, visiting;
bool looks[M + 1]; /* it has not left its last run for good */

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }
inline drain() { d_step { led = led || led_stored; led_stored = false } }

inline put_in_reserve(size)
{
    i = size;
    do
    :: i < last -> state[i] = RESERVE; i++
    :: else -> break
    od
}

inline announce(size)
{
    atomic { drain(); last = SIZE(start) };
#ifndef TWIN_WORD_FIRST
    put_in_reserve(size);
#endif
    start = start - last + 4 + size;
#ifdef TWIN_WORD_FIRST
    put_in_reserve(size);
#endif
    if
    :: size > last -> grown++
    :: else
    fi
}

/* As leader, or as guest. */
inline shrink(size)
{
    last = SIZE(start);
    i = size;
    do
    :: i < gang_size ->
        if
        :: i < last ->
#ifdef TWIN_NO_SETTLED
            visiting || settled[i] == start || !attached[i];
#else
            settled[i] == start || !attached[i];
#endif
            assert(!looks[i])
        :: else -> state[i] = RESERVE
        fi;
        i++
    :: else -> break
    od;
    if
    :: size == 1 && last > 1 ->
#ifdef TWIN_NO_WORD
        if
        :: visiting ->
            put_in_reserve(1)
        :: else -> announce(1)
        fi
#else
        announce(1)
#endif
    :: else
    fi
}

/* A thread for the leader. Nobody else's gang has one to give. */
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

inline dock(n)
{
    if
    :: atomic { attached[n] && state[n] == RESERVE -> state[n] = DOCKED }
    :: attached[n] && state[n] == DOCKED
    :: atomic { !attached[n] || state[n] == RECALLED };
        !attached[n];
        state[n] = DOCKED;
        settled[n] = start;
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
        !guest;
        led_stored = true;
#else
        led_stored = true;
#ifdef SYMMETRIC
        drain();
#endif
        !guest;
#endif
        leading = true;
        assert(!visiting);
        if
        :: size != gang_size ->
            shrink(size);
            n = gang_size;
            do
            :: n < size -> dock(n); n++
            :: else -> break
            od;
            gang_size = size
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

inline run_and_settle()
{
    if
    :: me < SIZE(word) ->
        d_step {
            assert(!looks[me]);
            assert(!attached[M] || M < SIZE(word) || state[M] != DOCKED);
            looks[me] = true;
            ran++
        }
    :: else
    fi;
    d_step { looks[me] = false; settled[me] = word }
}

proctype Member(byte me)
{
    byte word, seen;
end_free:
    do
    :: attached[me] ->
        word = settled[me];
        do
        :: me < SIZE(word) ->
end_start:
            atomic { start != word -> word = start };
            run_and_settle()
        :: else ->
            seen = grown;
            word = start;
            if
            :: state[me] == RECALLED -> word = 0; break
            :: else ->
                if
                :: me < SIZE(word) -> run_and_settle()
                :: else ->
end_reserve:
                    grown != seen
                fi
            fi;
            seen = 0
        od;
        seen = 0;
        attached[me] = false;
        atomic { !locked -> expected--; idle++ }
    od
}

inline recall()
{
    i = 1;
    do
    :: i > M || found -> break
    :: else ->
#ifdef TWIN_NO_CLAIM
        if
        :: attached[i] && state[i] == RESERVE -> state[i] = RECALLED; grown++; found = true
        :: else
        fi;
#else
#ifdef TWIN_GROWN_FIRST
        if
        :: attached[i] && state[i] == RESERVE -> grown++
        :: else
        fi;
#endif
        atomic {
            if
            :: attached[i] && state[i] == RESERVE -> state[i] = RECALLED; found = true
            :: else
            fi
        };
#ifndef TWIN_GROWN_FIRST
        if
        :: found -> grown++
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
        guest = true;
#if !defined(TWIN_NO_HEAVY) && !defined(SYMMETRIC)
        drain();
#endif
        if
        :: led
        :: atomic { led_stored -> drain() }
        :: atomic { !led -> visiting = true; assert(!leading) };
            shrink(1);
#ifdef TWIN_GUEST_EARLY
            guest = false;
#endif
            gang_size = 1;
            visiting = false
        fi;
        guest = false
    fi
}

proctype Guest()
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
            recall();
            if
            :: !found -> leave_all_out(); recall()
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
        run Guest();
        do
        :: i <= M -> run Member(i); i++
        :: else -> break
        od
    }
}
