/* The injector (src/sched/inject.[ch]): each job is taken once, complete, and those of one pusher in their order. */
#include "sched/inject.h"
#include "check.h"

#include <string.h>

enum { JOBS = 3 };

static struct bz_injector injector;
static struct check_job {
    struct bz_inject_node node;
    unsigned content;
    unsigned taken; /* the taker: 1 + the thread */
} jobs[JOBS];
static unsigned last[CHECK_THREADS]; /* index of the job that each thread has taken last, 0: none */

static bool take(void) {
    struct bz_inject_node *node = bz_injector_take(&injector);
    if (!node)
        return false;
    struct check_job *job = bz_container_of(node, struct check_job, node);
    node->next = NULL; /* it belongs to its taker */
    check_that(job->content == 7 && job->taken == 0);
    job->taken = 1 + (unsigned)check_self();
    check_that(job == jobs || (unsigned)(job - jobs) > last[check_self()]);
    last[check_self()] = (unsigned)(job - jobs);
    return true;
}

static void push(unsigned i) {
    jobs[i].content = 7;
    bz_injector_push(&injector, &jobs[i].node);
}

static void begin(void) {
    memset(jobs, 0, sizeof jobs);
    memset(last, 0, sizeof last);
    injector = (struct bz_injector){.takes = 0};
}
static void begin_urgent(void) {
    begin();
    jobs[0].node.priority = BZ_INJECT_HIGH;
}

static void end(void) {
    while (bz_injector_has_jobs(&injector))
        take();
    for (unsigned i = 0; i < JOBS; i++)
        check_that((jobs[i].taken != 0) == (jobs[i].content == 7));
}

static void push_two(void) {
    push(1);
    push(2);
}
static void push_urgent(void) {
    push(0);
}
static void take_one(void) {
    take();
}
static void take_twice(void) {
    take();
    take();
}
static void take_all(void) {
    while (take())
        ;
}

static const struct check_test tests[] = {
    {"push", begin, {push_two, take_twice}, end, -1, 0},
    {"all", begin, {push_two, take_all, take_one}, end, 3, 0},
    {"two_takers", begin, {push_two, take_twice, take_one}, end, 3, 0},
    {"two_pushers", begin_urgent, {push_two, push_urgent, take_twice}, end, 2, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
