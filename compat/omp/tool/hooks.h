/* The table of hooks that tools have at each operation; bomp_hooks is NULL without a tool. An operation checks it, or
 * a flag that it reads anyway, at its begin and end (../README.md).
 *
 * The hooks are in compat/ompt, which passes events on to all attached tools. `code`: the place in the program, or
 * NULL. `self`: the calling thread's member. */
#ifndef BOMP_HOOKS_H
#define BOMP_HOOKS_H

#include <stdbool.h>

#include "omp/bomp.h"
#include "omp/team/member.h"
#include "omp/team/team_data.h"
#include "omp/tool/tool_data.h"
#include "runtime.h"

struct bomp_node;

/* Regions, their implicit tasks, and initial tasks. */
struct bomp_region_hooks {
    /* A thread comes to OpenMP on its own, and its initial task begins; it goes. */
    void (*thread_begin)(struct bomp_member *root);
    void (*thread_end)(struct bomp_member *root);
    /* The calling thread opens the region, which runs fn, for `requested` threads. */
    void (*begin)(struct bomp_team *team, unsigned requested, void (*fn)(void *));
    void (*end)(struct bomp_team *team);
    /* An implicit task, which ends with the region's last barrier. */
    void (*implicit_begin)(struct bomp_member *self);
    /* Calls the program's fn(data) as the current task. */
    void (*call)(struct bomp_member *self, void (*fn)(void *), void *data);
    /* A league of root teams, by `outer`. */
    void (*league_begin)(struct bomp_tool_region *league, struct bomp_member *outer, unsigned requested,
                         void (*fn)(void *));
    void (*league_end)(struct bomp_tool_region *league, struct bomp_member *outer);
    /* Another thread begins, or ends, to run teams of the league. */
    void (*league_thread)(bool begins);
    /* The initial task of team `index` of `count`; `inner`: with a region around the team's code, as libomp reports. */
    void (*team_begin)(struct bomp_member *root, unsigned count, unsigned index, bool inner);
    void (*team_leave)(struct bomp_member *root, bool inner);
    void (*team_end)(struct bomp_member *root, unsigned index);
    /* The initial task of a target region begins the first team of a league, the next one, or ends it. */
    void (*target_team)(struct bomp_member *self, bool first, bool last);
};

/* Tasks with BOMP_TASK_TOOL. A task takes the place of the one that waits or creates it, until its end. One on a stack
 * of its own (../../../src/sched/coroutine.md) takes none: the last suspended task of its thread follows. */
struct bomp_task_hooks {
    /* Around a call of the program: the current task is in the runtime. */
    void (*enter)(struct bomp_member *self);
    void (*leave)(struct bomp_member *self);
    /* A task is created, or a taskwait with dependences, which `waited` ends. `tool`, the task's, is `creates` of the
     * member until the next creation. */
    void (*create)(struct bomp_member *self, struct bomp_tool_task *tool, const struct bomp_task_spec *spec);
    void (*waited)(struct bomp_tool_task *tool);
    /* The new task waits for this one, which may be complete but for its node. */
    void (*depend)(const struct bomp_node *predecessor);
    /* Runs fn(data) as the body of the current task, on its creator's stack and in `creates`. */
    void (*run)(struct bomp_member *self, void (*fn)(void *), void *data);
    /* A queued task begins, unless it is cancelled; one whose body the program itself calls. */
    void (*begin)(struct bomp_member *self, struct bomp_task *task);
    void (*begin_in_program)(struct bomp_member *self, struct bomp_task *task,
                             const struct bomp_task_spec *spec);
    /* Its body has ended. `ran` false: it was cancelled before. */
    void (*end)(struct bomp_member *self, struct bomp_task *task, bool ran);
    void (*discard)(struct bomp_member *self, struct bomp_tool_task *tool);
    /* The program fulfills its event; `late`: the body has ended. */
    void (*fulfill)(struct bomp_tool_task *tool, bool late);
    /* The current task is suspended; a suspended one continues. */
    void (*suspend)(struct bomp_member *self);
    void (*resume)(struct bomp_member *self, struct bomp_task *task);
};

/* A region where a task waits for others; its thread only. */
struct bomp_tool_sync {
    ompt_sync_region_t kind;
    const void *code;
    const void *frame; /* of the library, older than the program's code; NULL: the hook finds it */
    bool open;         /* a taskgroup's: its begin was reported before */
    bool empty;        /* a taskwait without children */
    uint32_t state;    /* of the thread before it; the hook's, like clients */
    uint32_t clients;
};

struct bomp_sync_hooks {
    /* The region begins, and so does the wait; both end. */
    void (*begin)(struct bomp_member *self, struct bomp_tool_sync *sync);
    void (*end)(struct bomp_member *self, struct bomp_tool_sync *sync);
    void (*group_begin)(struct bomp_member *self, const void *code);
};

/* Locks, critical, atomic and ordered constructs. The address of its word identifies a mutex. */
struct bomp_mutex_hooks {
    /* The thread may wait, unless `kind` is a test. `hint`: omp_sync_hint_t. `position`: of a doacross loop. */
    void (*acquire)(ompt_mutex_t kind, unsigned hint, bool position, const void *word, const void *code);
    /* It has the mutex `count` times. */
    void (*acquired)(ompt_mutex_t kind, int count, const void *word, const void *code);
    /* It has it `left` more times. */
    void (*released)(ompt_mutex_t kind, int left, const void *word, const void *code);
    void (*init)(ompt_mutex_t kind, unsigned hint, const void *lock, const void *code);
    void (*destroy)(ompt_mutex_t kind, const void *lock, const void *code);
    void (*flush)(const void *code);
};

/* Worksharing, by the current task of a member. */
struct bomp_work_hooks {
    /* A loop, by its resolved schedule (schedule.h), or BOMP_TOOL_SECTIONS. End: if one has begun; `code` NULL: as its
     * begin. */
    void (*loop_begin)(struct bomp_member *self, uint32_t schedule, uint64_t count);
    void (*loop_end)(struct bomp_member *self, const void *code);
    void (*single_begin)(struct bomp_member *self, bool executes, const void *code);
    /* Of a single or a scope construct. */
    void (*block_end)(struct bomp_member *self, const void *code);
    void (*chunk)(struct bomp_member *self, uint64_t first, uint64_t iterations);
    void (*section)(struct bomp_member *self, const void *code);
    void (*taskloop)(struct bomp_member *self, bool begins, uint64_t count, const void *code);
    /* The member has merged its part of a reduction, or leaves that to others. */
    void (*merged)(struct bomp_member *self, const void *code);
    void (*cancel)(struct bomp_member *self, int flags, const void *code);
    /* A doacross iteration that one depends on, or others do. */
    void (*iteration)(struct bomp_member *self, const uint64_t *index, ompt_dependence_type_t type);
};
#define BOMP_TOOL_SECTIONS UINT32_MAX

/* A target region; its thread only. */
struct bomp_tool_target {
    struct bomp_tool_words words;
    ompt_id_t ids[BOMP_TOOL_CLIENTS]; /* the clients', of the operation that begins its initial task */
    ompt_id_t id, operation;          /* for clients without words */
    ompt_target_t kind;
    const void *code;
};

/* What omp_control_tool returns without a tool. */
#define BOMP_NO_TOOL (-2)

struct bomp_target_hooks {
    /* Around the initial task that runs the region. */
    void (*begin)(struct bomp_member *self, struct bomp_tool_target *target);
    void (*end)(struct bomp_member *self, struct bomp_tool_target *target);
    /* omp_control_tool. */
    int (*control)(int command, int modifier, void *argument, const void *code, void *frame);
};

struct bomp_hooks {
    const struct bomp_region_hooks *region;
    const struct bomp_task_hooks *task;
    const struct bomp_sync_hooks *sync;
    const struct bomp_mutex_hooks *mutex;
    const struct bomp_work_hooks *work;
    const struct bomp_target_hooks *target;
};

/* Before a thread's first member: searches for tools, once. False: none, or they are starting. */
bool bomp_tool_first_use(void);
/* No thread has used OpenMP. */
bool bomp_tool_is_unused(void);

/* For a call that may be the first of a thread, or of the process. */
bool bomp_tool_met(void);
static inline bool bomp_tool_is_met(void) {
    return bz_likely(bomp_self_if_any()) ? !!bomp_hooks : bomp_tool_met();
}

/* Before the first pool: starts the tools. Returns their hooks for pools, or NULL. */
const struct bz_hooks *bomp_tool_hooks(void);

/* Of the member's current task: false if its thread came while a tool was starting. */
static inline bool bomp_is_observed(const struct bomp_member *self) {
    return self->current->flags & BOMP_TASK_TOOL;
}

/* The call site that the entry point noted, once; NULL: it did not. */
static inline const void *bomp_take_code(void) {
    const void *code = bomp_entered.code;
    bomp_entered.code = NULL;
    return code;
}

/* The same, or else `site`. */
static inline const void *bomp_code_or(const void *site) {
    const void *code = bomp_take_code();
    return code ? code : site;
}

#endif
