#include "omp/tool/region.h"

/* ---- regions, and leagues ---- */

static const void *entry_of(const void *function, const void *code) {
    return function && !bomp_tool_is_ours(function) ? (const char *)function + 1 : code;
}

/* Where it is, for the client that is told. */
#define SITE(region) (bomp_tool_sees(client) ? (region)->code : (region)->entry)

/* `fn`: it runs that; it may be the library's. */
static void begin_region(struct bomp_tool_region *region, struct bomp_member *outer, unsigned requested,
                         int flags, const void *fn) {
    struct bomp_tool_task *task = bomp_tool_current(outer);
    const void *code = bomp_tool_code(outer, bomp_tool_take_code());
    const void *function = bomp_entered.function ? bomp_entered.function : fn;
    *region = (struct bomp_tool_region){
        .code = code, .entry = entry_of(function, code), .flags = flags, .told = true};
    bomp_tool_enter_frame(task, bomp_entered.frame, ompt_frame_cfa);
    BOMP_TELL(parallel_begin, parallel_begin, BOMP_WORD(task), &task->frame, BOMP_WORD(region), requested,
              flags, SITE(region));
}

static void end_region(struct bomp_tool_region *region, struct bomp_member *outer) {
    struct bomp_tool_task *task = bomp_tool_current(outer);
    region->told = false;
    BOMP_TELL(parallel_end, parallel_end, BOMP_WORD(region), BOMP_WORD(task), region->flags, SITE(region));
    bomp_tool_enter_frame(task, NULL, 0);
}

void bomp_tell_parallel_begin(struct bomp_team *team, unsigned requested, int flags, void (*fn)(void *)) {
    begin_region(&team->tool, team->outer, requested, flags, (const void *)(uintptr_t)fn);
}

void bomp_tell_parallel_end(struct bomp_team *team) {
    end_region(&team->tool, team->outer);
    bomp_tool_state(team->outer->team->level == 0 ? ompt_state_work_serial : ompt_state_work_parallel);
}

void bomp_tell_league_begin(struct bomp_tool_region *league, struct bomp_member *outer, unsigned requested,
                            void (*fn)(void *)) {
    begin_region(league, outer, requested, ompt_parallel_league | ompt_parallel_invoker_runtime,
                 (const void *)(uintptr_t)fn);
}

void bomp_tell_league_end(struct bomp_tool_region *league, struct bomp_member *outer) {
    end_region(league, outer);
}

void bomp_tell_league_joined(void) {
    bomp_tool_thread_begin(ompt_thread_worker);
    bomp_tool_state(ompt_state_work_parallel);
}

void bomp_tell_league_left(void) {
    bomp_tool_state(ompt_state_idle);
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
    BOMP_TELL(implicit_task, implicit_task, ompt_scope_begin, BOMP_WORD(region), BOMP_WORD(task), count,
              index, flags);
}

static void begin_task(struct bomp_member *member, int flags, unsigned count, unsigned index) {
    begin_task_of(&member->tool, bomp_tool_region_of(member->team), flags, count, index);
}

/* `region`: NULL, as OpenMP says; but where a thread leaves, it is that of the initial task, as libomp has it: Archer of
 * LLVM 14 frees what it has of it, without a look. `count`: 0, as OpenMP says; but of a team's primary thread its size, as
 * libomp has it. */
static void end_task(struct bomp_tool_task *task, struct bomp_tool_region *region, unsigned count,
                     unsigned index) {
    int flags = task->flags & (ompt_task_initial | ompt_task_implicit);
    BOMP_TELL(implicit_task, implicit_task, ompt_scope_end, BOMP_WORD(region), BOMP_WORD(task), count, index,
              flags);
}

/* Its tasks from here on, and where they wait. */
static void attend(struct bomp_member *member) {
    member->implicit.flags |= BOMP_TASK_TOOL;
    member->implicit.children.local |= BOMP_TASK_LOOKS;
    member->waits = BOMP_WAITS_TOLD;
}

void bomp_tell_implicit_begin(struct bomp_member *member) {
    attend(member);
    bomp_tool_thread_begin(ompt_thread_worker);
    bomp_tool_state(ompt_state_work_parallel);
    begin_task(member, ompt_task_implicit, member->team->size, member->num);
    if (member->num == 0) { /* the program's code is called, or goes on, where the region was opened */
        member->tool.frame.exit_frame.ptr = (void *)bomp_entered.frame;
        member->tool.frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
    }
}

void bomp_tell_implicit_end(struct bomp_member *member) {
    end_task(&member->tool, NULL, member->num == 0 ? member->team->size : 0, member->num);
    bomp_tool_state(member->num == 0 ? ompt_state_overhead : ompt_state_idle);
}

void bomp_tell_initial_begin(struct bomp_member *member, unsigned count, unsigned index) {
    attend(member);
    member->team->cancel.special = true;
    begin_task(member, ompt_task_initial, count, index);
}

void bomp_tell_initial_end(struct bomp_member *member, unsigned index) {
    end_task(&member->tool, NULL, 0, index);
}

/* ---- regions without a member of their own ---- */

static struct bomp_tool_inner *inner_new(void) {
    struct bomp_tool_inner *inner = bz_alloc_zero(1, sizeof *inner);
    if (!inner)
        bomp_no_memory("what tools are told of a league");
    return inner;
}

void bomp_tell_target_league_begin(struct bomp_member *self, unsigned teams) {
    struct bomp_tool_inner *league = inner_new();
    begin_region(&league->region, self, teams, ompt_parallel_league | ompt_parallel_invoker_program, NULL);
    self->told.inner = league;
}

void bomp_tell_target_league_end(struct bomp_member *self) {
    struct bomp_tool_inner *league = self->told.inner;
    self->told.inner = NULL; /* its creator is the current task again */
    end_region(&league->region, self);
    bz_free(league);
}

void bomp_tell_target_team_begin(struct bomp_member *self, unsigned teams, unsigned index) {
    struct bomp_tool_inner *league = self->told.inner;
    begin_task_of(&league->task, &league->region, ompt_task_initial, teams, index);
    league->task.frame.exit_frame.ptr = (void *)bomp_entered.frame; /* the program's code goes on there */
    league->task.frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
}

void bomp_tell_target_team_end(struct bomp_member *self, unsigned index) {
    end_task(&self->told.inner->task, NULL, 0, index);
}

/* Some clients know nothing of this region: what they keep of the initial task goes with the code, there and back, and what
 * they keep of the league goes there. */
static void hand_over(struct bomp_tool_words *to, const struct bomp_tool_words *from) {
    for (uint32_t client = 0; client < BOMP_TOOL_CLIENTS; client++)
        if (!bomp_tool_sees(client))
            to->of[client] = from->of[client];
}

void bomp_tell_team_region_begin(struct bomp_member *root) {
    struct bomp_tool_inner *inner = inner_new();
    struct bomp_tool_region *region = &inner->region;
    struct bomp_tool_task *task = &inner->task, *outer = &root->tool;
    *region = (struct bomp_tool_region){.flags = ompt_parallel_team | ompt_parallel_invoker_runtime};
    task->flags = ompt_task_implicit | (int)ompt_task_undeferred;
    hand_over(&region->words, &bomp_tool_region_of(root->team)->words);
    hand_over(&task->words, &outer->words);
    BOMP_TELL_SEERS(parallel_begin, parallel_begin, BOMP_WORD(outer), &outer->frame, BOMP_WORD(region), 1,
                    region->flags, NULL);
    root->told.inner = inner;
    BOMP_TELL_SEERS(implicit_task, implicit_task, ompt_scope_begin, BOMP_WORD(region), BOMP_WORD(task), 1, 0,
                    ompt_task_implicit);
}

void bomp_tell_team_region_end(struct bomp_member *root) {
    struct bomp_tool_inner *inner = root->told.inner;
    struct bomp_tool_region *region = &inner->region;
    struct bomp_tool_task *task = &inner->task, *outer = &root->tool;
    BOMP_TELL_SEERS(implicit_task, implicit_task, ompt_scope_end, NULL, BOMP_WORD(task), 1, 0,
                    ompt_task_implicit);
    root->told.inner = NULL;
    BOMP_TELL_SEERS(parallel_end, parallel_end, BOMP_WORD(region), BOMP_WORD(outer), region->flags, NULL);
    hand_over(&outer->words, &task->words);
    bz_free(inner);
}

void bomp_tell_thread_comes(struct bomp_member *root) {
    bomp_tool_thread_begin(ompt_thread_initial);
    bomp_tool_thread()->root = root;
    bomp_tell_initial_begin(root, 1, 1);
}

void bomp_tell_thread_leaves(struct bomp_member *root) {
    if (!root || !bomp_tool_thread_own || bomp_tool_thread_own->root != root)
        return;
    bomp_tool_thread()->root = NULL;
    end_task(&root->tool, &root->team->tool, 0, 1);
    bomp_tool_thread_end();
}

/* ---- frames ---- */

static void exit_frame(struct bomp_tool_task *task, const void *frame) {
    task->frame.exit_frame.ptr = (void *)frame;
    task->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
}

void bomp_tool_call(void (*fn)(void *), void *data) {
    bomp_tool_run(bomp_self(), fn, data);
}

/* The frame of this function is where it leaves the runtime. */
void bomp_tool_run(struct bomp_member *self, void (*fn)(void *), void *data) {
    exit_frame(bomp_tool_current(self), __builtin_frame_address(0));
    fn(data);
    exit_frame(bomp_tool_current(bomp_self()), NULL);
}
