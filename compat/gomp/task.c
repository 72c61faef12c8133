/* GOMP_task, and waits with dependences. */
#include "depend.h"
#include "omp/bomp.h"

/* Bits of GOMP_task's flags. Mergeable changes nothing here. */
enum {
    TASK_UNTIED = 1u << 0,
    TASK_FINAL = 1u << 1,
    TASK_MERGEABLE = 1u << 2,
    TASK_DEPEND = 1u << 3,
    TASK_PRIORITY = 1u << 4,
    TASK_DETACH = 1u << 13,
    TASK_PLAIN = TASK_UNTIED | TASK_MERGEABLE,
    TASK_KNOWN = TASK_PLAIN | TASK_FINAL | TASK_DEPEND | TASK_PRIORITY | TASK_DETACH,
};

/* Only its creator makes tasks that could come between the two: so what it waits for is all that it depends on, unless it
 * excludes others, or goes on without its creator. */
static bool is_wait_and_task(const struct bomp_task_spec *spec) {
    bool excludes = false;
    for (size_t i = 0; i < spec->depend.count; i++)
        excludes |= spec->depend.items[i].kind == BOMP_DEPEND_MUTEX;
    return spec->undeferred && !spec->detach && !excludes;
}

/* Tools see an undeferred one as libomp and LLVM's compilers have it: a taskwait with its dependences, then a task without
 * any. */
static void create_with_depend(struct bomp_task_spec *spec, void *const *array) {
    struct bomp_depend_room room;
    spec->depend = gomp_depend_decode(&room, array);
    if (BOMP_OBSERVED && is_wait_and_task(spec)) {
        const struct bomp_entered entered = bomp_entered;
        bomp_taskwait_depend(&spec->depend);
        spec->depend.count = 0;
        bomp_entered = entered; /* for what comes */
    }
    bomp_task_create(spec);
    bomp_depend_free(&room);
}

/* A task that is not plain. Out of line and with the same parameters: so GOMP_task is short for plain ones. The event of a
 * detached task is also the first of its arguments. */
__attribute__((noinline)) static void create(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
                                             long arg_size, long arg_align, bool if_clause, unsigned flags,
                                             void **depend, int priority, void *detach) {
    if (flags & ~(unsigned)TASK_KNOWN)
        bomp_unknown_bits("GOMP_task", "flags", flags & ~(unsigned)TASK_KNOWN);
    struct bomp_task_spec spec = {
        .fn = fn,
        .data = data,
        .copy = cpyfn,
        .size = arg_size > 0 ? (size_t)arg_size : 0,
        .align = arg_align > 0 ? (size_t)arg_align : 1,
        .undeferred = !if_clause,
        .final = flags & TASK_FINAL,
        .untied = flags & TASK_UNTIED,
        .priority = flags & TASK_PRIORITY ? priority : 0,
        .detach = flags & TASK_DETACH,
        .observed_as = flags & TASK_MERGEABLE ? BOMP_AS_MERGEABLE : 0,
    };
    if (spec.detach) {
        spec.handles[0] = detach;
        spec.handles[1] = data;
    }
    if (flags & TASK_DEPEND)
        create_with_depend(&spec, depend);
    else
        bomp_task_create(&spec);
}

/* Compilers before gcc 12 pass fewer arguments: those behind `flags` must not be used unless a flag says that they are
 * there, and are declared so that they are not even read before that: compilers load them first, and save registers for
 * them. Both ways out are jumps: with a frame more for each task a recursion of tasks leaves the processor's stack of
 * return addresses sooner (a task cost 2.5 ns more). It begins with a cache line,
 * like bomp_task_plain (BZ_LINE_START in compiler.h). */
BOMP_EXPORT __attribute__((aligned(64))) void GOMP_task(void (*fn)(void *), void *data,
                                                        void (*cpyfn)(void *, void *), long arg_size,
                                                        long arg_align, bool if_clause, unsigned flags,
                                                        void **volatile depend, volatile int priority,
                                                        void *volatile detach) {
    if (__builtin_expect(if_clause && !(flags & ~(unsigned)TASK_PLAIN), 1))
        bomp_task_plain(fn, data, cpyfn, (size_t)arg_size, (size_t)arg_align,
                        flags & TASK_UNTIED); /* the lowest bit */
    else {
        BOMP_ENTERED();
        create(fn, data, cpyfn, arg_size, arg_align, if_clause, flags, depend, priority, detach);
    }
}

BOMP_EXPORT void GOMP_taskwait_depend(void **array) {
    BOMP_ENTERED();
    gomp_depend_wait(array, false);
}

BOMP_EXPORT void GOMP_taskwait_depend_nowait(void **array) {
    BOMP_ENTERED();
    gomp_depend_wait(array, true);
}
