/* The seam's third part, included by bomp.h: events that only entry points know, reported by BOMP_NOTIFY_HERE. The
 * functions are in compat/ompt. */
#ifndef BOMP_TOOL_SEAM_H
#define BOMP_TOOL_SEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/base/export.h"

/* The hooks of tools (tool/hooks.h), NULL without a tool or before the first use of OpenMP; constant from before its
 * first region. Entry points may read it earlier, by BOMP_OBSERVED. */
extern const struct bomp_hooks *bomp_hooks BOMP_HIDDEN;
#ifdef __SANITIZE_THREAD__
#    define BOMP_OBSERVED __builtin_expect(!!__atomic_load_n(&bomp_hooks, __ATOMIC_RELAXED), 0)
#else
#    define BOMP_OBSERVED __builtin_expect(!!bomp_hooks, 0)
#endif

/* What an entry point notes for the thread's next event: where the program called it, and the end of its frame; the
 * kind of the next barrier. */
struct bomp_entered {
    const void *code, *frame;
    const void *function; /* the program's, which the next region runs; NULL: as the region knows */
    enum bomp_barrier {
        BOMP_BARRIER_EXPLICIT,
        BOMP_BARRIER_WORKSHARE,
        BOMP_BARRIER_REDUCTION,
        BOMP_BARRIER_OTHER
    } barrier;
};
extern __thread struct bomp_entered bomp_entered BOMP_HIDDEN;
static inline void bomp_tool_entered(const void *code, const void *frame) {
    bomp_entered.code = code;
    bomp_entered.frame = frame;
    bomp_entered.function = NULL;
}

/* In an entry point: if there are tools. A macro: a call would save registers. */
#define BOMP_NOTIFY_HERE(call)                                                                               \
    do {                                                                                                     \
        if (BOMP_OBSERVED) {                                                                                 \
            bomp_tool_entered(__builtin_return_address(0), __builtin_dwarf_cfa());                           \
            call;                                                                                            \
        }                                                                                                    \
    } while (0)

/* First in an entry point, if the functions that it calls cannot know; for a region whose function only it knows. */
#define BOMP_ENTERED() BOMP_NOTIFY_HERE((void)0)
#define BOMP_ENTERED_FOR(fn) BOMP_NOTIFY_HERE(bomp_entered.function = (const void *)(uintptr_t)(fn))

/* The place of an entry point's call, and the same again for another event. */
#define BOMP_RETURN __builtin_return_address(0)
#define BOMP_STILL(site)                                                                                     \
    do {                                                                                                     \
        if (BOMP_OBSERVED)                                                                                   \
            bomp_tool_entered(site, NULL);                                                                   \
    } while (0)

/* A static loop, or sections as one, that the caller's code divides: of `count` iterations the caller's first ones
 * begin with the value `first`. The end of a loop without another call. */
enum bomp_static_kind { BOMP_STATIC_LOOP, BOMP_STATIC_SECTIONS, BOMP_STATIC_DISTRIBUTE };
void bomp_tool_static(enum bomp_static_kind kind, uint64_t count, uint64_t first, uint64_t iterations);
void bomp_tool_loop_end(void);

/* The caller begins or ends a masked construct, a scope, or the merge of its part of a reduction. */
void bomp_tool_masked(bool begins);
void bomp_tool_scope(bool begins);
/* For entry points that only notify tools of the end. */
BOMP_NAMED void bomp_masked_end(void);
BOMP_NAMED void bomp_scope_end(void);
void bomp_tool_reduction(bool begins);

/* A construct with a task reduction begins, in its taskgroup (bomp_construct_reduction_start). */
void bomp_tool_construct_group(void);

/* A construct that moves data to or from a device: its begin and end. */
enum bomp_target_data { BOMP_TARGET_ENTER_DATA, BOMP_TARGET_EXIT_DATA, BOMP_TARGET_UPDATE };
void bomp_tool_target_data(enum bomp_target_data kind, bool nowait);

/* The hint of the next critical construct, omp_sync_hint_t. */
void bomp_tool_hint(unsigned hint);

/* An error directive; message NULL: without one. */
void bomp_tool_error(bool fatal, const char *message, size_t length);

#endif
