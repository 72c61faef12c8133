// beyond libomp: a wait by taskyield never ends
// threads: 1 2 8
// repeat: 2 2
// beyond libgomp: its taskyield does nothing: with more stages than threads a stage waits forever for one that never begins
// Pipelines of tasks that wait for each other by yielding, with more stages than threads: created in any order, in both
// directions at once, tied and untied, with the generating task in the middle, and nested.
#include "../../sanitized.h"
#include "../check.h"

#define STAGES 64

/* A queue of one place between two stages: counts the items that came in and went out. */
struct link {
    _Alignas(64) long in;
    _Alignas(64) long out;
};

static struct link links[STAGES + 1];

static void reset(void) {
    for (int i = 0; i <= STAGES; i++)
        links[i] = (struct link){0, 0};
}

static long load(const long *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void store(long *word, long value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Takes each item from one side and puts it on the other, once there is room. */
static void stage(const struct link *from, struct link *to, struct link *back, long items) {
    for (long i = 1; i <= items; i++) {
        while (from && load(&from->in) < i) {
#pragma omp taskyield
        }
        if (back)
            store(&back->out, i);
        while (to && load(&to->out) < i - 1) {
#pragma omp taskyield
        }
        if (to)
            store(&to->in, i);
    }
}

static void forward(int stages, int number, long items) {
    stage(number > 0 ? &links[number - 1] : NULL, number + 1 < stages ? &links[number] : NULL,
          number > 0 ? &links[number - 1] : NULL, items);
}

static long passed(int stages) {
    long sum = 0;
    for (int i = 0; i + 1 < stages; i++)
        sum += links[i].in + links[i].out;
    return sum;
}

/* Created in the order of the pipeline or in reverse. */
static long tied(int stages, long items, int reverse) {
    reset();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < stages; i++) {
        int number = reverse ? stages - 1 - i : i;
#pragma omp task firstprivate(number)
        forward(stages, number, items);
    }
    return passed(stages);
}

static long untied(int stages, long items, int reverse) {
    reset();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < stages; i++) {
        int number = reverse ? stages - 1 - i : i;
#pragma omp task untied firstprivate(number)
        forward(stages, number, items);
    }
    return passed(stages);
}

/* Each waits for its neighbours on both sides in turn. */
static long ping_pong(int tasks, long items) {
    long turn = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < tasks; i++) {
#pragma omp task shared(turn)
        for (long k = 0; k < items; k++) {
            long mine = 2 * k * (tasks - 1) + i, again = 2 * (k + 1) * (tasks - 1) - i;
            while (load(&turn) != mine) {
#pragma omp taskyield
            }
            store(&turn, mine + 1);
            while (i > 0 && i < tasks - 1 && load(&turn) != again) {
#pragma omp taskyield
            }
            if (i > 0 && i < tasks - 1)
                store(&turn, again + 1);
        }
    }
    return turn;
}

/* The generating task feeds the first stage and reads the last one. */
static long generator(int stages, long items) {
    long got = 0;
    reset();
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < stages; i++) {
#pragma omp task firstprivate(i)
            stage(&links[i], &links[i + 1], &links[i], items);
        }
        for (long k = 1; k <= items; k++) {
            store(&links[0].in, k);
            while (load(&links[stages].in) < k) {
#pragma omp taskyield
            }
            store(&links[stages].out, k);
            got += k;
        }
    }
    return got;
}

/* Stages that are created by tasks, in a taskgroup, and that wait for children of their own. */
static long nested(int stages, long items) {
    int children = 0;
    reset();
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(children)
        {
#pragma omp taskgroup
            for (int i = 0; i < stages; i++) {
#pragma omp task firstprivate(i) shared(children)
                {
#pragma omp task shared(children)
                    count_up(&children);
                    forward(stages, i, items);
#pragma omp task shared(children)
                    {
#pragma omp taskyield
                        count_up(&children);
                    }
#pragma omp taskwait
                }
            }
        }
    }
    CHECK_EQ(children, 2 * stages);
    return passed(stages);
}

/* A loop's tasks wait for the next one. */
static long loop(int tasks) {
    long turn = tasks;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) shared(turn)
    for (int i = 0; i < tasks; i++) {
        while (load(&turn) != i + 1) {
#pragma omp taskyield
        }
        store(&turn, i);
    }
    return turn;
}

int main(int argc, char **argv) {
    long items = check_arg(argc, argv, 1, SANITIZED ? 10 : 100);
    int lengths = (int)check_arg(argc, argv, 2, 3);
    static const int counts[] = {4, 16, STAGES};
    for (int i = 0; i < lengths; i++) {
        int stages = counts[i];
        long want = 2 * (stages - 1) * items;
        CHECK_EQ(tied(stages, items, 0), want);
        CHECK_EQ(tied(stages, items, 1), want);
        CHECK_EQ(untied(stages, items, 0), want);
        CHECK_EQ(untied(stages, items, 1), want);
        CHECK_EQ(nested(stages, items), want);
        CHECK_EQ(ping_pong(stages, items / 10 + 1), 2 * (items / 10 + 1) * (stages - 1));
        CHECK_EQ(generator(stages, items), items * (items + 1) / 2);
        CHECK_EQ(loop(stages), 0);
    }
    printf("items %ld\n", items);
    return check_done("pipeline_stages");
}
