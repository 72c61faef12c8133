/* Futures: one run of the job, no waiter left behind, and memory for as long as it is touched.
 *
 * Maps to: api/future.c (begin, run, run_taken, run_waited, parks_on_future, block, let_go).
 *
 * The word holds a phase (PENDING, RUNNING, DONE) and the mark WAITED. Everybody steps from PENDING to RUNNING by compare
 * and swap, which keeps the mark.
 *   Taker    has the job from a queue: claims it, runs it if it got it, and lets go of the future
 *   Inside   a thread of the pool that waits: claims the job and runs it, or else sleeps as the others do
 *   Outside  sleeps: reads the word; if it is not DONE sets the mark by compare and swap, and futex_waits for as long as the
 *            word is what that left. With TIMED the first one gives up after any time
 *   run_job  writes the value, exchanges DONE into the word, and wakes all if the mark was there
 * The waiters share one handle; the last one that is through lets go of it. Who is last frees the future.
 *
 * Properties: nobody waits forever (no invalid end state); the job runs once; who has waited sees the value; nobody
 * touches the word when the future is freed (asserts).
 *
 * Abstracted: the look before the sleep, cancellation (a job that is skipped takes the same steps).
 *
 * Twins, must fail
 *   TWIN_NO_MARK      a waiter sleeps without the mark: nobody wakes it
 *   TWIN_LOAD_STORE   the runner reads the mark, then stores DONE: a mark set between is lost
 *   TWIN_CLEAR_MARK   a claim stores RUNNING without what was there
 *   TWIN_WAKE_ONE     the runner wakes one of the waiters
 *   TWIN_BLIND_CLAIM  a claim reads, then stores: the job runs twice
 *   TWIN_MARK_LATE    the runner reads the mark after it has let go: of freed memory */
#define PENDING 0
#define RUNNING 1
#define DONE 2
#define WAITED 4

#ifndef OUTSIDE
#    define OUTSIDE 2
#endif
#ifndef INSIDE
#    define INSIDE 1
#endif
#define WAITERS (OUTSIDE + INSIDE)

byte word = PENDING;
bool asleep[WAITERS]; /* in the kernel, on the word */
byte ran, value;
byte holders = 2;
byte waiting = WAITERS; /* who share the handle */
bool freed;

inline touch()
{
    assert(!freed)
}

inline let_go()
{
    atomic {
        touch();
        holders--;
        if
        :: holders == 0 -> freed = true
        :: else
        fi
    }
}

inline claim(mine)
{
#ifdef TWIN_BLIND_CLAIM
    atomic { touch(); mine = ((word & 3) == PENDING) };
    if
    :: mine -> atomic { touch(); word = word | RUNNING }
    :: else
    fi
#else
    atomic {
        touch();
        mine = ((word & 3) == PENDING);
        if
#    ifdef TWIN_CLEAR_MARK
        :: mine -> word = RUNNING
#    else
        :: mine -> word = word | RUNNING
#    endif
        :: else
        fi
    }
#endif
}

inline wake()
{
    atomic {
#ifdef TWIN_WAKE_ONE
        if
        :: asleep[0] -> asleep[0] = false
        :: !asleep[0] && asleep[1] -> asleep[1] = false
        :: else
        fi
#else
        i = 0;
        do
        :: i < WAITERS -> asleep[i] = false; i++
        :: else -> break
        od
#endif
    }
}

inline run_job()
{
    ran++;
    assert(ran == 1);
    value = 1;
#ifdef TWIN_LOAD_STORE
    atomic { touch(); marked = word & WAITED };
    atomic { touch(); word = DONE };
#else
    atomic { touch(); marked = word & WAITED; word = DONE };
#endif
}

proctype Taker()
{
    byte marked, i;
    bool mine;
    claim(mine);
    if
    :: mine ->
        run_job();
#ifdef TWIN_MARK_LATE
        let_go();
        touch();
#endif
        if
        :: marked != 0 -> wake()
        :: else
        fi
    :: else
    fi;
#ifdef TWIN_MARK_LATE
    if
    :: !mine -> let_go()
    :: else
    fi
#else
    let_go()
#endif
}

proctype Waiter(byte me)
{
    byte seen, marked, i;
    bool mine, done;
    if
    :: me >= OUTSIDE ->
        claim(mine);
        if
        :: mine ->
            run_job();
            if
            :: marked != 0 -> wake()
            :: else
            fi
        :: else
        fi
    :: else
    fi;
    do
    :: atomic { touch(); seen = word };
        if
        :: (seen & 3) == DONE -> done = true; break
        :: else
        fi;
#ifndef TWIN_NO_MARK
        atomic {
            touch();
            if
            :: word == seen -> word = seen | WAITED; seen = word; mine = true
            :: else -> mine = false
            fi
        };
        if
        :: !mine -> goto again
        :: else
        fi;
#endif
        atomic {
            touch();
            if
            :: word == seen -> asleep[me] = true
            :: else
            fi
        };
        if
        :: !asleep[me]
#ifdef TIMED
        :: atomic { me == 0 && asleep[me] -> asleep[me] = false }; break
#endif
        fi;
again:  skip
    od;
    if
    :: done -> assert(value == 1)
    :: else
    fi;
    atomic {
        waiting--;
        if
        :: waiting == 0 -> seen = 1
        :: else -> seen = 0
        fi
    };
    if
    :: seen == 1 -> let_go()
    :: else
    fi
}

init {
    byte n;
    atomic {
        run Taker();
        do
        :: n < WAITERS -> run Waiter(n); n++
        :: else -> break
        od
    }
}
