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
 *   Quiet   Who found no mark may, one at a time: swap of the bucket from known to quieting; no sleepers: swap to quiet,
 *           else to known
 *
 * The store of an unlock goes through its thread's store buffer, as on x86; that thread's swaps and system calls wait until
 * it is empty, and so does a heavy fence for all of them, one after the other. Everything else is sequentially consistent.
 * There is one word at the bucket; more of them make a bucket less quiet.
 *
 * Properties: one holder at a time (assert); nobody is left blocked (end states).
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
 *   TWIN_ENTER_LATE      who comes counts as a sleeper only when the bucket is known */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

mtype = { free, held, marked, quiet, called, known, quieting };
mtype word = free;
mtype state = quiet;
byte sleepers;
bool quieting_lock;
bool stored[N]; /* free, in the store buffer of thread i */
bool asleep[N]; /* in the kernel */
byte inside;

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
    byte round;
    mtype was;
    bool none;

    do
    :: round == ROUNDS -> break
    :: else -> round++;
       if
       :: atomic { FLUSHED && word == free -> word = held; goto in }
       :: atomic { FLUSHED && word != free }
       fi;
       enter();
       if
       :: atomic { word == free -> word = held; goto got }
       :: atomic { word != free }
       fi;
again:
       if
#ifdef TWIN_HELD
       :: atomic { word == free -> word = held; goto got }
#else
       :: atomic { word == free -> word = marked; goto got }
#endif
       :: atomic { word != free -> word = marked }
       fi;
       if
       :: atomic { word == marked -> asleep[me] = true }
       :: atomic { word != marked -> goto again }
       fi;
       !asleep[me];
       goto again;
got:
       sleepers--;
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
       :: atomic { state != quiet };
          atomic { was = word; word = free };
          if
          :: was == marked -> wake()
          :: was == held -> try_quiet()
          :: was == held
          fi;
          was = 0
       fi
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
