/* OpenMP's internal control variables: struct bomp_icv has those of a task's data environment, which changes its own copy
 * (team/caller.h); struct bomp_global those of the process.
 *
 * Both come from the environment (env.h) when the library is loaded, or at the first use in an earlier constructor. */
#ifndef BOMP_ICV_H
#define BOMP_ICV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/affinity/machine.h"
#include "omp/bomp.h"
#include "runtime.h"

/* Nested active regions at most, as in libgomp. */
#define BOMP_SUPPORTED_ACTIVE_LEVELS 255

/* Entries of OMP_NUM_THREADS and OMP_PROC_BIND; deeper levels have the last value. */
#define BOMP_LEVEL_LIST_MAX 256

/* LLVM's, as in omp_sched_t; dealt out as guided. */
#define BOMP_SCHED_TRAPEZOIDAL 101u

/* Written by their task; implicit tasks read their creator's while they are made. */
struct bomp_icv {
    const uint32_t *threads_rest; /* OMP_NUM_THREADS for the levels below; constant memory */
    const uint8_t *bind_rest;     /* OMP_PROC_BIND, enum bomp_bind; likewise */
    uint16_t threads_left;        /* their entries */
    uint16_t bind_left;
    uint32_t threads;           /* nthreads-var of the next region; 0: bomp_procs_for_region */
    uint32_t thread_limit;      /* thread-limit-var: at least 1 */
    uint32_t sched;             /* run-sched-var: BOMP_LOOP_*, or TRAPEZOIDAL */
    int32_t chunk;              /* run-sched-var: at least 1, or 0 for an even static split */
    int32_t default_device;     /* default-device-var */
    uint32_t max_active_levels; /* max-active-levels-var */
    uint8_t bind;               /* bind-var, enum bomp_bind */
    bool dynamic;               /* dyn-var */
    bool sched_implied;         /* it is monotonic only because it is static */
    bool sched_said;            /* it was set; else it is GCC's default, not LLVM's */
};

enum bomp_wait_policy {
    BOMP_WAIT_ADAPTIVE, /* the default: spin about as long as sleeping and waking take */
    BOMP_WAIT_ACTIVE,   /* spin for BOMP_ACTIVE_SPIN_NS */
    BOMP_WAIT_PASSIVE   /* sleep at once */
};

/* As long as libgomp spins. */
#define BOMP_ACTIVE_SPIN_NS UINT64_C(30000000000)

/* OMP_DISPLAY_ENV. */
enum bomp_display { BOMP_DISPLAY_NOTHING, BOMP_DISPLAY_ICVS, BOMP_DISPLAY_VERBOSE };

/* KMP_LIBRARY: regions have one thread; one program on the machine; several. */
enum bomp_library { BOMP_LIBRARY_SERIAL = 1, BOMP_LIBRARY_TURNAROUND, BOMP_LIBRARY_THROUGHPUT };

/* Predefined allocators: handles 1 to this. */
#define BOMP_ALLOCATORS 8
/* The first of GCC's own (allocator.h). */
#define BOMP_GNU_ALLOCATOR 200
/* LLVM's own, for memory of devices. */
#define BOMP_LLVM_ALLOCATOR 100
#define BOMP_LLVM_ALLOCATORS 3

/* Traits of allocators, as in omp.h. */
enum bomp_trait {
    BOMP_TRAIT_SYNC_HINT = 1,
    BOMP_TRAIT_ALIGNMENT,
    BOMP_TRAIT_ACCESS,
    BOMP_TRAIT_POOL_SIZE,
    BOMP_TRAIT_FALLBACK,
    BOMP_TRAIT_FB_DATA,
    BOMP_TRAIT_PINNED,
    BOMP_TRAIT_PARTITION,
};

/* An allocator of OMP_ALLOCATOR with traits, and its handle. */
#define BOMP_ALLOCATOR_OF_ENV 255
#define BOMP_ALLOCATOR_TRAITS BOMP_TRAIT_PARTITION
struct bomp_allocator_spec {
    char *text;     /* as it is shown */
    uint32_t space; /* of the host's memory; all are alike */
    int count;
    struct bomp_allocator_trait { /* as omp_alloctrait_t */
        int key;
        uintptr_t value;
    } traits[BOMP_ALLOCATOR_TRAITS];
};

/* A number of teams or of their threads; 0: unset. */
struct bomp_count {
    uint32_t given; /* by the environment */
    /* By omp_set_num_teams or omp_set_teams_thread_limit; any thread. */
    struct bz_a32 now;
};

/* Constant once the environment is read, but for the atomic words. */
struct bomp_global {
    /* Nanoseconds that a thread spins before it sleeps; BZ_SPIN_AUTO, BZ_SPIN_INFINITE. */
    uint64_t spin_ns;
    size_t stack_size;    /* bytes of the library's threads; 0: the default */
    uint32_t wait_policy; /* enum bomp_wait_policy; spin_ns follows from it, or the reverse */
    uint32_t offload;     /* enum bomp_offload */
    uint32_t display;     /* enum bomp_display */
    uint32_t allocator;   /* OMP_ALLOCATOR: its handle */
    struct bomp_allocator_spec allocator_spec;
    int32_t max_task_priority;
    bool display_affinity;
    bool cancellation;
    bool llvm_version;   /* KMP_VERSION: name the library */
    bool llvm_settings;  /* KMP_SETTINGS: show the settings in libomp's form */
    bool llvm_warns;     /* KMP_WARNINGS; false: no messages but fatal ones */
    uint32_t teams_bind; /* KMP_TEAMS_PROC_BIND, enum bomp_bind: of a league's teams, in LLVM's code */
    uint32_t library;    /* enum bomp_library */
    uint32_t no_tool;    /* 1: OMP_TOOL=disabled */
    bool uses_helpers;   /* LIBOMP_USE_HIDDEN_HELPER_TASK (task/hidden_helper.h) */
    uint32_t helpers;    /* LIBOMP_NUM_HIDDEN_HELPER_THREADS */
    /* KMP_AFFINITY, whose places are below, and KMP_HIDDEN_HELPER_AFFINITY. */
    struct bomp_affinity_wish affinity, helper;
    bool inherits_control; /* KMP_INHERIT_FP_CONTROL: of the floating point mode, in LLVM's regions */
    bool task_throttling;  /* KMP_ENABLE_TASK_THROTTLING; false: queues are never full (task_policy.h) */
    bool deterministic;    /* BLITZ_DETERMINISTIC: reductions merge in order (merge.h) */
    struct bomp_count num_teams, teams_thread_limit;
    uint32_t most_in_leagues;    /* KMP_TEAMS_THREAD_LIMIT; 0: unset */
    int32_t debug;               /* GOMP_DEBUG: 0, without effect */
    uint64_t *usable;            /* the CPUs of the process, within KMP_HW_SUBSET; NULL: not read yet */
    bool has_subset;             /* KMP_HW_SUBSET is set */
    struct bomp_places places;   /* of threads; empty: not bound */
    const char *affinity_format; /* OMP_AFFINITY_FORMAT at the start */
    char *affinity_format_given; /* its memory; NULL: the default */
};

/* What a thread starts with; constant. Cost, here and below: one load. */
const struct bomp_icv *bomp_icv_initial(void);

struct bomp_global *bomp_global(void);

/* Whether the process asks for LLVM's runtime. */
bool bomp_icv_is_llvm(void);

/* Whether threads are bound, or print where they are. Constant once the environment is read. */
extern bool bomp_affinity_asked;
/* The same, or BLITZ_DETERMINISTIC, ThreadSanitizer or a tool: regions have extra work. */
extern bool bomp_region_extras;

/* Shows both, as OMP_DISPLAY_ENV does. */
void bomp_icv_display(bool verbose);

/* dst: those of implicit tasks, from those of the task that meets the region; perhaps in place. */
void bomp_icv_child(struct bomp_icv *dst, const struct bomp_icv *src);

/* The threads of a region: `wanted` by its num_threads clause (0: none), in active_level active regions. The thread limit
 * applies as if it were the only one. */
unsigned bomp_icv_team_size(const struct bomp_icv *icv, unsigned wanted, int active_level);

/* As omp_set_schedule: an unknown kind has no effect, a chunk below 1 means the kind's own, auto keeps the chunk. */
void bomp_icv_set_schedule(struct bomp_icv *icv, uint32_t sched, int chunk);

/* At most to BOMP_SUPPORTED_ACTIVE_LEVELS; negative values have no effect. */
void bomp_icv_set_max_active_levels(struct bomp_icv *icv, int levels);

/* All of it, which env.c fills in. */
struct bomp_icv_store {
    struct bomp_icv initial;
    struct bomp_global global;
    uint32_t threads_list[BOMP_LEVEL_LIST_MAX]; /* OMP_NUM_THREADS without its first entry */
    uint8_t bind_list[BOMP_LEVEL_LIST_MAX];     /* OMP_PROC_BIND, likewise */
};

/* With nothing set, for a process with one CPU. The store is all zero. */
void bomp_icv_defaults(struct bomp_icv_store *store);

/* ---- the default size of a team ----
 *
 * The budget of the process (src/team/budget.h), but at most the last answer of omp_get_max_threads to the thread, else
 * to any thread: programs size arrays by that. */

/* The last answer to the calling thread, and to any (all threads, relaxed). 0: none. */
extern _Thread_local uint32_t bomp_procs_own_answer __attribute__((tls_model("initial-exec")));
extern struct bz_a32 bomp_procs_answer;

static inline unsigned bomp_procs_for_region(void) {
    uint32_t answer = bomp_procs_own_answer ? bomp_procs_own_answer : bz_load_relaxed(&bomp_procs_answer);
    uint32_t budget = bz_budget();
    return answer != 0 && answer < budget ? answer : budget;
}

/* The answer to the calling thread. */
static inline unsigned bomp_procs_tell(void) {
    uint32_t budget = bz_budget();
    if (bz_load_relaxed(&bomp_procs_answer) != budget)
        bz_store_relaxed(&bomp_procs_answer, budget);
    return bomp_procs_own_answer = budget;
}

#endif
