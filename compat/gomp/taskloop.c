/* GOMP_taskloop and GOMP_taskloop_ull. */
#include "loops.h"
#include "reduction.h"

/* Bits of the flags. Untied goes to the tasks; mergeable and the presence of a priority change nothing. */
enum {
    TASKLOOP_UNTIED = 1u << 0,
    TASKLOOP_FINAL = 1u << 1,
    TASKLOOP_MERGEABLE = 1u << 2,
    TASKLOOP_PRIORITY = 1u << 4,
    TASKLOOP_UP = 1u << 8,
    TASKLOOP_GRAINSIZE = 1u << 9,
    TASKLOOP_IF = 1u << 10, /* the if clause is true */
    TASKLOOP_NOGROUP = 1u << 11,
    TASKLOOP_REDUCTION = 1u << 12,
    TASKLOOP_STRICT = 1u << 14,
    TASKLOOP_KNOWN = TASKLOOP_UNTIED | TASKLOOP_FINAL | TASKLOOP_MERGEABLE | TASKLOOP_PRIORITY | TASKLOOP_UP |
                     TASKLOOP_GRAINSIZE | TASKLOOP_IF | TASKLOOP_NOGROUP | TASKLOOP_REDUCTION |
                     TASKLOOP_STRICT,
};

/* clang-format off */
#define ARGUMENTS void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align, \
                  unsigned flags, unsigned long num_tasks, int priority
/* clang-format on */

static struct bomp_taskloop taskloop_of(ARGUMENTS) {
    if (flags & ~(unsigned)TASKLOOP_KNOWN)
        bomp_unknown_bits("GOMP_taskloop", "flags", flags & ~(unsigned)TASKLOOP_KNOWN);
    return (struct bomp_taskloop){
        .task =
            {
                .fn = fn,
                .data = data,
                .copy = cpyfn,
                .size = arg_size > 0 ? (size_t)arg_size : 0,
                .align = arg_align > 0 ? (size_t)arg_align : 1,
                .undeferred = !(flags & TASKLOOP_IF),
                .final = flags & TASKLOOP_FINAL,
                .untied = flags & TASKLOOP_UNTIED,
                .priority = priority,
            },
        .number = num_tasks,
        .by_grain = flags & TASKLOOP_GRAINSIZE,
        .strict = flags & TASKLOOP_STRICT,
        .waited = !(flags & TASKLOOP_NOGROUP),
    };
}

/* The word behind the bounds is the descriptor of the reduction, if there is one. Its group is the loop's own: with nogroup
 * it is in_reduction that the compiled code means, of a group around. */
static void run(const struct bomp_taskloop *loop, unsigned flags, const void *site) {
    bool group = !(flags & TASKLOOP_NOGROUP);
    uintptr_t *descriptor = group && (flags & TASKLOOP_REDUCTION) ? ((uintptr_t **)loop->task.data)[2] : NULL;
    if (bomp_taskloop_is_void(loop)) {
        if (descriptor)
            gomp_reduction_none(descriptor);
        return;
    }
    if (group)
        bomp_taskgroup_start();
    if (descriptor)
        gomp_reduction_register(descriptor);
    BOMP_STILL(site);
    bomp_taskloop(loop);
    BOMP_STILL(site);
    if (group)
        bomp_taskgroup_end();
}

/* The step that the source asks for, as loop_step(), but the direction is known here: of a downward loop over an
 * unsigned variable it comes modulo 2^8, 2^16 or 2^32, whichever the variable has room for. */
static long step_of(unsigned flags, long start, long step) {
    if (flags & TASKLOOP_UP || step <= 0)
        return step;
    for (unsigned bits = 8; bits <= 32; bits *= 2) {
        long wrap = 1L << bits;
        if (start < wrap && step < wrap)
            return step - wrap;
    }
    return step;
}

BOMP_EXPORT void GOMP_taskloop(ARGUMENTS, long start, long end, long step) {
    struct bomp_taskloop loop = taskloop_of(fn, data, cpyfn, arg_size, arg_align, flags, num_tasks, priority);
    loop.loop.schedule = BOMP_LOOP_STATIC;
    bomp_loop_signed(&loop.loop, start, end, step_of(flags, start, step));
    BOMP_ENTERED();
    run(&loop, flags, BOMP_RETURN);
}

BOMP_EXPORT void GOMP_taskloop_ull(ARGUMENTS, unsigned long long start, unsigned long long end,
                                   unsigned long long step) {
    struct bomp_taskloop loop = taskloop_of(fn, data, cpyfn, arg_size, arg_align, flags, num_tasks, priority);
    loop.loop = loop_of_ull(flags & TASKLOOP_UP, start, end, step, 0, BOMP_LOOP_STATIC);
    BOMP_ENTERED();
    run(&loop, flags, BOMP_RETURN);
}
