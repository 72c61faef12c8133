/* blitz_join_n: a loop over tasks, one at a time. */
#include "api/splitter.h"
#include "base/hooks.h"
#include "env/error.h"

struct list {
    const blitz_task *tasks;
    const void *site; /* of the program's call */
};

static void run(const blitz_task *task, const void *site) {
    bool watched = bz_unlikely(bz_hooks);
    if (watched)
        bz_watched_begin((const void *)(uintptr_t)task->fn, site);
    task->fn(task->arg);
    if (watched)
        bz_hooks->ends();
}

static int run_tasks(size_t lo, size_t hi, void *ctx) {
    static struct bz_aflag warned;
    const struct list *list = ctx;
    for (size_t i = lo; i < hi; i++)
        if (list->tasks[i].fn)
            run(&list->tasks[i], list->site);
        else
            bz_warn_once(&warned, "blitz_join_n: the function is NULL; skipped");
    return 0;
}

void blitz_join_n(const blitz_task *tasks, size_t n) {
    static struct bz_aflag warned;
    struct list list = {tasks, __builtin_return_address(0)};
    struct bz_loop loop = {.body = run_tasks, .ctx = &list, .grain = 1, .singly = true};
    if (tasks)
        bz_loop_run(&loop, 0, n, NULL);
    else if (n > 0)
        bz_warn_once(&warned, "blitz_join_n: the tasks are NULL; skipped");
}
