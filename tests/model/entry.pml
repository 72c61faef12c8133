/* The entry of a pool: one external thread that comes often enters and leaves without the lock, and is not counted
 * until somebody needs to know.
 *
 * Maps to: pool/external.c (enter_cached, leave_cached, cache_place, bz_pool_enter, leave, count_away, bz_pool_serve),
 * pool/pool.c (bz_pool_close_entry, bz_pool_balance, bz_pool_take_place, start_one, stop, bz_pool_attend,
 * leave_behind).
 *
 *   External comes and goes, that many times: by the entry if it is its own, else counted, under the lock; one that came
 *            counted keeps its place as it leaves and makes the entry its own, if there is a free thread slot. May block
 *            while it is inside, for a job (BLOCK), and may fork at any time: then the child has to find out which place
 *            it is in
 *   Poster   hands in a job. If a thread can be started it starts one, else it relies on those that are counted
 *   Thread   runs jobs, and leaves when it wants to; attends as it goes, like an external thread that was counted
 *   Resizer  makes the pool smaller (RESIZE)
 *   Closer   when all are out, ends the pool
 *
 * Properties (asserts): never two in one place; no thread is started in the slot of one that is inside; one that may
 * come in uncounted has a thread slot; all jobs are run; a child finds its thread in the place where it is, and nowhere
 * else; in the end nobody is counted and all places are free. Nobody is left blocked (no invalid end state).
 *
 * Abstracted: how workers look and sleep: a thread is started if `unstarted` says so, and finds all jobs (sleep.pml). The
 * counters of the domain are the word `unstarted`. After a short entry that was counted no visit is counted from the start.
 * An attempt to start a thread for which there is no place is the last one; who has a job to run and finds no place asks
 * again.
 *
 * Variants
 *   SIZE, PLACES, EXTERNAL, ENTRIES, LESS, JOBS
 *   BLOCK             external thread 1 blocks in its last entry until a job has run
 *   RESIZE            the size becomes one less meanwhile
 * Twins, must fail
 *   TWIN_IN_STORE     a thread comes in by a look at the entry, then a store
 *   TWIN_OUT_STORE    a thread leaves by a store
 *   TWIN_CLOSE_STORE   the entry is closed by a look whether a thread is inside, then a store
 *   TWIN_PLACE_LATE   a thread that comes in reads which place is its own when it is inside
 *   TWIN_CLOSE_LATE    the cached place is another one before the entry is closed
 *   TWIN_KEY_FIRST    the entry is opened before the cached place is the new one
 *   TWIN_HOLDER_LATE  the holder of the place is written after the entry was closed
 *   TWIN_SLOT_TAKEN   the last thread slot is taken, and the entry stays open
 *   TWIN_START_OPEN   a thread is started while the entry is open
 *   TWIN_FULL         a thread that finds no free place does not take the cached one
 *   TWIN_AWAY_OPEN    a thread that blocks counts as away, and not as there
 *   TWIN_RELY         posters rely on a thread that is inside uncounted
 *   TWIN_NO_SERVE     a thread that came in uncounted and was counted leaves like one that was not */
#ifndef SIZE
#define SIZE 2
#endif
#ifndef PLACES
#define PLACES 3
#endif
#ifndef EXTERNAL
#define EXTERNAL 2
#endif
#ifndef ENTRIES
#define ENTRIES 3
#endif
#ifndef LESS
#define LESS ENTRIES /* entries of the others than thread 1 */
#endif
#ifndef JOBS
#define JOBS 0
#endif

#define UNMADE 0
#define FREE 1
#define TAKEN 2

#define NONE 99
#define A_THREAD 50
#define KEY(who) (2 * (who))
#define IN(key) ((key) + 1)
#define IS_IN(word) ((word) % 2 == 1)
#define HOLDER_BY(word) (IS_IN(word) -> (word) / 2 : 0)

bool locked;
byte size = SIZE, threads, external, away, unstarted = SIZE;
bool closing, refused;
byte present; /* read without the lock */
byte entry, cached;
byte state[PLACES], holder[PLACES];
byte queue, ran;

/* Ghosts. */
byte inside;           /* external threads that have come in and not gone out, counted or not */
byte worker_of[PLACES]; /* who works there; 0: nobody */
byte left = EXTERNAL + 1;
byte alive;            /* threads */

/* What the child of a fork makes of a place. */
#define CHILD(p) ((entry != 0 && cached == (p)) -> HOLDER_BY(entry) : holder[p])

inline lock()
{
    atomic { !locked -> locked = true }
}

inline unlock()
{
    atomic {
        assert(entry == 0 || unstarted > 0);
        assert(external + IS_IN(entry) == inside);
        locked = false
    }
}

/* ---- with the lock held ---- */

inline count()
{
    assert(threads + external >= away);
    unstarted = 0;
    if
    :: !closing && !refused && threads + external - away < size -> unstarted = size - (threads + external - away)
    :: else
    fi;
    present = threads + external
}

inline release_place(p)
{
    holder[p] = 0;
    state[p] = FREE
}

#ifdef TWIN_CLOSE_STORE
#define SAME true
#else
#define SAME (entry == word)
#endif

inline close()
{
    do
    :: atomic { entry == 0 -> break }
    :: atomic {
           entry != 0 -> word = entry;
#ifndef TWIN_HOLDER_LATE
           holder[cached] = HOLDER_BY(word)
#endif
       };
       atomic {
           if
           :: SAME ->
               entry = 0;
               if
               :: IS_IN(word) -> external++; count()
               :: else -> release_place(cached)
               fi
           :: else -> word = 0
           fi
       };
#ifdef TWIN_HOLDER_LATE
       if
       :: IS_IN(word) -> holder[cached] = HOLDER_BY(word)
       :: else
       fi;
#endif
       word = 0
    od
}

/* The second part of a balance, and the lock is free. */
inline unlock_balanced()
{
#ifdef TWIN_SLOT_TAKEN
    unlock()
#else
    if
    :: atomic { unstarted > 0 || entry == 0 -> unlock() }
    :: atomic { unstarted == 0 && entry != 0 -> skip }; close(); unlock()
    fi
#endif
}

inline find(p, wanted)
{
    p = 0;
    do
    :: p < PLACES && state[p] != wanted -> p++
    :: else -> break
    od;
    if
    :: p == PLACES -> p = NONE
    :: else
    fi
}

/* Also that of who is outside. */
inline free_a_place(p)
{
    find(p, FREE);
#ifndef TWIN_FULL
    if
    :: p == NONE -> close()
    :: else
    fi
#endif
}

inline take_place(p)
{
    find(p, FREE);
    if
    :: p == NONE -> find(p, UNMADE)
    :: else
    fi;
    if
    :: p != NONE -> state[p] = TAKEN
    :: else
    fi
}

/* ---- who comes and goes ---- */

inline work_at(p, who)
{
    assert(worker_of[p] == 0);
    worker_of[p] = who
}

inline start_one()
{
    lock();
#ifndef TWIN_START_OPEN
    close();
#endif
    atomic {
        if
        :: unstarted > 0 ->
            take_place(q);
            if
            :: q == NONE -> refused = true
            :: q != NONE ->
                assert(threads + inside - away < size);
                threads++;
                alive++;
                run Thread(q)
            fi;
            count()
        :: unstarted == 0
        fi;
        q = 0
    };
    unlock_balanced()
}

inline attend()
{
    if
    :: atomic { queue == 0 -> served = true }
#ifdef TWIN_RELY
    :: atomic { queue > 0 && IS_IN(entry) -> served = true }
#endif
    :: atomic { queue > 0 && unstarted > 0 }; start_one(); served = present > 0
    :: atomic { queue > 0 && unstarted == 0 }; served = present > 0
    fi
}

inline enter(p, who)
{
    lock();
    free_a_place(p);
    atomic {
        take_place(p);
        if
        :: p != NONE ->
            holder[p] = who;
            external++;
            inside++;
            work_at(p, who);
            count()
        :: p == NONE -> assert(threads + external + alive > 0)
        fi
    };
    unlock_balanced()
}

inline run_jobs()
{
    atomic { ran = ran + queue; queue = 0 }
}

/* External thread `me` keeps the place p. */
inline cache_place(p)
{
#ifdef TWIN_CLOSE_LATE
    cached = p;
#endif
    close();
    atomic {
        slot = unstarted > 0;
        if
        :: slot -> holder[p] = 0
        :: !slot -> release_place(p)
        fi
    };
    if
    :: slot ->
#ifdef TWIN_KEY_FIRST
        entry = KEY(me);
        cached = p
#else
        cached = p;
        entry = KEY(me)
#endif
    :: !slot
    fi;
    atomic { slot = false; unlock() }
}

inline begin_to_leave(p)
{
    atomic {
        !locked -> locked = true;
        worker_of[p] = 0;
        external--;
        inside--;
        count()
    };
#ifndef TWIN_SLOT_TAKEN
    if
    :: unstarted > 0 || entry == 0
    :: else -> close()
    fi
#endif
}

inline serve(who)
{
    served = false;
    do
    :: atomic { served -> served = false; p = 0; break }
    :: !served ->
        attend();
        if
        :: served
        :: !served ->
            enter(p, who);
            if
            :: p == NONE
            :: p != NONE -> run_jobs(); begin_to_leave(p); atomic { release_place(p); unlock() }
            fi
        fi
    od
}

proctype Thread(byte p)
{
    byte word, q;
    bool served;
    atomic { work_at(p, A_THREAD); run_jobs() };
    atomic {
        !locked -> locked = true;
        threads--; /* it counts as away from here on */
        count()
    };
    unlock_balanced();
    do
    :: served -> break
    :: !served ->
        attend();
        if
        :: served
        :: !served -> run_jobs()
        fi
    od;
    atomic {
        !locked -> worker_of[p] = 0;
        release_place(p);
        alive--
    }
}

/* In user code: at any moment a child would have to know this. */
inline fork_inside()
{
    assert(CHILD(p) == me)
}

inline fork_outside()
{
    q = 0;
    do
    :: q < PLACES -> assert(CHILD(q) != me); q++
    :: else -> break
    od;
    q = 0
}

inline enter_cached()
{
#ifndef TWIN_PLACE_LATE
    p = cached;
#endif
#ifdef TWIN_IN_STORE
    by_entry = entry == KEY(me);
    atomic {
        if
        :: by_entry -> entry = IN(KEY(me)); inside++
        :: else
        fi
    }
#else
    atomic {
        if
        :: entry == KEY(me) -> entry = IN(KEY(me)); inside++; by_entry = true
        :: else -> p = 0
        fi
    }
#endif
#ifdef TWIN_PLACE_LATE
    ;
    p = cached
#endif
}

inline leave_cached()
{
    atomic {
        worker_of[p] = 0;
        if
#ifdef TWIN_OUT_STORE
        :: true -> entry = KEY(me); inside--; gone = true
#else
        :: entry == IN(KEY(me)) -> entry = KEY(me); inside--; gone = true
        :: else -> gone = false
#endif
        fi
    }
}

inline count_away(more, less)
{
    lock();
#ifndef TWIN_AWAY_OPEN
    if
    :: by_entry -> close()
    :: !by_entry
    fi;
#endif
    atomic { away = away + more - less; count() };
    unlock_balanced()
}

inline block()
{
    count_away(1, 0);
    attend();
    served = false;
    ran > 0;
    count_away(0, 1)
}

proctype External(byte me)
{
    byte entered, p, q, word;
    bool by_entry, gone, served, slot;
    do
    :: entered == (me == 1 -> ENTRIES : LESS) -> break
    :: else ->
        atomic { entered++; fork_outside() };
        enter_cached();
        if
        :: by_entry -> work_at(p, me)
        :: !by_entry -> enter(p, me)
        fi;
        if
        :: atomic { p == NONE -> p = 0 }; /* the pool is full: others run it, or it runs outside */
            if
            :: atomic { present > 0 -> queue++ }; serve(me)
            :: present == 0
            fi
        :: p != NONE ->
            fork_inside();
#ifdef BLOCK
            if
            :: me == 1 && entered == ENTRIES -> block()
            :: else
            fi;
#endif
            if
            :: by_entry -> leave_cached()
            :: !by_entry
            fi;
            if
            :: gone
            :: !gone ->
                begin_to_leave(p);
                cache_place(p);
#ifdef TWIN_NO_SERVE
                if
                :: by_entry
                :: !by_entry -> serve(me)
                fi
#else
                serve(me)
#endif
            fi
        fi;
        atomic { by_entry = false; gone = false; p = 0 }
    od;
    atomic { fork_outside(); left-- }
}

proctype Poster()
{
    byte posted, p, q, word;
    bool served;
    byte me = EXTERNAL + 1;
    do
    :: posted == JOBS -> break
    :: posted < JOBS -> atomic { posted++; queue++ }; serve(me)
    od;
    left--
}

#ifdef RESIZE
proctype Resizer()
{
    byte word;
    lock();
    atomic { size--; count() };
    unlock_balanced()
}
#endif

proctype Closer()
{
    byte word, p;
    atomic {
        left == 0 && alive == 0 && !locked -> assert(queue == 0);
        assert(inside == 0 && external == 0 && threads == 0 && away == 0);
        locked = true;
        closing = true;
        count()
    };
    unlock_balanced();
    atomic { find(p, TAKEN); assert(entry == 0 && p == NONE) }
}

init
{
    byte i = 1;
    atomic {
        do
        :: i <= EXTERNAL -> run External(i); i++
        :: else -> break
        od;
        run Poster();
#ifdef RESIZE
        run Resizer();
#endif
        run Closer()
    }
}
