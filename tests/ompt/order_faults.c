/* The tool `order` on impossible sequences of callbacks. Each scenario plays a runtime with one mistake, in a child
 * process, and the tool must find it. Without a mistake it must report none.
 *
 *   order_faults TOOL */
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static ompt_callback_t callbacks[64];
static ompt_data_t thread, region, initial, member, inner_region;
static ompt_data_t *running;
static int team_size;

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
    callbacks[event] = callback;
    return ompt_set_always;
}

static ompt_data_t *get_thread_data(void) {
    return &thread;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
                         ompt_data_t **parallel, int *number) {
    (void)level, (void)flags, (void)frame, (void)parallel, (void)number;
    *task = running;
    return 2;
}

static int get_parallel_info(int level, ompt_data_t **parallel, int *size) {
    (void)level;
    *parallel = &inner_region;
    *size = team_size;
    return 2;
}

static int get_state(ompt_wait_id_t *wait) {
    (void)wait;
    return ompt_state_work_parallel;
}

static ompt_interface_fn_t lookup(const char *name) {
    static const struct {
        const char *name;
        ompt_interface_fn_t function;
    } known[] = {{"ompt_set_callback", (ompt_interface_fn_t)set_callback},
                 {"ompt_get_thread_data", (ompt_interface_fn_t)get_thread_data},
                 {"ompt_get_task_info", (ompt_interface_fn_t)get_task_info},
                 {"ompt_get_parallel_info", (ompt_interface_fn_t)get_parallel_info},
                 {"ompt_get_state", (ompt_interface_fn_t)get_state}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].function;
    return NULL;
}

/* ---- parts of scenarios ---- */

#define TELL(event, ...) ((ompt_callback_##event##_t)callbacks[ompt_callback_##event])(__VA_ARGS__)
#define MUTEX(event, ...) ((ompt_callback_mutex_t)callbacks[ompt_callback_mutex_##event])(__VA_ARGS__)
#define BEGIN ompt_scope_begin
#define END ompt_scope_end
static const ompt_frame_t in_main = {.enter_frame = {.ptr = &thread}};
static const ompt_frame_t in_region = {.enter_frame = {.ptr = &thread}, .exit_frame = {.ptr = &thread}};
static const void *code;

static void begin_process(void) {
    TELL(thread_begin, ompt_thread_initial, &thread);
    TELL(implicit_task, BEGIN, &region, &initial, 1, 1, ompt_task_initial);
    running = &initial;
}

static void begin_region(int size) {
    team_size = size;
    TELL(parallel_begin, &initial, &in_main, &inner_region, (unsigned)size,
         ompt_parallel_team | ompt_parallel_invoker_program, code);
    TELL(implicit_task, BEGIN, &inner_region, &member, (unsigned)size, 0, ompt_task_implicit);
    running = &member;
}

static void meet(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint) {
    TELL(sync_region, kind, endpoint, &inner_region, running, code);
}

static void end_member(void) {
    TELL(implicit_task, END, NULL, &member, 1, 0, ompt_task_implicit);
    running = &initial;
}

static void end_region(void) {
    meet(ompt_sync_region_barrier_implicit_parallel, BEGIN);
    meet(ompt_sync_region_barrier_implicit_parallel, END);
    end_member();
    TELL(parallel_end, &inner_region, &initial, ompt_parallel_team | ompt_parallel_invoker_program, code);
}

static void create(ompt_data_t *task) {
    TELL(task_create, running, &in_region, task, ompt_task_explicit, 0, code);
}

static void go(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    TELL(task_schedule, prior, status, next);
    running = next;
}

/* ---- the scenarios ---- */

static void right(void) {
    static ompt_data_t task, second;
    begin_region(1);
    meet(ompt_sync_region_taskgroup, BEGIN);
    create(&task);
    go(&member, ompt_task_switch, &task);
    create(&second);
    go(&task, ompt_task_complete, &member);
    go(&member, ompt_task_switch, &second);
    go(&second, ompt_task_complete, &member);
    meet(ompt_sync_region_taskgroup, END);
    meet(ompt_sync_region_taskwait, BEGIN);
    meet(ompt_sync_region_taskwait, END);
    TELL(mutex_acquire, ompt_mutex_critical, 0, 0, 7, code);
    MUTEX(acquired, ompt_mutex_critical, 7, code);
    MUTEX(released, ompt_mutex_critical, 7, code);
    TELL(work, ompt_work_single_executor, BEGIN, &inner_region, &member, 1, code);
    TELL(work, ompt_work_single_executor, END, &inner_region, &member, 1, code);
    end_region();
}

static void thread_twice(void) {
    static ompt_data_t again;
    TELL(thread_begin, ompt_thread_worker, &again);
}

static void region_word_used(void) {
    inner_region.ptr = &region;
    begin_region(1);
}

static void region_by_another(void) {
    begin_region(1);
    TELL(parallel_begin, &initial, &in_main, &region, 1, ompt_parallel_team, code);
}

static void region_of_no_code(void) {
    code = NULL;
    begin_region(1);
}

static void member_lacks(void) {
    begin_region(2);
    end_member();
    TELL(parallel_end, &inner_region, &initial, ompt_parallel_team | ompt_parallel_invoker_program, code);
}

static void member_twice(void) {
    static ompt_data_t other;
    begin_region(2);
    TELL(implicit_task, BEGIN, &inner_region, &other, 2, 0, ompt_task_implicit);
}

static void task_unfinished(void) {
    static ompt_data_t task;
    begin_region(1);
    create(&task);
    end_member();
    TELL(parallel_end, &inner_region, &initial, ompt_parallel_team | ompt_parallel_invoker_program, code);
}

static void barrier_before_task(void) {
    static ompt_data_t task;
    begin_region(1);
    create(&task);
    end_region();
}

static void barrier_before_member(void) {
    begin_region(2);
    meet(ompt_sync_region_barrier_explicit, BEGIN);
    meet(ompt_sync_region_barrier_explicit, END);
}

static void taskwait_before_child(void) {
    static ompt_data_t task;
    begin_region(1);
    create(&task);
    meet(ompt_sync_region_taskwait, BEGIN);
    meet(ompt_sync_region_taskwait, END);
}

static void taskgroup_before_member(void) {
    static ompt_data_t task;
    begin_region(1);
    meet(ompt_sync_region_taskgroup, BEGIN);
    create(&task);
    meet(ompt_sync_region_taskgroup, END);
}

static void sync_without_end(void) {
    begin_region(1);
    meet(ompt_sync_region_taskwait, BEGIN);
    end_member();
}

static void task_without_runner(void) {
    static ompt_data_t task;
    begin_region(1);
    go(&member, ompt_task_switch, &task);
}

static void task_runs_twice(void) {
    static ompt_data_t task;
    begin_region(1);
    create(&task);
    go(&member, ompt_task_switch, &task);
    go(&task, ompt_task_complete, &member);
    go(&member, ompt_task_switch, &task);
}

static void wrong_prior(void) {
    static ompt_data_t first, second;
    begin_region(1);
    create(&first);
    create(&second);
    go(&member, ompt_task_switch, &first);
    go(&member, ompt_task_switch, &second);
}

static void mutex_not_held(void) {
    begin_region(1);
    MUTEX(released, ompt_mutex_critical, 7, code);
}

static void mutex_from_nowhere(void) {
    begin_region(1);
    MUTEX(acquired, ompt_mutex_critical, 7, code);
}

static void two_executors(void) {
    begin_region(1);
    TELL(work, ompt_work_single_executor, BEGIN, &inner_region, &member, 1, code);
    TELL(work, ompt_work_sections, END, &inner_region, &member, 1, code);
}

static void chunk_outside(void) {
    begin_region(1);
    TELL(dispatch, &inner_region, &member, ompt_dispatch_ws_loop_chunk, (ompt_data_t){0});
}

static const struct scenario {
    const char *name;
    void (*play)(void);
    const char *fault; /* NULL: none */
} scenarios[] = {
    {"right", right, NULL},
    {"thread_twice", thread_twice, "thread_begin twice"},
    {"region_word_used", region_word_used, "parallel_begin with a used word"},
    {"region_by_another", region_by_another, "parallel_begin: not by the task that the thread runs"},
    {"region_of_no_code", region_of_no_code, "parallel_begin without an address"},
    {"member_lacks", member_lacks, "1 of 2 implicit tasks have begun"},
    {"member_twice", member_twice, "0 begins twice"},
    {"task_unfinished", task_unfinished, "parallel_end with 1 tasks unfinished"},
    {"barrier_before_task", barrier_before_task, "a barrier ends with 1 tasks unfinished"},
    {"barrier_before_member", barrier_before_member, "a barrier ends when 1 of 2 have come"},
    {"taskwait_before_child", taskwait_before_child, "a taskwait ends with 1 children unfinished"},
    {"taskgroup_before_member", taskgroup_before_member, "a taskgroup ends with 1 tasks unfinished"},
    {"sync_without_end", sync_without_end, "implicit_task's end inside sync_region"},
    {"task_without_runner", task_without_runner, "a task that was not created"},
    {"task_runs_twice", task_runs_twice, "a task that is complete"},
    {"wrong_prior", wrong_prior, "that the thread does not run"},
    {"mutex_not_held", mutex_not_held, "the task does not hold it"},
    {"mutex_from_nowhere", mutex_from_nowhere, "without its mutex_acquire"},
    {"two_executors", two_executors, "inside work of kind 3"},
    {"chunk_outside", chunk_outside, "outside of work"},
};

static int play(const char *path, const struct scenario *scenario) {
    void *tool = dlopen(path, RTLD_NOW);
    if (!tool) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    ompt_start_tool_result_t *(*start)(unsigned, const char *) =
        (ompt_start_tool_result_t * (*)(unsigned, const char *)) dlsym(tool, "ompt_start_tool");
    ompt_start_tool_result_t *result = start(0, "order_faults");
    if (!result->initialize(lookup, 0, &result->tool_data))
        return 1;
    code = (const void *)((const char *)play + 1);
    begin_process();
    scenario->play();
    result->finalize(&result->tool_data);
    return 0;
}

/* Whether the tool's report on the scenario is as expected. */
static bool is_right(const char *path, const struct scenario *scenario) {
    int ends[2];
    if (pipe(ends))
        return false;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        _exit(play(path, scenario));
    }
    close(ends[1]);
    static char said[20000];
    size_t length = 0;
    ssize_t got;
    while (length + 1 < sizeof said && (got = read(ends[0], said + length, sizeof said - length - 1)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    bool found = scenario->fault ? strstr(said, scenario->fault) != NULL && strstr(said, "FAULT") != NULL
                                 : strstr(said, " 0 faults") != NULL;
    if (status != 0 || !found)
        printf("FAIL %s: status %d, said:\n%s", scenario->name, status, said);
    return status == 0 && found;
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    int failures = 0;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        failures += !is_right(argv[1], &scenarios[i]);
    printf("%zu scenarios, %d wrong\n", sizeof scenarios / sizeof *scenarios, failures);
    return failures != 0;
}
