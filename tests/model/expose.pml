/* Exposing from outside: two thieves raise the split of an owner who does not answer.
 *
 * Maps to: sched/deque.h (bz_deque_put, bz_deque_make_public, bz_deque_pop_private, bz_deque_pop), sched/deque.c
 * (bz_deque_expose, bz_deque_put_requested, bz_deque_restore_bound, reconcile, pop_public, bz_deque_pop_slow, raise_split),
 * sched/worker.h (bz_worker_put).
 *
 *   Owner   Push: slot, bottom, bound read. If that is closed and fast REQUESTED: bound, fast = the middle, swap of split
 *           to it; closed alone: exchanged, and fast read again. Or, where it is found so before, with nothing private:
 *           slot, fast, split, bottom. Share: fast, if it is not REQUESTED by the owner itself, and split = bottom. Pop:
 *           bottom lowered, fast read. It is not above: taken. Else, if that is above the own split, reconcile: what is
 *           asked is taken back or what was raised taken note of; still above: taken. Else the public pop, as in
 *           deque.pml.
 *   Thief   Looks, as in deque.pml; and if nothing was public, it may expose: under the lock, swap of split to split
 *           asked, fast = REQUESTED, bound closed, barrier on the owner, bottom read, swap of that to the middle, or to what
 *           it was.
 *
 * The owner's stores go through a FIFO store buffer, as on x86; its fences and swaps wait until that is empty, and the
 * thieves' barrier until it was empty once. It reads fast as it last stored it, if that is still in the buffer.
 * No growth.
 *
 * With WEAK the owner's relaxed stores leave the buffer before older ones of other words, as on AArch64, those with release
 * after all older ones; its swap of fast, which is relaxed, waits for none but those of fast. Then pushes may be fast in
 * spite of a request as long as there are public jobs: whoever takes the last of them closes bound.
 *
 * Properties (asserts): a job is taken at most once, and what is taken is a job; when the owner has pushed all and finds
 * nothing, all were taken; when all are between two operations and nothing is public, a steal is requested; so it is when
 * the split is another one than the owner believes; and else fast is the split.
 *
 * Twins, must fail
 *   TWIN_NO_BARRIER     the thief reads the bottom without a barrier
 *   TWIN_LOOK_FIRST     the owner reads fast before it lowers the bottom
 *   TWIN_NOT_ASKED      the thief does not mark the split that it is about to raise
 *   TWIN_LATE_REQUEST   the thief makes its steal request after its barrier
 *   TWIN_STORED_SPLIT   the owner stores the middle instead of swapping
 *   TWIN_FAST_LATE      a public pop stores fast after the split
 *   TWIN_STORED_FAST    sharing stores fast, whatever was requested
 *   TWIN_STORED_BOUND   a push stores bound instead of exchanging it
 *   TWIN_BOTTOM_FIRST   a push that finds a request raises the bottom before the split
 *   TWIN_RELAXED_BOTTOM where stores are not kept in order, a push raises the bottom by a relaxed one */
#ifndef N
#define N 3
#endif

byte top, split, bottom; /* in memory */
#define REQUESTED 255
byte fast = REQUESTED;
#ifdef BOUND
bool bound; /* pushes are fast */
#endif
bool asked, exposer;
byte slots[N];

bool taken[N + 1]; /* job j, from 1 on */
byte busy;         /* owner and thieves within an operation */
byte own_split;

byte unstored, last_fast; /* values of fast in the store buffer, and the last of them */
#ifdef BOUND
byte unstored_bounds;     /* the same of bound */
bool last_bound;
#endif

mtype = { to_slot, to_split, to_bottom, to_bottom_relaxed, to_fast, to_bound };
chan stores = [8] of { mtype, byte, byte };
#define FENCE empty(stores)
#ifdef WEAK
byte unstored_bottoms; /* with release */
#define STORED_FAST (unstored == 0)
#define MAY_BE_OPEN (top < split)
#else
#define STORED_FAST FENCE
#define MAY_BE_OPEN false
#endif
#define OWN_FAST (unstored > 0 -> last_fast : fast) /* as the owner reads it */
#ifdef BOUND
#define OWN_BOUND (unstored_bounds > 0 -> last_bound : bound)
#define CLOSED !bound
#else
#define OWN_BOUND (OWN_FAST != REQUESTED)
#define CLOSED true
#endif

inline take(job)
{
    assert(job != 0 && !taken[job]);
    taken[job] = true
}

#define AT_REST                                                                                              \
    assert(busy != 0 || nempty(stores) ||                                                                    \
           ((top < split || fast == REQUESTED) &&                                                            \
            ((own_split == split && !asked && fast == split) ||                                             \
             (fast == REQUESTED && (CLOSED || MAY_BE_OPEN)))))

inline store_fast(x)
{
    stores ! to_fast(x, 0);
    unstored++;
    last_fast = x
}

/* After all that is stored already. */
inline store_bottom(x)
{
#ifdef TWIN_RELAXED_BOTTOM
    stores ! to_bottom_relaxed(x, 0)
#else
    stores ! to_bottom(x, 0);
#ifdef WEAK
    unstored_bottoms++
#endif
#endif
}

inline store_bound(x)
{
#ifdef BOUND
    stores ! to_bound(x, 0);
    unstored_bounds++;
    last_bound = x
#else
    skip
#endif
}

proctype Memory()
{
    byte a, v;

end_memory:
    do
    :: d_step { stores ? to_slot(a, v) -> slots[a] = v; a = 0; v = 0; AT_REST }
    :: d_step { stores ? to_split(split, _) -> asked = false; AT_REST }
#ifdef WEAK
    :: d_step { stores ? to_bottom(bottom, _) -> unstored_bottoms--; AT_REST }
    :: d_step {
           unstored_bottoms == 0 && stores ?? [to_bottom_relaxed(_, _)] ->
           stores ?? to_bottom_relaxed(bottom, _);
           AT_REST
       }
    :: d_step { stores ?? to_slot(a, v) -> slots[a] = v; a = 0; v = 0; AT_REST }
    :: d_step { stores ?? to_fast(fast, _) -> unstored--; AT_REST }
#ifdef BOUND
    :: d_step { stores ?? to_bound(bound, _) -> unstored_bounds--; AT_REST }
#endif
#else
    :: d_step { stores ? to_bottom(bottom, _) -> AT_REST }
#endif
    :: d_step { stores ? to_bottom_relaxed(bottom, _) -> AT_REST }
    :: d_step { stores ? to_fast(fast, _) -> unstored--; AT_REST }
#ifdef BOUND
    :: d_step { stores ? to_bound(bound, _) -> unstored_bounds--; AT_REST }
#endif
    od
}

proctype Owner()
{
    byte own_bottom, pushed, t, i;
    byte view[N]; /* what it last stored at index i */
    bool stopped = true; /* there is a request, and nobody else takes it back */

next:
    do
    :: atomic { pushed < N -> busy++ };
       pushed++;
       view[own_bottom] = pushed;
       if
       :: atomic { /* with nothing private, after a look */
              OWN_FAST == REQUESTED && own_bottom == own_split ->
              stores ! to_slot(own_bottom, pushed);
              own_bottom++;
              own_split = own_bottom;
#ifdef TWIN_BOTTOM_FIRST
              store_bottom(own_bottom);
#endif
              store_bound(true);
              store_fast(own_bottom);
              stopped = false;
              stores ! to_split(own_bottom, 0);
#ifndef TWIN_BOTTOM_FIRST
              store_bottom(own_bottom)
#endif
          }
       :: atomic {
              stores ! to_slot(own_bottom, pushed);
              own_bottom++;
              store_bottom(own_bottom)
          };
          if
          :: atomic { OWN_BOUND -> goto pushed_it }
#ifdef BOUND
          :: atomic { !OWN_BOUND && OWN_FAST != REQUESTED -> goto restore }
#endif
          :: atomic {
                 !OWN_BOUND && OWN_FAST == REQUESTED ->
                 t = own_split + (own_bottom - own_split + 1) / 2; /* as it believes */
                 stopped = false;
                 store_bound(true);
                 store_fast(t)
             }
          fi;
#ifdef TWIN_STORED_SPLIT
          atomic {
              own_split = own_split + (own_bottom - own_split + 1) / 2;
              stores ! to_split(own_split, 0)
          }
#else
          atomic { FENCE -> /* the swap, repeated until it finds what it read */
              own_split = split + (own_bottom - split + 1) / 2;
              if
              :: own_split == split -> store_fast(REQUESTED); store_bound(false); stopped = true
              :: own_split > split && own_split != t -> fast = own_split
              :: else
              fi;
              t = 0;
              split = own_split;
              asked = false
          }
#endif
       fi;
#ifdef BOUND
restore:
       if
       :: atomic { OWN_FAST == REQUESTED || OWN_BOUND -> goto pushed_it }
       :: atomic { OWN_FAST != REQUESTED && !OWN_BOUND }
       fi;
#ifdef TWIN_STORED_BOUND
       store_bound(true);
#else
       atomic { FENCE -> bound = true }; /* the exchange */
#endif
       atomic {
           if
           :: OWN_FAST == REQUESTED -> store_bound(false)
           :: else
           fi
       };
#endif
pushed_it:
       atomic { busy--; AT_REST }
    :: atomic { /* share */
           own_split < own_bottom && nfull(stores) && (stopped || STORED_FAST) ->
           own_split = own_bottom;
           if
#ifdef TWIN_STORED_FAST
           :: !stopped -> fast = own_split
           :: stopped
#else
           :: fast != REQUESTED -> fast = own_split /* a swap */
           :: else
#endif
           fi;
           stores ! to_split(own_split, 0)
       }
    :: atomic { /* pop, also of an empty deque */
           own_bottom > 0 -> busy++
       };
#ifdef TWIN_LOOK_FIRST
       t = OWN_FAST;
#endif
       atomic {
           own_bottom--;
           stores ! to_bottom_relaxed(own_bottom, 0)
       };
       atomic {
           if
#ifdef TWIN_LOOK_FIRST
           :: own_bottom >= t -> goto mine
#else
           :: own_bottom >= OWN_FAST -> goto mine
#endif
           :: else ->
              if
              :: own_bottom < own_split -> goto public
              :: else
              fi
           fi
       };
       atomic { FENCE -> asked = false; own_split = split }; /* reconcile */
       if
       :: own_bottom >= own_split -> goto mine
       :: else
       fi;
public:
       atomic {
           own_split = own_bottom;
#ifdef TWIN_FAST_LATE
           stores ! to_split(own_split, 0)
       };
       atomic {
           if
           :: !stopped -> store_fast(own_split)
           :: stopped
           fi
       };
#else
           if
           :: !stopped -> store_fast(own_split)
           :: stopped
           fi;
           stores ! to_split(own_split, 0)
       };
#endif
       FENCE;
       t = top;
       if
       :: atomic { t < own_bottom -> goto mine }
       :: atomic { /* swap for the last one */
              t == own_bottom && FENCE ->
              if
              :: top == t -> top++; take(view[own_bottom])
              :: else
              fi
          }
       :: t > own_bottom
       fi;
       goto empty_now;
mine:
       atomic { take(view[own_bottom]); view[own_bottom] = 0; t = 0; busy--; AT_REST }
    od;

empty_now:
    atomic {
        view[own_bottom] = 0;
        own_bottom++;
        own_split = own_bottom;
        stores ! to_split(own_split, 0);
        stores ! to_bottom_relaxed(own_bottom, 0);
        store_fast(REQUESTED);
        store_bound(false);
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
    :: atomic { busy++; t = top };
       atomic {
           s = split;
           if
           :: t < s
           :: else -> goto nothing
           fi
       };
       job = slots[t];
       atomic {
           if
           :: top == t -> top++; take(job); job = 0
           :: else -> job = 0; goto over
           fi
       };
       atomic {
           if
           :: t + 1 >= split
           :: else -> goto over
           fi
       };
nothing:
       fast = REQUESTED;
#ifdef BOUND
       bound = false;
#endif
       if
       :: goto over
       :: atomic { !exposer -> exposer = true; t = 0; s = split }
       fi;
       atomic {
           if
           :: split == s && !asked ->
#ifndef TWIN_NOT_ASKED
              asked = true
#endif
           :: else -> goto unlock
           fi
       };
#ifndef TWIN_LATE_REQUEST
       fast = REQUESTED;
#ifdef BOUND
       bound = false;
#endif
#endif
#ifndef TWIN_NO_BARRIER
       FENCE;
#endif
#ifdef TWIN_LATE_REQUEST
       fast = REQUESTED;
#ifdef BOUND
       bound = false;
#endif
#endif
       b = bottom;
       atomic {
           if
#ifdef TWIN_NOT_ASKED
           :: split == s ->
#else
           :: split == s && asked ->
#endif
              asked = false;
              if
              :: b > s -> split = s + (b - s + 1) / 2
              :: else
              fi
           :: else
           fi
       };
unlock:
       atomic { exposer = false; b = 0 };
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
