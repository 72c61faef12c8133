/* What a member remembers between two events of its tasks (../task/told.h). Where tools are told alone; owner only. */
#ifndef BOMP_STATE_TOLD_H
#define BOMP_STATE_TOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "omp-tools.h"

struct bomp_task;
struct bomp_tool_inner;
struct bomp_tool_task;

/* A worksharing construct that is told of, from its begin to its end; kind 0: none. */
struct bomp_told_work {
    ompt_work_t kind;
    uint64_t count;
    const void *code; /* of its begin */
};

struct bomp_told_member {
    struct bomp_told_work loop;  /* a loop, or sections */
    struct bomp_told_work block; /* single or scope: it may end without a word */
    /* What it creates now, and what that depends on is found out; NULL: nothing. */
    struct bomp_tool_task *creates;
    struct bomp_task *left;        /* has just been suspended, and nothing else goes on yet; NULL: none */
    struct bomp_tool_inner *inner; /* that the code of its initial task is in; NULL: none */
    unsigned dimensions;           /* of the doacross nest that it is in, or was in last */
    bool reduces;                  /* it merges its copies of a reduction's variables */
    bool group;                    /* the begin of the taskgroup that it opens next was told */
    const void *base;              /* bomp_task_enter_told's, while it enters; else NULL */
    bool yields;                   /* the current task is in a taskyield */
    ompt_dispatch_chunk_t part; /* of the taskloop's task that is created next; no iterations: it is none */
};

#endif
