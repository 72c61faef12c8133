/* Worksharing constructs in flight: how members find the same one, and when its memory is used again.
 *
 * Maps to: compat/omp/workshare.c, workshare.md; taking is reduced to what compat/omp/loop.c does with ranges.
 *
 *   Program    CONSTRUCTS constructs; after each a barrier or none, chosen at the start, for all members the same
 *   Entering   the first after a barrier: the home of the segment. Else: next; if there is none, a free node is taken,
 *              cleared and put there by compare-and-swap. Then counts out of the old node unless it is a home; the last
 *              one out puts it on the pool.
 *   Taking     each member has one item in each construct, and may run others' too: an item is taken by turning its
 *              word in the node from 0 to 1
 *   Barrier    when all have arrived, each member clears its own word in the home; member 0 also the home's next, and
 *              puts the last node of the row on the pool
 *
 * Properties: each item of each construct runs exactly once (asserts); all members are in the same node at the same
 * construct (assert); nobody waits for ever (no invalid end state), although only the team's own nodes exist: a
 * member that finds no free node waits.
 *
 * Abstracted: the order of free nodes in their stack; regions.
 *
 * Twins, must fail
 *   TWIN_ONE_HOME     all segments begin in the same node
 *   TWIN_COUNT_EARLY  a member counts out before it reads next
 *   TWIN_NO_CLEAR     a node from the pool is used as it is */
#ifndef MEMBERS
#define MEMBERS 2
#endif
#ifndef CONSTRUCTS
#define CONSTRUCTS 5
#endif
#define NODES 4 /* two homes, two for run-ahead */
#define NONE 15

bool barrier_after[CONSTRUCTS];
byte arrived[CONSTRUCTS];
byte begun[CONSTRUCTS]; /* the node of the construct, + 1 */
byte runs[CONSTRUCTS * MEMBERS];

byte next[NODES] = NONE;
byte gone[NODES];
bool word[NODES * MEMBERS];
bool free[NODES];

#ifdef TWIN_ONE_HOME
#define HOME 0
#else
#define HOME (segment % 2)
#endif

/* One of the own free nodes; if there is none, all that are in the pool become its own; if that is none either, waits
 * for one, or for what may turn up behind `at`: node is NONE then. */
inline take()
{
    do
    :: atomic { mine[2] -> mine[2] = false; node = 2 }; break
    :: atomic { !mine[2] && mine[3] -> mine[3] = false; node = 3 }; break
    :: atomic {
            !mine[2] && !mine[3] && (free[2] || free[3]) ->
            mine[2] = free[2];
            mine[3] = free[3];
            free[2] = false;
            free[3] = false
        }
    :: atomic { !mine[2] && !mine[3] && !free[2] && !free[3] && next[at] != NONE -> node = NONE }; break
    od
}

inline clear(n)
{
    next[n] = NONE;
    gone[n] = 0;
    i = 0;
    do
    :: i < MEMBERS -> word[n * MEMBERS + i] = false; i++
    :: else -> break
    od;
    i = 0
}

inline count_out(n)
{
    atomic {
        gone[n]++;
        last = (gone[n] == MEMBERS)
    };
    if
    :: last -> free[n] = true
    :: else
    fi
}

inline extend()
{
    take();
    if
    :: node == NONE
    :: else ->
#ifndef TWIN_NO_CLEAR
        clear(node);
#endif
        atomic {
            if
            :: next[at] == NONE -> next[at] = node
            :: else -> mine[node] = true
            fi
        }
    fi
}

inline enter()
{
    if
    :: at == NONE -> at = HOME
    :: else ->
#ifdef TWIN_COUNT_EARLY
        if
        :: at >= 2 -> count_out(at)
        :: else
        fi;
#endif
        if
        :: next[at] == NONE -> extend()
        :: else
        fi;
        old = at;
        at = next[old];
#ifndef TWIN_COUNT_EARLY
        if
        :: old >= 2 -> count_out(old)
        :: else
        fi
#endif
    fi;
    atomic {
        if
        :: begun[c] == 0 -> begun[c] = at + 1
        :: else -> assert(begun[c] == at + 1)
        fi
    }
}

/* Each item is looked at once, its own first. */
inline run_items()
{
    i = 0;
    do
    :: i < MEMBERS ->
        atomic {
            item = (me + i) % MEMBERS;
            if
            :: !word[at * MEMBERS + item] ->
                word[at * MEMBERS + item] = true;
                runs[c * MEMBERS + item]++;
                assert(runs[c * MEMBERS + item] == 1)
            :: else
            fi
        };
        i++
    :: else -> break
    od;
    i = 0
}

inline meet()
{
    arrived[c]++;
    arrived[c] == MEMBERS;
    word[HOME * MEMBERS + me] = false;
    if
    :: me == 0 ->
        next[HOME] = NONE;
        if
        :: at >= 2 -> free[at] = true
        :: else
        fi
    :: else
    fi;
    segment = 1 - segment;
    at = NONE
}

proctype Member(byte me)
{
    byte c, segment, i, item, node, old;
    byte at = NONE;
    bool last;
    bool mine[NODES]; /* free ones that it holds */
    do
    :: c < CONSTRUCTS ->
        enter();
        run_items();
        if
        :: barrier_after[c] -> meet()
        :: else
        fi;
        c++
    :: else -> break
    od
}

init
{
    byte k;
    atomic {
        free[2] = true;
        free[3] = true;
        do
        :: k < CONSTRUCTS ->
            if
            :: barrier_after[k] = true
            :: skip
            fi;
            k++
        :: else -> break
        od;
        k = 0;
        do
        :: k < MEMBERS -> run Member(k); k++
        :: else -> break
        od
    };
    _nr_pr == 1;
    k = 0;
    do
    :: k < CONSTRUCTS * MEMBERS -> assert(runs[k] == 1); k++
    :: else -> break
    od
}
