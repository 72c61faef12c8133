// beyond libomp: it aborts by an assertion where the address of all memory is not set
// flags: -D_GNU_SOURCE
// Dependences by the calls: kinds, all memory without any other data, depend objects as compilers lay them out, waits
// for some tasks, undeferred tasks that wait first.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"

enum { ROUNDS = 30 };

static int32_t gtid_of(void) {
    return ME;
}

struct step {
    task task;
    int *at, want, set; /* *at must be want, or anything if want < 0; becomes set */
    int work;
};

static int32_t take_step(int32_t gtid, void *arg) {
    struct step *mine = arg;
    (void)gtid;
    busy_work(1, mine->work);
    int now = __atomic_load_n(mine->at, __ATOMIC_RELAXED);
    if (mine->want >= 0)
        CHECK_EQ(now, mine->want);
    __atomic_store_n(mine->at, mine->set, __ATOMIC_RELAXED);
    return 0;
}

static struct step *new_step(int *at, int want, int set, int work) {
    struct step *made = (void *)__kmpc_omp_task_alloc(&here, gtid_of(), TIED, sizeof *made, 0, take_step);
    made->at = at;
    made->want = want;
    made->set = set;
    made->work = work;
    return made;
}

static dependence on(const void *address, int kind) {
    return (dependence){(intptr_t)address, sizeof(int), (uint8_t)kind};
}

/* As compilers pass it: other fields are uninitialized. */
static dependence on_all(void) {
    dependence all;
    memset(&all, 0xd5, sizeof all);
    all.flags = ALL_MEMORY;
    return all;
}

static void submit(struct step *step, int count, dependence *list) {
    CHECK_EQ(__kmpc_omp_task_with_deps(&here, gtid_of(), &step->task, count, list, 0, NULL), 0);
}

/* ---- a chain; readers between writers ---- */

static void chain(void) {
    int value = 0, seen[4] = {0};
    dependence out = on(&value, OUT), in = on(&value, IN);
    for (int i = 0; i < ROUNDS; i++) {
        submit(new_step(&value, 2 * i, 2 * i + 1, 200), 1, &out);
        for (int k = 0; k < 4; k++) {
            dependence both[2] = {in, on(&seen[k], OUT)};
            submit(new_step(&seen[k], i, i + 1, 50), 2, both);
        }
        submit(new_step(&value, 2 * i + 1, 2 * i + 2, 0), 1, &out);
    }
    __kmpc_omp_taskwait(&here, gtid_of());
    CHECK_EQ(value, 2 * ROUNDS);
    for (int k = 0; k < 4; k++)
        CHECK_EQ(seen[k], ROUNDS);
}

/* ---- all memory: after all before it and before all after it ---- */

static void all_memory(void) {
    int a = 0, b = 0, c = 0;
    for (int i = 0; i < ROUNDS; i++) {
        dependence of_a = on(&a, OUT), of_b = on(&b, OUT), all = on_all(), mixed[3] = {of_a, on_all(), of_b};
        submit(new_step(&a, 3 * i, 3 * i + 1, 300), 1, &of_a);
        submit(new_step(&b, 3 * i, 3 * i + 1, 300), 1, &of_b);
        submit(new_step(&c, i, i + 1, 0), 1, &all);
        submit(new_step(&a, 3 * i + 1, 3 * i + 2, 0), 3, mixed);
        submit(new_step(&a, 3 * i + 2, 3 * i + 3, 100), 1, &of_a);
        submit(new_step(&b, 3 * i + 1, 3 * i + 3, 100), 1, &of_b);
    }
    __kmpc_omp_taskwait(&here, gtid_of());
    CHECK(a == 3 * ROUNDS && b == 3 * ROUNDS && c == ROUNDS);
}

/* ---- at the same time, or not ---- */

struct counted {
    task task;
    struct gauge *gauge;
    int *sum;
    int alone;
};

static int32_t count(int32_t gtid, void *arg) {
    struct counted *mine = arg;
    (void)gtid;
    gauge_enter(mine->gauge);
    if (mine->alone)
        ++*mine->sum;
    else
        count_up(mine->sum);
    gauge_leave(mine->gauge);
    return 0;
}

static void sets(void) {
    struct gauge alone = {0, 0, 0}, together = {0, 0, 0};
    int mutex = 0, set = 0;
    dependence of_mutex = on(&mutex, MUTEX), of_set = on(&set, INOUTSET);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 2; k++) {
            struct counted *made =
                (void *)__kmpc_omp_task_alloc(&here, gtid_of(), TIED, sizeof *made, 0, count);
            made->gauge = k ? &together : &alone;
            made->sum = k ? &set : &mutex;
            made->alone = !k;
            __kmpc_omp_task_with_deps(&here, gtid_of(), &made->task, 1, k ? &of_set : &of_mutex, 0, NULL);
        }
    dependence ends[2] = {on(&mutex, IN), on(&set, IN)};
    submit(new_step(&mutex, 40, 41, 0), 1, &ends[0]);
    submit(new_step(&set, 40, 41, 0), 1, &ends[1]);
    __kmpc_omp_taskwait(&here, gtid_of());
    CHECK(mutex == 41 && set == 41);
    CHECK_EQ(alone.most, 1);
}

/* ---- depend objects ---- */

/* An element before the first holds the count. */
static dependence *new_object(int count, const dependence *items) {
    dependence *block = __kmpc_alloc(gtid_of(), sizeof *block * (size_t)(count + 1), NULL);
    CHECK_EQ((uintptr_t)block % 8, 0);
    block[0].address = count;
    memcpy(block + 1, items, sizeof *block * (size_t)count);
    return block + 1;
}

static void objects(void) {
    int a = 0, b = 0;
    dependence items[2] = {on(&a, OUT), on(&b, IN)};
    dependence *object = new_object(2, items);
    for (int i = 0; i < ROUNDS; i++) {
        dependence list[3], of_b = on(&b, OUT);
        memcpy(list, object, sizeof *list * (size_t)object[-1].address);
        list[2] = on(&i, IN);
        submit(new_step(&b, i, i + 1, 100), 1, &of_b);
        submit(new_step(&a, i, i + 1, 100), 3, list);
    }
    for (int k = 0; k < 2; k++)
        object[k].flags = IN; /* as an update does */
    dependence list[2];
    memcpy(list, object, sizeof list);
    __kmpc_omp_wait_deps(&here, gtid_of(), 2, list, 0, NULL);
    CHECK(count_read(&a) == ROUNDS && count_read(&b) == ROUNDS);
    __kmpc_free(gtid_of(), object - 1, NULL);
}

/* The same in clang's code. */
static void objects_of_clang(void) {
    int value = 0;
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : value)
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp task depend(depobj : object) shared(value) firstprivate(i)
        {
            CHECK_EQ(value, i);
            busy_work(1, 100);
            value = i + 1;
        }
    }
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object) shared(value) if (0)
    CHECK_EQ(value, ROUNDS);
#pragma omp depobj(object) destroy
}

/* ---- depend objects in lists, which API functions accept from programs of both compilers ---- */

typedef int copy_async(void *, const void *, size_t, size_t, size_t, int, int, int, const void *);

/* Copies data to the end of a page, before an unreadable one. */
static void *at_end_of_page(const void *data, size_t size) {
    static char *page;
    size_t length = (size_t)sysconf(_SC_PAGESIZE);
    if (!page) {
        page = mmap(NULL, 2 * length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK_EQ(mprotect(page + length, length, PROT_NONE), 0);
    }
    return memcpy(page + length - size, data, size);
}

/* Each task copies `a` to `b` between a task that writes `a` and one that reads `b`. */
static void copied(copy_async *copy, int i, int count, const void *objects, int *a, int *b) {
    dependence writes = on(a, OUT), of_b = on(b, OUT);
    submit(new_step(a, i, i + 1, 1000), 1, &writes);
    CHECK_EQ(copy(b, a, sizeof *b, 0, 0, 0, 0, count, objects), 0);
    submit(new_step(a, i + 1, i + 1, 0), 1, &writes);
    submit(new_step(b, i + 1, 0, 0), 1, &of_b);
    __kmpc_omp_taskwait(&here, gtid_of());
    CHECK(*a == i + 1 && *b == 0);
}

static void objects_in_lists(void) {
    copy_async *copy = (copy_async *)dlsym(RTLD_DEFAULT, "omp_target_memcpy_async");
    int a = 0, b = 0, others[20];
    dependence items[22] = {on(&a, IN), on(&b, OUT)};
    for (int i = 0; i < 20; i++)
        items[2 + i] = on(&others[i], i % 2 ? IN : MUTEX);
    dependence *of_both = new_object(2, items), *of_many = new_object(22, items);
    dependence *single[2] = {new_object(1, items), new_object(1, items + 1)};
    struct {
        const void *address;
        uintptr_t kind;
    } gnu[2] = {{&b, 2}, {&a, 1}}, gnu_all = {NULL, 3}, of_block = {of_both - 1, 3};
    for (int i = 0; i < 7 * ROUNDS; i++) {
        switch (i % 7) {
        case 0:
            copied(copy, i, 1, at_end_of_page(&of_both, sizeof of_both), &a, &b);
            break;
        case 1:
            copied(copy, i, 1, at_end_of_page(&of_many, sizeof of_many), &a, &b);
            break;
        case 2:
            copied(copy, i, 2, at_end_of_page(single, sizeof single), &a, &b);
            break;
        case 3:
            copied(copy, i, 2, at_end_of_page(gnu, sizeof gnu), &a, &b);
            break;
        case 4:
            copied(copy, i, 1, at_end_of_page(&gnu_all, sizeof gnu_all), &a, &b);
            break;
        default: /* one that the compiler made, followed by small values */
        {
            struct {
                omp_depend_t object;
                uintptr_t kind;
            } of = {.kind = (uintptr_t)i % 6};
#pragma omp depobj(of.object) depend(inout : b, a)
            copied(copy, i, 1, &of, &a, &b);
#pragma omp depobj(of.object) destroy
        }
        }
    }
    CHECK_EQ(copy(&b, &a, sizeof b, 0, 0, 0, 0, 1, &of_block), 0);
    CHECK_EQ(copy(&b, &a, sizeof b, 0, 0, 0, 0, 0, NULL), 0);
    __kmpc_omp_taskwait(&here, gtid_of());
    for (int i = 0; i < 2; i++)
        __kmpc_free(gtid_of(), single[i] - 1, NULL);
    __kmpc_free(gtid_of(), of_both - 1, NULL);
    __kmpc_free(gtid_of(), of_many - 1, NULL);
}

/* ---- kinds of programs whose structure has only the bits IN and OUT: the others are uninitialized ---- */

static void unused_bits(void) {
    static const int others[] = {0x80, 0x0c, 0x70, 0xfc};
    int value = 0, seen[4] = {0}, other = 0;
    for (int i = 0; i < 4; i++) {
        dependence out = on(&value, OUT | others[i]), in = on(&value, IN | others[i]);
        dependence plain = on(&value, OUT), of_other = on(&other, OUT | others[i]);
        submit(new_step(&other, -1, i, 2000), 1, &of_other);
        submit(new_step(&value, 2 * i, 2 * i + 1, 200), 1, &out);
        for (int k = 0; k < 4; k++) {
            dependence both[2] = {in, on(&seen[k], OUT | others[k])};
            submit(new_step(&seen[k], i, i + 1, 50), 2, both);
        }
        submit(new_step(&value, 2 * i + 1, 2 * i + 2, 0), 1, &plain);
    }
    __kmpc_omp_taskwait(&here, gtid_of());
    CHECK_EQ(value, 8);
}

/* ---- waits ---- */

static void waits(int new_name) {
    int fast = 0, slow = 0, never = 0;
    for (int i = 0; i < ROUNDS; i++) {
        dependence of_fast = on(&fast, OUT), of_slow = on(&slow, OUT), reads = on(&fast, IN), *none = NULL;
        submit(new_step(&slow, i, i + 1, 2000), 1, &of_slow);
        submit(new_step(&fast, i, i + 1, 0), 1, &of_fast);
        if (new_name)
            __kmpc_omp_taskwait_deps_51(&here, gtid_of(), 1, &reads, 0, NULL, 0);
        else
            __kmpc_omp_wait_deps(&here, gtid_of(), 1, &reads, 0, NULL);
        CHECK_EQ(count_read(&fast), i + 1);
        dependence unknown = on(&never, IN);
        __kmpc_omp_wait_deps(&here, gtid_of(), 1, &unknown, 0, NULL);
        __kmpc_omp_wait_deps(&here, gtid_of(), 0, none, 0, NULL);
    }
    __kmpc_omp_taskwait(&here, gtid_of());
    CHECK_EQ(slow, ROUNDS);
}

/* Undeferred: the caller waits for the dependences, and then runs the task itself. */
static void undeferred(void) {
    int value = 0;
    for (int i = 0; i < ROUNDS; i++) {
        dependence of_value = on(&value, OUT);
        submit(new_step(&value, 2 * i, 2 * i + 1, 300), 1, &of_value);
        struct step *made = new_step(&value, 2 * i + 1, 2 * i + 2, 0);
        if (i % 2)
            __kmpc_omp_wait_deps(&here, gtid_of(), 1, &of_value, 0, NULL);
        else
            __kmpc_omp_taskwait_deps_51(&here, gtid_of(), 1, &of_value, 0, NULL, 0);
        __kmpc_omp_task_begin_if0(&here, gtid_of(), &made->task);
        take_step(gtid_of(), made);
        __kmpc_omp_task_complete_if0(&here, gtid_of(), &made->task);
        CHECK_EQ(value, 2 * i + 2);
    }
}

/* Untied and in parts; others depend on the last part. */
struct parted {
    task task;
    int *at, want;
};

static int32_t part(int32_t gtid, void *arg) {
    struct parted *mine = arg;
    if (mine->task.part < 3) {
        CHECK_EQ(count_read(mine->at), mine->want + mine->task.part);
        count_up(mine->at);
        mine->task.part++;
        __kmpc_omp_task(&here, gtid, &mine->task);
        return 0;
    }
    count_up(mine->at);
    return 0;
}

static void parted(void) {
    int value = 0;
    dependence of_value = on(&value, OUT);
    for (int i = 0; i < ROUNDS; i++) {
        struct parted *made = (void *)__kmpc_omp_task_alloc(&here, gtid_of(), 0, sizeof *made, 0, part);
        made->at = &value;
        made->want = 5 * i;
        __kmpc_omp_task_with_deps(&here, gtid_of(), &made->task, 1, &of_value, 0, NULL);
        submit(new_step(&value, 5 * i + 4, 5 * i + 5, 0), 1, &of_value);
    }
    __kmpc_omp_taskwait(&here, gtid_of());
    CHECK_EQ(value, 5 * ROUNDS);
}

static void everything(int32_t *gtid, int32_t *btid) {
    if (__kmpc_single(&here, *gtid)) {
        chain();
        all_memory();
        sets();
        objects();
        objects_of_clang();
        objects_in_lists();
        unused_bits();
        waits(0);
        waits(1);
        undeferred();
        parted();
        __kmpc_end_single(&here, *gtid);
    }
    __kmpc_barrier(&here, *gtid);
    /* each thread for itself */
    chain();
    undeferred();
    (void)btid;
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 8; threads *= 2)
        REGION(threads, everything, 0);
    chain();
    undeferred();
    waits(1);
    return check_done("depend");
}
