// beyond libgomp: its taskyield does nothing: a task that waits for its creator's next steps blocks it
// beyond libomp: the same in a team of one, where it runs a task as it is created
// As many tasks as a queue holds in a program with taskyields: some wait by yielding for their creator's next tasks,
// some have children.
#include "../check.h"

enum { TASKS = 60, AHEAD = 20, CHILDREN = 5 };

static int created, ended, wrong;

static void wait_for_creation(int count) {
    while (count_read(&created) < count) {
#pragma omp taskyield
    }
}

static void have_children(void) {
    int count = 0;
    for (int i = 0; i < CHILDREN; i++) {
#pragma omp task shared(count)
        count_up(&count);
    }
#pragma omp taskwait
    if (count != CHILDREN)
        count_up(&wrong);
}

static void body(int i) {
    if (i % 7 == 0)
        wait_for_creation(i + AHEAD < TASKS ? i + AHEAD : TASKS);
    if (i % 11 == 0)
        have_children();
    count_up(&ended);
}

static void create(void) {
    int mine = 0;
    for (int i = 0; i < TASKS; i++) {
        if (i % 2) {
#pragma omp task firstprivate(i)
            body(i);
        } else {
#pragma omp task untied firstprivate(i)
            body(i);
        }
        count_up(&created);
        mine++;
    }
    CHECK_EQ(mine, TASKS); /* the creator's own, which was suspended meanwhile */
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        create();
        CHECK_EQ(count_read(&ended), TASKS);
    }
#pragma omp parallel
#pragma omp single
    {
        created = ended = 0;
#pragma omp task
        create(); /* of an explicit task */
#pragma omp taskwait
    }
    CHECK_EQ(ended, TASKS);
    CHECK_EQ(wrong, 0);
    return check_done("yield_queue");
}
