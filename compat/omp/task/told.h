/* What tools are told of tasks (../README.md, "Tools"). Where a tool is, all tasks have BOMP_TASK_TOOL, and go the general
 * way: each has a place for what tools keep of it, on the stack beside its descriptor or behind its extra part, from before
 * its creation is reported until it has ended. Nothing here is called where no tool is.
 *
 * A task takes the place of another one when it begins: of the one that waits, or that creates it; and gives it back at
 * its end. One that begins on a stack of its own (../../../src/sched/coroutine.md) takes no place: behind it the last one
 * of its thread's suspended tasks goes on. */
#ifndef BOMP_TOLD_H
#define BOMP_TOLD_H

#include "omp/bomp.h"
#include "omp/state/member.h"
#include "omp/tool/sync.h"
#include "omp/tool/tool.h"

struct bomp_event;
struct bomp_node;
struct bomp_task_spec;

/* A task that will run on the stack: told of its creation, and what has become of it. */
struct bomp_told {
    struct bomp_task task;
    struct bomp_tool_task tool;
    const struct bomp_task_spec *spec;
    struct bomp_event *event; /* of a detached one; else NULL */
    uint32_t flags;           /* of the task, besides those that say where it is */
};

/* Around a call of the program's: the current task is in the runtime. */
void bomp_told_enter(struct bomp_member *self);
void bomp_told_leave(struct bomp_member *self);

/* A new task, child of the current one: its creation, and what it depends on. */
void bomp_told_created(struct bomp_member *self, struct bomp_tool_task *tool,
                       const struct bomp_task_spec *spec);

/* What the member creates, a task or a taskwait, waits for this one; which may be complete already, but for its node. */
void bomp_told_dependence(const struct bomp_node *predecessor);

/* It begins and ends on the calling thread; between them it is the current task. `frame`: of whoever calls its function.
 * End: it has run, and is the current task still; `event`: of a detached one, else NULL. */
void bomp_told_begin(struct bomp_member *self, struct bomp_task *task, const void *frame);
void bomp_told_end(struct bomp_member *self, const struct bomp_task *task, struct bomp_tool_task *tool,
                   struct bomp_event *event);
/* The program fulfills its event; `late`: the body has ended. */
void bomp_told_fulfilled(struct bomp_tool_task *tool, bool late);

/* It was discarded before it began, for the member's region or the task's group. */
void bomp_told_discarded(struct bomp_member *self, struct bomp_tool_task *tool);

/* Around the body of one with reserved arguments: its function is called by one with a frame of its own. */
void bomp_told_frame_code(void *args);
void bomp_told_restore_code(struct bomp_tool_task *tool, void *args);

/* The body of a queued one. False: it has been cancelled, and did not begin. */
bool bomp_told_body(struct bomp_task *task, struct bz_worker *self);

/* The current task is suspended on its stack; one that was goes on. */
void bomp_told_suspended(struct bomp_member *self);
void bomp_told_resumed(struct bomp_member *self, struct bomp_task *task);

/* A taskwait of the current task's has nothing to wait for, of which these clients are told (bomp_empty_waits_told).
 * `site`: where the program has it. */
void bomp_told_empty_wait(uint32_t clients, struct bomp_member *self, const void *site);

/* What a taskwait with dependences was told as is over. */
void bomp_told_waited(struct bomp_tool_task *tool);

/* A taskloop begins and ends; between them its tasks are created. `code`: where the program has it. */
void bomp_told_taskloop(struct bomp_member *self, ompt_scope_endpoint_t endpoint, uint64_t count,
                        const void *code);

#endif
