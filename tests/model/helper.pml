/* Helpers: omp/task/hidden_helper.c (bomp_hidden_helpers_submit, call_one, go_without, serve, helper_main).
 *
 * A creator submits tasks, which wait until it continues: it does when all have begun. A submission calls an idle helper,
 * or starts a new one, unless another helper was called and has not searched yet. A helper that takes a task does the same
 * if there are more. A helper that finds none is idle until it is called or its time is up; then it gives its number back,
 * searches a last time, and ends. With REFUSED threads may be refused: then tasks go to the team, and none of them waits.
 *
 * Proved: all tasks run, and at the same time where there may be as many helpers; no thread waits forever.
 *
 * Twins: TWIN_CALL_ONCE: a helper that takes a task calls no other. TWIN_NO_LAST_SEARCH: it ends without one.
 * TWIN_STAYS_CALLED: it does not record that it has searched. */
#ifndef MOST
#define MOST 2 /* helpers */
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

bool held; /* the lock */
byte queued, threads, called;
bool idle[MOST], is_called[MOST], exists[MOST];
byte team; /* tasks that have gone to it */
byte begun, done;
bool goes_on;

inline lock() {
    atomic { !held -> held = true }
}

inline unlock() {
    held = false
}

/* Sets `new` to the helper that the caller must start; MOST: none. */
inline call_one() {
    new = MOST;
    if
    :: queued > 0 && called == 0 ->
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
        :: who < MOST -> idle[who] = false; is_called[who] = true; called++; new = MOST
        :: who == MOST && threads < MOST -> threads++; called++; exists[new] = true
        :: else -> new = MOST
        fi
    :: else
    fi;
    who = 0
}

/* There is no thread: all tasks go to the team. */
inline go_without() {
    lock();
    threads--;
    called--;
    exists[new] = false;
    team = team + queued;
    queued = 0;
    unlock()
}

inline carry_out() {
    if
    :: new < MOST -> run helper(new)
#ifdef REFUSED
    :: new < MOST -> go_without()
#endif
    :: new == MOST
    fi;
    new = 0
}

proctype helper(byte id) {
    byte who, new;
    lock();
    called--;
    do
    :: queued > 0 ->
        queued--;
#ifdef TWIN_CALL_ONCE
        new = MOST;
#else
        call_one();
#endif
        unlock();
        carry_out();
        begun++;
#ifndef REFUSED
        goes_on;
#endif
        done++;
        lock()
    :: queued == 0 ->
        idle[id] = true;
        unlock();
        if
        :: is_called[id]
        :: true /* its time is up */
        fi;
        lock();
        if
        :: is_called[id] ->
            is_called[id] = false;
#ifndef TWIN_STAYS_CALLED
            called--
#endif
        :: else ->
            idle[id] = false;
            unlock();
            lock();
#ifdef TWIN_NO_LAST_SEARCH
            break
#else
            if
            :: queued == 0 -> break
            :: else
            fi
#endif
        fi
    od;
    threads--;
    exists[id] = false;
    unlock()
}

active proctype creator() {
    byte who, new, round, made;
    do
    :: round < ROUNDS ->
        made = 0;
        do
        :: made < MOST ->
            lock();
            queued++;
            call_one();
            unlock();
            carry_out();
            made++
        :: else -> break
        od;
#ifndef REFUSED
        begun == MOST;
        goes_on = true;
#endif
        do
        :: done == MOST -> break
        :: team > 0 -> team--; done++
        od;
        atomic { begun = 0; done = 0; goes_on = false };
        round++
    :: else -> break
    od;
    assert(queued == 0 && team == 0)
}
