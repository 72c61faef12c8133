/* Checks of the layouts that public headers compile into programs. */
#ifndef BZ_LAYOUT_H
#define BZ_LAYOUT_H

#include <stddef.h>

#include "base/compiler.h"
#include "env/error.h"

static inline void bz_layout_check(const char *header, size_t theirs, size_t ours) {
    if (bz_unlikely(theirs != ours))
        bz_fatal(
            "the program was compiled with layout %zu of %s, the library has layout %zu: compile the program "
            "with the library's headers, or load the library that it was compiled for",
            theirs, header, ours);
}

#endif
