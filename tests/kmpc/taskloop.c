// threads: 1 2 8
// repeat: 5
// Taskloops by the calls: the division into tasks, the copies of the pattern (shared part, bounds, alignment, privates,
// last flag), destructors, bounds of all kinds; nogroup 0; by both entry points.
#include "calls.h"

enum { TASKS_MOST = 4096 };

/* A task of the loop: each is a copy of the pattern. */
typedef struct {
    loop_task loop;
    long marks[3];
    long large[];
} work_task;

struct shared {
    int *ran; /* tasks */
    int pad;
};

static uint64_t lows[TASKS_MOST], ups[TASKS_MOST]; /* of the tasks that ran */
static int ran, lasts, destroyed, duplicated;
static unsigned char hits[TASKS_MOST * 4]; /* per iteration, where the test requests it */
static int counts_hits;

static void remember(const work_task *task) {
    int at = __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
    if (at < TASKS_MOST) {
        lows[at] = task->loop.low;
        ups[at] = task->loop.up;
    }
    if (counts_hits)
        for (uint64_t i = task->loop.low; i <= task->loop.up; i++)
            __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
}

static int32_t entry(int32_t gtid, void *arg) {
    work_task *task = arg;
    struct shared *shared = task->loop.task.shareds;
    CHECK_EQ(gtid, ME);
    CHECK_EQ((uintptr_t)task % 64, 0);
    CHECK((char *)shared >= (char *)(task + 1)); /* its own, behind it */
    CHECK((char *)shared < (char *)(task + 1) + 64 + 4000);
    CHECK(shared->ran == &ran && shared->pad == 77);
    CHECK(task->marks[0] == 1 && task->marks[1] == 22 && task->marks[2] == 333);
    task->marks[1] = -1; /* its own */
    shared->pad = 77;
    remember(task);
    if (task->loop.last == 1)
        count_up(&lasts);
    return 0;
}

static int32_t destroy(int32_t gtid, void *arg) {
    work_task *task = arg;
    CHECK_EQ(gtid, ME);
    CHECK_EQ(task->marks[2], 333);
    task->marks[2] = 0; /* once */
    count_up(&destroyed);
    return 0;
}

static void duplicate_task(task *to, task *from, int32_t last) {
    work_task *copy = (work_task *)to, *pattern = (work_task *)from;
    CHECK(pattern->marks[1] == 22 && copy->marks[1] == 22);
    CHECK(to->shareds != from->shareds);
    copy->loop.last = last;
    count_up(&duplicated);
}

struct clauses {
    int flags, kind, modifier, if_value, nogroup, more; /* `more` privates */
    uint64_t number;
    int64_t step;
    duplicate *dup;
};

static void loop(uint64_t low, uint64_t up, struct clauses c) {
    size_t size = sizeof(work_task) + (size_t)c.more * sizeof(long);
    work_task *pattern =
        (work_task *)__kmpc_omp_task_alloc(&here, ME, c.flags, size, sizeof(struct shared), entry);
    *(struct shared *)pattern->loop.task.shareds = (struct shared){&ran, 77};
    pattern->loop.low = low;
    pattern->loop.up = up;
    pattern->loop.step = c.step;
    pattern->loop.last = 0;
    pattern->marks[0] = 1, pattern->marks[1] = 22, pattern->marks[2] = 333;
    pattern->loop.task.data_1.destructors = destroy;
    pattern->loop.task.data_2.priority = 3;
    ran = lasts = destroyed = duplicated = 0;
    if (c.nogroup)
        __kmpc_taskgroup(&here, ME);
    if (c.modifier < 0)
        __kmpc_taskloop(&here, ME, &pattern->loop.task, c.if_value, &pattern->loop.low, &pattern->loop.up,
                        c.step, c.nogroup, c.kind, c.number, c.dup);
    else
        __kmpc_taskloop_5(&here, ME, &pattern->loop.task, c.if_value, &pattern->loop.low, &pattern->loop.up,
                          c.step, c.nogroup, c.kind, c.number, c.modifier, c.dup);
    if (c.nogroup)
        __kmpc_end_taskgroup(&here, ME);
}

static const struct clauses plain = {TIED, 0, -1, 1, 1, 0, 0, 1, NULL};

/* ---- the division into tasks ---- */

static int by_low(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Prints the tasks' sizes, in the order of their bounds: 5x3 4x2 is five tasks of three and four of two. */
static void tell(const char *what, int count, int quiet) {
    if (quiet)
        return;
    qsort(lows, (size_t)ran, sizeof *lows, by_low);
    qsort(ups, (size_t)ran, sizeof *ups, by_low);
    printf("%s of %d:", what, count);
    for (int i = 0; i < ran;) {
        int same = 0;
        uint64_t size = ups[i] - lows[i] + 1;
        CHECK(i == 0 || lows[i] == ups[i - 1] + 1);
        while (i < ran && ups[i] - lows[i] + 1 == size)
            i++, same++;
        printf(" %dx%d", same, (int)size);
    }
    printf("\n");
}

static void cuts(int quiet) {
    static const int counts[] = {1, 2, 7, 10, 97, 1000};
    for (int k = 0; k < 6; k++) {
        for (int number = 1; number <= 1500; number = number * 3 + 1) {
            char what[40];
            struct clauses c = plain;
            c.number = (uint64_t)number;
            for (c.kind = 1; c.kind <= 2; c.kind++)
                for (c.modifier = -1; c.modifier <= 1; c.modifier++) {
                    loop(5, 4 + (uint64_t)counts[k], c);
                    snprintf(what, sizeof what, "%s(%s%d)", c.kind == 1 ? "grainsize" : "num_tasks",
                             c.modifier > 0 ? "strict: " : "", number);
                    tell(what, counts[k], quiet);
                }
        }
        loop(0, (uint64_t)counts[k] - 1, plain);
        tell("any", counts[k], quiet);
        int want = 10 * omp_get_num_threads();
        CHECK_EQ(ran, want < counts[k] ? want : counts[k]);
    }
}

/* ---- copies ---- */

static void copies(void) {
    static const int flags[] = {TIED, TIED | DESTRUCTORS, TIED | FINAL, TIED | PRIORITY};
    counts_hits = 1;
    for (unsigned way = 0; way < 4 * 2 * 2 * 2 * 3; way++) {
        struct clauses c = plain;
        unsigned rest = way;
        c.flags = flags[rest % 4], rest /= 4;
        c.dup = rest % 2 ? duplicate_task : NULL, rest /= 2;
        c.if_value = rest % 2 == 0, rest /= 2;
        c.nogroup = rest % 2 == 0, rest /= 2;
        c.more = rest == 0 ? 0 : rest == 1 ? 10 : 400;
        c.kind = 2;
        c.number = 30;
        memset(hits, 0, sizeof hits);
        loop(100, 299, c);
        CHECK_EQ(ran, 30);
        CHECK(c.dup ? duplicated >= 30 : duplicated == 0); /* more, if they are copied twice */
        CHECK_EQ(lasts, c.dup != NULL);
        if (c.flags & DESTRUCTORS)
            CHECK(c.dup ? destroyed == duplicated + 1 : destroyed >= 31);
        else
            CHECK_EQ(destroyed, 0);
        for (int i = 0; i < (int)sizeof hits; i++)
            CHECK_EQ(hits[i], i >= 100 && i < 300);
    }
    counts_hits = 0;
}

/* ---- bounds ---- */

/* The bounds of consecutive tasks meet. */
static void check_bounds(uint64_t low, uint64_t up, int64_t step, int tasks) {
    struct clauses c = plain;
    c.step = step;
    c.kind = 2;
    c.number = (uint64_t)tasks;
    loop(low, up, c);
    CHECK_EQ(ran, tasks);
    int first = 0, last = 0, meet = 0;
    for (int i = 0; i < ran; i++) {
        first += lows[i] == low;
        last += ups[i] == up;
        for (int k = 0; k < ran; k++)
            meet += lows[k] == ups[i] + (uint64_t)step;
    }
    CHECK(first == 1 && last == 1 && meet == ran - 1);
}

static void bounds(void) {
    check_bounds(0, 9, 1, 3);
    check_bounds(0, 30, 3, 5);
    check_bounds(100, 296, 7, 11);
    check_bounds(5, 5, 1, 1);
    loop(5, 4, plain); /* no iterations: the pattern is still freed */
    CHECK_EQ(ran, 0);
    struct clauses c = plain;
    c.flags |= DESTRUCTORS;
    loop(5, 4, c);
    CHECK_EQ(ran, 0);
    CHECK_EQ(destroyed, 1);
}

/* The call passes the addresses of the bounds: all compilers have them here. */
typedef struct {
    loop_task loop;
    uint64_t up, low;
} far_task;

static int32_t far_entry(int32_t gtid, void *arg) {
    far_task *task = arg;
    (void)gtid;
    CHECK(task->loop.low == 77 && task->loop.up == 78);
    __atomic_fetch_add(&ran, (int)(task->up - task->low) + 1, __ATOMIC_RELAXED);
    return 0;
}

static void bounds_elsewhere(void) {
    far_task *pattern = (far_task *)__kmpc_omp_task_alloc(&here, ME, TIED, sizeof *pattern, 0, far_entry);
    pattern->loop.low = 77, pattern->loop.up = 78, pattern->loop.step = 1;
    pattern->low = 10, pattern->up = 109;
    ran = 0;
    __kmpc_taskloop(&here, ME, &pattern->loop.task, 1, &pattern->low, &pattern->up, 1, 0, 2, 7, NULL);
    CHECK_EQ(ran, 100);
}

/* ---- constructs ---- */

static long constructs(int n) {
    long sum = 0, last = -1;
    _Alignas(64) long wide[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    long huge[600] = {[599] = 5};
#pragma omp taskloop lastprivate(last) firstprivate(wide, huge) reduction(+ : sum) grainsize(3)
    for (int i = 0; i < n; i++) {
        CHECK_EQ((uintptr_t)wide % 64, 0);
        sum += wide[i % 8] + huge[599];
        last = i;
    }
#pragma omp taskloop untied num_tasks(5) reduction(+ : sum)
    for (int i = n; i > 0; i -= 2)
        sum += i;
#pragma omp taskloop if (n % 2) priority(n) collapse(2) reduction(+ : sum) final(n % 3 == 0)
    for (int i = 0; i < n; i++)
        for (unsigned k = 7; k > 2; k--)
            sum += i * (int)k;
    return sum * 1000 + last;
}

/* Only an outer taskgroup waits: the pattern is needed until then. */
static int left(int n) {
    int done = 0;
    volatile int garbage[400];
#pragma omp taskgroup
    {
        for (int k = 0; k < 5; k++) {
            int own = k;
#pragma omp taskloop nogroup firstprivate(own) shared(done)
            for (int i = 0; i < n; i++)
                if (own == k)
                    count_up(&done);
        }
        for (int i = 0; i < 400; i++)
            garbage[i] = -1;
    }
    return done;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 6);
    long total = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < rounds; i++) {
        cuts(i > 0);
        copies();
        bounds();
        bounds_elsewhere();
        total += constructs(i * 7);
        CHECK_EQ(left(i * 4), 20 * i);
    }
    cuts(1); /* outside of all regions */
    copies();
    total += constructs(40);
    printf("total %ld\n", total);
    return check_done("taskloop");
}
