/* The turn of an ordered loop: members take chunks in order, wait for their turn, pass it on.
 *
 * Maps to: omp/loop/ordered.c, and turn.c; the taking is omp/loop/loop.c's.
 *
 *   Member     takes the next chunk; perhaps runs its ordered region, which needs the turn; before the next chunk,
 *              passes the turn, which also needs the turn.
 *   Waiting    polls the turn; may go to sleep: sleepers + 1; then, until the turn has come: reads the
 *              eventcount of its chunk, reads the turn again, futex_wait while the eventcount is as read; sleepers - 1
 *   Passing    writes the turn; if there are sleepers: eventcount of the next chunk + 1, wakes all that sleep on it
 *
 * Properties: regions run one at a time and in order (asserts), no member waits forever (no invalid end state). A futex
 * wait may return spuriously, once.
 *
 * Abstracted: memory order. The code reads the eventcount with acquire before the turn; TWIN_EVENT_LATE is what could happen
 * without.
 *
 * Twins, must fail
 *   TWIN_EVENT_LATE  the eventcount is read after the turn
 *   TWIN_COUNT_LATE  the sleeper counts itself after its last poll of the turn
 *   TWIN_NO_ADVANCE  the passer wakes but does not change the eventcount
 *   TWIN_WAKE_ONE    EVENTCOUNTS=1: the passer wakes one of those that sleep on the eventcount */
#ifndef MEMBERS
#define MEMBERS 3
#endif
#ifndef CHUNKS
#define CHUNKS 4
#endif
#ifndef EVENTCOUNTS
#define EVENTCOUNTS 2
#endif

byte taken, turn, sleepers;
byte eventcount[EVENTCOUNTS];
byte regions, past; /* in a region now; the chunks whose region is past or will not come */
bool waiting[MEMBERS];
byte waits_on[MEMBERS];
bool spurious_used;

inline look()
{
    do
    :: turn == chunk -> break
    :: turn != chunk -> go_to_sleep(); break
    od
}

inline go_to_sleep()
{
#ifndef TWIN_COUNT_LATE
    sleepers++;
#endif
    do
    ::
#ifndef TWIN_EVENT_LATE
        seen_count = eventcount[chunk % EVENTCOUNTS];
#endif
        if
        :: turn == chunk -> break
        :: else
        fi;
#ifdef TWIN_EVENT_LATE
        seen_count = eventcount[chunk % EVENTCOUNTS];
#endif
#ifdef TWIN_COUNT_LATE
        sleepers++;
#endif
        futex_wait();
#ifdef TWIN_COUNT_LATE
        sleepers--
#endif
    od;
#ifndef TWIN_COUNT_LATE
    sleepers--
#endif
}

inline futex_wait()
{
    atomic {
        if
        :: eventcount[chunk % EVENTCOUNTS] == seen_count -> waiting[me] = true; waits_on[me] = chunk % EVENTCOUNTS
        :: else
        fi
    };
    if
    :: !waiting[me]
    :: atomic { waiting[me] && !spurious_used -> spurious_used = true; waiting[me] = false }
    fi
}

/* All that sleep on an eventcount, at once. */
inline futex_wake(number)
{
    atomic {
        i = 0;
        do
        :: i < MEMBERS ->
            if
            :: waiting[i] && waits_on[i] == number ->
                waiting[i] = false;
#ifdef TWIN_WAKE_ONE
                break
#endif
            :: else
            fi;
            i++
        :: else -> break
        od;
        i = 0
    }
}

inline pass()
{
    atomic { assert(turn == chunk); turn = chunk + 1 };
    if
    :: sleepers > 0 ->
#ifndef TWIN_NO_ADVANCE
        eventcount[(chunk + 1) % EVENTCOUNTS]++;
#endif
        futex_wake((chunk + 1) % EVENTCOUNTS)
    :: else
    fi
}

proctype Member(byte me)
{
    byte chunk, seen_count, i;
    do
    :: atomic { taken < CHUNKS -> chunk = taken; taken++ };
        if
        :: look();
            atomic { regions++; assert(regions == 1 && past == chunk) };
            regions--
        :: skip /* the chunk has no region */
        fi;
        look();
        past = chunk + 1;
        pass()
    :: taken == CHUNKS -> break
    od
}

init
{
    byte m = 0;
    atomic {
        do
        :: m < MEMBERS -> run Member(m); m++
        :: else -> break
        od
    };
    _nr_pr == 1;
    assert(turn == CHUNKS && sleepers == 0)
}
