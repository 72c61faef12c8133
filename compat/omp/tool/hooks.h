/* hooks.h: the table of what an observer does at each operation. bomp_hooks is NULL where nothing observes; an operation
 * asks once, at its begin and at its end, unless a flag that it reads anyway says so already: BOMP_TASK_TOOL among the
 * flags of tasks, bomp_region_extras of regions, `special` of the team for barriers and loops, the
 * deal BOMP_DEAL_SPECIAL for chunks, bz_attended for locks.
 *
 * The hooks are in compat/ompt, which passes each event on to all tools that are attached. `code` is where the program is;
 * NULL: not known. `self` is the calling thread's member. */
#ifndef BOMP_HOOKS_H
#define BOMP_HOOKS_H

#include <stdbool.h>

#include "omp/bomp.h"
#include "omp/team/member.h"
#include "omp/team/team_data.h"
#include "omp/tool/tool_data.h"
#include "runtime.h"

struct bomp_initial_spec;
struct bomp_node;

/* Regions, their implicit tasks, and initial tasks. */
struct bomp_region_hooks {
    /* A thread comes to OpenMP on its own, and its initial task begins; it goes, if `root` is its member. */
    void (*thread_begin)(struct bomp_member *root);
    void (*thread_end)(struct bomp_member *root);
    /* By the thread that opens the region, for `requested` threads; it runs fn. */
    void (*begin)(struct bomp_team *team, unsigned requested, void (*fn)(void *));
    void (*end)(struct bomp_team *team);
    /* The implicit task of a member, by its thread. It ends with the barrier of the region's end. */
    void (*implicit_begin)(struct bomp_member *self);
    /* Calls the program's fn(data) as the current task. */
    void (*call)(struct bomp_member *self, void (*fn)(void *), void *data);
    /* A league whose teams are root teams, by the thread of `outer`. */
    void (*league_begin)(struct bomp_tool_region *league, struct bomp_member *outer, unsigned requested,
                         void (*fn)(void *));
    void (*league_end)(struct bomp_tool_region *league, struct bomp_member *outer);
    /* A thread that is not outer's begins to run the league's teams, or has done with it. */
    void (*league_thread)(bool begins);
    /* The initial task of one of its teams, number `index` of `count`; `inner`: LLVM's code expects a region around the
     * team's code, as libomp reports one. */
    void (*team_begin)(struct bomp_member *root, unsigned count, unsigned index, bool inner);
    void (*team_leave)(struct bomp_member *root, bool inner);
    void (*team_end)(struct bomp_member *root, unsigned index);
    /* The initial task of a target region begins the first team of a league, continues with the next one, or ends it. */
    void (*target_team)(struct bomp_member *self, bool first, bool last);
};

/* Tasks with BOMP_TASK_TOOL. A task takes the place of another one when it begins: of the one that waits, or that creates
 * it; and gives it back at its end. One that begins on a stack of its own (../../../src/sched/coroutine.md) takes no place:
 * behind it the last one of its thread's suspended tasks goes on. */
struct bomp_task_hooks {
    /* Around a call of the program's: the current task is in the runtime. */
    void (*enter)(struct bomp_member *self);
    void (*leave)(struct bomp_member *self);
    /* A task is created, or, for tools, a taskwait with dependences, which `waited` ends. `tool` is the task's until it is
     * over, and `creates` of the member until the next creation. */
    void (*create)(struct bomp_member *self, struct bomp_tool_task *tool, const struct bomp_task_spec *spec);
    void (*waited)(struct bomp_tool_task *tool);
    /* The task that the member creates waits for this one, which may be complete except for its node. */
    void (*depend)(const struct bomp_node *predecessor);
    /* The current task, on its creator's stack, is the one that `creates` names: runs fn(data) as its body. */
    void (*run)(struct bomp_member *self, void (*fn)(void *), void *data);
    /* A queued task begins, unless it is cancelled; a task whose body the program calls itself does. */
    void (*begin)(struct bomp_member *self, struct bomp_task *task);
    void (*begin_in_program)(struct bomp_member *self, struct bomp_task *task,
                             const struct bomp_task_spec *spec);
    /* Its body is over. With ran = false it was cancelled before it began. */
    void (*end)(struct bomp_member *self, struct bomp_task *task, bool ran);
    void (*discard)(struct bomp_member *self, struct bomp_tool_task *tool);
    /* The program fulfills its event; `late`: the body has ended. */
    void (*fulfill)(struct bomp_tool_task *tool, bool late);
    /* The current task is suspended on its stack; a suspended one continues. */
    void (*suspend)(struct bomp_member *self);
    void (*resume)(struct bomp_member *self, struct bomp_task *task);
};

/* A region where a task waits for others, from its begin to its end; its thread's. */
struct bomp_tool_sync {
    ompt_sync_region_t kind;
    const void *code;
    const void
        *frame; /* of ours, older than any that runs the program's code meanwhile; NULL: found by the hook */
    bool open;  /* the region's begin was reported before: a taskgroup's */
    bool empty; /* a taskwait that has nothing to wait for */
    uint32_t state; /* of the thread before it; the hook's, as is what follows */
    uint32_t clients;
};

struct bomp_sync_hooks {
    /* The region begins, and the thread begins to wait at once; it has waited, and the region ends. */
    void (*begin)(struct bomp_member *self, struct bomp_tool_sync *sync);
    void (*end)(struct bomp_member *self, struct bomp_tool_sync *sync);
    void (*group_begin)(struct bomp_member *self, const void *code);
};

/* Locks, critical, atomic and ordered constructs. A mutex is named by the address of its word. */
struct bomp_mutex_hooks {
    /* The thread asks for it, and may wait unless `kind` is a test. `hint`: an omp_sync_hint_t. `position`: it is a
     * doacross loop's. */
    void (*acquire)(ompt_mutex_t kind, unsigned hint, bool position, const void *word, const void *code);
    /* It has the mutex, `count` times: more than 1 of a nestable lock alone. */
    void (*acquired)(ompt_mutex_t kind, int count, const void *word, const void *code);
    /* It has given it back, and has it `left` times yet. */
    void (*released)(ompt_mutex_t kind, int left, const void *word, const void *code);
    void (*init)(ompt_mutex_t kind, unsigned hint, const void *lock, const void *code);
    void (*destroy)(ompt_mutex_t kind, const void *lock, const void *code);
    void (*flush)(const void *code);
};

/* Worksharing: what the current task of a member does of it. */
struct bomp_work_hooks {
    /* A loop, by its resolved schedule (schedule.h), or sections: BOMP_TOOL_SECTIONS. End: if one has begun; `code` NULL:
     * where it has begun. */
    void (*loop_begin)(struct bomp_member *self, uint32_t schedule, uint64_t count);
    void (*loop_end)(struct bomp_member *self, const void *code);
    void (*single_begin)(struct bomp_member *self, bool executes, const void *code);
    /* Of a single or a scope construct. */
    void (*block_end)(struct bomp_member *self, const void *code);
    void (*chunk)(struct bomp_member *self, uint64_t first, uint64_t iterations);
    void (*section)(struct bomp_member *self, const void *code);
    void (*taskloop)(struct bomp_member *self, bool begins, uint64_t count, const void *code);
    /* The member has merged its part of a reduction, or leaves that to others: if it has begun to. */
    void (*merged)(struct bomp_member *self, const void *code);
    void (*cancel)(struct bomp_member *self, int flags, const void *code);
    /* An iteration that one of a doacross loop depends on, or that others depend on. */
    void (*iteration)(struct bomp_member *self, const uint64_t *index, ompt_dependence_type_t type);
};
#define BOMP_TOOL_SECTIONS UINT32_MAX

/* A target region, from its begin to its end; its thread's. */
struct bomp_tool_target {
    struct bomp_tool_words words;
    ompt_id_t ids[BOMP_TOOL_CLIENTS]; /* of the operation that begins its initial task: the clients' own */
    ompt_id_t id, operation;          /* for clients that have no words of their own for it */
    ompt_target_t kind;
    const void *code;
};

/* What omp_control_tool returns without a tool. */
#define BOMP_NO_TOOL (-2)

struct bomp_target_hooks {
    /* Around the initial task that runs the region. */
    void (*begin)(struct bomp_member *self, struct bomp_tool_target *target);
    void (*end)(struct bomp_member *self, struct bomp_tool_target *target);
    /* omp_control_tool, called where `code` and `frame` say: what it returns. */
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

/* Before the calling thread gets its first member: searches for tools, once. Whether there are any; false while they start.
 * In compat/ompt. */
bool bomp_tool_first_use(void);
/* Whether there was no search yet, as no thread has used OpenMP. */
bool bomp_tool_is_unused(void);

/* The same for what may be the first that a thread has of OpenMP, or a process. */
bool bomp_tool_met(void);
static inline bool bomp_tool_is_met(void) {
    return bz_likely(bomp_self_if_any()) ? !!bomp_hooks : bomp_tool_met();
}

/* Before the first pool: starts the tools, and returns their hooks for pools, or NULL. */
const struct bz_hooks *bomp_tool_hooks(void);

/* Whether the member's current task is observed: not if its thread came while a tool still started, and did not wait for it
 * to the end. */
static inline bool bomp_is_observed(const struct bomp_member *self) {
    return self->current->flags & BOMP_TASK_TOOL;
}

/* Where the program's call came from, as its entry point noted, once; NULL: it did not. */
static inline const void *bomp_take_code(void) {
    const void *code = bomp_entered.code;
    bomp_entered.code = NULL;
    return code;
}

/* The same, or else what was found there. */
static inline const void *bomp_code_or(const void *site) {
    const void *code = bomp_take_code();
    return code ? code : site;
}

#endif
