/* A scan: workers take tiles from left to right; the second of a tile's two sums to come goes on with the tile.
 *
 * Maps to: algo/scan.c (run_tickets, run_tile, meet, pass_on, scan_known).
 *
 *   Worker     takes the next tile. Its state is KNOWN: scans it, which gives the sum before the next one; says so there.
 *              Else sums it up and says SUMMED; was it KNOWN by then, passes on.
 *   Says       exchanges the state; anything but EMPTY before means that it came second.
 *   Passes on  writes the sum before the next tile, and says KNOWN there; was that SUMMED, the same with it. Then the tiles
 *              that it has passed are ready, and anybody may scan them.
 *
 * Sums are numbers of tiles: before tile t they are t. Properties: whoever scans or passes on a tile finds the right sums,
 * all written (asserts); each sum is written once; no tile is summed after or while it is scanned, which may replace what
 * was there (asserts); when all are done, each tile was scanned exactly once, and the total is right (Monitor).
 *
 * Abstracted: the loop that hands out tickets (blitz_for, which has its own models) and the one over ready tiles.
 *
 * Twins, must fail
 *   TWIN_LOAD_STORE  a load and a store instead of the exchange: both think that they came first
 *   TWIN_SAY_FIRST   the state is changed before the sum is written
 *   TWIN_READY_FIRST a tile is ready for others before the sum that they use up was passed on */
#ifndef TILES
#define TILES 4
#endif
#ifndef WORKERS
#define WORKERS 3
#endif
#define EMPTY 0
#define SUMMED 1
#define KNOWN 2
#define UNWRITTEN 100
#define SPENT 101

byte state[TILES];
byte before[TILES + 1]; /* UNWRITTEN, the sum of all tiles before, SPENT by a scan in place */
bool has_sum[TILES];
byte next;
bool summing[TILES], ready[TILES];
byte scanned[TILES];
byte busy;

/* Says `what` of tile t; `came` is what was there. */
inline say(t, what)
{
#ifdef TWIN_LOAD_STORE
    came = state[t];
    state[t] = what
#else
    atomic { came = state[t]; state[t] = what }
#endif
}

inline scan(t)
{
    atomic { assert(!summing[t] && scanned[t] == 0 && before[t] == t); scanned[t]++ }
}

/* The same in the memory of the sum. */
inline scan_ready(t)
{
    scan(t);
    before[t] = SPENT
}

inline write_before(t, sum)
{
    atomic { assert(before[t] == UNWRITTEN); before[t] = sum }
}

proctype Worker()
{
    byte t, came, first, sum;

take:
    atomic {
        if
        :: next < TILES -> t = next; next++; busy++
        :: else -> goto idle
        fi
    };
    if
    :: state[t] == KNOWN ->
        scan(t);
        write_before(t + 1, t + 1);
        t++;
        if
        :: t == TILES -> goto done
        :: else
        fi;
        say(t, KNOWN);
        if
        :: came == EMPTY -> goto done
        :: else
        fi
    :: else ->
        summing[t] = true;
#ifdef TWIN_SAY_FIRST
        say(t, SUMMED);
        atomic { summing[t] = false; has_sum[t] = true };
#else
        atomic { summing[t] = false; has_sum[t] = true };
        say(t, SUMMED);
#endif
        if
        :: came == EMPTY -> goto done
        :: else
        fi
    fi;

    /* Passes on from t. */
    first = t;
    do
#ifdef TWIN_READY_FIRST
    :: ready[t] = true;
       atomic { assert(has_sum[t] && before[t] == t); sum = before[t] + 1 };
#else
    :: atomic { assert(has_sum[t] && before[t] == t); sum = before[t] + 1 };
#endif
       write_before(t + 1, sum);
       t++;
       if
       :: t == TILES -> break
       :: else
       fi;
       say(t, KNOWN);
       if
       :: came == EMPTY -> break
       :: else
       fi
    od;
    atomic {
        do
#ifndef TWIN_READY_FIRST
        :: first < t -> ready[first] = true; first++
#endif
        :: else -> break
        od;
        first = 0
    };

done:
    atomic { busy--; came = 0; sum = 0; goto take };

idle: /* takes its part of what is ready */
end_idle:
    do
    :: atomic { ready[0] -> ready[0] = false; t = 0 }; scan_ready(t)
    :: atomic { ready[1] -> ready[1] = false; t = 1 }; scan_ready(t)
    :: atomic { ready[2] -> ready[2] = false; t = 2 }; scan_ready(t)
    :: atomic { ready[3] -> ready[3] = false; t = 3 }; scan_ready(t)
    od
}

proctype Monitor()
{
    byte t;

end_monitor:
    atomic {
        timeout ->
        t = 0;
        do
        :: t < TILES -> assert(scanned[t] == 1); t++
        :: else -> break
        od;
        assert(busy == 0 && before[TILES] == TILES)
    }
}

init
{
    byte i;
    atomic {
        do
        :: i <= TILES -> before[i] = UNWRITTEN; i++
        :: else -> break
        od;
        before[0] = 0;
        state[0] = KNOWN;
        i = 0;
        do
        :: i < WORKERS -> run Worker(); i++
        :: else -> break
        od;
        run Monitor()
    }
}
