/* blitz_join_n: a loop over tasks, one at a time. */
#include "api/splitter.h"
#include "env/error.h"

static int run_tasks(size_t lo, size_t hi, void *ctx) {
    static struct bz_aflag warned;
    const blitz_task *tasks = ctx;
    for (size_t i = lo; i < hi; i++)
        if (tasks[i].fn)
            tasks[i].fn(tasks[i].arg);
        else
            bz_warn_once(&warned, "blitz_join_n: the function is NULL; skipped");
    return 0;
}

void blitz_join_n(const blitz_task *tasks, size_t n) {
    static struct bz_aflag warned;
    struct bz_loop loop = {.body = run_tasks, .ctx = (void *)tasks, .grain = 1, .singly = true};
    if (tasks)
        bz_loop_run(&loop, 0, n, NULL);
    else if (n > 0)
        bz_warn_once(&warned, "blitz_join_n: the tasks are NULL; skipped");
}
