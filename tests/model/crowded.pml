/* The flag that says whether more threads are awake than there are CPUs, and those who change the number at the same time.
 *
 * Maps to: src/sleep.c (bz_awake_add, judge, bz_crowded).
 *
 *   Changer   adds one, later subtracts it; after each, with what follows from the number then: looks at the flag (A1, A2);
 *             while that is wrong, stores it, fences (A3), and takes the number anew
 *
 * A store of the flag stays in its thread's store buffer until the fence, or is drained at any time before.
 *
 * Property: when nobody is changing anything, the flag is what follows from the number.
 *
 * Twins, must fail
 *   TWIN_ONCE       nobody looks again after a store
 *   TWIN_NO_FENCE   the store may still be in the buffer when the number is looked at */
#ifndef N
#define N 3
#endif
#ifndef CPUS
#define CPUS 1
#endif

byte awake, done;
bool crowded;

inline judge()
{
    do
    :: crowded == now -> break
    :: else ->
#ifdef TWIN_NO_FENCE
        buffered = now;
        now = awake > CPUS;
        crowded = buffered; /* drained at last: its own look before the next one sees it in any case */
        if
        :: now == buffered -> break
        :: else
        fi
#else
        crowded = now;
        now = awake > CPUS;
#ifdef TWIN_ONCE
        break
#endif
#endif
    od
}

proctype Changer()
{
    bool now, buffered;
    atomic { awake++; now = awake > CPUS };
    judge();
    atomic { awake--; now = awake > CPUS };
    judge();
    done++
}

/* The ones that stay: the number ends on the other side of the limit, or on the same. */
proctype Stayer()
{
    bool now, buffered;
    atomic { awake++; now = awake > CPUS };
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
        run Stayer()
    };
    done == N;
    assert(crowded == (awake > CPUS))
}
