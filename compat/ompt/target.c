/* Target constructs, which the host runs: the only device is the host itself, so nothing is mapped, and no data moves. And
 * omp_control_tool. */
#include "ompt/notify.h"

static struct bz_a64 ids; /* given away so far: relaxed, the number alone counts */

static ompt_id_t next_id(void) {
    return bz_fetch_add_relaxed(&ids, 1) + 1;
}

/* Of the two forms of an event the newer one, if the client has registered it: that has words of the client's. */
#define NOTIFY_NEWER(newer, newer_call, older, older_call)                                                   \
    OMPT_EACH(ompt_attached())                                                                               \
    if (OMPT_CALLBACK(newer))                                                                                \
        OMPT_CALL(OMPT_CALLBACK(newer), newer, newer_call);                                                  \
    else                                                                                                     \
        OMPT_CALL(OMPT_CALLBACK(older), older, older_call)

/* The host, by the number that omp_get_initial_device gives it. */
enum { HOST = 0 };

/* The task that has met the construct waits for the target task, or may be gone: a deferred one stands for both. */
static void report(struct bomp_member *self, struct bomp_tool_target *target,
                   ompt_scope_endpoint_t endpoint) {
    struct bomp_tool_task *task = ompt_current(self), *target_task = NULL;
    if (task->flags & ompt_task_target)
        target_task = task;
    if (target_task && task->flags & (int)ompt_task_undeferred)
        task =
            ompt_task_of(bz_load_relaxed(&self->current->parent)); /* relaxed: constant since its creation */
    NOTIFY_NEWER(target_emi,
                 call_(target->kind, endpoint, HOST, OMPT_WORD(task), OMPT_WORD(target_task),
                       OMPT_WORD(target), target->code),
                 target, call_(target->kind, endpoint, HOST, OMPT_WORD(task), target->id, target->code));
}

static void begin_construct(struct bomp_member *self, struct bomp_tool_target *target, ompt_target_t kind) {
    *target = (struct bomp_tool_target){.kind = kind, .code = bomp_take_code(), .id = next_id()};
    report(self, target, ompt_scope_begin);
}

/* Of the operation that creates the initial task. The older form has no end. */
static void submit(struct bomp_tool_target *target, ompt_scope_endpoint_t endpoint) {
    bool begins = endpoint == ompt_scope_begin;
    const unsigned teams = 1;
    if (begins)
        target->operation = next_id();
    NOTIFY_NEWER(target_submit_emi, call_(endpoint, OMPT_WORD(target), &target->ids[client], teams),
                 target_submit, begins ? call_(target->id, target->operation, teams) : (void)0);
}

static void begin(struct bomp_member *self, struct bomp_tool_target *target) {
    const unsigned deferred = ompt_task_target, flags = (unsigned)ompt_current(self)->flags;
    bool nowait = (flags & (ompt_task_target | (unsigned)ompt_task_undeferred)) == deferred;
    begin_construct(self, target, nowait ? ompt_target_nowait : ompt_target);
    submit(target, ompt_scope_begin);
}

static void end(struct bomp_member *self, struct bomp_tool_target *target) {
    submit(target, ompt_scope_end);
    report(self, target, ompt_scope_end);
}

/* ---- omp_control_tool ---- */

/* As in omp.h; what a tool returns itself is larger. */
enum { NO_CALLBACK = -1 };

/* The program's tool is the last one, and its answer counts. */
static int control(int command, int modifier, void *argument, const void *code, void *frame) {
    struct bomp_member *self = bomp_self();
    int answer = NO_CALLBACK;
    if (!bomp_is_observed(self) || ompt_attached() == 0)
        return BOMP_NO_TOOL;
    ompt_enter_frame(ompt_current(self), frame, ompt_frame_cfa);
    OMPT_EACH(ompt_attached())
    OMPT_CALL(OMPT_CALLBACK(control_tool), control_tool,
              answer = call_((uint64_t)command, (uint64_t)modifier, argument, code));
    ompt_enter_frame(ompt_current(self), NULL, 0);
    return answer;
}

const struct bomp_target_hooks ompt_target_hooks = {begin, end, control};

/* ---- for entry points (bomp_tool.h) ---- */

void bomp_tool_target_data(enum bomp_target_data kind, bool nowait) {
    static const ompt_target_t kinds[][2] = {
        [BOMP_TARGET_ENTER_DATA] = {ompt_target_enter_data, ompt_target_enter_data_nowait},
        [BOMP_TARGET_EXIT_DATA] = {ompt_target_exit_data, ompt_target_exit_data_nowait},
        [BOMP_TARGET_UPDATE] = {ompt_target_update, ompt_target_update_nowait},
    };
    struct bomp_member *self = bomp_self();
    struct bomp_tool_target target;
    if (!bomp_is_observed(self))
        return;
    begin_construct(self, &target, kinds[kind][nowait]);
    report(self, &target, ompt_scope_end);
}
