/* The views of a stolen job on their way from the thief to the owner, in the word `thief` of the frame.
 *
 * Maps to: api/join.c (bz_frame_begin, leave_views, bz_frame_end, is_done, left_by_thief).
 *
 *   Thief  stores itself into `thief` and then "taken"; runs the job, which makes a view; stores the view, marked, into
 *          `thief` and then "done"
 *   Owner  while it waits, reads the state and, if that is "taken", `thief`, from which it would steal; when the state is
 *          "done", `thief` once more, for the view
 *
 * Property: the owner steals from workers only, and from its thief only; when it returns it has the view, with all that the
 * job put into it.
 *
 * Abstracted: the stores of one thread are seen in their order, but between the owner's two loads anything may happen; the
 * release of the state is the order that is relied on. TWIN_DONE_FIRST breaks it.
 *
 * Twins, must fail
 *   TWIN_NO_MARK      the owner does not look at the mark
 *   TWIN_DONE_FIRST   the thief stores "done" before the view
 *   TWIN_ONE_LOOK     the owner takes the view from what it read while it waited */

mtype = { PENDING, TAKEN, DONE };
#define NOBODY 0
#define THIEF 1
#define VIEW 2 /* marked */

mtype state = PENDING;
byte word = NOBODY;
byte content; /* of the view; the thief's own before it is handed over */

proctype Thief()
{
    word = THIEF;
    state = TAKEN;
    content = 1;
    content = 2;
#ifdef TWIN_DONE_FIRST
    state = DONE;
    word = VIEW
#else
    word = VIEW;
    state = DONE
#endif
}

proctype Owner()
{
    mtype seen;
    byte victim = NOBODY, last = NOBODY;
    do
    :: seen = state;
        if
        :: seen == DONE -> break
        :: seen == TAKEN ->
            last = word;
#ifdef TWIN_NO_MARK
            victim = last;
#else
            victim = (last == VIEW -> NOBODY : last);
#endif
            assert(victim == NOBODY || victim == THIEF)
        :: else
        fi
    od;
#ifndef TWIN_ONE_LOOK
    last = word;
#endif
    assert(last == VIEW);
    assert(content == 2)
}

init
{
    atomic { run Thief(); run Owner() }
}
