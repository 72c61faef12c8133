// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=false
// threads: 1 2 3 8
// repeat: 6
// cancel taskgroup, and tasks in cancelled regions: tasks that have begun end, others never begin, and nothing waits
// for these.
#include "../check.h"

static int on;

/* A tree search that stops after its first match. */
static int found, visited;

static void visit(unsigned node, int depth, unsigned goal) {
#pragma omp task firstprivate(node, depth, goal)
    {
        count_up(&visited);
        if (node == goal) {
            count_up(&found);
#pragma omp cancel taskgroup
        }
        for (unsigned i = 0; depth > 0 && i < 4; i++) {
#pragma omp cancellation point taskgroup
            visit(node * 4 + i + 1, depth - 1, goal);
        }
    }
}

static void search(int depth, unsigned goal) {
    unsigned nodes = 0, row = 1;

    for (int d = 0; d <= depth; d++, row *= 4)
        nodes += row;
    found = visited = 0;
#pragma omp taskgroup
    visit(0, depth, goal);
    CHECK_EQ(found, goal < nodes);
    CHECK(on && goal < nodes ? visited <= (int)nodes : visited == (int)nodes);
}

/* In order of creation: no task behind the canceller in a chain runs. */
static void chain(int length) {
    int ran = 0;

#pragma omp taskgroup
    {
#pragma omp task shared(ran)
        {
            for (int i = 0; i < length; i++) {
                if (i == length / 2) {
#pragma omp cancel taskgroup
                }
#pragma omp task shared(ran) if (0)
                count_up(&ran);
            }
        }
    }
    CHECK_EQ(ran, on ? length / 2 : length);
}

/* Only its own taskgroup is cancelled, not the tasks outside or the next group. */
static void others_are_untouched(void) {
    int outside = 0, inside = 0, next = 0;

#pragma omp task shared(outside)
    count_up(&outside);
#pragma omp taskgroup
    {
#pragma omp taskgroup
        {
#pragma omp task shared(inside)
            {
#pragma omp cancel taskgroup
                count_up(&inside);
            }
        }
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(next)
            count_up(&next);
        }
    }
#pragma omp taskwait
    CHECK_EQ(outside, 1);
    CHECK_EQ(inside, on ? 0 : 1);
    CHECK_EQ(next, 10);
}

/* Tasks of a cancelled region are discarded, and the region ends. */
static void region_with_tasks(int count) {
    int begun = 0, ended = 0, created = 0;

#pragma omp parallel shared(begun, ended, created)
    {
        for (int i = 0; i < count; i++) {
            count_up(&created);
#pragma omp task shared(begun, ended)
            {
                count_up(&begun);
                busy_work(7, 50);
                count_up(&ended);
            }
        }
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
        for (int i = 0; i < count; i++) {
            count_up(&created);
#pragma omp task shared(begun, ended)
            {
                count_up(&begun);
#pragma omp task shared(begun, ended)
                {
                    count_up(&begun);
                    count_up(&ended);
                }
#pragma omp taskwait
                count_up(&ended);
            }
        }
#pragma omp barrier
#pragma omp taskwait
    }
    CHECK_EQ(begun, ended);
    if (!on)
        CHECK_EQ(begun, created + created / 2);
}

/* The taskgroup of a loop's tasks is the one around the loop, even where they run within another one, after a task with
 * children of its own. */
static void a_loop_cancels_the_group_that_it_was_met_in(void) {
    int ran = 0, later = 0;

#pragma omp taskgroup
    {
#pragma omp taskloop nogroup num_tasks(8) shared(ran)
        for (int i = 0; i < 8; i++) {
#pragma omp task shared(ran)
            count_up(&ran);
#pragma omp taskwait
            if (i == 3) {
#pragma omp cancel taskgroup
            }
        }
#pragma omp taskgroup
        {
#pragma omp taskwait
        }
#pragma omp task shared(later)
        later = 1;
    }
    CHECK_EQ(later, !on);
    CHECK(on ? ran <= 8 : ran == 8);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 40);

    on = omp_get_cancellation();
    for (int i = 0; i < rounds; i++) {
#pragma omp parallel
#pragma omp single
        {
            search(5, scramble((unsigned)i) % 2000);
            chain(20);
            others_are_untouched();
            a_loop_cancels_the_group_that_it_was_met_in();
        }
        region_with_tasks(i);
    }
    printf("cancellation %d\n", on);
    return check_done("cancel_tasks");
}
