/* The flag that says whether more threads are awake than there are CPUs, and those who change either number at one time.
 *
 * Maps to: wait/load.c (bz_awake_add, bz_set_cpus, outnumber_cpus, judge, bz_crowded).
 *
 *   Changer   adds one, later subtracts it; after each, with what follows from both numbers: looks at the flag (A1, A2, A4);
 *             while that is wrong, stores it, fences (A3), and takes the numbers anew
 *   Setter    stores another number of CPUs, fences (A3), takes both numbers, and does the same
 *
 * A store of the flag stays in its thread's store buffer until the fence, or is drained at any time before. The two numbers
 * are looked at one after the other, in either order.
 *
 * Property: when nobody is changing anything, the flag is what follows from the numbers.
 *
 * Twins, must fail
 *   TWIN_ONCE       nobody looks again after a store
 *   TWIN_NO_FENCE   the store may still be in the buffer when the number is looked at
 *   TWIN_OLD_CPUS   the number of CPUs may be looked at before the change of the other one is visible: A4 relaxed */
#ifndef N
#define N 3
#endif
#ifndef CPUS
#define CPUS 1
#endif
#ifndef SETTERS
#define SETTERS 0
#endif

byte awake, cpus = CPUS, done;
bool crowded;

/* Both numbers. */
inline look()
{
    if
    :: seen = awake; had = cpus
    :: had = cpus; seen = awake
    fi;
    now = seen > had
}

inline judge()
{
    do
    :: crowded == now -> break
    :: else ->
#ifdef TWIN_NO_FENCE
        buffered = now;
        look();
        crowded = buffered; /* drained at last: its own look before the next one sees it in any case */
        if
        :: now == buffered -> break
        :: else
        fi
#else
        crowded = now;
        look();
#ifdef TWIN_ONCE
        break
#endif
#endif
    od
}

inline change(by)
{
#ifdef TWIN_OLD_CPUS
    had = cpus;
    atomic { awake = awake + by; seen = awake };
#else
    atomic { awake = awake + by; seen = awake };
    had = cpus;
#endif
    now = seen > had;
    judge()
}

proctype Changer()
{
    bool now, buffered;
    byte seen, had;
    change(1);
    change(-1);
    done++
}

/* The ones that stay: the number ends on the other side of the limit, or on the same. */
proctype Stayer()
{
    bool now, buffered;
    byte seen, had;
    change(1);
    done++
}

/* To one CPU less, so that who stays is one too many, or to one more. */
proctype Setter(byte n)
{
    bool now, buffered;
    byte seen, had;
    cpus = n;
    look();
    judge();
    done++
}

init
{
    byte i;
    atomic {
        do
        :: i < N - 1 -> run Changer(); i++
        :: else -> break
        od;
        run Stayer();
#if SETTERS > 0
        run Setter(0);
#endif
#if SETTERS > 1
        run Setter(2)
#endif
    };
    done == N + SETTERS;
    assert(crowded == (awake > cpus))
}
