/* GOMP_task, waits and groups. */
#include "bomp.h"

/* Bits of GOMP_task's flags. Untied (1) and mergeable (4) change nothing here. */
enum {
    TASK_FINAL = 1u << 1,
    TASK_DEPEND = 1u << 3,
    TASK_PRIORITY = 1u << 4, /* a hint, and OMP_MAX_TASK_PRIORITY is 0 by default: accepted */
    TASK_DETACH = 1u << 13,
    TASK_NOT_PLAIN = TASK_FINAL | TASK_DEPEND | TASK_DETACH,
};

BOMP_EXPORT void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned,
                           void **, int, void *);
BOMP_EXPORT void GOMP_taskwait(void);
BOMP_EXPORT void GOMP_taskyield(void);
BOMP_EXPORT void GOMP_taskgroup_start(void);
BOMP_EXPORT void GOMP_taskgroup_end(void);

/* Compilers before gcc 12 pass fewer arguments: those behind `flags` must not be read unless a flag says that they are
 * there. */
void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach) {
    (void)depend, (void)priority, (void)detach;
    if (!cpyfn && if_clause && !(flags & TASK_NOT_PLAIN)) {
        bomp_task_plain(fn, data, (size_t)arg_size, (size_t)arg_align);
        return;
    }
    if (flags & TASK_DEPEND)
        bomp_unsupported("GOMP_task with a depend clause");
    if (flags & TASK_DETACH)
        bomp_unsupported("GOMP_task with a detach clause");
    bomp_task_create(&(struct bomp_task_spec){
        .fn = fn,
        .data = data,
        .copy = cpyfn,
        .size = arg_size > 0 ? (size_t)arg_size : 0,
        .align = arg_align > 0 ? (size_t)arg_align : 1,
        .undeferred = !if_clause,
        .final = flags & TASK_FINAL,
    });
}

void GOMP_taskwait(void) {
    bomp_taskwait();
}

void GOMP_taskyield(void) {
    bomp_taskyield();
}

void GOMP_taskgroup_start(void) {
    bomp_taskgroup_start();
}

void GOMP_taskgroup_end(void) {
    bomp_taskgroup_end();
}
