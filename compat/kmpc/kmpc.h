/* kmpc.h: what compilers of LLVM's family and their OpenMP runtime agree on: structures that generated code fills or reads,
 * and the numbers that it passes. Of clang and flang 14 to 22, for hosts of 64 bits. */
#ifndef KMPC_H
#define KMPC_H

#include "omp/bomp.h"

/* ---- source locations ---- */

/* The first argument of nearly every function. Only `flags` matters here. */
struct kmpc_ident {
    int32_t reserved_1;
    int32_t flags; /* KMPC_IDENT_* */
    int32_t reserved_2;
    int32_t length;     /* of source; or 0 */
    const char *source; /* ";file;function;line;column;;", without -g ";unknown;unknown;0;0;;" */
};
_Static_assert(offsetof(struct kmpc_ident, flags) == 4 && offsetof(struct kmpc_ident, source) == 16 &&
                   sizeof(struct kmpc_ident) == 24,
               "ident_t");
typedef const struct kmpc_ident *kmpc_loc;

/* Bits 16 to 23 hold the hint of an atomic construct, 24 to 31 a version of OpenMP. */
enum kmpc_ident_flag {
    KMPC_IDENT_BARRIER_EXPLICIT = 0x20,
    KMPC_IDENT_BARRIER_LOOP = 0x40, /* a bit of all barriers at the end of a worksharing construct */
    KMPC_IDENT_SECTIONS = 0x400,    /* of a static loop: what it belongs to */
    KMPC_IDENT_DISTRIBUTE = 0x800,
};

/* ---- entry points ---- */

/* Fortran's form of a function of one argument, which it passes by reference. */
#define KMPC_BY_REFERENCE(result, name, function, type)                                                      \
    BOMP_EXPORT result name(const type *argument) {                                                          \
        return function(*argument);                                                                          \
    }

/* ---- regions ---- */

/* The body of a region: the process-wide number of the thread (bomp_thread_id), its number in the team, then as many
 * words of 64 bits as the call that opens the region says. */
typedef void kmpc_region_fn(int32_t *id, int32_t *number, ...);

/* Policies of proc_bind; 1 to 4 as bomp_proc_bind has them. */
enum kmpc_proc_bind {
    KMPC_PROC_BIND_FALSE = 0,
    KMPC_PROC_BIND_PRIMARY = 2,
    KMPC_PROC_BIND_PRIMARY_BY_NAME = 5, /* where the program says `primary` and not `master` */
    KMPC_PROC_BIND_DEFAULT = 6,         /* as without the clause */
};

/* Of the message when a strict number of threads is not possible, and of the error directive. */
enum kmpc_severity { KMPC_SEVERITY_WARNING = 1, KMPC_SEVERITY_FATAL = 2 };

/* A lock of a critical construct or of a reduction: zero at first, aligned to 8 bytes, ours alone. */
typedef int32_t kmpc_critical_name[8];

/* What is cancelled: the kinds of enum bomp_cancel in their order. */
enum kmpc_cancel { KMPC_CANCEL_PARALLEL = 1, KMPC_CANCEL_TASKGROUP = 4 };

static inline enum bomp_cancel kmpc_cancel_of(int32_t kind) {
    return (enum bomp_cancel)(kind - KMPC_CANCEL_PARALLEL);
}
_Static_assert((int)BOMP_CANCEL_PARALLEL == 0 &&
                   (int)BOMP_CANCEL_TASKGROUP == KMPC_CANCEL_TASKGROUP - KMPC_CANCEL_PARALLEL,
               "the same kinds in the same order");

/* The result of __kmpc_reduce: do nothing, not even the call that ends it; combine into the originals, and end it; combine
 * atomically, and end the blocking form. */
enum kmpc_reduce { KMPC_REDUCE_NOTHING = 0, KMPC_REDUCE_COMBINE = 1 }; /* 2: by atomic instructions */

/* ---- loops ---- */

enum kmpc_schedule {
    KMPC_STATIC_CHUNKED = 33,
    KMPC_STATIC = 34,
    KMPC_DYNAMIC = 35,
    KMPC_GUIDED = 36,
    KMPC_RUNTIME = 37,
    KMPC_AUTO = 38,
    KMPC_TRAPEZOIDAL = 39,
    KMPC_STATIC_GREEDY = 40,
    KMPC_STATIC_BALANCED = 41,
    KMPC_GUIDED_ITERATIVE = 42,
    KMPC_GUIDED_ANALYTICAL = 43,
    KMPC_STATIC_STEAL = 44,
    KMPC_STATIC_BALANCED_CHUNKED = 45, /* schedule(simd: static): even shares, rounded up to the chunk */
    KMPC_GUIDED_SIMD = 46,
    KMPC_RUNTIME_SIMD = 47,

    KMPC_ORDERED_STATIC_CHUNKED = 65, /* loops with ordered regions: as 33 to 39 */
    KMPC_ORDERED_TRAPEZOIDAL = 71,

    KMPC_DISTRIBUTE_STATIC_CHUNKED = 91, /* over the teams of a league */
    KMPC_DISTRIBUTE_STATIC = 92,

    /* Loops whose iterations may not be merged into chunks: as those above, so much further. */
    KMPC_UNMERGED = 128,

    KMPC_SCHEDULE_MONOTONIC = 1 << 29, /* flags */
    KMPC_SCHEDULE_NONMONOTONIC = 1 << 30,
    KMPC_SCHEDULE_FLAGS = KMPC_SCHEDULE_MONOTONIC | KMPC_SCHEDULE_NONMONOTONIC,
};

/* One of the loops of a doacross nest; bounds are inclusive. */
struct kmpc_dim {
    int64_t lower, upper, step;
};
_Static_assert(sizeof(struct kmpc_dim) == 24, "kmp_dim");

/* ---- tasks ---- */

/* The code of a task, and the function that destroys its privates: the number of the thread that runs it, and the task. */
typedef int32_t kmpc_task_fn(int32_t id, void *task);

/* What __kmpc_omp_task_alloc hands out, aligned to 64 bytes; the task's private variables follow. */
struct kmpc_task {
    void *shared; /* addresses of shared variables; the compiler stores them there */
    kmpc_task_fn *entry;
    int32_t part;              /* of an untied task: where it goes on; 0 at first */
    kmpc_task_fn *destructors; /* with KMPC_TASK_DESTRUCTORS */
    union {
        int32_t priority; /* with KMPC_TASK_PRIORITY */
        void *unused;
    };
};
_Static_assert(offsetof(struct kmpc_task, entry) == 8 && offsetof(struct kmpc_task, part) == 16 &&
                   offsetof(struct kmpc_task, destructors) == 24 &&
                   offsetof(struct kmpc_task, priority) == 32 && sizeof(struct kmpc_task) == 40,
               "kmp_task_t");

/* The same of a taskloop; bounds are inclusive. */
struct kmpc_taskloop {
    struct kmpc_task task;
    uint64_t lower, upper;
    int64_t step;
    int32_t last; /* 1: it has the last iteration */
    void *reductions;
};
_Static_assert(offsetof(struct kmpc_taskloop, lower) == 40 && offsetof(struct kmpc_taskloop, upper) == 48 &&
                   offsetof(struct kmpc_taskloop, step) == 56 && offsetof(struct kmpc_taskloop, last) == 64 &&
                   offsetof(struct kmpc_taskloop, reductions) == 72 && sizeof(struct kmpc_taskloop) == 80,
               "kmp_task_t of a taskloop");

enum kmpc_task_flag {
    KMPC_TASK_TIED = 0x1,
    KMPC_TASK_FINAL = 0x2,
    KMPC_TASK_MERGED_IF0 = 0x4,
    KMPC_TASK_DESTRUCTORS = 0x8,
    KMPC_TASK_PROXY = 0x10,
    KMPC_TASK_PRIORITY = 0x20,
    KMPC_TASK_IDLE = 0x180,  /* threadset(omp_pool), since clang 22; transparent, since clang 23 */
    KMPC_TASK_FLAGS = 0x1ff, /* all of them */
};

/* How many tasks a taskloop makes: as many as we like; by iterations of each; by their number. */
enum kmpc_taskloop_schedule {
    KMPC_TASKLOOP_ANY = 0,
    KMPC_TASKLOOP_GRAINSIZE = 1,
    KMPC_TASKLOOP_NUM_TASKS = 2,
};

/* Modifier of __kmpc_taskloop_5. */
enum { KMPC_TASKLOOP_STRICT = 1 };

/* Makes the second task from the first, which is the pattern; last as in struct kmpc_taskloop. */
typedef void kmpc_task_dup_fn(struct kmpc_task *to, struct kmpc_task *from, int32_t last);

/* An item of a depend clause. */
struct kmpc_depend {
    const void *address; /* in the header of a depend object, how many items follow */
    size_t size;
    uint8_t flags; /* one of KMPC_DEPEND_*; with IN or OUT the other bits mean nothing */
};
_Static_assert(offsetof(struct kmpc_depend, size) == 8 && offsetof(struct kmpc_depend, flags) == 16 &&
                   sizeof(struct kmpc_depend) == 24,
               "kmp_depend_info");

enum kmpc_depend_flag {
    KMPC_DEPEND_IN = 0x1,
    KMPC_DEPEND_OUT = 0x2, /* with IN: inout, which compilers also pass for out */
    KMPC_DEPEND_MUTEXINOUTSET = 0x4,
    KMPC_DEPEND_INOUTSET = 0x8,
    KMPC_DEPEND_ALL_MEMORY = 0x80, /* address and size are not set */
};

/* The same said by the address of an OUT. */
#define KMPC_DEPEND_ALL_ADDRESS ((const void *)UINTPTR_MAX)

/* ---- task reductions ---- */

/* A variable that tasks reduce into. */
struct kmpc_taskred {
    void *shared;
    void *original; /* what init gets as its second argument */
    size_t size;
    void (*init)(void *copy, void *original); /* NULL: zeroed */
    void (*fini)(void *copy);                 /* NULL: nothing to do */
    void (*combine)(void *into, void *copy);
    uint32_t flags; /* KMPC_TASKRED_* */
};
_Static_assert(offsetof(struct kmpc_taskred, init) == 24 && offsetof(struct kmpc_taskred, combine) == 40 &&
                   offsetof(struct kmpc_taskred, flags) == 48 && sizeof(struct kmpc_taskred) == 56,
               "kmp_taskred_input_t");

/* The same for __kmpc_task_reduction_init and __kmpc_task_reduction_modifier_init, of clang before 10. */
struct kmpc_taskred_old {
    void *shared;
    size_t size;
    void (*init)(void *copy, void *unused); /* it has one parameter: what it is given besides does no harm */
    void (*fini)(void *copy);
    void (*combine)(void *into, void *copy);
    uint32_t flags;
};
_Static_assert(offsetof(struct kmpc_taskred_old, init) == 16 &&
                   offsetof(struct kmpc_taskred_old, combine) == 32 &&
                   offsetof(struct kmpc_taskred_old, flags) == 40 && sizeof(struct kmpc_taskred_old) == 48,
               "kmp_task_red_input_t");

enum kmpc_taskred_flag { KMPC_TASKRED_LAZY = 0x1 }; /* copies may be made when they are needed first */

#endif
