/* The event of a detached task: omp/task/event.c (fulfill, bomp_event_body_ended), task_end.c
 * (bomp_task_end_special, bomp_task_run_late), sched/domain.c (bz_domain_put_from_outside), sched/sleep.c (sleep_counted).
 *
 * A worker runs the body, then waits at the end of the region until the task is complete: it polls the priority queue,
 * counts itself as sleeping, polls once more, and sleeps. A thread from outside fulfills the event at any time. The side
 * that sets its bit second completes the task: the worker itself, or the outsider by the priority queue. Then the worker
 * leaves, waits until no external thread accesses the domain, and frees it.
 *
 * With DISCARD the task is cancelled before it begins: it is complete at once and its event gone, but the outsider does not
 * know, and fulfills the event at some time before the region is over (bomp_event_discard). It does not touch what is gone:
 * it compares the mark.
 *
 * With NOTIFIED both sides notify a tool, of the end of the body and of the fulfilling (bomp_event_leave_body, tell), in
 * the order of these events: each side notifies before it lets the other one continue (LEFT, FULFILLED). Neither notifies
 * about a discarded task.
 *
 * Shown: the task is completed once, after body and event; the worker does not sleep forever; no thread touches the task
 * when it is complete, the event when it is gone, or the domain when it is gone.
 *
 * Twins: TWIN_NO_ACCESS does not enter the domain; TWIN_ACCESS_LATE enters it after setting the bit; TWIN_LOAD_STORE
 * sets a bit by a load and a store; TWIN_NO_RECHECK sleeps without a second poll; TWIN_WAKE_FIRST wakes before it posts;
 * TWIN_CHECK_ONCE compares the mark before it enters the domain only; TWIN_CHECK_LATE sets its bit in another step than
 * it compares the mark. With NOTIFIED, TWIN_END_AT_ONCE does not wait for the notification of the fulfilling,
 * TWIN_LATE_AT_ONCE for that of the body's end; TWIN_TAKE_AT_ONCE discards an event while the other side notifies. */
#define ENDED 1
#define FULFILLED 2
#define LEAVING 8
#define FULFILLING 16
#define LEFT 32

byte state;
bool marked = true; /* the event has the mark of the outsider's handle */
bool task_alive = true, event_alive = true, domain_alive = true;
bool posted;
byte external, sleeping;
bool woken;
byte completed;
bool body_done, notified, finished;
bool heard_end, heard_discard; /* by the tool */
byte heard_fulfilled;

inline fetch_or(mask, before) {
#ifdef TWIN_LOAD_STORE
    before = state;
    state = before | mask
#else
    atomic { before = state; state = state | mask }
#endif
}

inline complete() {
    atomic {
        assert(body_done && notified && task_alive);
        completed++;
        assert(completed == 1);
        task_alive = false;
        event_alive = false;
        marked = false
    }
}

inline wake() {
    atomic {
        assert(domain_alive);
        if
        :: sleeping > 0 -> woken = true
        :: else
        fi
    }
}

/* The tool hears that the body has ended: before the fulfilling, or after it. */
inline leave_body(before) {
    fetch_or(LEAVING, before);
    if
    :: before & FULFILLING ->
#ifndef TWIN_END_AT_ONCE
        (state & FULFILLED);
#endif
        assert(heard_fulfilled == 1);
        heard_end = true
    :: else ->
        assert(heard_fulfilled == 0);
        heard_end = true;
        fetch_or(LEFT, before)
    fi
}

active proctype worker() {
    byte before;
#ifdef DISCARD
    atomic { /* an exchange, or a compare and swap of what was seen; then it is freed */
#if defined(NOTIFIED) && !defined(TWIN_TAKE_AT_ONCE)
        (!(state & FULFILLING) || state & FULFILLED);
#endif
        heard_discard = true;
        marked = false;
        completed++;
        task_alive = false;
        event_alive = false
    }
    (finished);
#else
    body_done = true;
#ifdef NOTIFIED
    leave_body(before);
#endif
    fetch_or(ENDED, before);
    if
    :: before & FULFILLED -> complete()
    :: else
    fi;
    do
    :: completed > 0 -> break
    :: else ->
        if
        :: atomic { posted -> posted = false }; complete()
        :: else ->
            sleeping = 1;
#ifndef TWIN_NO_RECHECK
            if
            :: posted || completed > 0 -> sleeping = 0
            :: else ->
#endif
                atomic { woken -> woken = false; sleeping = 0 }
#ifndef TWIN_NO_RECHECK
            fi
#endif
        fi
    od;
#endif
    (external == 0);
    domain_alive = false
}

/* What the outsider does to the event, if it is there. */
inline fulfill() {
#if defined(TWIN_CHECK_ONCE) || defined(TWIN_CHECK_LATE)
#ifdef TWIN_CHECK_LATE
    if
    :: marked
    :: else -> goto gone
    fi;
#endif
    assert(event_alive);
    fetch_or(FULFILLED, before)
#elif defined(TWIN_LOAD_STORE)
    fetch_or(FULFILLED, before)
#else
    atomic {
        if
        :: marked -> assert(event_alive); before = state; state = state | FULFILLED
        :: else -> goto gone
        fi
    }
#endif
}

/* The tool is notified first. */
inline tell() {
    atomic {
        if
        :: marked -> assert(event_alive); before = state; state = state | FULFILLING
        :: else -> goto gone
        fi
    };
    if
    :: before & LEAVING ->
#ifndef TWIN_LATE_AT_ONCE
        (state & LEFT);
#endif
        assert(heard_end)
    :: else -> assert(!heard_end)
    fi;
    assert(!heard_discard);
    heard_fulfilled++
}

active proctype outsider() {
    byte before;
    notified = true;
    if
    :: marked
    :: else -> goto out /* nothing of it is accessed */
    fi;
#if !defined(TWIN_NO_ACCESS) && !defined(TWIN_ACCESS_LATE)
    external++;
#endif
#ifdef NOTIFIED
    tell();
#endif
    fulfill();
#ifdef TWIN_ACCESS_LATE
    assert(domain_alive);
    external++;
#endif
    if
    :: before & ENDED ->
#ifdef TWIN_WAKE_FIRST
        wake();
#endif
        atomic { assert(domain_alive && task_alive); posted = true }
#ifndef TWIN_WAKE_FIRST
        wake()
#endif
    :: else
    fi;
gone:
#ifndef TWIN_NO_ACCESS
    external--;
#endif
out:
    finished = true
}

/* Both have come to their ends, and then so has the task. */
active proctype end() {
    (!domain_alive);
    assert(completed == 1)
}
