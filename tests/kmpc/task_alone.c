// In a team of one a task runs at its creation: its creator sees its effects at once, and tasks run in the order of
// their creation. A task that must wait for the event of another one is deferred, and its creator goes on.
#include <omp.h>
#include <stdio.h>

static int said;

static void say(const char *what, int i) {
    printf("%d: %s %d\n", said++, what, i);
}

static void plain(void) {
    for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(i)
        {
            say("outer", i);
#pragma omp task
            say("inner", i);
            say("after inner", i);
        }
        say("after", i);
    }
}

static void with_clauses(void) {
    int x = 0, seen = 0;
#pragma omp task depend(out : x) shared(x)
    x = 1;
    say("x", x);
#pragma omp task depend(inout : x) untied shared(x)
    x = 2;
    say("x", x);
#pragma omp task if (x == 2) priority(1) shared(seen)
    seen = x;
    say("seen", seen);
#pragma omp taskgroup
    {
#pragma omp task shared(seen)
        seen = 3;
        say("seen", seen);
    }
#pragma omp taskloop nogroup grainsize(1)
    for (int i = 0; i < 3; i++)
        say("iteration", i);
    say("after the loop", 0);
}

/* Many nested tasks. */
static int count_down(int n) {
    int below = 0;
    if (n > 0) {
#pragma omp task shared(below)
        below = count_down(n - 1);
        return below + 1; /* no taskwait */
    }
    return 0;
}

static void events(void) {
    omp_event_handle_t event;
    int x = 0, y = 0;
#pragma omp task depend(out : x) detach(event) shared(x)
    x = 1;
    say("x", x);
#pragma omp task depend(in : x) shared(x, y)
    y = x + 1;
    say("y before the event", y);
    omp_fulfill_event(event);
#pragma omp taskwait
    say("y", y);
}

int main(void) {
#pragma omp parallel num_threads(1)
    {
        plain();
        with_clauses();
        say("deep", count_down(2000));
        events();
    }
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp parallel num_threads(1)
    plain();
    return 0;
}
