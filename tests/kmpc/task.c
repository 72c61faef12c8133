// Tasks by the calls: the address and contents of their block, the threads that run them, parts of untied ones,
// undeferred ones that the caller runs, final ones, destructors and priorities.
#include "calls.h"
#include "parted.h"

enum { TASKS = 200 };

static int done;

/* ---- the block ---- */

struct shareds {
    int *counter;
    int64_t values[3];
};

struct with_privates {
    task task;
    _Alignas(64) char aligned[64];
    int64_t number;
};

static int32_t check_block(int32_t gtid, void *arg) {
    struct with_privates *mine = arg;
    struct shareds *shareds = mine->task.shareds;
    CHECK_EQ(gtid, ME);
    CHECK_EQ((uintptr_t)mine % 64, 0);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(mine->aligned[i], (char)(mine->number + i));
    for (int i = 0; i < 3; i++)
        CHECK_EQ(shareds->values[i], mine->number * 7 + i);
    count_up(shareds->counter);
    return 0;
}

/* Shareds of all sizes are separate from the privates, and their size is kept. */
static int32_t check_sizes(int32_t gtid, void *arg) {
    struct {
        task task;
        size_t privates, shareds;
        unsigned char bytes[];
    } *mine = arg;
    (void)gtid;
    CHECK_EQ((uintptr_t)mine->task.shareds % 8, 0);
    for (size_t i = 0; i < mine->privates; i++)
        CHECK_EQ(mine->bytes[i], (unsigned char)(i + 1));
    unsigned char *bytes = mine->task.shareds;
    for (size_t i = 0; i < mine->shareds; i++)
        CHECK_EQ(bytes[i], (unsigned char)(i + 99));
    count_up(&done);
    return 0;
}

static void make_size(int32_t gtid, size_t privates, size_t shareds) {
    struct sized {
        task task;
        size_t privates, shareds;
        unsigned char bytes[];
    } *made = (void *)__kmpc_omp_task_alloc(&here, gtid, TIED, sizeof *made + privates, shareds, check_sizes);
    CHECK_EQ((uintptr_t)made % 64, 0);
    CHECK(made->task.entry == check_sizes);
    CHECK_EQ(made->task.part, 0);
    made->privates = privates;
    made->shareds = shareds;
    for (size_t i = 0; i < privates; i++)
        made->bytes[i] = (unsigned char)(i + 1);
    for (size_t i = 0; i < shareds; i++)
        ((unsigned char *)made->task.shareds)[i] = (unsigned char)(i + 99);
    __kmpc_omp_task(&here, gtid, &made->task);
}

static void blocks(int32_t *gtid, int32_t *btid, int *counter) {
    if (*btid != 0)
        return;
    for (int i = 0; i < TASKS; i++) {
        struct with_privates *made = (void *)__kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof *made,
                                                                   sizeof(struct shareds), check_block);
        struct shareds *shareds = made->task.shareds;
        CHECK_EQ((uintptr_t)made % 64, 0);
        CHECK_EQ(made->task.part, 0);
        CHECK((uintptr_t)shareds >= (uintptr_t)(made + 1) || (uintptr_t)(shareds + 1) <= (uintptr_t)made);
        made->number = i;
        for (int k = 0; k < 64; k++)
            made->aligned[k] = (char)(i + k);
        shareds->counter = counter;
        for (int k = 0; k < 3; k++)
            shareds->values[k] = i * 7 + k;
        CHECK_EQ(__kmpc_omp_task(&here, *gtid, &made->task), 0);
    }
    static const size_t sizes[] = {0,   1,   8,   30,  63,   64,   100,    200,
                                   255, 256, 400, 500, 1000, 5000, 100000, 3000000};
    for (size_t p = 0; p < sizeof sizes / sizeof *sizes; p++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            make_size(*gtid, sizes[p], sizes[s]);
    __kmpc_omp_taskwait(&here, *gtid);
    CHECK_EQ(count_read(&done), 256);
}

/* A block is allocated but not submitted at once: other tasks come first. */
static void kept(int32_t *gtid, int32_t *btid, int *counter) {
    struct with_privates *made[20];
    (void)btid;
    for (int i = 0; i < 20; i++) {
        made[i] = (void *)__kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof *made[i], sizeof(struct shareds),
                                                check_block);
        made[i]->number = i;
        for (int k = 0; k < 64; k++)
            made[i]->aligned[k] = (char)(i + k);
        ((struct shareds *)made[i]->task.shareds)->counter = counter;
        for (int k = 0; k < 3; k++)
            ((struct shareds *)made[i]->task.shareds)->values[k] = i * 7 + k;
    }
    for (int i = 19; i >= 0; i--)
        __kmpc_omp_task(&here, *gtid, &made[i]->task);
}

/* ---- parts ---- */

static void parts(int32_t *gtid, int32_t *btid, int *counter) {
    (void)btid;
    for (int i = 0; i < 20; i++)
        __kmpc_omp_task(&here, *gtid, &new_parted(*gtid, 0, i % 4, counter)->task);
    __kmpc_omp_taskwait(&here, *gtid);
}

/* A taskwait waits for all parts. */
static void parts_waited(int32_t *gtid, int32_t *btid) {
    (void)btid;
    int mine = 0;
    for (int i = 1; i <= 10; i++) {
        __kmpc_omp_task(&here, *gtid, &new_parted(*gtid, 0, 3, &mine)->task);
        __kmpc_omp_taskwait(&here, *gtid);
        CHECK_EQ(count_read(&mine), 4 * i);
    }
    __kmpc_taskgroup(&here, *gtid);
    __kmpc_omp_task(&here, *gtid, &new_parted(*gtid, 0, 5, &mine)->task);
    __kmpc_end_taskgroup(&here, *gtid);
    CHECK_EQ(count_read(&mine), 46);
}

/* Children of one part are the task's: a taskwait in a later part waits for them. */
struct family {
    task task;
    int children;
    int *result;
};

static int32_t child(int32_t gtid, void *arg) {
    task *mine = arg;
    (void)gtid;
    busy_work(1, 300);
    count_up(*(int **)mine->shareds);
    return 0;
}

static int32_t family_part(int32_t gtid, void *arg) {
    struct family *mine = arg;
    switch (mine->task.part) {
    case 0:
    case 1:
        for (int i = 0; i < 5; i++) {
            task *made = __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof(task), sizeof(int *), child);
            *(int **)made->shareds = &mine->children;
            __kmpc_omp_task(&here, gtid, made);
        }
        mine->task.part++;
        __kmpc_omp_task(&here, gtid, &mine->task);
        return 0;
    default:
        __kmpc_omp_taskwait(&here, gtid);
        CHECK_EQ(count_read(&mine->children), 10);
        count_up(mine->result);
        return 0;
    }
}

static void families(int32_t *gtid, int32_t *btid, int *result) {
    (void)btid;
    for (int i = 0; i < 20; i++) {
        struct family *made = (void *)__kmpc_omp_task_alloc(&here, *gtid, 0, sizeof *made, 0, family_part);
        made->children = 0;
        made->result = result;
        __kmpc_omp_task(&here, *gtid, &made->task);
    }
}

/* ---- undeferred and final ---- */

static int32_t with_child(int32_t gtid, void *arg) {
    task *mine = arg;
    task *made = __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof(task), sizeof(int *), child);
    *(int **)made->shareds = *(int **)mine->shareds;
    __kmpc_omp_task(&here, gtid, made);
    count_up(*(int **)mine->shareds);
    return 0;
}

static int32_t is_final(int32_t gtid, void *arg) {
    task *mine = arg;
    int *counter = *(int **)mine->shareds;
    CHECK_EQ(omp_in_final(), 1);
    int before = count_read(counter);
    task *made = __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof(task), sizeof(int *), child);
    *(int **)made->shareds = counter;
    __kmpc_omp_task(&here, gtid, made);
    CHECK(count_read(counter) > before); /* an included task has run when the call returns */
    return 0;
}

static void undeferred(int32_t *gtid, int32_t *btid, int *counter) {
    (void)btid;
    for (int i = 0; i < 10; i++) {
        task *made = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof(task), sizeof(int *), with_child);
        *(int **)made->shareds = counter;
        __kmpc_omp_task_begin_if0(&here, *gtid, made);
        with_child(*gtid, made);
        __kmpc_omp_task_complete_if0(&here, *gtid, made);
        made = __kmpc_omp_task_alloc(&here, *gtid, TIED | FINAL, sizeof(task), sizeof(int *), is_final);
        *(int **)made->shareds = counter;
        __kmpc_omp_task(&here, *gtid, made);
    }
    __kmpc_barrier(&here, *gtid);
    CHECK_EQ(omp_in_final(), 0);
    /* undeferred, one in the other */
    task *outer = __kmpc_omp_task_alloc(&here, *gtid, TIED | FINAL, sizeof(task), 0, is_final);
    __kmpc_omp_task_begin_if0(&here, *gtid, outer);
    CHECK_EQ(omp_in_final(), 1);
    task *inner = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof(task), 0, is_final);
    __kmpc_omp_task_begin_if0(&here, *gtid, inner);
    CHECK_EQ(omp_in_final(), 1);
    __kmpc_omp_task_complete_if0(&here, *gtid, inner);
    CHECK_EQ(omp_in_final(), 1);
    __kmpc_omp_task_complete_if0(&here, *gtid, outer);
    CHECK_EQ(omp_in_final(), 0);
}

/* ---- destructors ---- */

static int bodies, destroyed;

static int32_t destroy(int32_t gtid, void *arg) {
    task *mine = arg;
    CHECK_EQ(gtid, ME);
    CHECK_EQ(*(int *)(mine + 1), 77);
    *(int *)(mine + 1) = 0;
    count_up(&destroyed);
    return 0;
}

static int32_t destroyable(int32_t gtid, void *arg) {
    task *mine = arg;
    (void)gtid;
    CHECK_EQ(*(int *)(mine + 1), 77);
    count_up(&bodies);
    return 0;
}

static void destructors(int32_t *gtid, int32_t *btid) {
    (void)btid;
    for (int i = 0; i < 50; i++) {
        int flags = TIED | DESTRUCTORS | (i % 3 == 1 ? FINAL : 0) | (i % 3 == 2 ? PRIORITY : 0);
        task *made = __kmpc_omp_task_alloc(&here, *gtid, flags, sizeof(task) + 8, 0, destroyable);
        *(int *)(made + 1) = 77;
        made->data_1.destructors = destroy;
        if (flags & PRIORITY)
            made->data_2.priority = 3;
        if (i % 5 == 4) {
            __kmpc_omp_task_begin_if0(&here, *gtid, made);
            destroyable(*gtid, made);
            __kmpc_omp_task_complete_if0(&here, *gtid, made);
        } else
            __kmpc_omp_task(&here, *gtid, made);
    }
}

/* ---- the gtid of a tied task never changes ---- */

static int32_t stays(int32_t gtid, void *arg) {
    task *mine = arg;
    for (int i = 0; i < 5; i++) {
        task *made = __kmpc_omp_task_alloc(&here, gtid, TIED, sizeof(task), sizeof(int *), child);
        *(int **)made->shareds = *(int **)mine->shareds;
        __kmpc_omp_task(&here, gtid, made);
        __kmpc_omp_taskyield(&here, gtid, 0);
        CHECK_EQ(gtid, ME);
        __kmpc_omp_taskwait(&here, gtid);
        CHECK_EQ(gtid, ME);
    }
    return 0;
}

static void staying(int32_t *gtid, int32_t *btid, int *counter) {
    (void)btid;
    for (int i = 0; i < 20; i++) {
        task *made = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof(task), sizeof(int *), stays);
        *(int **)made->shareds = counter;
        __kmpc_omp_task(&here, *gtid, made);
    }
    CHECK_EQ(*gtid, ME);
}

/* Calls that only some programs make. */
static void others(int32_t *gtid, int32_t *btid, int *counter) {
    (void)btid;
    affinity_info info[2] = {{(intptr_t)counter, sizeof *counter, 0}, {(intptr_t)counter, 4, 0}};
    task *made = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof(task), sizeof(int *), child);
    *(int **)made->shareds = counter;
    CHECK_EQ(__kmpc_omp_reg_task_with_affinity(&here, *gtid, made, 2, info), 0);
    __kmpc_omp_task(&here, *gtid, made);
    made = __kmpc_omp_target_task_alloc(&here, *gtid, TIED, sizeof(task), sizeof(int *), child, -1);
    *(int **)made->shareds = counter;
    __kmpc_omp_task(&here, *gtid, made);
    CHECK_EQ(__kmpc_omp_taskyield(&here, *gtid, 0), 0);
    CHECK_EQ(__kmpc_omp_taskwait(&here, *gtid), 0);
}

/* ---- outside of regions ---- */

static void outside(void) {
    int counter = 0;
    for (int i = 0; i < 10; i++) {
        task *made = __kmpc_omp_task_alloc(&here, ME, TIED, sizeof(task), sizeof(int *), with_child);
        *(int **)made->shareds = &counter;
        __kmpc_omp_task(&here, ME, made);
    }
    int mine = 0;
    __kmpc_omp_task(&here, ME, &new_parted(ME, 0, 3, &mine)->task);
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(mine, 4);
    /* Only a barrier waits for the grandchildren. */
    __kmpc_barrier(&here, ME);
    CHECK_EQ(count_read(&counter), 20);
}

int main(void) {
    omp_set_dynamic(0);
    outside();
    for (int threads = 1; threads <= 8; threads *= 2) {
        int counter = 0;
        done = 0;
        REGION(threads, blocks, 1, &counter);
        CHECK_EQ(counter, TASKS);
        REGION(threads, kept, 1, &counter);
        CHECK_EQ(counter, TASKS + 20 * threads);
        counter = 0;
        REGION(threads, parts, 1, &counter);
        CHECK_EQ(counter, threads * 5 * (1 + 2 + 3 + 4));
        REGION(threads, parts_waited, 0);
        counter = 0;
        REGION(threads, families, 1, &counter);
        CHECK_EQ(counter, 20 * threads);
        counter = 0;
        REGION(threads, undeferred, 1, &counter);
        CHECK_EQ(counter, 30 * threads);
        bodies = destroyed = 0;
        REGION(threads, destructors, 0);
        CHECK_EQ(bodies, 50 * threads);
        CHECK_EQ(destroyed, 50 * threads);
        counter = 0;
        REGION(threads, staying, 1, &counter);
        CHECK_EQ(counter, 100 * threads);
        counter = 0;
        REGION(threads, others, 1, &counter);
        CHECK_EQ(counter, 2 * threads);
    }
    return check_done("task");
}
