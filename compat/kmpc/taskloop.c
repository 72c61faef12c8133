/* __kmpc_taskloop and __kmpc_taskloop_5. The task that the program has filled in is the pattern of the loop's tasks: it
 * never runs. Each of them is a copy of it, which lies behind its note and descriptor's address as the pattern does. */
#include <string.h>

#include "task.h"

/* The pattern of the copies. */
struct pattern {
    struct kmpc_task *task;
    size_t size;               /* of a copy, with the words before it */
    size_t front;              /* of the task without its shared part */
    size_t lower_at, upper_at; /* where its bounds are, from its beginning */
    uint64_t step;
    kmpc_task_dup_fn *dup; /* NULL: a copy will do */
};

/* A copy begins in the second line of a task's arguments; before it are the two words that bomp_task_note knows. */
enum { COPY_AT = 64, WORDS = 16 };

static struct kmpc_task *copy_in(void *arguments) {
    return (struct kmpc_task *)((char *)arguments + COPY_AT);
}

/* At least 16 bytes, by moves. */
static void copy(char *to, const char *from, size_t size) {
    for (size_t i = 0; i < size - 16; i += 16)
        memcpy(to + i, from + i, 16);
    memcpy(to + size - 16, from + size - 16, 16);
}

static void place_bounds(struct kmpc_task *task, const struct pattern *pattern, struct bomp_span span) {
    uint64_t upper = span.end - pattern->step;
    memcpy((char *)task + pattern->lower_at, &span.first, sizeof span.first);
    memcpy((char *)task + pattern->upper_at, &upper, sizeof upper);
}

static void make_copy(void *arguments, void *data, struct bomp_span span, unsigned flags) {
    const struct pattern *pattern = data;
    struct kmpc_task *task = copy_in(arguments);
    copy((char *)task - WORDS, (const char *)pattern->task - WORDS, pattern->size);
    task->shared = (char *)task + pattern->front;
    place_bounds(task, pattern, span);
    if (pattern->dup)
        pattern->dup(task, pattern->task, flags & BOMP_TASKLOOP_LAST);
}

static void run_copy(void *arguments) {
    kmpc_task_run(copy_in(arguments));
}

static void make_and_run_copy(void *arguments, void *data, struct bomp_span span, unsigned flags) {
    make_copy(arguments, data, span, flags);
    run_copy(arguments);
}

/* A plain task is tied, has nothing to destroy, and its bounds where all compilers have them. It changes its own private
 * variables alone. What is known of the thread that it runs on lies in front of it, in the first line. */
struct plain {
    int32_t id;
    struct kmpc_taskloop loop __attribute__((aligned(COPY_AT)));
};

__attribute__((noinline)) static void make_and_run_first(struct plain *plain, void *data,
                                                         struct bomp_span span) {
    make_copy(plain, data, span, 0);
    plain->id = bomp_thread_id();
    plain->loop.task.entry(plain->id, &plain->loop);
}

/* The bounds are stored apart: to put them together for one store takes longer. */
static void make_and_run_plain(void *arguments, void *data, struct bomp_span span, unsigned flags) {
    const struct pattern *pattern = data;
    struct plain *plain = arguments;
    if (__builtin_expect(!(flags & BOMP_TASKLOOP_AGAIN), 0)) {
        make_and_run_first(plain, data, span);
        return;
    }
    plain->loop.lower = span.first;
    for (size_t i = sizeof plain->loop; i < pattern->front; i += 8)
        memcpy((char *)&plain->loop + i, (const char *)pattern->task + i, 8);
    plain->loop.upper = span.end - pattern->step;
    plain->loop.task.entry(plain->id, &plain->loop);
}

static void end_pattern(void *data) {
    const struct pattern *pattern = data;
    kmpc_task_destroy(pattern->task, bomp_thread_id());
    bomp_task_release(pattern->task);
}

/* The bounds are inclusive, and of a signed or an unsigned variable: there are no iterations if both say so. */
static struct bomp_loop loop_of(uint64_t lower, uint64_t upper, int64_t step) {
    uint64_t from = step > 0 ? lower : upper, to = step > 0 ? upper : lower, by = (uint64_t)step;
    bool none = (to < from && (int64_t)to < (int64_t)from) || step == 0;
    uint64_t count = none ? 0 : (to - from) / (step > 0 ? by : -by) + 1;
    return (struct bomp_loop){
        .base = lower, .step = by, .count = count, .end = lower + count * by, .schedule = BOMP_LOOP_STATIC};
}

static bool is_plain(const struct pattern *pattern) {
    uint64_t note = *bomp_task_note(pattern->task);
    return (note & (KMPC_TASK_TIED | KMPC_TASK_DESTRUCTORS)) == KMPC_TASK_TIED &&
           pattern->lower_at == offsetof(struct kmpc_taskloop, lower) &&
           pattern->upper_at == offsetof(struct kmpc_taskloop, upper);
}

static struct bomp_taskloop taskloop_of(struct pattern *pattern, bool deferred) {
    struct bomp_task_spec spec = kmpc_task_spec(pattern->task);
    return (struct bomp_taskloop){
        .task = {.fn = run_copy,
                 .data = pattern,
                 .size = sizeof *pattern,
                 .align = _Alignof(struct pattern),
                 .undeferred = !deferred,
                 .final = spec.final,
                 .untied = spec.untied,
                 .priority = spec.priority,
                 .cleans = spec.cleans},
        .own = {.make = make_copy,
                .make_and_run = pattern->dup        ? NULL
                                : is_plain(pattern) ? make_and_run_plain
                                                    : make_and_run_copy,
                .size = COPY_AT - WORDS + pattern->size,
                .align = COPY_AT,
                .code = pattern->task->entry,
                .end = end_pattern},
    };
}

/* Where it lies in the pattern. */
static size_t place_of(const struct pattern *pattern, const uint64_t *bound) {
    size_t at = (size_t)((const char *)bound - (const char *)pattern->task);
    if (at > pattern->size - WORDS - sizeof *bound)
        bomp_unknown_layout("a taskloop's task");
    return at;
}

static struct pattern pattern_of(struct kmpc_task *task, const uint64_t *lower, const uint64_t *upper,
                                 int64_t step, kmpc_task_dup_fn *dup) {
    size_t front = kmpc_task_front(task);
    struct pattern pattern = {.task = task,
                              .size = WORDS + front + kmpc_task_back(task),
                              .front = front,
                              .step = (uint64_t)step,
                              .dup = dup};
    pattern.lower_at = place_of(&pattern, lower);
    pattern.upper_at = place_of(&pattern, upper);
    return pattern;
}

/* The tasks that the clauses ask for. Of a loop without, ten for each thread. */
static void cut(struct bomp_taskloop *loop, const char *entry, int32_t schedule, uint64_t number) {
    if (schedule < KMPC_TASKLOOP_ANY || schedule > KMPC_TASKLOOP_NUM_TASKS)
        bomp_unknown_bits(entry, "schedule", (uint32_t)schedule);
    loop->by_grain = schedule == KMPC_TASKLOOP_GRAINSIZE;
    loop->number = schedule == KMPC_TASKLOOP_ANY ? 10 * (uint64_t)bomp_num_threads() : number;
}

/* Compilers open the taskgroup themselves, and say nogroup. */
static void run(const struct bomp_taskloop *loop, bool group, const void *site) {
    if (group)
        bomp_taskgroup_start();
    BOMP_STILL(site);
    bomp_taskloop(loop);
    BOMP_STILL(site);
    if (group)
        bomp_taskgroup_end();
}

static void taskloop(const char *entry, struct kmpc_task *task, bool deferred, const uint64_t *lower,
                     const uint64_t *upper, int64_t step, bool nogroup, int32_t schedule, uint64_t number,
                     bool strict, kmpc_task_dup_fn *dup, const void *site) {
    struct pattern pattern = pattern_of(task, lower, upper, step, dup);
    struct bomp_taskloop loop = taskloop_of(&pattern, deferred);
    loop.loop = loop_of(*lower, *upper, step);
    loop.strict = strict;
    loop.waited = !nogroup;
    cut(&loop, entry, schedule, number);
    run(&loop, !nogroup, site);
}

BOMP_EXPORT void __kmpc_taskloop(struct kmpc_ident *place, int32_t id, struct kmpc_task *task,
                                 int32_t deferred, uint64_t *lower, uint64_t *upper, int64_t step,
                                 int32_t nogroup, int32_t schedule, uint64_t number, kmpc_task_dup_fn *dup) {
    BOMP_ENTERED();
    taskloop("__kmpc_taskloop", task, deferred, lower, upper, step, nogroup, schedule, number, false, dup,
             BOMP_RETURN);
}

BOMP_EXPORT void __kmpc_taskloop_5(struct kmpc_ident *place, int32_t id, struct kmpc_task *task,
                                   int32_t deferred, uint64_t *lower, uint64_t *upper, int64_t step,
                                   int32_t nogroup, int32_t schedule, uint64_t number, int32_t modifier,
                                   kmpc_task_dup_fn *dup) {
    if (modifier & ~KMPC_TASKLOOP_STRICT)
        bomp_unknown_bits("__kmpc_taskloop_5", "modifier",
                          (uint32_t)modifier & ~(uint32_t)KMPC_TASKLOOP_STRICT);
    BOMP_ENTERED();
    taskloop("__kmpc_taskloop_5", task, deferred, lower, upper, step, nogroup, schedule, number,
             modifier & KMPC_TASKLOOP_STRICT, dup, BOMP_RETURN);
}
