/* The join at a region's end: a member that is still in it must not run jobs of the next region. So it is with a barrier and
 * jobs that are begun behind it.
 *
 * Maps to: team/barrier.c (wait_for_others, is_from_before), sched/deque.c (bz_deque_steal), team/thread_team.c (the
 * start).
 *
 *   Member 0  begins the next run as soon as the join of the last one is complete, while others may still be in that join
 *   Member    for each run: may push a job (the first two may), arrives, and then looks until the join is complete:
 *             completes it if all have come and no job is unended; else looks at somebody's job, asks the word whether its
 *             run is over, and claims the job by compare and swap only if it is not
 *
 * Property: a job is run by a member that has begun the same run; all members end (no invalid end state).
 *
 * Abstracted: a deque holds one job, and its top is the number of the run, so that a claim fails if another job has taken
 * the place; completing is one step (barrier.pml has it in several); nobody sleeps (sleep.pml, start.pml).
 *
 * Twins, must fail
 *   TWIN_NO_FILTER   the word is not asked
 *   TWIN_WORD_FIRST  the word is asked before the look at the job */
#ifndef M
#define M 3
#endif
#ifndef RUNS
#define RUNS 2
#endif

byte start;           /* of which run member 0 has told */
byte generation, arrived;
byte begun, ended;    /* jobs */
byte job[M];          /* the run that its job belongs to; 0: none */

inline ask_the_word()
{
#ifdef TWIN_NO_FILTER
    skip
#else
    over = generation != seen
#endif
}

inline take()
{
    over = false;
#ifdef TWIN_WORD_FIRST
    ask_the_word();
    found = job[victim];
#else
    found = job[victim];
    ask_the_word();
#endif
    if
    :: found == 0 || over
    :: else ->
        atomic {
            if
            :: job[victim] == found -> job[victim] = 0
            :: else -> found = 0
            fi
        };
        if
        :: found != 0 -> assert(found == turn); ended++
        :: else
        fi
    fi
}

proctype Member(byte me)
{
    byte turn, seen, victim, found;
    bool over;
    do
    :: turn == RUNS -> break
    :: else ->
        if
        :: me == 0 -> start++
        :: else -> start > turn
        fi;
        turn++;
        if
        :: me < 2 -> begun++; job[me] = turn
        :: skip
        fi;
        atomic { seen = generation; arrived++ };
        do
        :: generation != seen -> break
        :: atomic { generation == seen && arrived == M && begun == ended -> arrived = 0; generation++ }
        :: victim = 0; take()
        :: victim = 1; take()
        od
    od
}

init
{
    atomic {
        byte i = 0;
        do
        :: i < M -> run Member(i); i++
        :: else -> break
        od
    };
    (_nr_pr == 1);
    assert(begun == ended)
}
