/* Lent threads: every lease ends when it is recalled or its pool ends, and the pool is there until the last one is out.
 *
 * Maps to: pool/lend.c (blitz_pool_lend, lend, begin, end, is_over, blitz_pool_recall), pool/pool.c (send_threads_home,
 * bz_pool_wake_workers, blitz_pool_destroy), sched/sleep.c (park, sleep_counted), sched/latch.h (core latch).
 *
 *   Lender    raises `lenders`; with the lock: if the pool is not closing it is lent, and notes how often lent threads were
 *             recalled so far. Until that number differs, or its time is over, it sleeps: latch UNSET -> SLEEPY, asks once
 *             more, SLEEPY -> SLEEPING, futex_wait. With the lock: it is not lent any more. Lowers `lenders`, which is its
 *             last touch
 *   Recaller  with the lock: raises the number, and sets the latches of all that are lent
 *   Ender     the same, and the pool is closing; waits until nobody is counted, and frees the pool. It comes when all
 *             lenders have begun their calls: that is the program's part
 *
 * Properties: nobody is left blocked (no invalid end state), nobody touches a pool that is gone (asserts).
 *
 * Abstracted: jobs, and what wakes a lent thread for these (sleep.pml, with TIMED); the threads of the pool's own.
 *
 * Variants
 *   TIMED             the time of a lease may be over at any moment
 * Twins, must fail
 *   TWIN_NOTE_LATE    a lender notes the number after it has let go of the lock
 *   TWIN_NO_WAKE      a recall wakes nobody
 *   TWIN_NO_RECHECK   a lender does not ask again between SLEEPY and SLEEPING, and a recall wakes only who sleeps
 *   TWIN_COUNT_FIRST  a lender lowers the count before it is out */
#ifndef LENDERS
#define LENDERS 2
#endif

#define UNSET 0
#define SLEEPY 1
#define SLEEPING 2
#define SET 3

bool locked, closing, freed;
byte recalls;
byte lenders, begun;
bool lent[LENDERS];
byte latch[LENDERS];
bool waiting[LENDERS]; /* in the kernel, on latch[i] */

inline touch()
{
    assert(!freed)
}

inline lock()
{
    atomic { !locked -> touch(); locked = true }
}

inline unlock()
{
    atomic { touch(); locked = false }
}

#if defined(TWIN_NO_WAKE)
#define WAKES(i) false
#elif defined(TWIN_NO_RECHECK)
#define WAKES(i) (lent[i] && latch[i] == SLEEPING)
#else
#define WAKES(i) lent[i]
#endif

/* Those that are lent, with the lock held. */
inline wake_lent()
{
    i = 0;
    do
    :: i == LENDERS -> i = 0; break
    :: i < LENDERS && !WAKES(i) -> i++
    :: atomic {
           i < LENDERS && WAKES(i) -> latch[i] = SET;
           waiting[i] = false; /* futex_wake */
           i++
       }
    od
}

proctype Lender(byte me)
{
    byte seen;
    bool open;
    atomic { lenders++; begun++ };
    lock();
    atomic {
        open = !closing;
        lent[me] = open;
        seen = recalls
    };
    unlock();
#ifdef TWIN_NOTE_LATE
    atomic { touch(); seen = recalls };
#endif
    if
    :: !open -> goto out
    :: open
    fi;
look:
    atomic {
        touch();
        if
        :: recalls != seen -> goto over
#ifdef TIMED
        :: true -> goto over
#endif
        :: recalls == seen
        fi
    };
    atomic { /* sleepy */
        if
        :: latch[me] == UNSET -> latch[me] = SLEEPY
        :: else -> latch[me] = UNSET; goto look
        fi
    };
#ifndef TWIN_NO_RECHECK
    atomic {
        touch();
        if
        :: recalls != seen -> latch[me] = UNSET; goto over
        :: else
        fi
    };
#endif
    atomic { /* commit */
        if
        :: latch[me] == SLEEPY -> latch[me] = SLEEPING
        :: else -> latch[me] = UNSET; goto look
        fi
    };
    atomic { /* futex_wait compares and blocks in one step */
        if
        :: latch[me] == SLEEPING -> waiting[me] = true
        :: else
        fi
    };
    if
    :: atomic { !waiting[me] -> latch[me] = UNSET }
#ifdef TIMED
    :: atomic { waiting[me] -> waiting[me] = false; latch[me] = UNSET }
#endif
    fi;
    goto look;
over:
#ifdef TWIN_COUNT_FIRST
    lenders--;
#endif
    lock();
    lent[me] = false;
    unlock();
#ifdef TWIN_COUNT_FIRST
    goto gone;
#endif
out:
    atomic { touch(); lenders-- };
gone:
    skip
}

proctype Recaller()
{
    byte i;
    lock();
    recalls++;
    wake_lent();
    unlock();
    begun++
}

proctype Ender()
{
    byte i;
    begun == LENDERS + 1; /* the recaller is through, too */
    lock();
    closing = true;
    recalls++;
    wake_lent();
    unlock();
    atomic { lenders == 0 -> freed = true }
}

init
{
    atomic {
        run Lender(0);
        run Lender(1);
#if LENDERS > 2
        run Lender(2);
#endif
        run Recaller();
        run Ender()
    }
}
