/* Chunk buffers: chunks that their owner gives itself one by one for a store and a load, and that thieves may take all at
 * once.
 *
 * Maps to: omp/loop/chunk_buffer.h and chunk_buffer.c (bomp_chunk_buffer_open, bomp_chunk_buffer_take,
 * bomp_chunk_buffer_resolve, bomp_chunk_buffer_steal), as range.c uses them.
 *
 *   Owner   Takes two or three chunks from a range, or what there is: runs the first, opens the buffer with the others.
 *           Takes from the buffer: next = k + 1; reads end; above k: runs k. Else, or if the buffer was empty, it
 *           resolves: a mark -e becomes k + 1 by CAS, after next, or 0 if that leaves nothing, k is its own unless it is
 *           e, and it touches the buffer no more. An end above k: k is its own. Another: end = 0 by CAS, closed
 *   Thief   Marks end by CAS, from e to -e; waits until the owner's stores are visible (the heavy fence); reads next: m; CAS
 *           from -e to m, or what the owner has decided. Runs the first chunk; the others are its range, from which it goes
 *           on to take one by one, and the owner may take all
 *
 * The owner's stores to `next` go through a FIFO store buffer, as on x86; its CAS and the opening wait until that is empty.
 *
 * Properties: no chunk runs twice (assert in play); when nobody can go on all have run (assert at the timeout).
 *
 * Abstracted: shares and times; when a thief had better wait; a thief that takes a half.
 *
 * Twins, must fail
 *   TWIN_NO_HEAVY     the thief does not wait for the owner's stores
 *   TWIN_NO_MARK      the thief sets end to the next chunk that it has seen, without a mark
 *   TWIN_NO_CLOSE     an empty buffer is opened without having been closed
 *   TWIN_NEXT_LATE    it writes next after it has decided
 *   TWIN_SAME_END     it may decide that end is e again
 *   TWIN_CLOSE_AGAIN  the owner closes the buffer after it has decided
 *   TWIN_OPEN_AGAIN   the owner opens the buffer after it has decided
 *   TWIN_END_FIRST    a buffer is opened by its end first */
#ifndef N
#define N 6
#endif
#ifndef THIEVES
#define THIEVES 2
#endif

short next, end; /* of the buffer, in memory */
byte first[THIEVES + 1], last[THIEVES + 1]; /* ranges; the last one is the owner's */
bool ran[N];
chan stores = [3] of { short }; /* the owner's store buffer: values of next */
#define FENCE empty(stores)
#ifdef TWIN_CLOSE_AGAIN
#define LIVE(condition) condition
#else
#define LIVE(condition) (!disputed && condition)
#endif

inline play(c)
{
    assert(c < N && !ran[c]);
    ran[c] = true
}

proctype Memory()
{
end_memory:
    do
    :: stores ? next
    od
}

proctype Owner()
{
    short k, e; /* k: its own view of next */
    byte i, f, l;
    bool disputed;

end_owner:
    do
    :: atomic { /* from a range; the buffer is empty */
           first[0] < last[0] || first[1] < last[1] || first[THIEVES] < last[THIEVES] ->
           if
           :: first[0] < last[0] -> i = 0
           :: first[1] < last[1] -> i = 1
           :: first[THIEVES] < last[THIEVES] -> i = THIEVES
           fi;
           f = first[i];
           if
           :: disputed || last[i] - f == 1 -> l = f + 1
           :: !disputed && last[i] - f >= 2 -> l = f + 2
           :: !disputed && last[i] - f >= 3 -> l = f + 3
           fi;
           first[i] = l;
           i = 0;
           play(f);
           if
           :: l > f + 1 -> k = f + 1
           :: else -> l = 0
           fi;
           f = 0
       };
       if
       :: l > 0 -> FENCE;
#ifdef TWIN_END_FIRST
           end = l;
           next = k
#else
           next = k;
           end = l
#endif
       :: else
       fi;
       l = 0;
       do /* from the buffer */
       :: k < end -> /* next: its own */
           stores ! k + 1;
           if
           :: atomic { k < end -> play(k); k++ }
           :: k >= end -> goto resolve
           fi
       :: k >= end -> goto resolve
       od;
resolve:
       e = end;
       do
#ifdef TWIN_CLOSE_AGAIN
       :: e == 0 -> break
#else
       :: e == 0 || disputed -> break
#endif
       :: LIVE(e > 0 && k < e) -> play(k); k++ /* and finds the buffer empty the next time */
       :: LIVE(e > 0 && k >= e) ->
#ifdef TWIN_NO_CLOSE
           break
#endif
           atomic {
               FENCE;
               if
               :: end == e -> end = 0
               :: else
               fi;
               e = end
           }
       :: LIVE(e < 0) ->
#ifndef TWIN_NEXT_LATE
           if
           :: k < -e -> stores ! k + 1
           :: else
           fi;
#endif
           atomic {
               FENCE;
               if
               :: end == e ->
                   if
#ifdef TWIN_SAME_END
                   :: k + 1 <= -e -> end = k + 1
                   :: k == -e -> end = k
#else
                   :: k + 1 < -e -> end = k + 1
                   :: else -> end = 0
#endif
                   fi;
#ifndef TWIN_OPEN_AGAIN
                   disputed = true;
#endif
                   if
                   :: k < -e -> play(k); k++
                   :: else
                   fi;
                   e = 0
               :: else -> e = end
               fi
           };
#ifdef TWIN_NEXT_LATE
           stores ! k
#endif
       od;
       e = 0
    od
}

proctype Thief(byte me)
{
    short e, m;

end_thief:
    do
    :: atomic { first[me] < last[me] -> play(first[me]); first[me]++ }
    :: atomic { first[me] >= last[me] && end > 0 && next < end -> e = end };
#ifdef TWIN_NO_MARK
       m = next;
       atomic {
           if
           :: end == e -> end = m
           :: else -> e = 0; m = 0
           fi
       };
       FENCE;
#else
       atomic {
           if
           :: end == e -> end = -e
           :: else -> e = 0; goto end_thief
           fi
       };
#ifndef TWIN_NO_HEAVY
       FENCE;
#endif
       m = next;
       atomic {
           if
           :: end == -e -> end = m
           :: else -> m = (end == 0 -> e : end)
           fi
       };
#endif
       atomic {
           if
           :: m < e -> play(m); first[me] = m + 1; last[me] = e
           :: else
           fi;
           e = 0;
           m = 0
       }
    od
}

init
{
    byte c;
    atomic {
        last[THIEVES] = N;
        run Memory();
        run Owner();
        run Thief(0);
#if THIEVES > 1
        run Thief(1)
#endif
    };
end_init:
    timeout ->
    atomic {
        do
        :: c < N -> assert(ran[c]); c++
        :: else -> break
        od
    }
}
