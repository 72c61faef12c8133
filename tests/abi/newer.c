/* newer.c: calls of gcc 13 to 17 beyond gcc 12, except worksharing (newer_loops.c): tasks that depend on all memory,
 * waits that do not wait, copies and fills of memory in tasks, devices by their names, allocators, and the functions of
 * OpenMP 5.1 to 6.1; and bits that no compiler has set yet. In teams of OMP_NUM_THREADS. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "newer.h"

struct depend_object {
    void *address;
    uintptr_t kind; /* 1 in, 3 inout, 4 mutexinoutset, 5 inoutset */
};

enum { FINAL = 2, DEPEND = 8, DETACH = 0x2000 };

void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int,
               void *);
void GOMP_taskwait(void), GOMP_taskwait_depend(void **), GOMP_taskwait_depend_nowait(void **);
void GOMP_taskloop(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned, unsigned long,
                   int, long, long, long);
void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, unsigned, void **,
                     void **);
void GOMP_target_update_ext(int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
void GOMP_target_enter_exit_data(int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
void GOMP_teams_reg(void (*)(void *), void *, unsigned, unsigned, unsigned);
bool GOMP_loop_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_cancel(int, bool);
void *GOMP_alloc(size_t, size_t, uintptr_t);
void GOMP_free(void *, uintptr_t), GOMP_add_alloc(void *);
bool GOMP_is_alloc(void *);
void *GOMP_target_map_indirect_ptr(void *);
void GOMP_interop(int, int, uintptr_t **, const int *, const char **, int, uintptr_t **, int, uintptr_t **,
                  unsigned, void **);
void omp_fulfill_event(void *);
int omp_in_explicit_task(void), omp_in_explicit_task_(void);
void *omp_get_mapped_ptr(const void *, int);
int omp_target_is_accessible(const void *, size_t, int), omp_target_is_present(const void *, int);
int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int, int, int,
                            struct depend_object *);
int omp_target_memcpy_rect_async(void *, const void *, size_t, int, const size_t *, const size_t *,
                                 const size_t *, const size_t *, const size_t *, int, int, int,
                                 struct depend_object *);
void *omp_target_memset(void *, int, size_t, int);
void *omp_target_memset_async(void *, int, size_t, int, int, struct depend_object *);
const char *omp_get_uid_from_device(int);
int omp_get_device_from_uid(const char *);
void omp_set_default_device(int);
int omp_get_default_device(void), omp_get_max_teams(void), omp_get_teams_thread_limit(void);
void *omp_target_alloc(size_t, int);
void omp_target_free(void *, int);
int omp_get_device_num_teams(int), omp_get_device_teams_thread_limit(int);
void omp_set_device_num_teams(int, int), omp_set_device_teams_thread_limit(int, int);
void omp_get_device_distances(int, const int *, int *);
int omp_get_num_interop_properties(uintptr_t);
intptr_t omp_get_interop_int(uintptr_t, int, int *);
void *omp_get_interop_ptr(uintptr_t, int, int *);
const char *omp_get_interop_str(uintptr_t, int, int *), *omp_get_interop_name(uintptr_t, int);
const char *omp_get_interop_type_desc(uintptr_t, int), *omp_get_interop_rc_desc(uintptr_t, int);
int omp_control_tool(int, int, void *);
int omp_get_num_threads_dim(int), omp_get_thread_num_dim(int), omp_get_num_teams_dim(int);
int omp_get_team_num_dim(int), omp_get_thread_limit_dim(int), omp_get_thread_limit(void);
int omp_get_supported_teams_dim(int, int), omp_get_supported_threads_dim(int, int);
int omp_get_supported_active_league_dims(int, bool), omp_get_supported_active_team_dims(int, bool);

/* One thread of a team runs the part that needs a creator of tasks. */
struct once {
    void (*run)(void);
};

static void run_once(void *arg) {
    if (omp_get_thread_num() == 0)
        ((struct once *)arg)->run();
}

static void in_team(void (*run)(void)) {
    struct once once = {run};
    GOMP_parallel(run_once, &once, 0, 0);
}

/* ---- all memory ---- */

enum { CELLS = 7, TASKS = 600 };

/* The tasks' effects on a cell: when a task begins, all earlier outs and members of sets must be complete. */
struct cell {
    int outs;    /* plain: dependences order them */
    int members; /* of sets of all kinds */
};

static struct cell cells[CELLS];

struct step {
    int count;
    struct {
        int cell, outs, least, most; /* outs, and members at least and at most, at the start */
        bool out;
    } item[CELLS];
};

static void run_step(void *arg) {
    struct step *step = arg;
    CHECK(omp_in_explicit_task());
    for (int i = 0; i < step->count; i++) {
        struct cell *cell = &cells[step->item[i].cell];
        int members = __atomic_load_n(&cell->members, __ATOMIC_RELAXED);
        CHECK(cell->outs == step->item[i].outs);
        CHECK(members >= step->item[i].least && members < step->item[i].most);
    }
    for (int i = 0; i < step->count; i++) {
        struct cell *cell = &cells[step->item[i].cell];
        if (step->item[i].out)
            cell->outs++;
        else
            __atomic_add_fetch(&cell->members, 1, __ATOMIC_RELAXED);
    }
}

static unsigned state = 1;

static unsigned some(unsigned below) {
    state = state * 1103515245 + 12345;
    return (state >> 16) % below;
}

/* A random graph, whose serial execution determines what each task must find. The kinds of an item: 0 out, 1 in, 2
 * mutexinoutset, 3 inoutset (compilers pass objects for the last two). One in six tasks names all memory. */
static void graph_of_all_memory(void) {
    struct {
        int outs, members; /* when all tasks so far are complete */
        int kind, before;  /* of the last set, and members that preceded it; 0: no set */
    } expected[CELLS] = {{0}};
    memset(cells, 0, sizeof cells);
    for (int task = 0; task < TASKS; task++) {
        struct step step = {.count = 0};
        struct depend_object objects[CELLS];
        void *list[4][CELLS];
        int counts[4] = {0}, objects_used = 0;
        bool all = some(6) == 0;
        for (int c = 0; c < CELLS; c++) {
            int kind = all ? 0 : (int)some(4), i = step.count;
            if (!all && some(3) != 0)
                continue;
            step.count++;
            step.item[i].cell = c;
            step.item[i].outs = expected[c].outs;
            step.item[i].out = kind == 0;
            if (kind == 0 || kind != expected[c].kind)
                expected[c].before = expected[c].members;
            expected[c].kind = kind;
            step.item[i].least = expected[c].before;
            step.item[i].most = kind == 0 ? expected[c].members + 1 : TASKS;
            *(kind == 0 ? &expected[c].outs : &expected[c].members) += 1;
            if (kind == 3 || (!all && some(4) == 0))
                objects[objects_used++] = (struct depend_object){&cells[c], (uintptr_t[]){3, 1, 4, 5}[kind]};
            else if (!all)
                list[kind][counts[kind]++] = &cells[c];
        }
        bool object = all && some(3) == 0;
        if (object)
            objects[objects_used++] = (struct depend_object){NULL, 2 + some(2)};
        else if (all)
            list[0][counts[0]++] = NULL;
        if (step.count == 0)
            continue;
        void *array[5 + CELLS] = {NULL};
        void **at = array + 5;
        for (int kind = 0; kind < 3; kind++) { /* out, mutexinoutset, in */
            int which = (int[]){0, 2, 1}[kind];
            array[2 + kind] = (void *)(uintptr_t)counts[which];
            for (int i = 0; i < counts[which]; i++)
                *at++ = list[which][i];
        }
        for (int i = 0; i < objects_used; i++)
            *at++ = &objects[i];
        array[1] = (void *)(at - array - 5);
        void *older[] = {(void *)1, (void *)1, NULL};
        bool old = all && !object && some(2);
        GOMP_task(run_step, &step, NULL, sizeof step, 8, some(20) != 0, DEPEND, old ? older : array, 0, NULL);
        if (some(40) == 0) {
            GOMP_taskwait_depend(older);
            for (int c = 0; c < CELLS; c++)
                CHECK(cells[c].outs == expected[c].outs && cells[c].members == expected[c].members);
        }
    }
    GOMP_taskwait();
    for (int c = 0; c < CELLS; c++)
        CHECK(cells[c].outs == expected[c].outs && cells[c].members == expected[c].members);
}

static void graphs(void) {
    for (int i = 0; i < 20; i++)
        graph_of_all_memory();
}

/* ---- a wait that does not wait ---- */

static int noted;

struct note {
    void *event;
    int *to, value;
};

static void run_note(void *arg) {
    struct note *note = arg;
    *note->to = note->value;
}

static void run_copy(void *arg) {
    CHECK(noted == 1);
    *(int *)*(void **)arg = noted + 1;
}

static void nowait(void) {
    int x = 0, y = 0;
    void *event, *to = &y;
    struct note note = {NULL, &noted, 1};
    void *out_x[] = {(void *)1, (void *)1, &x}, *in_x_out_y[] = {(void *)2, (void *)1, &y, &x};
    void *in_y[] = {(void *)1, (void *)0, &y};
    noted = 0;
    GOMP_task(run_note, &note, NULL, sizeof note, 8, true, DEPEND | DETACH, out_x, 0, &event);
    GOMP_taskwait_depend_nowait(in_x_out_y); /* the first task is not complete before its event */
    GOMP_task(run_copy, &to, NULL, sizeof to, 8, true, DEPEND, in_y, 0, NULL);
    CHECK(y == 0);
    omp_fulfill_event(event);
    GOMP_taskwait_depend(in_y + 0);
    GOMP_taskwait();
    CHECK(noted == 1 && y == 2);
}

/* ---- kinds of tasks ---- */

static void see_inside(void *arg) {
    *(int *)*(void **)arg = omp_in_explicit_task();
}

static void see_inside_directly(void *arg) {
    *(int *)arg = omp_in_explicit_task_();
}

static void run_region_inside(void *arg) {
    int implicit = -1;
    GOMP_parallel(see_inside_directly, &implicit, 1, 0);
    CHECK(implicit == 0 && omp_in_explicit_task() == 1);
    GOMP_target_ext(-1, see_inside, 1, (void *[]){&implicit}, (size_t[]){4}, (unsigned short[]){3}, 0, NULL,
                    NULL);
    CHECK(implicit == 0);
    see_inside(arg);
}

struct chunk {
    long begin, end;
    int *seen;
};

static void run_chunk(void *arg) {
    struct chunk *chunk = arg;
    CHECK(omp_in_explicit_task());
    __atomic_add_fetch(chunk->seen, (int)(chunk->end - chunk->begin), __ATOMIC_RELAXED);
}

static void kinds_of_tasks(void) {
    int seen[4] = {-1, -1, -1, -1};
    CHECK(omp_in_explicit_task() == 0);
    for (int i = 0; i < 3; i++) {
        void *to = &seen[i];
        GOMP_task(i == 2 ? run_region_inside : see_inside, &to, NULL, sizeof to, 8, i != 1,
                  i == 0 ? FINAL : 0, NULL, 0, NULL);
    }
    GOMP_taskwait();
    CHECK(omp_in_explicit_task() == 0 && seen[0] == 1 && seen[1] == 1 && seen[2] == 1);
    seen[3] = 0;
    struct chunk chunk = {.seen = &seen[3]};
    GOMP_taskloop(run_chunk, &chunk, NULL, sizeof chunk, 8, 0x500, 0, 0, 0, 100, 1);
    CHECK(seen[3] == 100);
}

/* ---- memory, in tasks ---- */

static void copies(void) {
    enum { BYTES = 40000 };
    char *a = malloc(BYTES), *b = malloc(BYTES), *c = malloc(BYTES);
    struct depend_object out_a = {a, 3}, in_a = {a, 1}, out_b = {b, 2}, in_b = {b, 1}, all = {NULL, 3};
    CHECK(a && b && c);
    memset(a, 'x', BYTES);
    memset(b, 'x', BYTES);
    for (int round = 1; round < 30; round++) {
        struct depend_object a_to_b[] = {in_a, out_b};
        CHECK(omp_target_memset_async(a, round, BYTES, 0, 1, &out_a) == a);
        CHECK(omp_target_memcpy_async(b, a, BYTES - 100, 0, 100, 0, 0, 2, a_to_b) == 0);
        CHECK(omp_target_memcpy_async(c, b, BYTES, 0, 0, -1, -5, 1, &in_b) == 0);
        if (round % 10 == 0)
            CHECK(omp_target_memset_async(a, 99, 1, 0, 1, &all) == a);
    }
    GOMP_taskwait();
    CHECK(a[5] == 29 && b[0] == 29 && b[BYTES - 101] == 29 && b[BYTES - 100] == 'x');
    CHECK(memcmp(b, c, BYTES) == 0);

    int from[6][8], to[4][5] = {{0}};
    for (int i = 0; i < 48; i++)
        from[i / 8][i % 8] = i;
    size_t volume[] = {2, 3}, to_offsets[] = {1, 2}, from_offsets[] = {3, 4}, to_dims[] = {4, 5},
           from_dims[] = {6, 8};
    struct depend_object out_to = {to, 3};
    CHECK(omp_target_memcpy_rect_async(to, from, sizeof(int), 2, volume, to_offsets, from_offsets, to_dims,
                                       from_dims, 0, 0, 1, &out_to) == 0);
    memset(volume, 0, sizeof volume); /* the arguments need not live longer */
    GOMP_taskwait_depend((void *[]){(void *)1, (void *)0, to});
    for (int i = 0; i < 20; i++) {
        int row = i / 5, column = i % 5;
        bool inside = row >= 1 && row < 3 && column >= 2;
        CHECK(to[row][column] == (inside ? from[row + 2][column + 2] : 0));
    }
    CHECK(omp_target_memcpy_rect_async(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL) > 2);
    CHECK(omp_target_memcpy_rect_async(to, from, 4, 2, volume, to_offsets, from_offsets, to_dims, from_dims,
                                       1, 0, 0, NULL) != 0);
    CHECK(omp_target_memcpy_async(a, b, 1, 0, 0, 0, 3, 0, NULL) != 0);
    CHECK(omp_target_memcpy_async(a, b, 1, 0, 0, 99, 99, 1, NULL) != 0); /* no object is read */
    CHECK(omp_target_memset(a, 7, 10, 0) == a && a[9] == 7 && a[10] == 29);
    free(a);
    free(b);
    free(c);
}

/* ---- devices ---- */

static void devices(void) {
    int x = 0, where[] = {0, 1, -1, -4, -5}, distances[5];
    CHECK(omp_get_mapped_ptr(&x, 0) == &x && omp_get_mapped_ptr(&x, -1) == &x &&
          omp_get_mapped_ptr(&x, 2) == NULL);
    CHECK(omp_target_is_accessible(&x, 4, 0) == 1 && omp_target_is_accessible(&x, 4, -5) == 1);
    CHECK(omp_target_is_accessible(&x, 4, 1) == 0 && omp_target_is_accessible(&x, 4, -6) == 0);
    CHECK(omp_target_is_present(&x, 0) && !omp_target_is_present(&x, 1) && !omp_target_is_present(&x, -6));
    for (unsigned i = 0; i < 5; i++) /* a null pointer maps nowhere */
        CHECK(!omp_target_is_present(NULL, where[i]) && !omp_target_is_accessible(NULL, 4, where[i]) &&
              !omp_target_is_accessible(&x, 0, where[i]) && !omp_get_mapped_ptr(NULL, where[i]));
    const char *uid = omp_get_uid_from_device(0);
    CHECK(uid && *uid && omp_get_uid_from_device(-1) == uid && !omp_get_uid_from_device(-4));
    CHECK(omp_get_device_from_uid(uid) == -1 && omp_get_device_from_uid("") == -4);
    omp_get_device_distances(5, where, distances);
    CHECK(distances[0] == 0 && distances[1] == -1 && distances[2] == 0 && distances[3] == -1 &&
          distances[4] == 0);
    void *block = omp_target_alloc(10, -1);
    CHECK(block);
    omp_target_free(block, -1);
    omp_set_device_num_teams(0, 5);
    omp_set_device_num_teams(1, 6);
    CHECK(omp_get_device_num_teams(0) == 5 && omp_get_max_teams() == 5 && omp_get_device_num_teams(1) == 0);
    omp_set_device_num_teams(-1, 0);
    omp_set_device_teams_thread_limit(0, 3);
    CHECK(omp_get_teams_thread_limit() == 3 && omp_get_device_teams_thread_limit(-1) == 3);
    omp_set_device_teams_thread_limit(0, 0);
    x = -1;
    for (int device = -5; device < 2;
         device += device == -5 ? 3 : 1) { /* by name, if(false), default, 0, 1 */
        GOMP_target_ext(device, see_inside, 1, (void *[]){&x}, (size_t[]){4}, (unsigned short[]){3}, 0, NULL,
                        NULL);
        CHECK(x == 0);
    }
    CHECK(GOMP_target_map_indirect_ptr(&x) == &x);
    static const int numbers[] = {-4, -1, -10, 7, 0};
    for (unsigned i = 0; i < 5; i++) {
        omp_set_default_device(numbers[i]);
        omp_set_default_device(-5); /* the default device */
        CHECK(omp_get_default_device() == numbers[i]);
        CHECK(omp_get_uid_from_device(-5) == omp_get_uid_from_device(numbers[i]));
    }
}

/* gfortran 16's form of firstprivate arrays: descriptor, elements, and the pointer from one to the other. */
struct descriptor {
    long before, *elements;
};

static void change_elements(void *data) {
    struct descriptor *copy = ((void **)data)[1];
    CHECK(copy->elements == ((void **)data)[2] && copy->elements[2] == 3);
    copy->elements[2] = 4;
}

static void firstprivate_arrays(void) {
    long elements[] = {1, 2, 3}, x = 0;
    struct descriptor own = {5, elements};
    void *addresses[] = {&x, &own, elements, &addresses[1]};
    size_t sizes[] = {sizeof x, sizeof own, sizeof elements, offsetof(struct descriptor, elements)};
    unsigned short kinds[] = {0x303, 0x30c, 0x30c, 0x50};
    for (unsigned nowait = 0; nowait < 2; nowait++)
        GOMP_target_ext(-1, change_elements, 4, addresses, sizes, kinds, nowait, NULL, NULL);
    GOMP_taskwait();
    CHECK(own.elements == elements && elements[2] == 3);
}

static void interop(void) {
    uintptr_t one = 77, two = 78, three = 79, *objects[] = {&one, &two}, *gone[] = {&three};
    int why = 5, x = 0;
    struct note note = {NULL, &x, 1};
    void *out[] = {(void *)1, (void *)1, &x}, *in[] = {(void *)1, (void *)0, &x};
    GOMP_task(run_note, &note, NULL, sizeof note, 8, true, DEPEND, out, 0, NULL);
    GOMP_interop(-5, 2, objects, (int[]){3, 1}, NULL, 1, gone, 1, gone, 0, in);
    CHECK(one == 0 && two == 0 && three == 0 && x == 1);
    GOMP_interop(-1, 0, NULL, NULL, NULL, 0, NULL, 0, NULL, 1, in);
    omp_set_default_device(-4);
    GOMP_interop(-1, 1, objects, (int[]){1}, NULL, 0, NULL, 0, NULL, 0, NULL); /* omp_initial_device */
    omp_set_default_device(0);
    CHECK(omp_get_num_interop_properties(one) == 0);
    CHECK(omp_get_interop_int(one, -5, &why) == 0 && why == -1);
    CHECK(omp_get_interop_ptr(one, 0, &why) == NULL && why == -2 &&
          omp_get_interop_ptr(one, -1, NULL) == NULL);
    CHECK(omp_get_interop_str(one, -10, &why) == NULL && why == -2);
    CHECK(strcmp(omp_get_interop_name(one, -1), "fr_id") == 0 &&
          strcmp(omp_get_interop_name(one, -9), "targetsync") == 0);
    CHECK(!omp_get_interop_name(one, 0) && !omp_get_interop_name(one, -10) &&
          !omp_get_interop_type_desc(one, -1));
    for (int rc = -8; rc < 4; rc++)
        CHECK(!omp_get_interop_rc_desc(one, rc) == (rc < -5 || rc > 1));
}

static void dimensions(void *arg) {
    (void)arg;
    CHECK(omp_get_num_threads_dim(0) == omp_get_num_threads() &&
          omp_get_thread_num_dim(0) == omp_get_thread_num());
    CHECK(omp_get_num_teams_dim(0) == 1 && omp_get_team_num_dim(0) == 0);
    CHECK(omp_get_thread_limit_dim(0) == omp_get_thread_limit());
    for (int dim = 1; dim < 4; dim++) {
        CHECK(omp_get_num_threads_dim(dim) == 1 && omp_get_thread_num_dim(dim) == 0);
        CHECK(omp_get_num_teams_dim(dim) == 1 && omp_get_team_num_dim(dim) == 0);
        CHECK(omp_get_thread_limit_dim(dim) == 1 && omp_get_supported_threads_dim(0, dim) == 1);
    }
    CHECK(omp_get_supported_teams_dim(0, 0) > 1000 && omp_get_supported_threads_dim(-1, 0) > 1000);
    CHECK(omp_get_supported_active_league_dims(0, true) == 1 &&
          omp_get_supported_active_team_dims(0, false) == 1);
    CHECK(omp_control_tool(1, 0, NULL) == -2);
}

/* ---- allocations ---- */

enum { BLOCKS = 500 };

static void *blocks[8][BLOCKS];

/* Adds and removes its own blocks, concurrently with others. */
static void allocations(void *arg) {
    void **mine = blocks[omp_get_thread_num() % 8];
    (void)arg;
    for (int i = 0; i < BLOCKS; i++) {
        mine[i] = GOMP_alloc(16, 24, 0);
        CHECK(!GOMP_is_alloc(mine[i]));
        GOMP_add_alloc(mine[i]);
    }
    for (int i = 0; i < BLOCKS; i++) {
        int at = i * 7 % BLOCKS;
        CHECK(GOMP_is_alloc(mine[at]) && !GOMP_is_alloc(mine[at]));
        if (i % 3 == 0) { /* once more */
            GOMP_add_alloc(mine[at]);
            CHECK(GOMP_is_alloc(mine[at]));
        }
        GOMP_free(mine[at], 0);
    }
    CHECK(!GOMP_is_alloc(&mine) && !GOMP_is_alloc(NULL));
    char *managed = GOMP_alloc(64, 100, 201);
    CHECK((uintptr_t)managed % 64 == 0);
    memset(managed, 1, 100);
    GOMP_free(managed, 0);
    char *pinned = GOMP_alloc(64, 100, 200); /* a page is always allowed */
    memset(pinned, 1, 100);
    GOMP_free(pinned, 200);
}

/* ---- bits that no compiler sets yet ---- */

static void nothing(void *arg) {
    (void)arg;
}

static void unknown(int which) {
    void *data[3] = {NULL}, *bad_depend[] = {NULL, (void *)1, (void *)2, NULL, NULL, NULL};
    long begin, end;
    switch (which) {
    case 0:
        GOMP_task(nothing, data, NULL, 8, 8, true, 0x10000, NULL, 0, NULL);
        break;
    case 1:
        GOMP_taskloop(nothing, data, NULL, 24, 8, 0x8500, 0, 0, 0, 10, 1);
        break;
    case 2:
        GOMP_parallel(nothing, NULL, 2, 8);
        break;
    case 3:
        GOMP_target_ext(-1, nothing, 0, NULL, NULL, NULL, 0x40, NULL, NULL);
        break;
    case 4:
        GOMP_target_update_ext(-1, 0, NULL, NULL, NULL, 0x40, NULL);
        break;
    case 5:
        GOMP_target_enter_exit_data(-1, 0, NULL, NULL, NULL, 0x40, NULL);
        break;
    case 6:
        GOMP_teams_reg(nothing, NULL, 2, 0, 2);
        break;
    case 7:
        GOMP_loop_start(0, 10, 1, 5, 1, &begin, &end, NULL, NULL);
        break;
    case 8:
        GOMP_cancel(16, true);
        break;
    case 9:
        GOMP_interop(-1, 0, NULL, NULL, NULL, 0, NULL, 0, NULL, 2, NULL);
        break;
    case 10:
        GOMP_taskwait_depend(bad_depend);
        break;
    case 11:
        GOMP_target_ext(-4, nothing, 0, NULL, NULL, NULL, 0, NULL, NULL);
        break;
    case 12:
        omp_target_is_present(data, -4);
        break;
    case 13:
        omp_set_default_device(-4);
        omp_target_alloc(8, -5);
        break;
    case 14:
        GOMP_alloc(64, SIZE_MAX / 4, 200);
        break;
    case 15: /* the environment is read by the first call */
        setenv("OMP_TARGET_OFFLOAD", "mandatory", 1);
        unsetenv("OMP_DEFAULT_DEVICE");
        execl("/proc/self/exe", "newer", "target", (char *)NULL);
        break;
    }
}

/* Each ends the process with one message that names the entry point and the bits. */
static void unknown_bits(void) {
    static const char *const words[][3] = {{"GOMP_task:", "0x10000"},
                                           {"GOMP_taskloop:", "0x8000"},
                                           {"GOMP_parallel:", "0x8"},
                                           {"GOMP_target_ext:", "0x40"},
                                           {"GOMP_target_update_ext:", "0x40"},
                                           {"GOMP_target_enter_exit_data:", "0x40"},
                                           {"GOMP_teams_reg:", "0x2"},
                                           {"GOMP_loop_start:", "0x5"},
                                           {"GOMP_cancel:", "0x10"},
                                           {"GOMP_interop:", "0x2"},
                                           {"an array of dependences", "layout"},
                                           {"omp_invalid_device", "no device"},
                                           {"omp_invalid_device", "no device"},
                                           {"omp_invalid_device", "no device"},
                                           {"pinned memory", "ulimit -l"},
                                           {"MANDATORY", "only the host device"}};
    for (int which = 0; which < 16; which++) {
        int ends[2], status;
        char said[500] = "";
        CHECK(pipe(ends) == 0);
        pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], 2);
            unknown(which);
            _exit(0);
        }
        close(ends[1]);
        for (ssize_t length = 0, more = 1; more > 0; length += more)
            more = read(ends[0], said + length, sizeof said - 1 - (size_t)length);
        close(ends[0]);
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
        if (WEXITSTATUS(status) != 1 || !strstr(said, words[which][0]) || !strstr(said, words[which][1]) ||
            strchr(said, '\n') != said + strlen(said) - 1)
            printf("%d: %s", which, said);
        CHECK(WEXITSTATUS(status) == 1);
        CHECK(strstr(said, words[which][0]) && strstr(said, words[which][1]));
        CHECK(strchr(said, '\n') == said + strlen(said) - 1);
    }
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) { /* an interop object of the host, if(false), default device */
        uintptr_t object = 77, *objects[] = {&object};
        GOMP_interop(-1, 1, objects, (int[]){1}, NULL, 0, NULL, 0, NULL, 0, NULL);
        CHECK(object == 0);
        GOMP_target_ext(-2, nothing, 0, NULL, NULL, NULL, 0, NULL, NULL);
        GOMP_target_ext(-1, nothing, 0, NULL, NULL, NULL, 0, NULL, NULL);
        return 0;
    }
    unknown_bits(); /* before there are threads */
    static void (*const parts[])(void) = {graphs, nowait, kinds_of_tasks, copies, interop};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        parts[i]();
        in_team(parts[i]);
    }
    devices();
    firstprivate_arrays();
    dimensions(NULL);
    GOMP_parallel(dimensions, NULL, 0, 0);
    allocations(NULL);
    GOMP_parallel(allocations, NULL, 0, 0);
    return 0;
}
