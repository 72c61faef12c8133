/* Locks whose unlock is a plain store: the mutex, and where threads sleep.
 *
 * Maps to: wait/mutex.h and mutex.c (bz_mutex_lock_slow, bz_mutex_unlock_slow), wait/parking.h and parking.c,
 * wait/fence.h; and
 * omp/sync/lock.c (bomp_owned_lock_slow, bomp_owned_unlock_slow), whose mark is a bit beside the owner's number.
 *
 *   Lock    Swap of the word from free to held. Else enter: sleepers + 1; is the bucket known: on. Quieting: swap to
 *           known, on. Else swap to called if it is quiet; heavy fence; swap from called to known. Once more from free to
 *           held. Else exchange of the word with marked, until it was free; sleep while it is marked. Leave: sleepers - 1
 *   Unlock  The bucket is quiet: store of free; light fence; if the bucket is not quiet any more wake one. Else exchange
 *           of the word with free, and if it was marked wake one
 *   Hand    The bucket is not quiet and somebody waits for the lock: the word becomes reserved by who unlocks; wake one. All
 *           others may take it, marked; who has reserved it sleeps while it is that. A thread waits from before it enters
 *           until it has the lock
 *   Quiet   Who found no mark may, one at a time: swap of the bucket from known to quieting; no sleepers: swap to quiet,
 *           else to known
 *
 * The store of an unlock goes through its thread's store buffer, as on x86; that thread's swaps and system calls wait until
 * it is empty, and so does a heavy fence for all of them, one after the other. Everything else is sequentially consistent.
 * There is one word at the bucket; more of them make a bucket less quiet.
 *
 * Properties: one holder at a time (assert); nobody is left blocked (end states). With BOUNDED, two threads of which one
 * that finds another one waiting always hands over: who has called is overtaken twice at most (assert).
 *
 * Variant
 *   SYMMETRIC            no membarrier: the light fence is a full one, the heavy one is only its own thread's
 * Twins, must fail
 *   TWIN_NO_HEAVY        no heavy fence
 *   TWIN_CALL_LATE       the bucket is called after the heavy fence
 *   TWIN_ONE_LOOK        an unlock does not look again after its store
 *   TWIN_HELD            who has slept takes the word without a mark
 *   TWIN_FEW             quiet is what a try finds after it has seen no sleepers, without a swap
 *   TWIN_TWO_QUIETERS    several try at a time
 *   TWIN_OWN             who has reserved the lock takes it again (BOUNDED)
 *   TWIN_STILL_WAITS     who has got the lock counts as waiting until it has unlocked it
 *   TWIN_ENTER_LATE      who comes counts as a sleeper only when the bucket is known */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

mtype = { free, held, marked, reserved, quiet, called, known, quieting };
mtype word = free;
mtype state = quiet;
byte sleepers;
bool quieting_lock;
bool stored[N]; /* free, in the store buffer of thread i */
bool asleep[N]; /* in the kernel */
byte inside;
byte waiters;      /* who wait for the lock */
byte by;           /* who has reserved it */
bool entered[N];   /* has called, and waits */
byte overtaken[N]; /* since then */

#define FLUSHED (!stored[me])

proctype Memory()
{
    byte i;

end_memory:
    do
    :: d_step { stored[0] -> stored[0] = false; word = free }
    :: d_step { stored[1] -> stored[1] = false; word = free }
#if N > 2
    :: d_step { stored[2] -> stored[2] = false; word = free }
#endif
    od
}

inline wake()
{
    atomic {
        FLUSHED ->
        if
        :: asleep[0] -> asleep[0] = false
        :: asleep[1] -> asleep[1] = false
#if N > 2
        :: asleep[2] -> asleep[2] = false
#endif
        :: else
        fi
    }
}

/* What is said of a thread that takes the lock. */
inline taken()
{
    for (i : 0 .. N - 1) {
        if
        :: i != me && entered[i] -> overtaken[i]++
        :: else
        fi;
#ifdef BOUNDED
        assert(overtaken[i] <= 2)
#endif
    }
    i = 0;
    entered[me] = false;
    overtaken[me] = 0
}

inline enter()
{
#ifndef TWIN_ENTER_LATE
    sleepers++;
#endif
    do
    :: atomic { state == known -> break }
    :: atomic { state == quieting -> state = known; break }
    :: atomic { (state == quiet || state == called) ->
#ifndef TWIN_CALL_LATE
           state = called
#endif
       };
#ifndef TWIN_NO_HEAVY
#ifndef SYMMETRIC
       !stored[0];
       !stored[1];
#if N > 2
       !stored[2];
#endif
#endif
#endif
       atomic {
           if
           :: state == called -> state = known
#ifdef TWIN_CALL_LATE
           :: state == quiet -> state = known
#endif
           :: else
           fi
       };
       break
    od;
#ifdef TWIN_ENTER_LATE
    sleepers++
#endif
}

inline try_quiet()
{
#ifndef TWIN_TWO_QUIETERS
    atomic { !quieting_lock -> quieting_lock = true };
#endif
    if
    :: atomic { state == known -> state = quieting };
       atomic { none = sleepers == 0 };
#ifdef TWIN_FEW
       state = (none -> quiet : known);
#else
       atomic {
           if
           :: state == quieting -> state = (none -> quiet : known)
           :: else
           fi
       };
#endif
       none = false
    :: state != known
    fi;
#ifndef TWIN_TWO_QUIETERS
    quieting_lock = false
#endif
}

proctype Thread(byte me)
{
    byte round, i;
    mtype was;
    bool none;
#ifdef TWIN_STILL_WAITS
    bool leaves;
#endif

    do
    :: round == ROUNDS -> break
    :: else -> round++;
       if
       :: atomic { FLUSHED && word == free -> word = held; taken(); goto in }
       :: atomic { FLUSHED && word != free }
       fi;
       waiters++;
       enter();
       entered[me] = true;
       if
       :: atomic { word == free -> word = held; goto got }
       :: atomic { word != free }
       fi;
again:
       if
#ifdef TWIN_OWN
       :: atomic { word == reserved -> word = marked; goto got }
#else
       :: atomic { word == reserved && by != me -> word = marked; goto got }
#endif
       :: atomic { word == reserved && by == me -> was = reserved; goto sleep }
       :: word != reserved
       fi;
       if
#ifdef TWIN_HELD
       :: atomic { word == free -> word = held; goto got }
#else
       :: atomic { word == free -> word = marked; goto got }
#endif
       :: atomic { word == held || word == marked -> word = marked; was = marked }
       :: word == reserved -> goto again
       fi;
sleep:
       if
       :: atomic { word == was && (was == marked || by == me) -> asleep[me] = true }
       :: atomic { word != was || (was == reserved && by != me) -> goto again }
       fi;
       !asleep[me];
       goto again;
got:
       atomic { taken(); was = 0 };
       sleepers--;
#ifdef TWIN_STILL_WAITS
       leaves = true;
#else
       waiters--;
#endif
in:
       atomic { assert(inside == 0); inside++ };
       inside--;
       if
       :: atomic { state == quiet };
          stored[me] = true;
#ifdef SYMMETRIC
          FLUSHED;
#endif
#ifndef TWIN_ONE_LOOK
          if
          :: atomic { state == quiet }
          :: atomic { state != quiet }; wake()
          fi
#endif
       :: atomic { state != quiet && waiters > 0 -> word = reserved; by = me };
          wake()
#ifdef BOUNDED
       :: atomic { state != quiet && waiters == 0 };
#else
       :: atomic { state != quiet };
#endif
          atomic { was = word; word = free };
          if
          :: was == marked -> wake()
          :: was == held -> try_quiet()
          :: was == held
          fi;
          was = 0
       fi;
#ifdef TWIN_STILL_WAITS
       if
       :: leaves -> waiters--; leaves = false
       :: else
       fi
#endif
    od
}

init
{
    atomic {
        run Memory();
        run Thread(0);
        run Thread(1);
#if N > 2
        run Thread(2)
#endif
    }
}
