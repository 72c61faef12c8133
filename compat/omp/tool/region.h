/* Regions, their implicit tasks, and initial tasks. */
#ifndef BOMP_TOOL_REGION_H
#define BOMP_TOOL_REGION_H

#include "omp/tool/thread.h"
#include "omp/tool/tool.h"

/* Tools are looked for, if nobody has yet, before the calling thread gets its first member. Whether there are any that are
 * told; false while they start. In compat/ompt. */
bool bomp_tool_first_use(void);

/* Whether they never were, as no thread has used OpenMP. */
bool bomp_tool_is_unused(void);

/* A thread that comes to OpenMP on its own, and its initial task. */
void bomp_tell_thread_comes(struct bomp_member *root);

/* A region that is about to start, for `requested` threads, by the thread that opens it: all that is kept of the region
 * begins here. And its end. */
void bomp_tell_parallel_begin(struct bomp_team *team, unsigned requested, int flags);
void bomp_tell_parallel_end(struct bomp_team *team);

/* The implicit task of a member, by its thread: it begins, and with it the thread, if it is new; it ends. */
void bomp_tell_implicit_begin(struct bomp_member *member);
void bomp_tell_implicit_end(struct bomp_member *member);

/* An initial task, number `index` of `count`: of a thread that comes to OpenMP, 1 of 1, or of a league's team. */
void bomp_tell_initial_begin(struct bomp_member *member, unsigned count, unsigned index);
void bomp_tell_initial_end(struct bomp_member *member, unsigned index);

/* A league whose teams are root teams, by the thread of `outer`, which meets it. */
void bomp_tell_league_begin(struct bomp_tool_region *league, struct bomp_member *outer, unsigned requested);
void bomp_tell_league_end(struct bomp_tool_region *league, struct bomp_member *outer);
/* A thread that is not outer's begins to run teams of one, and has done with it. */
void bomp_tell_league_joined(void);
void bomp_tell_league_left(void);

/* The same of a league whose `teams` teams are run by the initial task of a target region: all is kept until the end. Its
 * teams, one after the other; `index`: the team's number. */
void bomp_tell_target_league_begin(struct bomp_member *self, unsigned teams);
void bomp_tell_target_league_end(struct bomp_member *self);
void bomp_tell_target_team_begin(struct bomp_member *self, unsigned teams, unsigned index);
void bomp_tell_target_team_end(struct bomp_member *self, unsigned index);

/* In a team of a league whose code expects it, as libomp has it: a region of the runtime's around all of the program's code,
 * whose implicit task that code is. Clients that are not told of what the program has not (bomp_tool_sees) know nothing. */
void bomp_tell_team_region_begin(struct bomp_member *root);
void bomp_tell_team_region_end(struct bomp_member *root);

/* The member of the calling thread's initial task goes, or the tools do: its end is reported, and the thread's. Nothing if
 * it is another one's. */
void bomp_tell_thread_leaves(struct bomp_member *root);

/* Calls fn(data), the program's code, as the current task. */
void bomp_tool_run(struct bomp_member *self, void (*fn)(void *), void *data);

/* Where the program's code of a task has entered the runtime; NULL: it is back. `flags`: what `frame` is. */
static inline void bomp_tool_enter_frame(struct bomp_tool_task *task, const void *frame, int flags) {
    task->frame.enter_frame.ptr = (void *)frame;
    task->frame.enter_frame_flags = ompt_frame_runtime | flags;
}

#endif
