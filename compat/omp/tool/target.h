/* Target constructs, which the host runs: the only device is the host itself, so nothing is mapped, and no data moves.
 * Called where tools are told alone. */
#ifndef BOMP_TOOL_TARGET_H
#define BOMP_TOOL_TARGET_H

#include "omp/tool/tool.h"

/* A target region, from its begin to its end; its thread's. */
struct bomp_tool_target {
    struct bomp_tool_words words;
    ompt_id_t ids[BOMP_TOOL_CLIENTS]; /* of the operation that begins its initial task: the clients' own */
    ompt_id_t id, operation;          /* for clients that have no words of their own for it */
    ompt_target_t kind;
    const void *code;
};

/* The member's current task meets a target construct, or is the target task of one; and the same of its end. */
void bomp_tell_target_begin(struct bomp_member *self, struct bomp_tool_target *target, ompt_target_t kind);
void bomp_tell_target_end(struct bomp_member *self, struct bomp_tool_target *target);

/* The initial task that runs it is about to be created, and is over. */
void bomp_tell_target_submit(struct bomp_tool_target *target, ompt_scope_endpoint_t endpoint);

#endif
