// threads: 1 2 8
// repeat: 5
// Reductions by tasks, by all generations of the calls and by constructs: where the search for a copy begins, copies
// with functions of all kinds, and a finalizer for each initializer.
#include "calls.h"

enum { TASKS = 60 };

static int begun, ended; /* copies of a struct pair; some runtimes make none in a team of one */

struct pair {
    long sum, bias;
};

static void zero(void *mine, void *original) {
    (void)original;
    *(long *)mine = 0;
}

static void old_zero(void *mine) {
    *(long *)mine = 0;
}

static void add(void *into, void *from) {
    *(long *)into += *(long *)from;
}

static void begin_pair(void *mine, void *original) {
    CHECK_EQ(((struct pair *)original)->bias, 1000);
    *(struct pair *)mine = (struct pair){0, 0};
    count_up(&begun);
}

static void end_pair(void *mine) {
    (void)mine;
    count_up(&ended);
}

static void add_pair(void *into, void *from) {
    ((struct pair *)into)->sum += ((struct pair *)from)->sum;
}

/* ---- tasks ---- */

struct arguments {
    void *group; /* NULL: the innermost one */
    long *sum;
    struct pair *pair;
    int depth;
};

typedef struct {
    task task;
    struct arguments arguments;
} add_task;

static int32_t add_entry(int32_t gtid, void *task);

static void create(const struct arguments *arguments) {
    add_task *new = (add_task *)__kmpc_omp_task_alloc(&here, ME, TIED, sizeof(add_task), 0, add_entry);
    new->arguments = *arguments;
    __kmpc_omp_task(&here, ME, &new->task);
}

/* Its children know the addresses of the copies, not of the originals. */
static int32_t add_entry(int32_t gtid, void *task) {
    struct arguments mine = ((add_task *)task)->arguments;
    mine.sum = __kmpc_task_reduction_get_th_data(gtid, mine.group, mine.sum);
    mine.pair = __kmpc_task_reduction_get_th_data(gtid, mine.group, mine.pair);
    ++*mine.sum;
    mine.pair->sum += 2;
    busy_work(7, 100);
    if (mine.depth-- > 0) {
        create(&mine);
        mine.group = NULL;
        create(&mine);
        __kmpc_omp_taskwait(&here, gtid);
    }
    return 0;
}

/* ---- taskgroups ---- */

static void *init_new(long *sum, struct pair *pair) {
    static struct pair biased = {0, 1000};
    task_reduction all[] = {{sum, sum, sizeof *sum, zero, NULL, add, 0},
                            {pair, &biased, sizeof *pair, begin_pair, end_pair, add_pair, 1}};
    return __kmpc_taskred_init(ME, 2, all);
}

static void *init_old(long *sum, struct pair *pair) {
    old_task_reduction all[] = {{sum, sizeof *sum, old_zero, NULL, add, 1},
                                {pair, sizeof *pair, NULL, end_pair, add_pair, 0}};
    return __kmpc_task_reduction_init(ME, 2, all);
}

static void one_group(void *(*init)(long *, struct pair *)) {
    long sum = 5;
    struct pair pair = {7, 1000};
    __kmpc_taskgroup(&here, ME);
    struct arguments arguments = {init(&sum, &pair), &sum, &pair, 2};
    for (int i = 0; i < TASKS; i++)
        create(&arguments);
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(sum, 5 + 7 * TASKS);
    CHECK_EQ(pair.sum, 7 + 14 * TASKS);
}

/* Two groups reduce the same variable: where the outer one is named, it applies. */
static void two_groups(void) {
    long sum = 0, other = 0;
    struct pair pair = {0, 1000}, unused = {0, 1000};
    __kmpc_taskgroup(&here, ME);
    struct arguments outer = {init_new(&sum, &pair), &sum, &pair, 0};
    __kmpc_taskgroup(&here, ME);
    struct arguments inner = {init_new(&other, &unused), &other, &unused, 0};
    for (int i = 0; i < TASKS; i++) {
        create(&outer);
        create(&inner);
    }
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(other, TASKS);
    create(&outer);
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(sum, TASKS + 1);
    CHECK_EQ(pair.sum, 2 * TASKS + 2);
}

/* ---- with a modifier ---- */

static void modified(int32_t *gtid, int32_t *btid, int64_t old, int64_t worksharing, long *total) {
    long sum = 0;
    struct pair pair = {0, 1000};
    void *group;
    if (old) {
        old_task_reduction all[] = {{&sum, sizeof sum, old_zero, NULL, add, 0},
                                    {&pair, sizeof pair, NULL, NULL, add_pair, 0}};
        group = __kmpc_task_reduction_modifier_init(&here, *gtid, (int)worksharing, 2, all);
    } else {
        task_reduction all[] = {{&sum, &sum, sizeof sum, zero, NULL, add, 0},
                                {&pair, &pair, sizeof pair, begin_pair, end_pair, add_pair, 0}};
        group = __kmpc_taskred_modifier_init(&here, *gtid, (int)worksharing, 2, all);
    }
    struct arguments arguments = {*btid % 2 ? group : NULL, &sum, &pair, 1};
    for (int i = 0; i < 10; i++)
        create(&arguments);
    sum++; /* the thread's own part */
    __kmpc_task_reduction_modifier_fini(&here, *gtid, (int)worksharing);
    __kmpc_barrier(&here, *gtid); /* the last thread may have combined all tasks */
    CHECK_EQ(2 * (sum - 1), pair.sum);
    __atomic_fetch_add(total, sum, __ATOMIC_RELAXED);
}

/* ---- constructs ---- */

static void begin_like(struct pair *mine, const struct pair *original) {
    *mine = (struct pair){0, original->bias};
}

#pragma omp declare reduction(join                                                                           \
                              : struct pair                                                                  \
                              : omp_out.sum += omp_in.sum) initializer(begin_like(&omp_priv, &omp_orig))

static long groups(int n) {
    long sum = 3, counts[8] = {0}, digest = 0;
    struct pair pair = {0, 9};
#pragma omp taskgroup task_reduction(+ : sum, counts) task_reduction(join : pair)
    {
        for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum, counts) in_reduction(join : pair)
            {
                CHECK_EQ(pair.bias, 9);
                sum += i;
                pair.sum++;
                counts[i % 8]++;
#pragma omp task in_reduction(+ : sum)
                sum += 1000;
            }
        }
#pragma omp taskloop in_reduction(+ : sum) nogroup
        for (int i = 0; i < n; i++)
            sum++;
    }
    for (int i = 0; i < 8; i++)
        digest = digest * 31 + counts[i];
    return sum + 7 * pair.sum + digest;
}

/* clang passes the size of one element. */
static long array_section(int n) {
    long counts[9] = {0}, digest = 0;
#pragma omp taskgroup task_reduction(+ : counts [1:8])
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : counts [1:8])
        for (int k = 1; k < 9; k++)
            counts[k] += i + k;
    }
    for (int k = 1; k < 9; k++) {
        CHECK_EQ(counts[k], n * (n - 1) / 2 + n * k);
        digest = digest * 31 + counts[k];
    }
    return digest;
}

static long sections(void) {
    long sum = 0;
#pragma omp parallel
    {
#pragma omp sections reduction(task, + : sum)
        {
#pragma omp section
            for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
                sum += i;
            }
#pragma omp section
            for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
                sum += 100 * i;
            }
        }
    }
    return sum;
}

static long loops(int n) {
    long sum = 1, most = -1;
#pragma omp parallel
    {
#pragma omp for reduction(task, + : sum) reduction(task, max : most)
        for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(max : most)
            {
                sum += i;
                most = i > most ? i : most;
            }
        }
#pragma omp for schedule(dynamic, 2) reduction(task, + : sum)
        for (int i = 0; i < n; i++) {
            sum++;
#pragma omp task in_reduction(+ : sum)
            sum += 10;
        }
    }
    return sum * 100 + most;
}

static long regions(int n) {
    long sum = 1;
#pragma omp parallel reduction(task, + : sum)
    {
#pragma omp single nowait
        for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum)
            {
                sum += i;
#pragma omp task in_reduction(+ : sum)
                sum += 3;
            }
        }
#pragma omp masked
        sum += 100;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);
    long total = 0, modifiers = 0;
    for (int i = 0; i < rounds; i++) {
#pragma omp parallel
#pragma omp single
        {
            one_group(init_new);
            one_group(init_old);
            two_groups();
            total += groups(i * 5) + array_section(i * 3);
        }
        for (int way = 0; way < 4; way++) {
            long sum = 0;
            REGION(3, modified, 3, (int64_t)(way / 2), (int64_t)(way % 2), &sum);
            modifiers += sum;
        }
        total += sections() + loops(i * 4) + regions(i * 3);
    }
    one_group(init_new); /* outside of all regions */
    CHECK_EQ(modifiers, rounds * 4 * 3 * 31);
    printf("total %ld\n", total);
    return check_done("taskred");
}
