/* Dependences between tasks: omp/task/depend_node.c (bomp_node_link, bomp_node_start, bomp_node_complete) and
 * depend_mutex.c (acquire, release). The page is omp/task/depend.md.
 *
 * A creator makes N tasks one after the other. Each may depend on any two of those before it, or twice on the same one, as
 * a task of all memory does on one with two addresses; the search tries all. A new node counts two predecessors and one for
 * its creator, who holds it open with that while he links it. Then he takes this one away, with those that were complete
 * before or that there are not. WORKERS workers take ready tasks, run them, close their stack of successors and lower the
 * count of each.
 *
 * An edge lies in the successor's node, which is freed with its last reference: its task's, dropped on completion, and the
 * table's, which the creator drops at any time.
 *
 * With MUTEX, all tasks but the first are members of two mutexinoutsets. A node that is met acquires both mutexes in one
 * order; it is parked in one that is taken, and whoever holds that hands it over.
 *
 * Shown: a task runs once, when it is made and after all that it depends on, alone in each set; in the end all have run;
 * nobody looks at an edge of a node that is gone.
 *
 * Twins: TWIN_NEXT_LATE reads edge.next after lowering the count; TWIN_NO_GUARD does not hold the node open; TWIN_NO_CLOSED
 * leaves the stack empty instead of closed; TWIN_CLOSE_STORE closes it by a load and a store; TWIN_NO_ORDER acquires the
 * mutexes in any order; TWIN_RELEASE_STORE lets a mutex go by a load and a store. */
#ifndef N
#define N 4
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#define NONE 99
#define CLOSED 98
#define FREE 97
#define HELD 96

byte unmet[N];
byte head[N];     /* newest edge, NONE or CLOSED */
byte enext[2 * N]; /* edge 2 * to + k */
byte refs[N];
byte after[N];    /* bit p: depends on p */
byte complete;    /* bit t: t is complete */
byte runs[N];
byte made;        /* bit t: the creator has linked t and filled in what it runs */
byte ended;
chan ready = [N] of { byte };

byte word[2];
byte got[N];
byte parked[N];
byte inside;

inline make_ready(t) {
    ready ! t
}

/* The mutex that t wants next. */
#ifdef TWIN_NO_ORDER
#define WANTS(t) ((got[t] + t) % 2)
#else
#define WANTS(t) (got[t])
#endif
#ifdef MUTEX
#define NEEDS(t) (t == 0 -> 0 : 2)
#else
#define NEEDS(t) 0
#endif

/* Goes on acquiring for t, and makes it ready if it has all. */
inline acquire(t) {
    do
    :: got[t] == NEEDS(t) -> make_ready(t); break
    :: else ->
        m = WANTS(t);
        w = word[m];
        if
        :: w == FREE ->
            atomic {
                if
                :: word[m] == FREE -> word[m] = HELD; got[t]++
                :: else
                fi
            }
        :: else ->
            parked[t] = (w == HELD -> NONE : w);
            atomic {
                if
                :: word[m] == w -> word[m] = t; break
                :: else
                fi
            }
        fi
    od
}

inline release(m0) {
    do
    :: w = word[m0];
#ifdef TWIN_RELEASE_STORE
        if
        :: w == HELD -> word[m0] = FREE; break
        :: else
        fi;
#endif
        left = (w == HELD -> FREE : (parked[w] != NONE -> parked[w] : HELD));
        atomic {
            if
            :: word[m0] == w -> word[m0] = left; ok = true
            :: else -> ok = false
            fi
        }
        if
        :: ok && w == HELD -> break
        :: ok && w != HELD -> u = w; got[u]++; acquire(u); break
        :: else
        fi
    od
}

/* This many counts less; the last one meets the node. */
inline lower(t, by) {
    atomic { assert(unmet[t] >= (by)); unmet[t] = unmet[t] - (by); ok = (unmet[t] == 0) }
    if
    :: ok -> acquire(t)
    :: else
    fi
}

inline link(t, k, p) {
    after[t] = after[t] | (1 << p);
    h = head[p];
    do
    :: h == CLOSED -> break
    :: else ->
        enext[2 * t + k] = h;
        atomic {
            if
            :: head[p] == h -> head[p] = 2 * t + k; linked++; h = NONE; break
            :: else -> h = head[p]
            fi
        }
    od
}

active proctype creator() {
    byte t, p, k, h, m, w, linked;
    bool ok;
    atomic {
        for (t : 0 .. N - 1) { head[t] = NONE; refs[t] = 2 }
        word[0] = FREE; word[1] = FREE; t = 0
    }
    do
    :: t == N -> break
    :: else ->
#ifdef TWIN_NO_GUARD
        unmet[t] = 2;
#else
        unmet[t] = 3;
#endif
        linked = 0; k = 0; p = 0;
        do
        :: p == t || k == 2 -> break
        :: p < t && k < 2 -> link(t, k, p); k++; p++
        :: p < t && k == 0 -> link(t, 0, p); link(t, 1, p); k = 2
        :: p < t -> p++
        od;
        atomic { made = made | (1 << t) }
#ifdef TWIN_NO_GUARD
        if
        :: linked < 2 -> lower(t, 2 - linked)
        :: else
        fi;
#else
        lower(t, 3 - linked);
#endif
        t++
    od;
    /* the table forgets them */
    t = 0;
    do
    :: t == N -> break
    :: else -> atomic { refs[t]--; t++ }
    od
}

proctype worker() {
    byte t, e, nx, to, m, w, left, u;
    bool ok;
    do
    :: atomic { ready ? t -> runs[t]++ };
        assert(runs[t] == 1);
        assert(made & (1 << t));
        assert((after[t] & ~complete) == 0);
        if
        :: NEEDS(t) == 2 -> atomic { inside++; assert(inside == 1) }; inside--
        :: else
        fi;
        atomic { complete = complete | (1 << t) }
        if
        :: NEEDS(t) == 2 -> release(0); release(1)
        :: else
        fi;
#ifdef TWIN_CLOSE_STORE
        e = head[t];
        head[t] = CLOSED;
#else
#ifdef TWIN_NO_CLOSED
        atomic { e = head[t]; head[t] = NONE }
#else
        atomic { e = head[t]; head[t] = CLOSED }
#endif
#endif
        do
        :: e == NONE -> break
        :: else ->
            to = e / 2;
            assert(refs[to] > 0);
#ifdef TWIN_NEXT_LATE
            lower(to, 1);
            assert(refs[to] > 0);
            e = enext[e]
#else
            nx = enext[e];
            lower(to, 1);
            e = nx
#endif
        od;
        atomic { refs[t]--; ended++ }
    :: ended == N -> break
    od
}

init {
    byte i;
    atomic {
        for (i : 1 .. WORKERS) { run worker() }
    }
    (ended == N); /* else the search reports an invalid end state */
    assert(complete == (1 << N) - 1)
}
