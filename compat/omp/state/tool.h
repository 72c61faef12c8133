/* What tools keep of threads, regions and tasks (../README.md, "Tools"): words of their own, a row with one for each client,
 * and what they may ask about. There if a tool is (bomp_told), else never written.
 *
 * Where it is: of a thread in thread-local memory; of a region in its team; of an implicit task in its member; of an
 * explicit task behind its extra part or, if it is on the stack, beside it there (bomp_tool_of). */
#ifndef BOMP_STATE_TOOL_H
#define BOMP_STATE_TOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "omp-tools.h"

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
    bool reserved;      /* the arguments of its body are (task_reserve.h) */
    /* Whose place it took on its thread; NULL: it began on a stack of its own. Its thread only. */
    struct bomp_task *outer;
    ompt_dispatch_chunk_t part; /* of a taskloop; no iterations: it is none */
    /* The function of its body, which another one calls in its place while it runs (told.c): it with reserved arguments, or
     * of another task. Constant since its creation. */
    union {
        int (*code)(int thread_id, void *args);
        void (*fn)(void *data);
    } body;
};

struct bomp_tool_region {
    struct bomp_tool_words words;
    const void *code; /* where the program opened it */
    /* Behind the first byte of the program's function that it runs, as if that had called there; as `code` where none is
     * known. The library's own tools are told this: it is the construct's own where what opened it was inlined. */
    const void *entry;
    int flags; /* ompt_parallel_flag_t */
    bool told; /* its begin was reported, so its end must be */
};

/* Of a region within a member's for which no other member is made: a league whose teams run in the place where a target
 * region's code meets it; the runtime's in each team of a league of LLVM's compilers. */
struct bomp_tool_inner {
    struct bomp_tool_region region;
    struct bomp_tool_task task; /* the initial task of the team that runs; its implicit task */
};

#endif
