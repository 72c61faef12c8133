/* page.h: the page of the report, from report/ by embed.cmake when the library is built. */
#ifndef BOMP_TRACE_PAGE_H
#define BOMP_TRACE_PAGE_H

#include <stddef.h>

/* The page up to its data, and from there on. */
extern const struct bomp_trace_page {
    const unsigned char *head, *tail;
    size_t head_length, tail_length;
} bomp_trace_page;

#endif
