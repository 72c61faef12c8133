/* Doacross loops: how a member finds the owner of an earlier iteration's chunk, and how it sleeps until that is past.
 *
 * Maps to: omp/loop/doacross.c. A chunk is one iteration here.
 *
 *   Claiming   chunk word CLAIMING; takes the next chunk c from the count; position = c; chunk word c
 *   Lookup     for an earlier chunk c: reads all chunk words one by one. c: its owner; none, and none CLAIMING: it is past;
 *              otherwise again
 *   Waiting    until the owner's position is beyond c; may go to sleep: reads the owner's eventcount; raises
 *              `wanted` (here the least that is wanted); reads the position; futex_wait while the eventcount is as read
 *   Posting    position = c + 1; if that fulfils what is wanted: wanted = none, eventcount + 1, wake all
 *
 * Each iteration waits for one before it or for none, chosen freely, so a member may be far ahead of another.
 *
 * Properties: a wait returns when the iteration is past, not before (assert); no member waits forever (no invalid end
 * state).
 *
 * Abstracted: memory order. The code's fences are the order of the statements here.
 *
 * Twins, must fail
 *   TWIN_CLAIM_LATE   CLAIMING is written after the chunk was taken
 *   TWIN_WISH_LATE    the position is read before the wish
 *   TWIN_EVENT_LATE   the eventcount is read after the wish and the position
 *   TWIN_NO_ADVANCE   the poster wakes but does not change the eventcount */
#ifndef MEMBERS
#define MEMBERS 3
#endif
#ifndef CHUNKS
#define CHUNKS 3
#endif
#define NOTHING 0
#define CLAIMING 1
#define FIRST 2 /* + chunk */
#define NONE 255

byte taken;
byte chunk_word[MEMBERS];
byte position[MEMBERS];
byte wanted[MEMBERS] = NONE;
byte eventcount[MEMBERS];
bool past[CHUNKS];
bool waiting[MEMBERS];
byte waits_on[MEMBERS];

inline claim()
{
#ifdef TWIN_CLAIM_LATE
    atomic { c = taken; taken++ };
    chunk_word[me] = CLAIMING;
#else
    chunk_word[me] = CLAIMING;
    atomic { c = taken; taken++ };
#endif
    if
    :: c >= CHUNKS ->
        chunk_word[me] = NOTHING;
        position[me] = CHUNKS;
        notify_if_wanted()
    :: else ->
        position[me] = c;
        notify_if_wanted();
        chunk_word[me] = FIRST + c
    fi
}

inline notify_if_wanted()
{
    if
    :: position[me] > wanted[me] -> /* NONE is more than any */
        wanted[me] = NONE;
#ifndef TWIN_NO_ADVANCE
        eventcount[me]++;
#endif
        atomic {
            i = 0;
            do
            :: i < MEMBERS ->
                if
                :: waiting[i] && waits_on[i] == me -> waiting[i] = false
                :: else
                fi;
                i++
            :: else -> break
            od;
            i = 0
        }
    :: else
    fi
}

/* owner: whose chunk `goal` is; NONE: it is past. */
inline look_up()
{
    do
    ::
        owner = NONE;
        unclear = false;
        i = 0;
        do
        :: i < MEMBERS ->
            atomic {
                if
                :: chunk_word[i] == FIRST + goal -> owner = i
                :: chunk_word[i] == CLAIMING -> unclear = true
                :: else
                fi
            };
            i++
        :: else -> break
        od;
        i = 0;
        if
        :: owner != NONE || !unclear -> break
        :: else
        fi
    od
}

inline go_to_sleep()
{
    do
    ::
#ifdef TWIN_WISH_LATE
        over = position[owner] > goal;
#endif
#ifndef TWIN_EVENT_LATE
        seen_count = eventcount[owner];
#endif
        atomic {
            if
            :: wanted[owner] > goal -> wanted[owner] = goal
            :: else
            fi
        };
#ifndef TWIN_WISH_LATE
        over = position[owner] > goal;
#endif
#ifdef TWIN_EVENT_LATE
        seen_count = eventcount[owner];
#endif
        if
        :: over -> break
        :: else
        fi;
        atomic {
            if
            :: eventcount[owner] == seen_count -> waiting[me] = true; waits_on[me] = owner
            :: else
            fi
        };
        !waiting[me]
    od
}

inline wait()
{
    look_up();
    if
    :: owner == NONE || owner == me
    :: else ->
        if
        :: position[owner] > goal
        :: go_to_sleep()
        fi
    fi;
    assert(past[goal])
}

proctype Member(byte me)
{
    byte c, goal, owner, seen_count, i;
    bool unclear, over;
    do
    :: claim();
        if
        :: c >= CHUNKS -> break
        :: else
        fi;
        if
        :: c > 0 ->
            if
            :: goal = c - 1; wait()
            :: c > 1 -> goal = 0; wait()
            :: skip
            fi
        :: else
        fi;
        past[c] = true;
        position[me] = c + 1;
        notify_if_wanted()
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
    m = 0;
    do
    :: m < CHUNKS -> assert(past[m]); m++
    :: else -> break
    od
}
