/* order: a tool that checks a runtime's events. Loaded by OMP_TOOL_LIBRARIES into any OpenMP program.
 *
 * It follows each thread, parallel region and task from callback to callback, and reports impossible ones on stderr: an
 * end without its beginning, a callback about an object that does not exist yet or any more, a task that runs twice at
 * a time, a taskwait that ends before a child does, a barrier that ends before all threads have arrived. At the end it
 * prints a summary:
 *
 *   order: 5309 callbacks, 12 regions, 800 tasks, 0 faults
 *
 * Environment: ORDER_LIBOMP not empty allows the behaviour of libomp 19: workers report the end of their part of a
 * region when the region is over, and their query for their task then fails; an address is the runtime's own where the
 * program's function ends by a jump into it.
 *
 * Only the thread that runs a task writes the task's and its own fields, at its callbacks; counters of several threads
 * are atomic. Completed objects are kept, so that late callbacks about them are seen. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "order.h"

const char *const scope_names[] = {"work", "sync_region", "sync_region_wait", "masked"};
const char *const state_names[] = {"created", "running", "suspended", "detached", "complete"};

static ompt_get_thread_data_t get_thread_data;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_state_t get_state;
static _Thread_local struct thread *me;
static atomic_long callbacks, regions, tasks, faults;
static bool libomp;
static const void *runtime;           /* its object's load address */
static uintptr_t code_low, code_high; /* the program's own */

/* How often a fault of this text has been reported. */
static unsigned times_said(const char *format) {
    static struct {
        const char *_Atomic format;
        atomic_uint count;
    } said[FAULTS_MOST];
    for (int i = 0; i < FAULTS_MOST; i++) {
        const char *found = NULL;
        if (atomic_compare_exchange_strong(&said[i].format, &found, format) || found == format)
            return atomic_fetch_add(&said[i].count, 1);
    }
    return 0;
}

void fault(const char *format, ...) {
    atomic_fetch_add(&faults, 1);
    if (times_said(format) >= FAULTS_SHOWN)
        return;
    char text[300] = "order: FAULT: ";
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length - 2, format, arguments);
    va_end(arguments);
    if (length > sizeof text - 2)
        length = sizeof text - 2;
    text[length++] = '\n';
    if (write(2, text, length) < 0)
        return;
}

void *made(size_t size) {
    void *block = calloc(1, size);
    if (!block)
        abort();
    return block;
}

/* ---- the origin of a callback ---- */

static int find_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            code_low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            code_high = code_low + info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the first object is the program */
}

/* Checks for code of the program, or of a library other than the runtime. NULL if the runtime may not know it. */
void check_code(const char *callback, const void *code, bool known) {
    if (!code) {
        if (known)
            fault("%s without an address in the program", callback);
        return;
    }
    if ((uintptr_t)code - code_low < code_high - code_low)
        return;
    Dl_info info;
    if (!dladdr(code, &info))
        fault("%s at %p, which is no code", callback, code);
    else if (info.dli_fbase == runtime && !libomp)
        fault("%s at %p, which is the runtime's", callback, code);
}

/* Called in each callback but the first of a thread. */
struct thread *self(const char *callback) {
    atomic_fetch_add(&callbacks, 1);
    if (!me) {
        fault("%s on a thread that has not begun", callback);
        return NULL;
    }
    ompt_data_t *data = get_thread_data();
    if (!data || data->ptr != me)
        fault("%s: ompt_get_thread_data gives another thread's", callback);
    return me;
}

struct task *task_of(const char *callback, const ompt_data_t *data) {
    struct task *task = data ? data->ptr : NULL;
    if (!task || task->magic != TASK) {
        fault("%s of a task that was not created", callback);
        return NULL;
    }
    if (task->state == COMPLETE)
        fault("%s of a task that is complete", callback);
    return task;
}

/* The same for a task that this thread runs. */
struct task *current(const char *callback, const ompt_data_t *data) {
    struct thread *thread = self(callback);
    struct task *task = task_of(callback, data);
    if (!thread || !task)
        return NULL;
    if (task != thread->runs) {
        fault("%s: not by the task that the thread runs", callback);
        return NULL;
    }
    if (task->state != RUNS)
        fault("%s by a task that is %s", callback, state_names[task->state]);
    ompt_data_t *reported = NULL, *region = NULL;
    int flags, number;
    if ((get_task_info(0, &flags, &reported, NULL, &region, &number) != 2 || reported != data) && !libomp)
        fault("%s: ompt_get_task_info gives another task than the current one", callback);
    return task;
}

void check_region(const char *callback, const ompt_data_t *data, const struct task *task, bool may_lack) {
    if (!data) {
        if (!may_lack)
            fault("%s without its region", callback);
    } else if (data->ptr != task->region)
        fault("%s: not in the region of its task", callback);
}

static void check_frame(const char *callback, const ompt_frame_t *frame, const struct task *task) {
    if (!frame) {
        fault("%s without a frame", callback);
        return;
    }
    if (!frame->enter_frame.ptr)
        fault("%s: the frame in which the task has entered the runtime is not known", callback);
    bool is_program =
        task->flags & ompt_task_initial && !task->below; /* not of a league or a target region */
    if (!frame->exit_frame.ptr != is_program && !(task->flags & ompt_task_initial && task->below))
        fault("%s: exit frame %p of %s", callback, frame->exit_frame.ptr,
              is_program ? "the initial task" : "another task");
}

/* ---- scopes of a task ---- */

struct scope *begin(const char *callback, struct task *task, enum scope_kind what, int kind) {
    if (task->scopes == SCOPES_MOST) {
        fault("%s: %d constructs inside each other", callback, SCOPES_MOST);
        return NULL;
    }
    struct scope *scope = &task->scope[task->scopes++];
    *scope = (struct scope){what, kind, NULL, 0};
    return scope;
}

bool end(const char *callback, struct task *task, enum scope_kind what, int kind) {
    if (task->scopes == 0) {
        fault("%s ends kind %d, and nothing has begun", callback, kind);
        return false;
    }
    struct scope *scope = &task->scope[task->scopes - 1];
    if (scope->what != what || scope->kind != kind) {
        fault("%s ends kind %d inside %s of kind %d", callback, kind, scope_names[scope->what], scope->kind);
        return false;
    }
    task->scopes--;
    return true;
}

static void check_nothing_open(const char *callback, struct task *task) {
    if (task->scopes > 0)
        fault("%s inside %s of kind %d", callback, scope_names[task->scope[task->scopes - 1].what],
              task->scope[task->scopes - 1].kind);
    if (task->acquires)
        fault("%s of a task that still acquires a mutex", callback);
    task->scopes = 0;
}

/* ---- threads ---- */

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
    (void)type;
    atomic_fetch_add(&callbacks, 1);
    if (me)
        fault("thread_begin twice");
    if (data->ptr)
        fault("thread_begin with a used word");
    me = made(sizeof *me);
    me->magic = THREAD;
    data->ptr = me;
    me->data = data;
}

static void on_thread_end(ompt_data_t *data) {
    struct thread *thread = self("thread_end");
    if (!thread)
        return;
    if (data->ptr != thread)
        fault("thread_end of another thread");
    if (thread->runs)
        fault("thread_end with a task that runs, of flags %x", (unsigned)thread->runs->flags);
    me = NULL;
}

/* ---- regions and implicit tasks ---- */

static struct region *new_region(struct task *creator, int flags) {
    struct region *region = made(sizeof *region);
    region->magic = REGION;
    region->creator = creator;
    region->flags = flags;
    atomic_fetch_add(&regions, 1);
    return region;
}

/* The runtime's region in each team of a league in clang's code: no code opens it. */
static bool is_inner(const struct task *task, int flags, const void *code) {
    return !code && flags == (int)(ompt_parallel_team | ompt_parallel_invoker_runtime) && task &&
           task->flags & ompt_task_initial && task->region && task->region->flags & ompt_parallel_league;
}

static void on_parallel_begin(ompt_data_t *task_data, const ompt_frame_t *frame, ompt_data_t *data,
                              unsigned requested, int flags, const void *code) {
    struct task *task = current("parallel_begin", task_data);
    if (data->ptr)
        fault("parallel_begin with a used word");
    data->ptr = new_region(task, flags);
    bool is_team = flags & ompt_parallel_team, is_league = flags & ompt_parallel_league;
    if (is_team == is_league)
        fault("parallel_begin with flags %x", (unsigned)flags);
    if (requested == 0)
        fault("parallel_begin asks for no threads");
    if (is_inner(task, flags, code))
        return;
    check_code("parallel_begin", code, true);
    if (task)
        check_frame("parallel_begin", frame, task);
}

static struct region *region_of(const char *callback, const ompt_data_t *data) {
    struct region *region = data ? data->ptr : NULL;
    if (!region || region->magic != REGION) {
        fault("%s of a region that has not begun", callback);
        return NULL;
    }
    if (region->over)
        fault("%s of a region that has ended", callback);
    return region;
}

static void on_parallel_end(ompt_data_t *data, ompt_data_t *task_data, int flags, const void *code) {
    struct task *task = current("parallel_end", task_data);
    struct region *region = region_of("parallel_end", data);
    if (!is_inner(task, flags, code))
        check_code("parallel_end", code, true);
    if (!region)
        return;
    if (region->creator != task)
        fault("parallel_end by another task than its beginning");
    if ((region->flags ^ flags) & (ompt_parallel_team | ompt_parallel_league))
        fault("parallel_end with flags %x, begun with %x", (unsigned)flags, (unsigned)region->flags);
    if (region->begun != region->size)
        fault("parallel_end: %d of %d implicit tasks have begun", region->begun, region->size);
    if (!libomp && region->ended == 0)
        fault("parallel_end before the end of the primary thread's implicit task");
    if (region->tasks != 0)
        fault("parallel_end with %ld tasks unfinished", region->tasks);
    region->over = true;
}

static void implicit_begin(struct thread *thread, ompt_data_t *parallel_data, ompt_data_t *data,
                           unsigned size, unsigned index, int flags) {
    if (data->ptr)
        fault("implicit_task begins with a used word");
    bool is_initial = flags & ompt_task_initial;
    struct region *region = parallel_data ? parallel_data->ptr : NULL;
    if (is_initial && !region) {
        region = new_region(NULL, 0);
        region->is_implicit = true;
        if (parallel_data)
            parallel_data->ptr = region;
    } else
        region = region_of("implicit_task", parallel_data);
    struct task *task = made(sizeof *task);
    task->magic = TASK;
    data->ptr = task;
    task->state = RUNS;
    task->flags = flags;
    task->region = region;
    task->creator = region ? region->creator : NULL;
    task->index = (int)index;
    task->thread = thread;
    task->below = thread->runs;
    thread->runs = task;
    if (!region || region->is_implicit)
        return;
    int reported = 0;
    if (!atomic_compare_exchange_strong(&region->size, &reported, (int)size) && reported != (int)size)
        fault("implicit_task of %u, another one of %d", size, reported);
    if (index >= size || index >= MEMBERS_MOST)
        fault("implicit_task: %u of %u", index, size);
    else if (atomic_fetch_add(&region->begun_by[index], 1) != 0)
        fault("implicit_task: %u begins twice", index);
    atomic_fetch_add(&region->begun, 1);
    if (region->flags & ompt_parallel_team && (index == 0) != (task->below == region->creator))
        fault("implicit_task: %u is on the wrong thread", index);
    ompt_data_t *reported_region = NULL;
    int reported_size = 0;
    bool is_reported = get_parallel_info(0, &reported_region, &reported_size) == 2;
    if (!is_initial && (!is_reported || reported_region != parallel_data || reported_size != (int)size))
        fault("implicit_task of %u: ompt_get_parallel_info gives another region, or %d threads", size,
              reported_size);
    ompt_wait_id_t wait;
    int state = get_state(&wait);
    if (!is_initial && state != ompt_state_work_parallel)
        fault("implicit_task of %u begins in state %x", size, (unsigned)state);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data, ompt_data_t *data,
                             unsigned size, unsigned index, int flags) {
    if (endpoint == ompt_scope_begin) {
        struct thread *thread = self("implicit_task");
        if (thread)
            implicit_begin(thread, parallel_data, data, size, index, flags);
        return;
    }
    struct task *task = current("implicit_task's end", data);
    if (!task)
        return;
    check_nothing_open("implicit_task's end", task);
    if (!(task->flags & (ompt_task_implicit | ompt_task_initial)))
        fault("implicit_task ends a task of flags %x", (unsigned)task->flags);
    if (task->index != (int)index)
        fault("implicit_task %d ends as %u", task->index, index);
    check_region("implicit_task's end", parallel_data, task, true);
    if (flags & ompt_task_initial && !task->below && !parallel_data) /* Archer of LLVM 14 requires one */
        fault("a thread's initial task ends without its region");
    if (task->region) {
        if (task->region->over && !libomp && index == 0)
            fault("implicit_task's end after its region's");
        atomic_fetch_add(&task->region->ended, 1);
    }
    task->state = COMPLETE;
    task->thread->runs = task->below;
}

/* ---- explicit tasks ---- */

/* Adds to each count of unfinished tasks. */
static void count_task(struct task *task, int by) {
    atomic_fetch_add(&task->creator->children, by);
    atomic_fetch_add(&task->region->tasks, by);
    atomic_fetch_add(&barrier_of(task->region, task->barriers)->tasks, by);
    if (task->group)
        atomic_fetch_add(&task->group->tasks, by);
}

static void on_task_create(ompt_data_t *task_data, const ompt_frame_t *frame, ompt_data_t *data, int flags,
                           int has_dependences, const void *code) {
    (void)has_dependences;
    struct task *task = current("task_create", task_data);
    if (data->ptr)
        fault("task_create with a used word");
    if (!task || !task->region)
        return;
    check_frame("task_create", frame, task);
    check_code("task_create", code, true);
    struct task *made_task = made(sizeof *made_task);
    made_task->magic = TASK;
    made_task->flags = flags;
    made_task->region = task->region;
    made_task->creator = task;
    made_task->group = task->group;
    made_task->barriers = task->barriers;
    data->ptr = made_task;
    if (flags & ompt_task_taskwait) {
        task->waits_for_some = true;
        return;
    }
    if (!(flags & (ompt_task_explicit | ompt_task_target)))
        fault("task_create with flags %x", (unsigned)flags);
    atomic_fetch_add(&tasks, 1);
    count_task(made_task, 1);
}

void finish(struct task *task, const char *how) {
    if (!(task->flags & (ompt_task_explicit | ompt_task_target))) {
        fault("task_schedule: a task of flags %x is %s", (unsigned)task->flags, how);
        return;
    }
    task->state = COMPLETE;
    count_task(task, -1);
}

/* The thread switches to `next`. */
static void go_on(struct thread *thread, struct task *next) {
    enum state was = next->state;
    bool is_tied = !(next->flags & ompt_task_untied);
    if (was != CREATED && was != SUSPENDED)
        fault("task_schedule: goes on with a task that is %s", state_names[was]);
    else if (was == SUSPENDED && is_tied && next->thread != thread)
        fault("task_schedule: a tied task goes on on another thread");
    next->state = RUNS;
    next->thread = thread;
    thread->runs = next;
}

static void on_task_schedule(ompt_data_t *prior_data, ompt_task_status_t status, ompt_data_t *next_data) {
    if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill ||
        status == ompt_taskwait_complete) {
        atomic_fetch_add(&callbacks, 1); /* by any thread */
        struct task *task = task_of("task_schedule", prior_data);
        if (!task || status == ompt_taskwait_complete)
            return;
        if ((task->state == DETACHED) != (status == ompt_task_late_fulfill))
            fault("task_schedule: status %d of a task that is %s", status, state_names[task->state]);
        if (status == ompt_task_late_fulfill)
            finish(task, "fulfilled");
        return;
    }
    struct thread *thread = self("task_schedule");
    struct task *prior = task_of("task_schedule", prior_data);
    if (!thread || !prior)
        return;
    if (prior != thread->runs)
        fault("task_schedule: status %d of a task that is %s and that the thread does not run", status,
              state_names[prior->state]);
    if (status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach) {
        check_nothing_open("task_schedule", prior);
        if (status == ompt_task_detach)
            prior->state = DETACHED;
        else
            finish(prior, status == ompt_task_complete ? "complete" : "cancelled");
    } else if (status == ompt_task_switch || status == ompt_task_yield)
        prior->state = SUSPENDED;
    else
        fault("task_schedule with status %d", status);
    struct task *next = task_of("task_schedule", next_data);
    if (next)
        go_on(thread, next);
}

/* ---- the tool ---- */

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    Dl_info info;
    runtime = dladdr((void *)lookup, &info) ? info.dli_fbase : NULL;
    dl_iterate_phdr(find_program, NULL);
    libomp = getenv("ORDER_LIBOMP") && *getenv("ORDER_LIBOMP");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (!set || !get_thread_data || !get_task_info || !get_parallel_info || !get_state) {
        fault("a function is missing");
        return 0;
    }
#define SET_FROM(event, least)                                                                               \
    if (set(ompt_callback_##event, (ompt_callback_t)on_##event) < least)                                     \
    fault("not all of " #event " are reported")
#define SET(event) SET_FROM(event, ompt_set_always)
    SET(thread_begin);
    SET(thread_end);
    SET(parallel_begin);
    SET(parallel_end);
    SET(implicit_task);
    SET(task_create);
    SET(task_schedule);
    SET(sync_region);
    SET(sync_region_wait);
    SET_FROM(reduction, ompt_set_sometimes);
    SET_FROM(work, ompt_set_sometimes); /* gcc's code has some without a call */
    SET_FROM(dispatch, ompt_set_sometimes);
    SET_FROM(masked, ompt_set_sometimes);
    SET(cancel);
    SET(mutex_acquire);
    SET(mutex_acquired);
    SET(mutex_released);
    SET(nest_lock);
#undef SET
#undef SET_FROM
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    char text[200];
    int length = snprintf(text, sizeof text, "order: %ld callbacks, %ld regions, %ld tasks, %ld faults\n",
                          callbacks, regions, tasks, faults);
    if (write(2, text, (size_t)length) < 0)
        return;
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(unsigned version,
                                                                                 const char *name) {
    (void)version, (void)name;
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}
