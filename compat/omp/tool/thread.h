/* What tools keep of the calling thread, and where its last call came from. */
#ifndef BOMP_TOOL_THREAD_H
#define BOMP_TOOL_THREAD_H

#include "omp/tool/tool.h"

struct bomp_tool_thread {
    struct bomp_tool_words words;
    /* What it does, an ompt_state_t, and what it waits for. Written by it, read by it, perhaps in a signal handler:
     * relaxed. */
    struct bz_a32 state;
    struct bz_a64 wait_id;
    bool begun;               /* its begin was reported */
    bool works;               /* as that of a worker */
    struct bomp_member *root; /* of a thread that has an initial task, which was reported; else NULL */
    unsigned hint;            /* of the critical construct that it meets next */
    uint32_t before_mutex;    /* its state before it asked for the mutex that it asks for */
};

/* On the heap, from the first event of the thread to its end: what is thread-local here is so in all programs, and takes of
 * the little that glibc has for libraries that are loaded late. NULL: no event yet. */
extern __thread struct bomp_tool_thread *bomp_tool_thread_own BOMP_HIDDEN;

/* Makes it. No memory is fatal. */
struct bomp_tool_thread *bomp_tool_thread_new(void);

static inline struct bomp_tool_thread *bomp_tool_thread(void) {
    return bz_likely(bomp_tool_thread_own) ? bomp_tool_thread_own : bomp_tool_thread_new();
}

/* Whether the begin of the calling thread was reported, and not its end. */
static inline bool bomp_tool_thread_begun(void) {
    return bomp_tool_thread_own && bomp_tool_thread_own->begun;
}

/* The calling thread comes to OpenMP: reports its begin, once. Its end is reported when it ends. */
void bomp_tool_thread_begin(ompt_thread_t kind);

/* Reports the end of the calling thread, if its begin was. */
void bomp_tool_thread_end(void);

/* Workers whose begin was reported and whose end was not, the calling thread not counted. */
unsigned bomp_tool_workers(void);

/* The child of a fork has one thread of all. */
void bomp_tool_workers_lost(void);

/* For what may be the first that a thread has of OpenMP, or a process: looks for tools, and whether they are told. */
bool bomp_tool_met(void);
static inline bool bomp_tool_is_met(void) {
    return bz_likely(bomp_self_if_any()) ? bomp_told : bomp_tool_met();
}

/* It is in that state now. Returns the one before. */
static inline uint32_t bomp_tool_state(ompt_state_t state) {
    struct bomp_tool_thread *self = bomp_tool_thread();
    uint32_t before = bz_load_relaxed(&self->state); /* relaxed, both: its own */
    bz_store_relaxed(&self->state, state);
    return before;
}

/* Where the program's call came from, as its entry point said, once; NULL: it did not. */
static inline const void *bomp_tool_take_code(void) {
    const void *code = bomp_entered.code;
    bomp_entered.code = NULL;
    return code;
}

/* The same, or else what was found there. */
static inline const void *bomp_tool_code_or(const void *site) {
    const void *code = bomp_tool_take_code();
    return code ? code : site;
}

/* Where the library's own code is. Written once, before the first event. */
struct bomp_tool_text {
    uintptr_t begin, size;
};
extern struct bomp_tool_text bomp_tool_text BOMP_HIDDEN;

static inline bool bomp_tool_is_ours(const void *code) {
    return (uintptr_t)code - bomp_tool_text.begin < bomp_tool_text.size;
}

const void *bomp_tool_code_of_function(const struct bomp_member *self);

/* Where the program is: there, or, where that is in this library because a function of the program's ended with the call
 * and so jumped, in the function that the current task runs: behind its first byte, or where its region was opened. NULL:
 * not known. */
static inline const void *bomp_tool_code(const struct bomp_member *self, const void *code) {
    return bz_likely(!bomp_tool_is_ours(code)) ? code : bomp_tool_code_of_function(self);
}

/* Likewise. */
static inline unsigned bomp_tool_take_hint(void) {
    unsigned hint = bomp_tool_thread()->hint;
    bomp_tool_thread()->hint = 0;
    return hint;
}

#endif
