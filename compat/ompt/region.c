/* Regions and leagues, their tasks, and where these leave the runtime. */
#include "omp/base/report.h"
#include "ompt/notify.h"

/* ---- regions, and leagues ---- */

/* `fn`: it runs that; it may be the library's. */
static void begin_region(struct bomp_tool_region *region, struct bomp_member *outer, unsigned requested,
                         int flags, const void *fn) {
    struct bomp_tool_task *task = ompt_current(outer);
    const void *code = ompt_site(outer, bomp_take_code());
    const void *function = bomp_entered.function ? bomp_entered.function : fn;
    *region = (struct bomp_tool_region){
        .code = code, .entry = ompt_entry(function, code), .flags = flags, .observed = true};
    ompt_enter_frame(task, bomp_entered.frame, ompt_frame_cfa);
    OMPT_NOTIFY(parallel_begin, parallel_begin, OMPT_WORD(task), &task->frame, OMPT_WORD(region), requested,
                flags, OMPT_PLACE(region->code, region->entry));
}

static void end_region(struct bomp_tool_region *region, struct bomp_member *outer) {
    struct bomp_tool_task *task = ompt_current(outer);
    region->observed = false;
    OMPT_NOTIFY(parallel_end, parallel_end, OMPT_WORD(region), OMPT_WORD(task), region->flags,
                OMPT_PLACE(region->code, region->entry));
    ompt_enter_frame(task, NULL, 0);
}

static void begin(struct bomp_team *team, unsigned requested, void (*fn)(void *)) {
    int invoker = fn ? ompt_parallel_invoker_runtime : ompt_parallel_invoker_program;
    begin_region(&team->tool, team->outer, requested, (int)ompt_parallel_team | invoker,
                 (const void *)(uintptr_t)fn);
}

static void end(struct bomp_team *team) {
    end_region(&team->tool, team->outer);
    (void)ompt_enter_state(team->outer->team->level == 0 ? ompt_state_work_serial : ompt_state_work_parallel);
}

static void league_begin(struct bomp_tool_region *league, struct bomp_member *outer, unsigned requested,
                         void (*fn)(void *)) {
    begin_region(league, outer, requested, ompt_parallel_league | ompt_parallel_invoker_runtime,
                 (const void *)(uintptr_t)fn);
}

static void league_thread(bool begins) {
    if (begins)
        ompt_thread_begin(ompt_thread_worker);
    (void)ompt_enter_state(begins ? ompt_state_work_parallel : ompt_state_idle);
}

/* ---- their tasks ---- */

static void begin_task_of(struct bomp_tool_task *task, struct bomp_tool_region *region, int flags,
                          unsigned count, unsigned index) {
    task->words = (struct bomp_tool_words){0}; /* the rest is an explicit one's */
    task->outer = NULL;
    task->frame = (ompt_frame_t){0};
    task->flags = flags;
    if (flags & ompt_task_implicit && count == 1) /* the task that opened the region waits for it */
        task->flags |= (int)ompt_task_undeferred;
    OMPT_NOTIFY(implicit_task, implicit_task, ompt_scope_begin, OMPT_WORD(region), OMPT_WORD(task), count,
                index, flags);
}

static void begin_task(struct bomp_member *member, int flags, unsigned count, unsigned index) {
    begin_task_of(&member->tool.task, ompt_region_of(member->team), flags, count, index);
}

/* `region`: NULL, as OpenMP says; but where a thread leaves, it is that of the initial task, as libomp has it: Archer of
 * LLVM 14 frees its data of that without a test. `count`: 0, as OpenMP says; but of a team's primary thread its size, as
 * libomp has it. */
static void end_task(struct bomp_tool_task *task, struct bomp_tool_region *region, unsigned count,
                     unsigned index) {
    int flags = task->flags & (ompt_task_initial | ompt_task_implicit);
    OMPT_NOTIFY(implicit_task, implicit_task, ompt_scope_end, OMPT_WORD(region), OMPT_WORD(task), count,
                index, flags);
}

/* Its tasks from here on, and their waits. */
static void attend(struct bomp_member *member) {
    member->implicit.flags |= BOMP_TASK_TOOL;
    member->implicit.children.local |= BOMP_TASK_OBSERVES_WAITS;
}

/* The program's code is called, or goes on, where the entry point noted. */
static void leave_runtime(struct bomp_tool_task *task) {
    ompt_exit_frame(task, bomp_entered.frame, ompt_frame_cfa);
}

static void implicit_begin(struct bomp_member *member) {
    attend(member);
    ompt_thread_begin(ompt_thread_worker);
    (void)ompt_enter_state(ompt_state_work_parallel);
    begin_task(member, ompt_task_implicit, member->team->size, member->num);
    if (member->num == 0)
        leave_runtime(&member->tool.task);
}

void ompt_implicit_end(struct bomp_member *member) {
    end_task(&member->tool.task, NULL, member->num == 0 ? member->team->size : 0, member->num);
    (void)ompt_enter_state(member->num == 0 ? ompt_state_overhead : ompt_state_idle);
}

static void begin_initial(struct bomp_member *member, unsigned count, unsigned index) {
    attend(member);
    member->team->cancel.special = true;
    begin_task(member, ompt_task_initial, count, index);
}

/* ---- regions without a member of their own ---- */

static struct bomp_tool_inner *inner_new(void) {
    struct bomp_tool_inner *inner = bz_alloc_zero(1, sizeof *inner);
    if (!inner)
        bomp_no_memory("what tools keep of a league");
    return inner;
}

static void begin_target_league(struct bomp_member *self, unsigned teams) {
    struct bomp_tool_inner *league = inner_new();
    begin_region(&league->region, self, teams, ompt_parallel_league | ompt_parallel_invoker_program, NULL);
    self->tool.inner = league;
}

static void end_target_league(struct bomp_member *self) {
    struct bomp_tool_inner *league = self->tool.inner;
    self->tool.inner = NULL; /* its creator is the current task again */
    end_region(&league->region, self);
    bz_free(league);
}

static void target_team(struct bomp_member *self, bool first, bool last) {
    const struct bomp_initial *initial = self->team->initial;
    if (first)
        begin_target_league(self, initial->num_teams);
    struct bomp_tool_inner *league = self->tool.inner;
    if (!league) /* the tool came later */
        return;
    if (!first)
        end_task(&league->task, NULL, 0, initial->team_num - !last);
    if (last) {
        end_target_league(self);
        return;
    }
    begin_task_of(&league->task, &league->region, ompt_task_initial, initial->num_teams, initial->team_num);
    leave_runtime(&league->task);
}

/* Some clients know nothing of this region: what they keep of the initial task goes with the code, there and back, and
 * what they keep of the league goes there. */
static void hand_over(struct bomp_tool_words *to, const struct bomp_tool_words *from) {
    for (uint32_t client = 0; client < BOMP_TOOL_CLIENTS; client++)
        if (!ompt_sees_all(client))
            to->of[client] = from->of[client];
}

static void begin_inner(struct bomp_member *root) {
    struct bomp_tool_inner *inner = inner_new();
    struct bomp_tool_region *region = &inner->region;
    struct bomp_tool_task *task = &inner->task, *outer = &root->tool.task;
    *region = (struct bomp_tool_region){.flags = ompt_parallel_team | ompt_parallel_invoker_runtime};
    task->flags = ompt_task_implicit | (int)ompt_task_undeferred;
    hand_over(&region->words, &ompt_region_of(root->team)->words);
    hand_over(&task->words, &outer->words);
    OMPT_NOTIFY_SOME(ompt_that_see_all(), parallel_begin, parallel_begin, OMPT_WORD(outer), &outer->frame,
                     OMPT_WORD(region), 1, region->flags, NULL);
    root->tool.inner = inner;
    OMPT_NOTIFY_SOME(ompt_that_see_all(), implicit_task, implicit_task, ompt_scope_begin, OMPT_WORD(region),
                     OMPT_WORD(task), 1, 0, ompt_task_implicit);
}

static void end_inner(struct bomp_member *root) {
    struct bomp_tool_inner *inner = root->tool.inner;
    struct bomp_tool_region *region = &inner->region;
    struct bomp_tool_task *task = &inner->task, *outer = &root->tool.task;
    OMPT_NOTIFY_SOME(ompt_that_see_all(), implicit_task, implicit_task, ompt_scope_end, NULL, OMPT_WORD(task),
                     1, 0, ompt_task_implicit);
    root->tool.inner = NULL;
    OMPT_NOTIFY_SOME(ompt_that_see_all(), parallel_end, parallel_end, OMPT_WORD(region), OMPT_WORD(outer),
                     region->flags, NULL);
    hand_over(&outer->words, &task->words);
    bz_free(inner);
}

/* ---- initial threads, and the teams of leagues ---- */

static void team_begin(struct bomp_member *root, unsigned count, unsigned index, bool inner) {
    root->team->tool = (struct bomp_tool_region){0}; /* of what it ran before */
    begin_initial(root, count, index);
    if (inner)
        begin_inner(root);
}

static void team_leave(struct bomp_member *root, bool inner) {
    ompt_work_over(root);
    if (inner)
        end_inner(root);
}

static void team_end(struct bomp_member *root, unsigned index) {
    end_task(&root->tool.task, NULL, 0, index);
}

static void thread_begin(struct bomp_member *root) {
    ompt_thread_begin(ompt_thread_initial);
    ompt_thread()->root = root;
    begin_initial(root, 1, 1);
}

static void thread_end(struct bomp_member *root) {
    ompt_work_over(root);
    if (!ompt_thread_own || ompt_thread_own->root != root)
        return;
    ompt_thread()->root = NULL;
    end_task(&root->tool.task, &root->team->tool, 0, 1);
    ompt_thread_end();
}

/* ---- frames ---- */

/* The frame of this function is where it leaves the runtime. */
static void call(struct bomp_member *self, void (*fn)(void *), void *data) {
    ompt_exit_frame(ompt_current(self), __builtin_frame_address(0), ompt_frame_framepointer);
    fn(data);
    ompt_exit_frame(ompt_current(bomp_self()), NULL, ompt_frame_framepointer);
}

const struct bomp_region_hooks ompt_region_hooks = {
    .thread_begin = thread_begin,
    .thread_end = thread_end,
    .begin = begin,
    .end = end,
    .implicit_begin = implicit_begin,
    .call = call,
    .league_begin = league_begin,
    .league_end = end_region,
    .league_thread = league_thread,
    .team_begin = team_begin,
    .team_leave = team_leave,
    .team_end = team_end,
    .target_team = target_team,
};
