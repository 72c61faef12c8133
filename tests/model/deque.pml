/* The split Chase-Lev deque: one owner, two thieves, growth under theft.
 *
 * Maps to: sched/deque.h (bz_deque_push, bz_deque_push_public, bz_deque_expose_all, bz_deque_pop), sched/deque.c
 * (bz_deque_make_room, bz_deque_expose, pop_public, bz_deque_steal). Who exposes from outside is in expose.pml.
 *
 *   Owner   Push: slot, bottom + 1; when full: a buffer of twice the size, the jobs copied, the pointer stored, the old
 *           buffer kept. Expose: fast = the new split (or left, where the owner knows of a request), then split raised. Pop:
 *           bottom - 1 >= fast, or >= split: just that. Else the public pop: fast and split lowered, fence, top read. Top
 *           below it: taken. Top there: CAS top + 1, and whoever got it, split and bottom meet at top and fast = REQUESTED.
 *           Top above it: nothing there, the same.
 *   Thief   top read, fence, split read. Nothing there: fast = REQUESTED. Else buffer read, slot read, CAS top + 1; split
 *           read again: it was the last one: fast = REQUESTED
 *
 * The owner's stores (slots, buffer pointer, split, fast) go through a FIFO store buffer, as on x86; its fence and
 * CAS wait until that is empty. The owner pushes N jobs and exposes and pops in between in any way; the thieves go on
 * forever.
 *
 * Properties (asserts): a job is taken at most once, and what is taken is a job; when the owner has pushed all and finds
 * nothing, all were taken; no thief reads a buffer that was freed; when owner and thieves are between two operations and
 * nothing is public, a steal is requested.
 *
 * Abstracted: the filter that may refuse a job; `limit` (here every push looks at top); failure to grow.
 *
 * Twins, must fail
 *   TWIN_NO_FENCE        no fence in the public pop
 *   TWIN_FREE            growth frees the old buffer
 *   TWIN_SPLIT_FIRST     the thief reads split before top
 *   TWIN_BUFFER_FIRST    the thief reads the buffer pointer before split
 *   TWIN_STALE_REQUEST   the thief does not read split again after its CAS
 *   TWIN_LATE_CLEAR      expose stores fast after split
 *   TWIN_LEFT_FAST       expose leaves fast as it was */
#ifndef N
#define N 3
#endif
#define SIZE 2 /* of buffer 0; buffer 1 has twice as many slots, enough for N <= 4 */

byte top, split, buffer; /* in memory */
#define REQUESTED 255
byte fast = REQUESTED;
byte own_split;
byte slots[3 * SIZE];    /* both buffers, one behind the other */
bool freed[2];

bool taken[N + 1]; /* job j, from 1 on */
byte busy;         /* owner and thieves within an operation */

#define SLOT(b, i) ((b == 0) -> (i % SIZE) : (SIZE + i % (2 * SIZE)))

mtype = { to_slot, to_split, to_buffer, to_fast };
chan stores = [6] of { mtype, byte, byte }; /* the owner's store buffer */
byte unstored, last_fast;                   /* values of fast in it, and the last of them */
#define FENCE empty(stores)

inline take(job)
{
    assert(job != 0 && !taken[job]);
    taken[job] = true
}

#define AT_REST                                                                       \
    assert(busy != 0 || nempty(stores) || top < split || fast == REQUESTED);          \
    assert(busy != 0 || nempty(stores) || fast == REQUESTED || fast == own_split)

#define OWN_FAST (unstored > 0 -> last_fast : fast) /* as the owner reads it */

inline store_fast(x)
{
    stores ! to_fast(x, 0);
    unstored++;
    last_fast = x
}

proctype Memory()
{
    byte a, v;

end_memory:
    do
    :: d_step {
           stores ? to_slot(a, v) -> slots[a] = v;
           a = 0;
           v = 0;
           AT_REST
       }
    :: d_step { stores ? to_split(split, _) -> AT_REST }
    :: d_step { stores ? to_buffer(buffer, _) -> AT_REST }
    :: d_step { stores ? to_fast(fast, _) -> unstored--; AT_REST }
    od
}

proctype Owner()
{
    byte bottom, own_buffer, pushed, t, i;
    bool stopped = true; /* there is a request, and nobody else takes it back */
    byte view[N]; /* what it last stored at index i */

next:
    do
    :: atomic { /* push, after a look whether there is room */
           pushed < N -> busy++;
           t = top;
           i = t
       };
       if
       :: atomic { bottom - t < SIZE || own_buffer == 1 -> i = 0 }
       :: atomic {
              bottom - t >= SIZE && own_buffer == 0 -> own_buffer = 1;
              do
              :: i < bottom -> stores ! to_slot(SLOT(1, i), view[i]); i++
              :: else -> i = 0; break
              od;
              stores ! to_buffer(1, 0)
#ifdef TWIN_FREE
              ;
              freed[0] = true
#endif
          }
       fi;
       atomic {
           pushed++;
           view[bottom] = pushed;
           stores ! to_slot(SLOT(own_buffer, bottom), pushed);
           bottom++;
           t = 0;
           busy--;
           AT_REST
       }
    :: atomic { /* expose one, or all; the request cleared before, or not at all */
           own_split < bottom -> busy++;
           if
           :: own_split++
           :: own_split + 1 < bottom -> own_split = bottom
           fi;
#ifdef TWIN_LATE_CLEAR
           stores ! to_split(own_split, 0);
           stopped = false;
           store_fast(own_split);
#else
           if
#ifdef TWIN_LEFT_FAST
           :: OWN_FAST == REQUESTED -> store_fast(own_split)
           :: OWN_FAST != REQUESTED
#else
           :: store_fast(own_split)
#endif
           :: stopped && own_split == bottom -> goto left
           fi;
           stopped = false;
left:
           stores ! to_split(own_split, 0);
#endif
           busy--
       }
    :: atomic { /* pop, private */
           bottom > own_split || bottom > OWN_FAST ->
           bottom--;
           take(view[bottom]);
           view[bottom] = 0
       }
    :: atomic { /* pop, public, also of an empty deque */
           bottom == own_split && bottom > 0 && bottom <= OWN_FAST ->
           busy++;
           bottom--;
           own_split = bottom;
           if
           :: !stopped -> store_fast(own_split)
           :: stopped
           fi;
           stores ! to_split(own_split, 0)
       };
#ifndef TWIN_NO_FENCE
       FENCE;
#endif
       t = top;
       if
       :: atomic { t < bottom -> take(view[bottom]); view[bottom] = 0; t = 0; busy--; AT_REST }
       :: atomic { /* CAS for the last one */
              t == bottom && FENCE ->
              if
              :: top == t -> top++; take(view[bottom])
              :: else
              fi
          };
          goto empty_now
       :: atomic { t > bottom -> goto empty_now }
       fi
    od;

empty_now:
    atomic {
        view[bottom] = 0;
        bottom++;
        own_split = bottom;
        stores ! to_split(own_split, 0);
        store_fast(REQUESTED);
        stopped = true;
        t = 0;
        busy--;
        AT_REST
    };
    if
    :: pushed < N -> goto next
    :: else
    fi;
    i = 1;
    do
    :: i <= N -> assert(taken[i]); i++
    :: else -> break
    od
}

proctype Thief()
{
    byte t, s, b, job;

end_thief:
    do
    :: atomic {
           busy++;
#ifdef TWIN_SPLIT_FIRST
           s = split
       };
       atomic {
           t = top
#else
           t = top
       };
#ifdef TWIN_BUFFER_FIRST
       b = buffer;
#endif
       atomic {
           s = split
#endif
           ;
           if
           :: t < s
           :: else -> goto nothing
           fi
       };
#ifndef TWIN_BUFFER_FIRST
       b = buffer;
#endif
       atomic {
           assert(!freed[b]);
           job = slots[SLOT(b, t)];
           b = 0
       };
       atomic {
           if
           :: top == t -> top++; take(job); job = 0
           :: else -> job = 0; goto over
           fi
       };
       atomic {
           if
#ifdef TWIN_STALE_REQUEST
           :: t + 1 >= s
#else
           :: t + 1 >= split
#endif
           :: else -> goto over
           fi
       };
nothing:
       fast = REQUESTED;
over:
       atomic { t = 0; s = 0; busy--; AT_REST }
    od
}

init
{
    atomic {
        run Memory();
        run Owner();
        run Thief();
        run Thief()
    }
}
