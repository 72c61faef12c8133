/* The tools' data of threads, regions and tasks: a row of words, one for each tool, and answers to the tools' queries.
 * Hooks (hooks.h) alone write it, and only with a tool.
 *
 * Where it is: of a region in its team; of an implicit task in its member; of an explicit task behind its extra part,
 * or, if the task runs on its creator's stack, where `data` of the task points. */
#ifndef BOMP_TOOL_DATA_H
#define BOMP_TOOL_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "omp-tools.h"

struct bomp_event;
struct bomp_task;

/* The tools of the library itself, and one that the program brings. */
#define BOMP_TOOL_CLIENTS 4

/* Written by the clients' callbacks, all of it zero before the first one. */
struct bomp_tool_words {
    ompt_data_t of[BOMP_TOOL_CLIENTS];
};

struct bomp_tool_task {
    struct bomp_tool_words words;
    ompt_frame_t frame; /* where it entered the runtime, and left it; its own thread only */
    int flags;          /* ompt_task_flag_t */
    uint32_t state;     /* of its thread, before it began */
    /* Whose place it took on its thread; NULL: it began on a stack of its own. Its thread only. */
    struct bomp_task *outer;
    void *args;                 /* of its body, if they are reserved (task_reserve.h); else NULL */
    struct bomp_event *event;   /* of a detached one; else NULL */
    ompt_dispatch_chunk_t part; /* of a taskloop; without iterations: of another kind */
    /* The function of its body, which another one calls in its place while it runs: it with reserved arguments, or of
     * another task. Constant since its creation. */
    union {
        int (*code)(int thread_id, void *args);
        void (*fn)(void *data);
    } body;
};

struct bomp_tool_region {
    struct bomp_tool_words words;
    const void *code; /* where the program opened it */
    /* Behind the first byte of the program's function that it runs, as if that had called there; as `code` where none is
     * known. The library's own tools get this: it is the construct's own where what opened it was inlined. */
    const void *entry;
    int flags;     /* ompt_parallel_flag_t */
    bool observed; /* its begin was reported, so its end must be */
};

/* Of a region within a member's for which no other member is made: a league whose teams run in the place where a target
 * region's code meets it; the runtime's in each team of a league of LLVM's compilers. */
struct bomp_tool_inner {
    struct bomp_tool_region region;
    struct bomp_tool_task task; /* the initial task of the team that runs; its implicit task */
};

/* A worksharing construct, from its begin to its end; kind 0: none. */
struct bomp_tool_work {
    ompt_work_t kind;
    uint64_t count;
    const void *code; /* of its begin */
};

/* What hooks keep of a member between two events; its thread only. */
struct bomp_tool_member {
    struct bomp_tool_task task;     /* of the implicit task */
    struct bomp_tool_work loop;     /* a loop, or sections */
    struct bomp_tool_work block;    /* single or scope: GCC's code does not say where it ends */
    struct bomp_tool_task *creates; /* what it creates now; NULL: nothing */
    struct bomp_task *left;         /* has just been suspended, and nothing else goes on yet; NULL: none */
    struct bomp_tool_inner *inner;  /* that the code of its initial task is in; NULL: none */
    unsigned dimensions;            /* of the doacross nest that it is in, or was in last */
    bool reduces;                   /* it merges its copies of a reduction's variables */
    bool group;                     /* the begin of the taskgroup that it opens next was reported */
    bool yields;                    /* the current task is in a taskyield */
    const void *base;               /* bomp_task_enter_from's, while it enters; else NULL */
    ompt_dispatch_chunk_t
        part; /* of the next task that a taskloop creates; without iterations: of another kind */
};

#endif
