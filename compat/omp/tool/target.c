#include "omp/tool/target.h"

#include "omp/tool/thread.h"

static struct bz_a64 ids; /* given away so far: relaxed, the number alone counts */

/* Of the two forms of an event the newer one, if the client has registered it: that has words of the client's. */
#define TELL_NEWER(newer, newer_call, older, older_call)                                                     \
    for (uint32_t client = 0; client < bz_load_relaxed(&bomp_tool_table.count); client++)                    \
        if (bz_load_relaxed(&bomp_tool_table.clients[client].calls[ompt_callback_##newer]))                  \
            BOMP_TELL_ONE(newer, newer, newer_call);                                                         \
        else                                                                                                 \
            BOMP_TELL_ONE(older, older, older_call)

/* The host, by the number that omp_get_initial_device gives it. */
enum { HOST = 0 };

/* The task that has met the construct waits for the target task, or may be gone: a deferred one stands for both. */
static void tell(struct bomp_member *self, struct bomp_tool_target *target, ompt_scope_endpoint_t endpoint) {
    struct bomp_tool_task *task = bomp_tool_current(self), *target_task = NULL;
    if (task->flags & ompt_task_target)
        target_task = task;
    if (target_task && task->flags & (int)ompt_task_undeferred)
        task =
            bomp_tool_of(bz_load_relaxed(&self->current->parent)); /* relaxed: constant since its creation */
    TELL_NEWER(target_emi,
               call_(target->kind, endpoint, HOST, BOMP_WORD(task), BOMP_WORD(target_task), BOMP_WORD(target),
                     target->code),
               target, call_(target->kind, endpoint, HOST, BOMP_WORD(task), target->id, target->code));
}

void bomp_tell_target_begin(struct bomp_member *self, struct bomp_tool_target *target, ompt_target_t kind) {
    *target = (struct bomp_tool_target){
        .kind = kind, .code = bomp_tool_take_code(), .id = bz_fetch_add_relaxed(&ids, 1) + 1};
    tell(self, target, ompt_scope_begin);
}

void bomp_tell_target_end(struct bomp_member *self, struct bomp_tool_target *target) {
    tell(self, target, ompt_scope_end);
}

/* The older form has no end. */
void bomp_tell_target_submit(struct bomp_tool_target *target, ompt_scope_endpoint_t endpoint) {
    bool begins = endpoint == ompt_scope_begin;
    const unsigned teams = 1;
    if (begins)
        target->operation = bz_fetch_add_relaxed(&ids, 1) + 1;
    TELL_NEWER(target_submit_emi, call_(endpoint, BOMP_WORD(target), &target->ids[client], teams),
               target_submit, begins ? call_(target->id, target->operation, teams) : (void)0);
}
