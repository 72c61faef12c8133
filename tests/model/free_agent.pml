/* Free agent threads: omp/task/free_agent.c (bomp_free_agents_notify, bomp_free_agents_forget, free_agent_main, hand_back,
 * child_of_fork).
 *
 * A creator queues pooled tasks and offers each: its team is in the list, and an idle agent is called or a new one comes, if
 * there may be one; where no thread can be had, none comes. An agent takes a task under the list's lock, runs it and posts
 * it. If the task has left descendants it is posted at once, and its rest when they are done; both are the creator's to
 * complete. An agent that finds nothing is idle until it is called or its time is up, and goes after LOOKS times. The
 * creator runs what is queued, too (not with NO_HELP), completes what comes back, and when all units of work are over it
 * leaves the list, waits until nobody posts, and frees the team.
 *
 * With TWO another member completes tasks beside the creator.
 *
 * With FORK the creator forks once, before, between or after its offers: this is the child, where agents are not, and what
 * they have taken never ends. Where nothing is left it goes on to offer, to new agents; else it runs what it creates itself.
 *
 * Shown: each task runs once; nobody touches the team when it is gone; the creator does not wait forever, with NO_HELP
 * neither for an agent.
 *
 * Twins: TWIN_LEAVE_LATE lets go of the lock between an agent's last look and counting itself out; TWIN_NO_REST ends the
 * task's unit of work with its completion though descendants are left; TWIN_NO_EXTERNAL posts without being counted;
 * TWIN_FORGET_LATE frees the team before it leaves the list; TWIN_FORK_WAITS waits in the child for all units of work;
 * TWIN_FORK_OFFERS offers there whatever is left; TWIN_REST_ENDS ends a task's unit of work with its rest though another
 * member may just be completing the task. */
#ifndef TASKS
#define TASKS 2
#endif
#ifndef MOST
#define MOST 1 /* agents */
#endif
#define LOOKS 2

bool held; /* the lock of the list */
bool listed, team_alive = true;
byte queued, posted; /* jobs of the team: pooled tasks; tasks that are done and others that have been given back */
bool late[TASKS], early[TASKS], rest[TASKS], half[TASKS]; /* the latter, of each task; whether one of the last two has run */
byte units, external;
byte agents, ran;
bool idle[MOST], called[MOST], exists[MOST];
byte made;
bool gone, orphaned; /* the agents of before the fork; the team's end goes by what is queued */
byte lost;           /* tasks that they had just taken */

inline lock() {
    atomic { !held -> held = true }
}

inline unlock() {
    held = false
}

/* The agent's last touch of the team, if it is the last post. */
inline post(job) {
#ifndef TWIN_NO_EXTERNAL
    external++;
#endif
    atomic { assert(team_alive); job = true; posted++ }
    assert(team_alive); /* wakes whoever sleeps there */
#ifndef TWIN_NO_EXTERNAL
    external--
#endif
}

proctype agent(byte id; bool late_comer) {
    byte vain, task;
    bool got;
    {
        lock();
        do
        :: vain < LOOKS ->
            got = false;
            if
            :: listed ->
                assert(team_alive);
                if
                :: atomic { queued > 0 -> queued--; got = true }
                :: else
                fi
            :: else
            fi;
            if
            :: got ->
                vain = 0;
                unlock();
                atomic { task = ran; ran++ };
                if
                :: post(late[task])
                :: post(early[task]);
                    assert(team_alive); /* the descendants */
#ifndef TWIN_NO_REST
                    post(rest[task])
#endif
                fi;
                lock()
            :: else ->
                called[id] = false;
                idle[id] = true;
                unlock();
                if
                :: called[id]
                :: true /* its time is up */
                fi;
                lock();
                if
                :: called[id] -> vain = 0
                :: else -> idle[id] = false; vain++
                fi
            fi
        :: else -> break
        od;
#ifdef TWIN_LEAVE_LATE
        unlock();
        lock();
#endif
        agents--;
        exists[id] = false;
        unlock()
    } unless {
        gone && !late_comer
    }
}

inline offer() {
    lock();
    listed = true;
    new = MOST;
    who = 0;
    do
    :: who < MOST && idle[who] -> break
    :: who < MOST && !idle[who] ->
        if
        :: !exists[who] -> new = who
        :: else
        fi;
        who++
    :: who == MOST -> break
    od;
    if
    :: who < MOST -> idle[who] = false; called[who] = true; new = MOST
    :: who == MOST && agents < MOST -> agents++
    :: else -> new = MOST
    fi;
    unlock();
    if
    :: new < MOST -> exists[new] = true; run agent(new, gone)
#ifndef NO_HELP
    :: new < MOST -> lock(); agents--; unlock() /* no thread */
#endif
    :: else
    fi
}

/* Agents are not here, nor is who holds the lock. */
inline child() {
    atomic {
        gone = true;
        held = false;
        listed = false;
        external = 0;
        agents = 0;
        who = 0;
        do
        :: who < MOST -> idle[who] = false; called[who] = false; exists[who] = false; who++
        :: else -> break
        od;
        who = 0;
        lost = made - queued - ran;
#ifndef TWIN_FORK_WAITS
        orphaned = units > 0
#endif
    }
}

/* The second of both ends the unit of work of a task that has left descendants. */
inline end_rest(task) {
#ifdef TWIN_REST_ENDS
    skip
#else
    atomic {
        if
        :: half[task] -> units--
        :: else -> half[task] = true
        fi
    }
#endif
}

inline take(job) {
    atomic { job -> job = false; posted-- }
}

/* A member of the team runs a job. */
inline help() {
    if
#ifndef NO_HELP
    :: atomic { queued > 0 -> queued--; ran++ }; units--
#endif
    :: take(late[0]); assert(team_alive); units--
    :: take(late[1]); assert(team_alive); units--
    :: take(early[0]); complete_early(0)
    :: take(early[1]); complete_early(1)
    :: take(rest[0]); run_rest(0)
    :: take(rest[1]); run_rest(1)
    :: units == 0 || (orphaned && queued + posted == 0)
    fi
}

inline complete_early(task) {
    units++;
    assert(team_alive);
    units--;
#ifdef TWIN_NO_REST
    units--
#else
    end_rest(task)
#endif
}

inline run_rest(task) {
#ifdef TWIN_REST_ENDS
    units--
#else
    end_rest(task)
#endif
}

#ifdef TWO
bool member_left;

proctype member() {
    do
    :: units == 0 -> break
    :: units > 0 -> help()
    od;
    member_left = true
}
#endif

#ifdef TWIN_FORK_OFFERS
#define OFFERS true
#else
#define OFFERS (!orphaned)
#endif

active proctype creator() {
    byte who, new;
    do
    :: made < TASKS && OFFERS ->
        made++;
        units++;
        queued++;
        offer()
    :: made < TASKS && !OFFERS ->
        made++;
        ran++
#ifdef FORK
    :: !gone -> child()
    :: made == TASKS && gone -> break
#else
    :: made == TASKS -> break
#endif
    od;
#ifdef TWO
    run member();
#endif
    do
    :: units == 0 -> break
    :: orphaned && queued + posted == 0 -> break
    :: units > 0 -> help()
    od;
#ifdef TWIN_FORGET_LATE
    (external == 0);
    team_alive = false;
#endif
    lock();
    listed = false;
    unlock();
    (external == 0);
    team_alive = false;
    assert(queued + posted == 0);
    assert(ran + lost == TASKS)
}
