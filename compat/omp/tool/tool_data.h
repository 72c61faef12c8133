/* The tools' data of threads, regions and tasks: a word for each tool, and answers to queries. Only hooks (hooks.h)
 * write it. A region has it in its team, an implicit task in its member, an explicit one behind its extra part or, on
 * its creator's stack, where `data` points. */
#ifndef BOMP_TOOL_DATA_H
#define BOMP_TOOL_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "omp-tools.h"

struct bomp_event;
struct bomp_task;

/* The tools of the library itself, and one that the program brings. */
#define BOMP_TOOL_CLIENTS 4

/* The clients' callbacks write them; zero at first. */
struct bomp_tool_words {
    ompt_data_t of[BOMP_TOOL_CLIENTS];
};

struct bomp_tool_task {
    struct bomp_tool_words words;
    ompt_frame_t frame; /* where it entered and left the runtime; its thread only */
    int flags;          /* ompt_task_flag_t */
    uint32_t state;     /* of its thread, before it began */
    /* Whose place it took (hooks.h); NULL: it began on a stack of its own. Its thread only. */
    struct bomp_task *outer;
    void *args;                 /* reserved ones (task_reserve.h); else NULL */
    struct bomp_event *event;   /* of a detached one; else NULL */
    ompt_dispatch_chunk_t part; /* of a taskloop; without iterations: of another kind */
    /* The body, which a hook's function replaces in the task; `code` with reserved arguments. Constant. */
    union {
        int (*code)(int thread_id, void *args);
        void (*fn)(void *data);
    } body;
};

struct bomp_tool_region {
    struct bomp_tool_words words;
    const void *code;  /* where the program opened it */
    const void *entry; /* ompt_entry of that */
    int flags;         /* ompt_parallel_flag_t */
    bool observed;     /* its begin was reported, so its end must be */
};

/* A region without members, within a member's: a league where a target region's code meets it; the runtime's in each
 * team of a league of LLVM's compilers. */
struct bomp_tool_inner {
    struct bomp_tool_region region;
    struct bomp_tool_task task; /* the team's initial task; its implicit task */
};

/* A worksharing construct, from its begin to its end; kind 0: none. */
struct bomp_tool_work {
    ompt_work_t kind;
    uint64_t count;
    const void *code; /* of its begin */
};

/* A member's data between two events; its thread only. */
struct bomp_tool_member {
    struct bomp_tool_task task;     /* of the implicit task */
    struct bomp_tool_work loop;     /* a loop, or sections */
    struct bomp_tool_work block;    /* single or scope: GCC's code does not say where it ends */
    struct bomp_tool_task *creates; /* what it creates now; NULL: nothing */
    struct bomp_task *left;         /* just suspended, before another one continues; or NULL */
    struct bomp_tool_inner *inner;  /* the region of its initial task's code, or NULL */
    unsigned dimensions;            /* of its last doacross nest */
    bool reduces;                   /* it merges its part of a reduction */
    bool group;                     /* the begin of its next taskgroup was reported */
    bool yields;                    /* the current task is in a taskyield */
    const void *base;               /* bomp_task_enter's, while it enters; else NULL */
    ompt_dispatch_chunk_t part;     /* of the next task of a taskloop; without iterations: of another kind */
};

#endif
