/* How a member that a run has left out is called: it says that it sleeps, or is about to, in the word that it sleeps on.
 *
 * Maps to: team/start.c (bz_start_wait_parked, is_called, parks_uncalled, bz_start_call), wait/waiter.c (bz_waiter_park).
 *
 *   Caller  the leader whose run has it again, or who reclaims it: brings the event about, then raises the word and clears
 *           its mark at the same time; wakes the sleeper if the mark was set
 *   Member  for each event: reads the word; looks for the event; sets the mark by compare and swap with what it has read,
 *           unless it is set already; sleeps while the word is as it has left it. It may find the event without having
 *           slept, and leave the mark behind
 *
 * Property: the member comes by all events: it is never blocked forever (no invalid end state).
 *
 * Abstracted: what the events are, and the spin before the sleep, which is no more than looks.
 *
 * Twins, must fail
 *   TWIN_CALL_FIRST   the word is raised before the event is brought about
 *   TWIN_LOOK_FIRST   the caller looks at the mark before it raises the word
 *   TWIN_STORE        the mark is stored, whatever the word is by then
 *   TWIN_LOOK_LATE    the member looks for the event before it reads the word
 *   TWIN_NO_COMPARE   the kernel does not compare the word */
#ifndef CALLERS
#define CALLERS 2
#endif
#ifndef EVENTS
#define EVENTS 2 /* of each caller */
#endif

byte events;  /* so far */
byte call;    /* 2 * calls + mark */
bool waiting; /* in the kernel */

inline wake() { waiting = false }

proctype Caller()
{
    byte turn, old;
    do
    :: turn == EVENTS -> break
    :: else ->
#ifndef TWIN_CALL_FIRST
        events++;
#endif
#ifdef TWIN_LOOK_FIRST
        old = call;
        d_step { call = call - call % 2 + 2 };
#else
        d_step { old = call; call = call - call % 2 + 2 };
#endif
        if
        :: old % 2 == 1 -> wake()
        :: else
        fi;
#ifdef TWIN_CALL_FIRST
        events++;
#endif
        turn++
    od
}

proctype Member()
{
    byte done, seen;
    do
    :: done == CALLERS * EVENTS -> break
    :: else ->
#ifdef TWIN_LOOK_LATE
        if
        :: events > done -> done++
        :: else ->
            seen = call;
#else
        seen = call;
        if
        :: events > done -> done++
        :: else ->
#endif
            if
            :: seen % 2 == 1
            :: else ->
#ifdef TWIN_STORE
                seen++;
                call = seen
#else
                if
                :: d_step { call == seen -> seen++; call = seen }
                :: else -> goto again
                fi
#endif
            fi;
            atomic {
                if
#ifdef TWIN_NO_COMPARE
                :: true -> waiting = true
#else
                :: call == seen -> waiting = true
                :: else
#endif
                fi
            };
            !waiting
        fi;
again:  skip
    od
}

init
{
    byte i;
    atomic {
        run Member();
        do
        :: i < CALLERS -> run Caller(); i++
        :: else -> break
        od
    }
}
