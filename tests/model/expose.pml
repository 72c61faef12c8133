/* Exposing from outside: two thieves raise the split of an owner who does not answer.
 *
 * Maps to: sched/deque.h (bz_deque_put, bz_deque_make_public, bz_deque_pop_private, bz_deque_pop), sched/deque.c
 * (bz_deque_expose,
 * bz_deque_put_requested, reconcile, pop_public, bz_deque_pop_slow, raise_split), sched/worker.h (bz_worker_put).
 *
 *   Owner   Push: slot, bottom, steal_request read. If it is set: steal_request = 0, swap of split to the middle. Or, where
 *           it is found set before, with nothing private: slot, steal_request = 0, split, bottom. Share: split = bottom.
 *           Pop: bottom lowered, and if that is above the own split steal_request read. 0: taken. Else reconcile: what is
 *           asked is taken back or what was raised taken note of; still above: taken. Else the public pop, as in deque.pml.
 *   Thief   Looks, as in deque.pml; and if nothing was public, it may expose: under the lock, swap of split to split asked,
 *           steal_request = 1, barrier on the owner, bottom read, swap of that to the middle, or to what it was.
 *
 * The owner's stores go through a FIFO store buffer, as on x86; its fences and swaps wait until that is empty, and the
 * thieves' barrier until it was empty once. It reads the steal request as it last stored it, if that is still in the buffer.
 * No growth.
 *
 * Properties (asserts): a job is taken at most once, and what is taken is a job; when the owner has pushed all and finds
 * nothing, all were taken; when all are between two operations and nothing is public, steal_request is set; so it is when
 * the split is another one than the owner believes.
 *
 * Twins, must fail
 *   TWIN_NO_BARRIER     the thief reads the bottom without a barrier
 *   TWIN_LOOK_FIRST     the owner reads the steal request before it lowers the bottom
 *   TWIN_NOT_ASKED      the thief does not mark the split that it is about to raise
 *   TWIN_LATE_REQUEST   the thief makes its steal request after its barrier
 *   TWIN_STORED_SPLIT   the owner stores the middle instead of swapping
 *   TWIN_BOTTOM_FIRST   a push that finds a request raises the bottom before the split */
#ifndef N
#define N 3
#endif

byte top, split, bottom; /* in memory */
bool asked, steal_request = true, exposer;
byte slots[N];

bool taken[N + 1]; /* job j, from 1 on */
byte busy;         /* owner and thieves within an operation */
byte own_split;

byte unstored; /* values of steal_request in the store buffer, and the last of them */
bool last_request;

mtype = { to_slot, to_split, to_bottom, to_request };
chan stores = [6] of { mtype, byte, byte };
#define FENCE empty(stores)
#define REQUESTED (unstored > 0 -> last_request : steal_request)

inline take(job)
{
    assert(job != 0 && !taken[job]);
    taken[job] = true
}

#define AT_REST                                                                                              \
    assert(busy != 0 || nempty(stores) ||                                                                    \
           ((top < split || steal_request) && ((own_split == split && !asked) || steal_request)))

inline store_request(x)
{
    stores ! to_request(x, 0);
    unstored++;
    last_request = x
}

proctype Memory()
{
    byte a, v;

end_memory:
    do
    :: d_step { stores ? to_slot(a, v) -> slots[a] = v; a = 0; v = 0; AT_REST }
    :: d_step { stores ? to_split(split, _) -> asked = false; AT_REST }
    :: d_step { stores ? to_bottom(bottom, _) -> AT_REST }
    :: d_step { stores ? to_request(steal_request, _) -> unstored--; AT_REST }
    od
}

proctype Owner()
{
    byte own_bottom, pushed, t, i;
    byte view[N]; /* what it last stored at index i */

next:
    do
    :: atomic { pushed < N -> busy++ };
       pushed++;
       view[own_bottom] = pushed;
       if
       :: atomic { /* with nothing private, after a look */
              REQUESTED && own_bottom == own_split ->
              stores ! to_slot(own_bottom, pushed);
              own_bottom++;
              own_split = own_bottom;
#ifdef TWIN_BOTTOM_FIRST
              stores ! to_bottom(own_bottom, 0);
#endif
              store_request(false);
              stores ! to_split(own_bottom, 0);
#ifndef TWIN_BOTTOM_FIRST
              stores ! to_bottom(own_bottom, 0)
#endif
          }
       :: atomic {
              stores ! to_slot(own_bottom, pushed);
              own_bottom++;
              stores ! to_bottom(own_bottom, 0)
          };
          if
          :: atomic { !REQUESTED -> goto pushed_it }
          :: atomic { REQUESTED -> store_request(false) }
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
              :: own_split == split -> store_request(true)
              :: else
              fi;
              split = own_split;
              asked = false
          }
#endif
       fi;
pushed_it:
       atomic { busy--; AT_REST }
    :: atomic { /* share */
           own_split < own_bottom && nfull(stores) ->
           own_split = own_bottom;
           stores ! to_split(own_split, 0)
       }
    :: atomic { /* pop, also of an empty deque */
           own_bottom > 0 -> busy++
       };
#ifdef TWIN_LOOK_FIRST
       t = REQUESTED;
#endif
       atomic {
           own_bottom--;
           stores ! to_bottom(own_bottom, 0)
       };
       if
       :: atomic { own_bottom < own_split -> goto public }
       :: atomic { own_bottom >= own_split ->
              if
#ifdef TWIN_LOOK_FIRST
              :: !t -> goto mine
#else
              :: !REQUESTED -> goto mine
#endif
              :: else
              fi
          }
       fi;
       atomic { FENCE -> asked = false; own_split = split }; /* reconcile */
       if
       :: own_bottom >= own_split -> goto mine
       :: else
       fi;
public:
       atomic { own_split = own_bottom; stores ! to_split(own_split, 0) };
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
        stores ! to_bottom(own_bottom, 0);
        store_request(true);
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
       steal_request = true;
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
       steal_request = true;
#endif
#ifndef TWIN_NO_BARRIER
       FENCE;
#endif
#ifdef TWIN_LATE_REQUEST
       steal_request = true;
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
