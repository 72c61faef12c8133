// beyond libgomp: its taskyield does nothing: a task that waits for what its creator does next blocks it
// beyond libomp: the same in a team of one, where it runs a task as it is created
// More tasks than a queue holds, in a program with taskyields: their creator lets some of them run, one behind the other.
// Some of these wait for what it creates next, some have children.
#include "../check.h"

enum { TASKS = 3000, AHEAD = 500, CHILDREN = 5 };

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
    if (i % 41 == 0)
        wait_for_creation(i + AHEAD < TASKS ? i + AHEAD : TASKS);
    if (i % 43 == 0)
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

/* The first waits for the second: which begins though the first is suspended, and before all are created. With more threads
 * one that has got no CPU yet may hold it. */
static void create_until_found(void) {
    int found = 0, many = 0;
#pragma omp task shared(found)
    while (!count_read(&found)) {
#pragma omp taskyield
    }
#pragma omp task shared(found)
    count_up(&found);
    while (!count_read(&found) && many < 100 * TASKS) {
#pragma omp task
        count_up(&ended);
        many++;
    }
    CHECK(count_read(&found));
#pragma omp taskwait
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
#pragma omp parallel num_threads(1)
    create_until_found();
    return check_done("yield_queue");
}
