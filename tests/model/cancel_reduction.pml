/* The barriers of constructs with a reduction that are cancelled.
 *
 * Maps to: omp/loop/workshare.c (barrier_special, was_of_reduction), omp/sync/barrier.c (meet_unless_cancelled) and what
 * clang compiles such a construct to.
 *
 *   Member     per construct: cancels it or notices that it is cancelled, and jumps to its barrier; or comes to its end:
 *              writes `reduced`, meets at the reduction's barrier, and then at the construct's
 *   Meeting    place + 1; arrive; wait for all
 *   Barrier    a meeting, and once more if `reduced` is the member's place then
 *
 * Constructs: with a reduction or without (plain), or a reduction that cannot be cancelled and whose barrier is its last
 * (lone); counted, as loops with a schedule are: their start and their end are also places; a member that jumps counts
 * the end behind the barrier.
 *
 * Properties: all members leave a construct at the same place (assert); no member stays blocked (end states).
 *
 * Twins, must fail
 *   TWIN_ONCE   a member that has jumped meets once
 *   TWIN_ANY    a member at a construct's barrier meets again if there was any reduction before it
 *   TWIN_LATE   `reduced` is written behind the reduction's barrier */
#ifndef K
#define K 3
#endif
#ifndef CONSTRUCTS
#define CONSTRUCTS 3
#endif

mtype = { reduction, plain, lone };
mtype kind[CONSTRUCTS];
bool counted[CONSTRUCTS];
bool cancelled[CONSTRUCTS];
byte behind[CONSTRUCTS]; /* the place there; 0: no member has arrived */
byte reduced;
byte arrived, generation;

inline meet()
{
    atomic {
        place++;
        mine = generation;
        arrived++;
        if
        :: arrived == K -> arrived = 0; generation++
        :: else
        fi
    };
    atomic { generation != mine -> mine = 0 }
}

proctype Member()
{
    byte c, place, mine;
    bool open;

    do
    :: c == CONSTRUCTS -> break
    :: else ->
       atomic {
           open = counted[c];
           place = place + open
       };
       if
       :: kind[c] != lone -> cancelled[c] = true; goto barrier
       :: kind[c] != lone && cancelled[c] -> goto barrier
       :: atomic { place = place + open; open = false }
       fi;
       if
       :: kind[c] == plain
       :: kind[c] != plain ->
#ifndef TWIN_LATE
          reduced = place + 1;
#endif
          meet();
#ifdef TWIN_LATE
          reduced = place;
#endif
          if
          :: kind[c] == lone -> goto next
          :: else
          fi
       fi;
barrier:
       meet();
       atomic { place = place + open; open = false };
#ifndef TWIN_ONCE
       if
#ifdef TWIN_ANY
       :: atomic { reduced != 0 -> goto barrier }
#else
       :: atomic { reduced == place -> goto barrier }
#endif
       :: else
       fi;
#endif
next:
       atomic {
           assert(behind[c] == 0 || behind[c] == place);
           behind[c] = place;
           c++
       }
    od
}

init
{
    byte i;
    atomic {
        for (i : 0 .. CONSTRUCTS - 1) {
            if
            :: kind[i] = reduction
            :: kind[i] = plain
            :: kind[i] = lone
            fi;
            if
            :: counted[i] = kind[i] != lone
            :: true
            fi
        }
        run Member();
        run Member();
#if K > 2
        run Member()
#endif
    }
}
