/* The seam's third part, included by bomp.h: what entry points tell tools, of what needs nothing else of us. Each is
 * called by BOMP_TELL_HERE, which says where the program is. */
#ifndef BOMP_TOOL_SEAM_H
#define BOMP_TOOL_SEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In an entry point: if tools are told. */
#define BOMP_TELL_HERE(call)                                                                                 \
    do {                                                                                                     \
        if (__builtin_expect(bomp_told, 0)) {                                                                \
            bomp_tool_entered(__builtin_return_address(0), __builtin_dwarf_cfa());                           \
            call;                                                                                            \
        }                                                                                                    \
    } while (0)

/* The place of an entry point's call, and the same again before another one that wants to know it. */
#define BOMP_RETURN __builtin_return_address(0)
#define BOMP_STILL(site)                                                                                     \
    do {                                                                                                     \
        if (__builtin_expect(bomp_told, 0))                                                                  \
            bomp_tool_entered(site, NULL);                                                                   \
    } while (0)

/* A static loop, or sections as one, that the caller's code divides: of `count` iterations the first ones that are the
 * caller's, from `first` on, as a value (0: none). Its end. */
enum bomp_static_kind { BOMP_STATIC_LOOP, BOMP_STATIC_SECTIONS, BOMP_STATIC_DISTRIBUTE };
void bomp_tool_static(enum bomp_static_kind kind, uint64_t count, uint64_t first, uint64_t iterations);
void bomp_tool_static_chunk(enum bomp_static_kind kind, uint64_t first, uint64_t iterations);
void bomp_tool_static_end(void);

/* The calling thread begins, or ends: a masked construct, a scope, the merging of its copies of a reduction's variables. */
void bomp_tool_masked(bool begins);
void bomp_tool_scope(bool begins);
void bomp_tool_reduction(bool begins);

/* The hint of the critical construct that is met next, omp_sync_hint_t. */
void bomp_tool_hint(unsigned hint);

/* An error directive; message NULL: without one. */
void bomp_tool_error(bool fatal, const char *message, size_t length);

#endif
