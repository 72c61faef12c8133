/* A team's start: members that park with a deadline, spin and sleep, and the leader that starts the next run.
 *
 * Maps to: team/start.c (bz_start_wait, parks_for_start, count_parked), team/thread_team.c (announce, wake_members),
 * wait/waiter.c (bz_waiter_wait, bz_waiter_park).
 *
 *   Leader  for each run: writes the start word, fences (G9), reads `asleep`; wakes all sleepers of the word if that is
 *           not 0; waits until all members have run
 *   Member  for each run: may park until the word changes or until some time; spins; then sleeps
 *           until it changes. Either sleep: counts itself in `asleep`, fences (G8), compares the word, and in the kernel
 *           again
 *
 * Property: each member runs each run once, and nobody is blocked forever (no invalid end state).
 *
 * Abstracted: the barrier at the end of a run is a count; the time: a timed park may end whenever it likes; the
 * predictor, which may choose anything.
 *
 * Twins, must fail
 *   TWIN_NO_FENCE    the leader's store of the word is seen only after its look at `asleep`: nobody wakes who has just
 *                    counted itself
 *   TWIN_NO_COMPARE  the kernel does not compare the word: a wake between look and sleep is lost
 *   TWIN_COUNT_ONCE  a member whose timed park is over stays as if it were not asleep although it goes on to sleep */
#ifndef M
#define M 2
#endif
#ifndef RUNS
#define RUNS 3
#endif

byte start, asleep, arrived;
bool waiting[M]; /* in the kernel, on the start word */

inline sleep_for_start(timed)
{
#ifdef TWIN_COUNT_ONCE
    if
    :: timed || !parked_before -> asleep++
    :: else
    fi;
#else
    asleep++;
#endif
    over = false;
    do
    :: start != seen || over -> break
    :: else ->
        atomic {
#ifdef TWIN_NO_COMPARE
            waiting[me] = true
#else
            if
            :: start == seen -> waiting[me] = true
            :: else
            fi
#endif
        };
        if
        :: !waiting[me]
        :: atomic { timed && waiting[me] -> waiting[me] = false; over = true }
        fi
    od;
#ifdef TWIN_COUNT_ONCE
    if
    :: timed || !parked_before -> asleep--
    :: else
    fi
#else
    asleep--
#endif
}

proctype Member(byte me)
{
    byte seen, ran;
    bool over, parked_before;
    do
    :: ran == RUNS -> break
    :: else ->
        parked_before = false;
        if
        :: parked_before = true; sleep_for_start(true)
        :: skip
        fi;
        if
        :: start == seen -> sleep_for_start(false)
        :: start != seen
        fi;
        seen = start;
        ran++;
        assert(seen == ran);
        arrived++
    od
}

init
{
    byte turn, i;
    atomic {
        i = 0;
        do
        :: i < M -> run Member(i); i++
        :: else -> break
        od
    };
    do
    :: turn == RUNS -> break
    :: else ->
        arrived = 0;
#ifdef TWIN_NO_FENCE
        i = asleep;
        start++;
#else
        start++;
        i = asleep;
#endif
        if
        :: i > 0 -> atomic {
            i = 0;
            do
            :: i < M -> waiting[i] = false; i++
            :: else -> break
            od
        }
        :: else
        fi;
        arrived == M;
        turn++
    od;
    (_nr_pr == 1);
    assert(asleep == 0)
}
