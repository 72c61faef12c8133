/* __kmpc_taskloop and __kmpc_taskloop_5. The task that the program has filled in is the pattern of the loop's tasks: it
 * never runs. Each of them is a copy of it, which lies behind its note and descriptor's address as the pattern does. */
#include <string.h>

#include "task.h"

BOMP_EXPORT void __kmpc_taskloop(struct kmpc_ident *, int32_t, struct kmpc_task *, int32_t, uint64_t *,
                                 uint64_t *, int64_t, int32_t, int32_t, uint64_t, kmpc_task_dup_fn *);
BOMP_EXPORT void __kmpc_taskloop_5(struct kmpc_ident *, int32_t, struct kmpc_task *, int32_t, uint64_t *,
                                   uint64_t *, int64_t, int32_t, int32_t, uint64_t, int32_t,
                                   kmpc_task_dup_fn *);

/* What copies are made from. */
struct pattern {
    struct kmpc_task *task;
    size_t size;               /* of a copy, with what is before it */
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

static void place_bounds(struct kmpc_task *task, const struct pattern *pattern,
                         const struct bomp_span *span) {
    uint64_t upper = span->end - pattern->step;
    memcpy((char *)task + pattern->lower_at, &span->first, sizeof span->first);
    memcpy((char *)task + pattern->upper_at, &upper, sizeof upper);
}

static void make_copy(void *arguments, void *data, const struct bomp_taskloop_part *part) {
    const struct pattern *pattern = data;
    struct kmpc_task *task = copy_in(arguments);
    copy((char *)task - WORDS, (const char *)pattern->task - WORDS, pattern->size);
    task->shared = (char *)task + pattern->front;
    place_bounds(task, pattern, &part->span);
    if (pattern->dup)
        pattern->dup(task, pattern->task, part->last);
}

/* A plain task changes its own private variables alone, and what we place. */
static void make_plain_copy(void *arguments, void *data, const struct bomp_taskloop_part *part) {
    const struct pattern *pattern = data;
    struct kmpc_task *task = copy_in(arguments);
    if (!part->again) {
        make_copy(arguments, data, part);
        return;
    }
    for (size_t i = sizeof(struct kmpc_taskloop); i < pattern->front; i += 8)
        memcpy((char *)task + i, (const char *)pattern->task + i, 8);
    place_bounds(task, pattern, &part->span);
}

/* A tied one that has nothing to destroy: whoever began it has looked whether it is cancelled. */
static void run_plain_copy(void *arguments) {
    struct kmpc_task *task = copy_in(arguments);
    task->entry(bomp_thread_id(), task);
}

static void run_copy(void *arguments) {
    kmpc_task_run(copy_in(arguments));
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

static struct bomp_taskloop taskloop_of(struct pattern *pattern, bool deferred) {
    uint64_t note = *bomp_task_note(pattern->task);
    struct bomp_task_spec spec = kmpc_task_spec(pattern->task);
    bool plain = !pattern->dup && (note & (KMPC_TASK_TIED | KMPC_TASK_DESTRUCTORS)) == KMPC_TASK_TIED;
    bool known = pattern->lower_at == offsetof(struct kmpc_taskloop, lower) &&
                 pattern->upper_at == offsetof(struct kmpc_taskloop, upper);
    return (struct bomp_taskloop){
        .task = {.fn = plain ? run_plain_copy : run_copy,
                 .data = pattern,
                 .size = sizeof *pattern,
                 .align = _Alignof(struct pattern),
                 .undeferred = !deferred,
                 .final = spec.final,
                 .untied = spec.untied,
                 .priority = spec.priority},
        .own = {.make = plain && known ? make_plain_copy : make_copy,
                .size = COPY_AT - WORDS + pattern->size,
                .align = COPY_AT,
                .created = pattern->dup,
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
static void run(const struct bomp_taskloop *loop, bool group) {
    if (group)
        bomp_taskgroup_start();
    bomp_taskloop(loop);
    if (group)
        bomp_taskgroup_end();
}

void __kmpc_taskloop(struct kmpc_ident *place, int32_t id, struct kmpc_task *task, int32_t deferred,
                     uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t schedule,
                     uint64_t number, kmpc_task_dup_fn *dup) {
    __kmpc_taskloop_5(place, id, task, deferred, lower, upper, step, nogroup, schedule, number, 0, dup);
}

void __kmpc_taskloop_5(struct kmpc_ident *place, int32_t id, struct kmpc_task *task, int32_t deferred,
                       uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t schedule,
                       uint64_t number, int32_t modifier, kmpc_task_dup_fn *dup) {
    (void)place, (void)id;
    if (modifier & ~KMPC_TASKLOOP_STRICT)
        bomp_unknown_bits("__kmpc_taskloop_5", "modifier",
                          (uint32_t)modifier & ~(uint32_t)KMPC_TASKLOOP_STRICT);
    struct pattern pattern = pattern_of(task, lower, upper, step, dup);
    struct bomp_taskloop loop = taskloop_of(&pattern, deferred);
    loop.loop = loop_of(*lower, *upper, step);
    loop.strict = modifier & KMPC_TASKLOOP_STRICT;
    loop.waited = !nogroup;
    cut(&loop, "__kmpc_taskloop", schedule, number);
    run(&loop, !nogroup);
}
