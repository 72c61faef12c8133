/* Worksharing constructs in flight: how members find the same one, and when its memory is used again.
 *
 * Maps to: omp/loop/workshare.c, workshare.md; taking is reduced to what omp/loop/loop.c does with ranges.
 *
 *   Program    CONSTRUCTS constructs; after each a barrier or none, chosen at the start, for all members the same
 *   Entering   the first after a barrier: the home of the segment. Else: next; if that is NULL, a free node is taken,
 *              cleared and put there by compare-and-swap. Then counts out of the old node unless it is a home; the last
 *              one out puts it on the pool.
 *   Taking     each member has one item in each construct, and may run others' too: an item is taken by turning its
 *              word in the node from 0 to 1
 *   Barrier    when all have arrived, each member that was in the row, or sees that another was, walks to its end and
 *              counts itself out of what it passes, and clears its own word in the home. One barrier later member 0 clears
 *              the rest of the home, and puts the last node of the row on the pool
 *   Skipping   with SKIPS a member may skip the last constructs before a barrier, against OpenMP's rules
 *
 * Properties: each item of each construct that is begun runs exactly once (asserts); all members are in the same node at the
 * same construct (assert); no node is lost (assert); no member waits forever (no invalid end state), although only the
 * team's own nodes exist: a member that finds no free node waits. (With SKIPS it might wait for one that has skipped, or
 * holds them all: there are enough then, and each takes one at a time.)
 *
 * Abstracted: the order of free nodes in their stack; regions.
 *
 * Twins, must fail
 *   TWIN_ONE_HOME     all segments begin in the same node
 *   TWIN_TWO_HOMES    two take turns: member 0 cleans while the one after next is in use
 *   TWIN_COUNT_EARLY  a member counts out before it reads next
 *   TWIN_NO_CLEAR     a node from the pool is used as it is
 *   TWIN_CLEAN_SOON   member 0 does not wait for another barrier: a member that has skipped finds no row to walk along
 *   TWIN_OWN_ROWS     a member takes no notice of a row that it was not in */
#ifndef MEMBERS
#define MEMBERS 2
#endif
#ifndef CONSTRUCTS
#define CONSTRUCTS 5
#endif
#ifndef EXTRA
#define EXTRA 3 /* nodes for run-ahead */
#endif
#ifdef TWIN_TWO_HOMES
#define HOMES 2
#else
#define HOMES 3
#endif
#define NODES (HOMES + EXTRA)
#define NONE 15

bool barrier_after[CONSTRUCTS];
byte arrived[CONSTRUCTS];
byte begun[CONSTRUCTS]; /* the node of the construct, + 1 */
byte runs[CONSTRUCTS * MEMBERS];

byte next[NODES] = NONE;
byte gone[NODES];
bool used[NODES]; /* a member was there */
bool word[NODES * MEMBERS];
byte free;  /* nodes, a bit each */
byte owned; /* nodes that members hold at the end, that of the last row included */

/* One of its own free nodes; without one, all nodes of the pool become its own; if the pool is empty as well, waits
 * for one, or for what may turn up behind `at`: node is NONE then. */
inline take()
{
    do
    :: atomic {
            mine != 0 ->
            node = HOMES;
            do
            :: (mine >> node) & 1 -> break
            :: else -> node++
            od;
            mine = mine & ~(1 << node)
        };
        break
#ifdef SKIPS
    :: atomic { mine == 0 && free != 0 -> mine = free & -free; free = free & ~mine }
#else
    :: atomic { mine == 0 && free != 0 -> mine = free; free = 0 }
#endif
    :: atomic { mine == 0 && free == 0 && next[at] != NONE -> node = NONE }; break
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
    :: last -> free = free | (1 << n)
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
            :: else -> mine = mine | (1 << node)
            fi
        }
    fi
}

inline enter()
{
    if
    :: at == NONE -> at = home
    :: else ->
#ifdef TWIN_COUNT_EARLY
        if
        :: at >= HOMES -> count_out(at)
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
        :: old >= HOMES -> count_out(old)
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

/* Each item is visited once, its own first. */
inline run_items()
{
    used[at] = true;
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

inline clean_row()
{
    if
    :: ended != NONE ->
        next[before] = NONE;
        used[before] = false;
        if
        :: ended >= HOMES -> free = free | (1 << ended)
        :: else
        fi;
        ended = NONE
    :: else
    fi
}

inline leave_row()
{
    if
    :: at == NONE -> at = home
    :: else
    fi;
    do
    :: next[at] != NONE ->
        old = at;
        at = next[old];
        if
        :: old >= HOMES -> count_out(old)
        :: else
        fi
    :: else -> break
    od;
    word[home * MEMBERS + me] = false;
    if
    :: me == 0 -> ended = at
    :: else
    fi;
    at = NONE
}

inline meet()
{
    arrived[c]++;
    arrived[c] == MEMBERS;
    clean_row();
    if
#ifdef TWIN_OWN_ROWS
    :: at != NONE -> leave_row()
#else
    :: at != NONE || used[home] -> leave_row()
#endif
    :: else
    fi;
    before = home;
#ifdef TWIN_CLEAN_SOON
    clean_row();
#endif
#ifndef TWIN_ONE_HOME
    home = (home + 1) % HOMES;
#endif
    skips = false
}

proctype Member(byte me)
{
    byte c, home, i, item, node, old;
    byte at = NONE;
    byte before = 0, ended = NONE; /* member 0's: the home and the last node of the last segment */
    byte mine;                     /* free ones that it holds */
    bool last, skips;
    do
    :: c < CONSTRUCTS ->
#ifdef SKIPS
        if
        :: skips = true
        :: skip
        fi;
#endif
        if
        :: !skips -> enter(); run_items()
        :: else
        fi;
        if
        :: barrier_after[c] -> meet()
        :: else
        fi;
        c++
    :: else -> break
    od;
    atomic {
        owned = owned | mine;
        if
        :: ended != NONE && ended >= HOMES -> owned = owned | (1 << ended)
        :: else
        fi
    }
}

init
{
    byte k;
    atomic {
        free = ((1 << EXTRA) - 1) << HOMES;
        do
        :: k < CONSTRUCTS ->
            if
            :: barrier_after[k] = true
            :: k < CONSTRUCTS - 1 /* the end of a region is one */
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
    :: k < CONSTRUCTS * MEMBERS -> assert(runs[k] == (begun[k / MEMBERS] != 0)); k++
    :: else -> break
    od;
    assert((free | owned) == ((1 << EXTRA) - 1) << HOMES)
}
