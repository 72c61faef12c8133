/* A tool named by OMP_TOOL_LIBRARIES. It checks that regions, their tasks and barriers begin and end in pairs and in
 * order, and reports at its end the number of each, and the errors. MODE selects additional actions of its initialize:
 * refuse, thread (starts one that uses OpenMP, and waits for it), openmp (uses it itself), region (has one itself),
 * slow (takes its time), slower (until the program has gone on without it), ask (queries places, which must bind no
 * thread). Or the point where the tool ends itself: leave_begin, leave_end (of the first region). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omp-tools.h>

struct region {
    const void *code;
    int running; /* implicit tasks that are running */
    unsigned begun;
};

static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;
static ompt_get_unique_id_t get_unique_id;
static ompt_get_place_num_t get_place_num;
static ompt_get_partition_place_nums_t get_partition_place_nums;
static ompt_finalize_tool_t finalize_tool;
static int threads[2], regions[2], tasks[2], initials[2], syncs[2], waits[2], works[2], wrong;
static const char *mode;
static __thread int sync_depth, wait_depth;
static const char *program;

/* Defined by the program, if it is ours: the tool has begun; the program has gone on without it. */
extern int tool_begins __attribute__((weak)), program_goes_on __attribute__((weak));

static void add(int *count) {
    __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
}

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "ompt_tool.c:%d: not so: %s\n", __LINE__, #condition);                           \
            add(&wrong);                                                                                     \
        }                                                                                                    \
    } while (0)

static int is_in_program(const void *code) {
    Dl_info info;
    return code && dladdr((void *)code, &info) && strcmp(info.dli_fname, program) == 0;
}

static void leave_in(const char *leaving) {
    if (strcmp(mode, leaving) == 0)
        finalize_tool();
}

static void ask_for_places(void) {
    cpu_set_t before, after;
    int partition[CPU_SETSIZE], found = 0;
    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    int place = get_place_num(), count = get_partition_place_nums(CPU_SETSIZE, partition);
    for (int i = 0; i < count; i++)
        found += partition[i] == place;
    CHECK(place < 0 || found == 1);
    CHECK(sched_getaffinity(0, sizeof after, &after) == 0 && CPU_EQUAL(&before, &after));
}

static void thread_begin(ompt_thread_t kind, ompt_data_t *thread) {
    CHECK(kind == ompt_thread_initial || kind == ompt_thread_worker);
    CHECK(thread->value == 0 && get_thread_data() == thread);
    thread->value = get_unique_id();
    add(&threads[0]);
    if (strcmp(mode, "asks") == 0)
        ask_for_places();
}

static void thread_end(ompt_data_t *thread) {
    CHECK(thread->value != 0 && get_thread_data() == thread);
    CHECK(sync_depth == 0 && wait_depth == 0);
    add(&threads[1]);
}

static void parallel_begin(ompt_data_t *outer, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *code) {
    struct region *region = calloc(1, sizeof *region);
    CHECK(outer && outer->value != 0 && parallel->value == 0);
    CHECK(frame->enter_frame.ptr);
    CHECK(requested > 0 && flags & (ompt_parallel_team | ompt_parallel_league));
    CHECK(is_in_program(code));
    region->code = code;
    parallel->ptr = region;
    add(&regions[0]);
    leave_in("leave_begin");
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *outer, int flags, const void *code) {
    struct region *region = parallel->ptr;
    CHECK(region && outer->value != 0 && flags != 0);
    CHECK(code == region->code);
    CHECK(__atomic_load_n(&region->running, __ATOMIC_SEQ_CST) == 0); /* all ends have been reported by now */
    CHECK(region->begun > 0);
    free(region);
    add(&regions[1]);
    leave_in("leave_end");
}

static void begin_implicit(ompt_data_t *parallel, ompt_data_t *task, unsigned size, unsigned index) {
    struct region *region = parallel->ptr;
    ompt_data_t *known = NULL, *known_region = NULL;
    ompt_frame_t *frame;
    int flags = 0, num = -1, team = 0;
    CHECK(region && index < size);
    __atomic_add_fetch(&region->running, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&region->begun, 1, __ATOMIC_SEQ_CST);
    CHECK(get_task_info(0, &flags, &known, &frame, &known_region, &num) == 2);
    CHECK(known == task && known_region == parallel && flags & ompt_task_implicit && num == (int)index);
    CHECK(get_parallel_info(0, &known_region, &team) == 2 && known_region == parallel && team == (int)size);
    CHECK(get_parallel_info(1, &known_region, &team) == 2 && known_region != parallel);
    add(&tasks[0]);
}

static void implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, unsigned size,
                          unsigned index, int flags) {
    if (at == ompt_scope_begin) {
        CHECK(task->value == 0);
        task->value = get_unique_id();
    } else {
        CHECK(task->value != 0 && (size != 0) == (index == 0 && !(flags & ompt_task_initial)));
    }
    if (flags & ompt_task_initial)
        add(&initials[at == ompt_scope_end]);
    else if (at == ompt_scope_begin)
        begin_implicit(parallel, task, size, index);
    else
        add(&tasks[1]);
    if (!(flags & ompt_task_initial) && at == ompt_scope_end) {
        ompt_data_t *own = NULL;
        int team;
        CHECK(get_parallel_info(0, &own, &team) == 2 && (size == 0 || (int)size == team));
        __atomic_sub_fetch(&((struct region *)own->ptr)->running, 1, __ATOMIC_SEQ_CST);
    }
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                        ompt_data_t *task, const void *code) {
    int begins = at == ompt_scope_begin;
    CHECK(kind >= ompt_sync_region_barrier_explicit && kind <= ompt_sync_region_barrier_teams);
    CHECK(task->value != 0 || kind == ompt_sync_region_taskwait || kind == ompt_sync_region_taskgroup);
    CHECK(!begins || parallel);
    CHECK(!code || is_in_program(code));
    sync_depth += begins ? 1 : -1;
    CHECK(sync_depth >= 0);
    add(&syncs[!begins]);
}

static void sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel,
                      ompt_data_t *task, const void *code) {
    int begins = at == ompt_scope_begin, state = get_state(NULL);
    (void)parallel, (void)task, (void)code;
    CHECK(sync_depth > 0);
    if (kind == ompt_sync_region_barrier_explicit)
        CHECK(state == ompt_state_wait_barrier_explicit);
    wait_depth += begins ? 1 : -1;
    CHECK(wait_depth >= 0);
    add(&waits[!begins]);
}

static void work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                 uint64_t count, const void *code) {
    (void)kind, (void)parallel, (void)count, (void)code;
    CHECK(task->value != 0);
    add(&works[at == ompt_scope_end]);
}

static void mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t word,
                          const void *code) {
    (void)kind, (void)hint, (void)impl, (void)code;
    CHECK(word != 0 && get_thread_data() && get_thread_data()->value != 0);
}

static int control(uint64_t command, uint64_t modifier, void *arg, const void *code) {
    CHECK(command == 1 && modifier == 7 && !arg && is_in_program(code));
    return 42;
}

extern int omp_get_max_threads(void);

static void *use_openmp(void *arg) {
    (void)arg;
    return (void *)(size_t)omp_get_max_threads();
}

static void in_mode(void) {
    pthread_t other;
    int members = 0;
    if (strcmp(mode, "region") == 0) {
#pragma omp parallel num_threads(2)
        add(&members);
        CHECK(members == 2);
    }
    if (strcmp(mode, "slow") == 0)
        usleep(300000);
    while (strcmp(mode, "slower") == 0 && !__atomic_load_n(&program_goes_on, __ATOMIC_SEQ_CST))
        usleep(1000);
    if (strcmp(mode, "openmp") == 0)
        CHECK(omp_get_max_threads() > 0);
    if (strcmp(mode, "thread") == 0 && pthread_create(&other, NULL, use_openmp, NULL) == 0)
        pthread_join(other, NULL);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    ompt_get_callback_t get = (ompt_get_callback_t)lookup("ompt_get_callback");
    ompt_callback_t found;
    mode = getenv("MODE") ? getenv("MODE") : "";
    if (&tool_begins)
        __atomic_store_n(&tool_begins, 1, __ATOMIC_SEQ_CST);
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
    get_place_num = (ompt_get_place_num_t)lookup("ompt_get_place_num");
    get_partition_place_nums = (ompt_get_partition_place_nums_t)lookup("ompt_get_partition_place_nums");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    CHECK(!lookup("ompt_no_such_function"));
    CHECK(device == 0 && data->value == 0);
    program = realpath("/proc/self/exe", NULL);
    if (strcmp(mode, "refuse") == 0)
        return 0;
    in_mode();
    CHECK(set((ompt_callbacks_t)0, NULL) == ompt_set_error);
    CHECK(set((ompt_callbacks_t)1000, NULL) == ompt_set_error);
#define SET(event, function) CHECK(set(ompt_callback_##event, (ompt_callback_t)(function)) == ompt_set_always)
    SET(thread_begin, thread_begin);
    SET(thread_end, thread_end);
    SET(parallel_begin, parallel_begin);
    SET(parallel_end, parallel_end);
    SET(implicit_task, implicit_task);
    SET(sync_region, sync_region);
    SET(sync_region_wait, sync_wait);
    SET(control_tool, control);
    SET(mutex_acquire, mutex_acquire);
    CHECK(set(ompt_callback_work, (ompt_callback_t)work) == ompt_set_sometimes_paired);
    CHECK(get(ompt_callback_thread_begin, &found) == 1 && found == (ompt_callback_t)thread_begin);
    CHECK(get(ompt_callback_masked, &found) == 0);
    return 1;
}

/* exited: from within a region, whose members have not ended. */
static void finalize(ompt_data_t *data) {
    int exited = getenv("EXITS") != NULL;
    (void)data;
    CHECK(exited || (threads[0] == threads[1] && regions[0] == regions[1] && tasks[0] == tasks[1] &&
                     initials[0] == initials[1] && syncs[0] == syncs[1] && waits[0] == waits[1] &&
                     works[0] == works[1]));
    printf("tool: %d threads, %d regions, %d tasks, %d barriers, %d wrong\n", threads[0], regions[0],
           tasks[0], syncs[0], wrong);
    fflush(stdout);
}

static ompt_start_tool_result_t result = {initialize, finalize, {0}};

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    CHECK(version == 202111 && sscanf(runtime, "libblitz-omp %*d.%*d%c", &(char){0}) == 1);
    return &result;
}
