// beyond libomp: in a team of one a task runs when it is created
// env: ORDER_SEED=1
// env: ORDER_SEED=2
// env: ORDER_SEED=3
// repeat: 40
// Random programs of tasks in a team of one, whose parts run in the same order as under libgomp: the outputs are
// compared. OpenMP does not prescribe it, but a program whose tasks wait for earlier ones would hang under another
// order.
#include "../check.h"

enum { PARTS = 9, LEVELS = 5, GROUPS = 2, TASKS = 20 };

enum what { NOTHING, CHILD, WAIT, GROUP, BARRIER };
enum how { PLAIN, UNTIED, UNDEFERRED, FINAL, MERGEABLE, HOWS };

/* A task: its parts, one after the other. */
struct plan {
    int number, parts;
    enum what what[PARTS];
    enum how how[PARTS];
    struct plan *child[PARTS];
};

static unsigned state;
static struct plan plans[TASKS];
static int made;

static unsigned below(unsigned n) {
    state = scramble(state + 1);
    return state % n;
}

static enum what any_part(int level, int *groups) {
    unsigned r = below(20);
    if (r < 12)
        return level < LEVELS && made < TASKS ? CHILD : NOTHING;
    if (r < 15)
        return WAIT;
    if (r < 17 && *groups < GROUPS) {
        ++*groups;
        return GROUP;
    }
    return r == 17 && level == 0 ? BARRIER : NOTHING;
}

static struct plan *make(int level) {
    struct plan *plan = &plans[made];
    int groups = 0;
    plan->number = made++;
    plan->parts = (int)below(level > 0 ? 4 : PARTS);
    for (int i = 0; i < plan->parts; i++) {
        plan->what[i] = any_part(level, &groups);
        plan->how[i] = (enum how)below(HOWS);
        if (plan->what[i] == CHILD)
            plan->child[i] = make(level + 1);
    }
    return plan;
}

static void run(const struct plan *plan);

static void create(const struct plan *plan, enum how how) {
    switch (how) {
    case PLAIN:
    case HOWS: {
#pragma omp task
        run(plan);
        break;
    }
    case UNTIED: {
#pragma omp task untied
        run(plan);
        break;
    }
    case UNDEFERRED: {
#pragma omp task if (0)
        run(plan);
        break;
    }
    case FINAL: {
#pragma omp task final(1)
        run(plan);
        break;
    }
    case MERGEABLE: {
#pragma omp task mergeable
        run(plan);
        break;
    }
    }
}

/* A taskgroup ends with the task. */
static void run_from(const struct plan *plan, int part) {
    for (int i = part; i < plan->parts; i++) {
        switch (plan->what[i]) {
        case CHILD:
            create(plan->child[i], plan->how[i]);
            break;
        case WAIT: {
#pragma omp taskwait
            break;
        }
        case GROUP: {
#pragma omp taskgroup
            run_from(plan, i + 1);
            printf("g%d ", plan->number);
            return;
        }
        case BARRIER: {
#pragma omp barrier
            break;
        }
        case NOTHING:
            break;
        }
        printf("%d.%d ", plan->number, i);
    }
}

static void run(const struct plan *plan) {
    printf("(%d ", plan->number);
    run_from(plan, 0);
    printf("%d) ", plan->number);
}

int main(int argc, char **argv) {
    const char *seed = getenv("ORDER_SEED");
    int programs = (int)check_arg(argc, argv, 1, 40);
    state = seed ? (unsigned)atoi(seed) : 1;
    for (int i = 0; i < programs; i++) {
        made = 0;
        const struct plan *plan = make(0);
#pragma omp parallel num_threads(1)
        run(plan);
        printf("\n");
    }
    return check_done("task_order");
}
