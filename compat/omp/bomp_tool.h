/* The seam's third part, included by bomp.h: where entry points notify tools themselves, of what needs nothing else of us.
 * Each is called by BOMP_NOTIFY_HERE, which notes where the program is. The functions are in compat/ompt. */
#ifndef BOMP_TOOL_SEAM_H
#define BOMP_TOOL_SEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/base/export.h"

/* The hooks of tools (tool/hooks.h), NULL if there is no tool. Before the program's first use of OpenMP that is not known,
 * and they are not NULL; before its first region it is, and stays. Entry points read it where it costs least, and so they
 * may before it is known: by BOMP_OBSERVED. */
extern const struct bomp_hooks *bomp_hooks BOMP_HIDDEN;
#ifdef __SANITIZE_THREAD__
#    define BOMP_OBSERVED __builtin_expect(!!__atomic_load_n(&bomp_hooks, __ATOMIC_RELAXED), 0)
#else
#    define BOMP_OBSERVED __builtin_expect(!!bomp_hooks, 0)
#endif

/* What an entry point says for the next event, which takes it: where the program called it, and the end of the program's
 * frame there; of which kind the next barrier is, if that is known here alone. The calling thread's own. */
struct bomp_entered {
    const void *code, *frame;
    /* Of the program's, which the region runs that it opens; NULL: as the region knows. */
    const void *function;
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

/* In an entry point that may be observed, before it calls anything, where the functions that it calls cannot know. Not a
 * call: what is to be kept across one would be saved by all. */
#define BOMP_ENTERED()                                                                                       \
    do {                                                                                                     \
        if (BOMP_OBSERVED)                                                                                   \
            bomp_tool_entered(__builtin_return_address(0), __builtin_dwarf_cfa());                           \
    } while (0)

/* The same of a region whose function only the entry point knows. */
#define BOMP_ENTERED_FOR(fn)                                                                                 \
    do {                                                                                                     \
        if (BOMP_OBSERVED) {                                                                                 \
            bomp_tool_entered(__builtin_return_address(0), __builtin_dwarf_cfa());                           \
            bomp_entered.function = (const void *)(uintptr_t)(fn);                                           \
        }                                                                                                    \
    } while (0)

/* In an entry point: if there are tools. */
#define BOMP_NOTIFY_HERE(call)                                                                               \
    do {                                                                                                     \
        if (BOMP_OBSERVED) {                                                                                 \
            bomp_tool_entered(__builtin_return_address(0), __builtin_dwarf_cfa());                           \
            call;                                                                                            \
        }                                                                                                    \
    } while (0)

/* The place of an entry point's call, and the same again before another one that wants to know it. */
#define BOMP_RETURN __builtin_return_address(0)
#define BOMP_STILL(site)                                                                                     \
    do {                                                                                                     \
        if (BOMP_OBSERVED)                                                                                   \
            bomp_tool_entered(site, NULL);                                                                   \
    } while (0)

/* A static loop, or sections as one, that the caller's code divides: of `count` iterations the first ones that are the
 * caller's, from `first` on, as a value (0: none). Its end, or that of another loop that has no end of its own. */
enum bomp_static_kind { BOMP_STATIC_LOOP, BOMP_STATIC_SECTIONS, BOMP_STATIC_DISTRIBUTE };
void bomp_tool_static(enum bomp_static_kind kind, uint64_t count, uint64_t first, uint64_t iterations);
void bomp_tool_loop_end(void);

/* The calling thread begins, or ends: a masked construct, a scope, the merging of its copies of a reduction's variables. */
void bomp_tool_masked(bool begins);
void bomp_tool_scope(bool begins);
void bomp_tool_reduction(bool begins);

/* A construct with a task reduction begins: the taskgroup that it opens (bomp_construct_reduction_start) lies around it, and
 * ends behind it. */
void bomp_tool_construct_group(void);

/* A construct that moves data to a device, or from it: all of it, since there is nothing to do. */
enum bomp_target_data { BOMP_TARGET_ENTER_DATA, BOMP_TARGET_EXIT_DATA, BOMP_TARGET_UPDATE };
void bomp_tool_target_data(enum bomp_target_data kind, bool nowait);

/* The hint of the critical construct that is met next, omp_sync_hint_t. */
void bomp_tool_hint(unsigned hint);

/* An error directive; message NULL: without one. */
void bomp_tool_error(bool fatal, const char *message, size_t length);

#endif
