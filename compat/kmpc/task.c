/* Explicit tasks: their memory, which is handed out first, their creation, and waits. */
#include "task.h"

#include "depend.h"

/* Functions that begin with a cache line, as those that they end with (BZ_LINE_START in compiler.h). */
#define LINE_START __attribute__((aligned(64)))

#define likely(x) __builtin_expect(x, 1)

/* ---- memory ---- */

/* The rare ones. As under libomp, a task for free agent threads is its team's, and a transparent one is as others are. The
 * handle of a proxy task's event stands behind its shared part. */
__attribute__((noinline)) static struct kmpc_task *alloc(unsigned flags, size_t size, size_t shared,
                                                         kmpc_task_fn *entry) {
    if (flags & ~(unsigned)KMPC_TASK_FLAGS)
        bomp_unknown_bits("__kmpc_omp_task_alloc", "flags", flags & ~(unsigned)KMPC_TASK_FLAGS);
    uint64_t note = (flags & ~(unsigned)KMPC_TASK_IDLE) | (uint64_t)shared << KMPC_TASK_NOTE;
    size_t back = flags & KMPC_TASK_PROXY ? shared + 2 * sizeof(void *) : shared;
    struct kmpc_task *task = bomp_task_reserve(size, back, note, entry);
    if (flags & KMPC_TASK_PROXY) {
        *kmpc_task_proxy_event(task) = bomp_task_event(task);
        *bomp_task_note(task) |= KMPC_TASK_HAS_EVENT;
    }
    return task;
}

BOMP_EXPORT LINE_START struct kmpc_task *__kmpc_omp_task_alloc(struct kmpc_ident *where, int32_t id,
                                                               int32_t flags, size_t size, size_t shared,
                                                               kmpc_task_fn *entry) {
    const unsigned rare = KMPC_TASK_PROXY | KMPC_TASK_IDLE | ~(unsigned)KMPC_TASK_FLAGS;
    if (likely(((unsigned)flags & rare) == 0))
        return bomp_task_reserve(size, shared, (unsigned)flags | (uint64_t)shared << KMPC_TASK_NOTE, entry);
    return alloc((unsigned)flags, size, shared, entry);
}

/* The task of a target region on the host, which is the only device: untied, as OpenMP says, and helpers run it. */
BOMP_EXPORT struct kmpc_task *__kmpc_omp_target_task_alloc(struct kmpc_ident *where, int32_t id,
                                                           int32_t flags, size_t size, size_t shared,
                                                           kmpc_task_fn *entry, int64_t device) {
    struct kmpc_task *task = __kmpc_omp_task_alloc(where, id, flags & ~KMPC_TASK_TIED, size, shared, entry);
    *bomp_task_note(task) |= KMPC_TASK_HELPED;
    return task;
}

/* ---- running ---- */

/* A part of an untied task that is not the last one submits the task again before it returns. All run here, so no other
 * thread reads the note. */
static void run_parts(struct kmpc_task *task, int32_t id) {
    uint64_t *note = bomp_task_note(task);
    *note |= KMPC_TASK_RUNS | KMPC_TASK_AGAIN;
    while (*note & KMPC_TASK_AGAIN) {
        *note &= ~(uint64_t)KMPC_TASK_AGAIN;
        task->entry(id, task);
    }
}

/* For an untied task without anything special. */
static void run_untied(void *task) {
    run_parts(task, bomp_thread_id());
}

void kmpc_task_destroy(struct kmpc_task *task, int32_t id) {
    if (*bomp_task_note(task) & KMPC_TASK_DESTRUCTORS)
        task->destructors(id, task);
}

void kmpc_task_run(void *arg) {
    struct kmpc_task *task = arg;
    int32_t id = bomp_thread_id();
    if (!bomp_task_is_discarded())
        run_parts(task, id);
    kmpc_task_destroy(task, id);
}

/* ---- creation ---- */

/* Not one with an event, as only its team is notified of that. */
static bool may_help(uint64_t note) {
    return (note & (KMPC_TASK_HELPED | KMPC_TASK_HAS_EVENT)) == KMPC_TASK_HELPED && bomp_task_may_help();
}

struct bomp_task_spec kmpc_task_spec(struct kmpc_task *task) {
    uint64_t note = *bomp_task_note(task);
    return (struct bomp_task_spec){
        .fn = kmpc_task_run,
        .data = task,
        .size = kmpc_task_front(task) + kmpc_task_back(task),
        .align = 64,
        .final = note & KMPC_TASK_FINAL,
        .untied = !(note & KMPC_TASK_TIED),
        .priority = note & KMPC_TASK_PRIORITY ? task->priority : 0,
        .detach = note & KMPC_TASK_HAS_EVENT,
        .helped = may_help(note),
        .reserved = true,
        .goes_on = true,
        .cleans = note & KMPC_TASK_DESTRUCTORS,
        .observed_as = note & KMPC_TASK_MERGED_IF0 ? BOMP_AS_MERGEABLE : 0,
    };
}

__attribute__((noinline)) static void create(struct kmpc_task *task) {
    struct bomp_task_spec spec = kmpc_task_spec(task);
    bomp_task_create(&spec);
}

/* A task that is not tied, not plain, or another part of one that runs. Where hidden helper threads run no tasks, it is
 * as if it were not for them. */
__attribute__((noinline)) static int32_t create_other(struct kmpc_task *task) {
    uint64_t *note = bomp_task_note(task);
    if (*note & KMPC_TASK_RUNS) {
        *note |= KMPC_TASK_AGAIN;
        return 0;
    }
    if (*note & KMPC_TASK_HELPED && !may_help(*note))
        *note &= ~(uint64_t)KMPC_TASK_HELPED;
    if ((uint32_t)*note == KMPC_TASK_TIED)
        return bomp_task_plain_reserved(task);
    if ((uint32_t)*note == 0)
        return bomp_task_plain_untied(task, run_untied);
    BOMP_ENTERED();
    create(task);
    return 0;
}

BOMP_EXPORT LINE_START int32_t __kmpc_omp_task(struct kmpc_ident *where, int32_t id, struct kmpc_task *task) {
    if (likely((uint32_t)*bomp_task_note(task) == KMPC_TASK_TIED))
        return bomp_task_plain_reserved(task);
    return create_other(task);
}

/* The function of a task that has none: it only waits, and lets others wait. */
static int32_t nothing(int32_t id, void *task) {
    return 0;
}

BOMP_EXPORT int32_t __kmpc_omp_task_with_deps(struct kmpc_ident *where, int32_t id, struct kmpc_task *task,
                                              int32_t count, struct kmpc_depend *items, int32_t more,
                                              struct kmpc_depend *others) {
    struct bomp_depend_room room;
    struct bomp_task_spec spec = kmpc_task_spec(task);
    if (!task->entry)
        task->entry = nothing;
    spec.depend = kmpc_depend_decode(&room, "__kmpc_omp_task_with_deps", count, items, more, others);
    BOMP_ENTERED();
    bomp_task_create(&spec);
    bomp_depend_free(&room);
    return 0;
}

/* ---- undeferred: generated code calls the entry between the two ---- */

/* Jumped to by the entry point, so that the frame pointer is the program's. */
__attribute__((noinline)) static void begin(struct kmpc_task *task) {
    struct bomp_task_spec spec = kmpc_task_spec(task);
    spec.undeferred = true;
    bomp_task_enter(&spec, __builtin_frame_address(0));
    *bomp_task_note(task) |= KMPC_TASK_RUNS;
}

BOMP_EXPORT void __kmpc_omp_task_begin_if0(struct kmpc_ident *where, int32_t id, struct kmpc_task *task) {
    BOMP_ENTERED();
    begin(task);
}

/* An untied task's other parts are left to us. */
BOMP_EXPORT void __kmpc_omp_task_complete_if0(struct kmpc_ident *where, int32_t id, struct kmpc_task *task) {
    int32_t here = bomp_thread_id();
    if (*bomp_task_note(task) & KMPC_TASK_AGAIN)
        run_parts(task, here);
    kmpc_task_destroy(task, here);
    bomp_task_leave(task);
}

/* ---- waits ---- */

BOMP_EXPORT int32_t __kmpc_omp_taskwait(struct kmpc_ident *where, int32_t id) {
    return bomp_taskwait_at(__builtin_return_address(0));
}

BOMP_EXPORT int32_t __kmpc_omp_taskyield(struct kmpc_ident *where, int32_t id, int part) {
    bomp_taskyield();
    return 0;
}
