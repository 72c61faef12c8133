/* affinity-format-var, and what omp_display_affinity, omp_capture_affinity and OMP_DISPLAY_AFFINITY print of the calling
 * thread. */
#ifndef BOMP_AFFINITY_DISPLAY_H
#define BOMP_AFFINITY_DISPLAY_H

#include <stddef.h>

#include "omp/base/export.h"

/* Fills in the format's first length bytes (NULL: that of the process). Writes at most size bytes, null byte included.
 * Returns the whole length. */
size_t bomp_affinity_capture(char *text, size_t size, const char *format, size_t length);

/* Prints the same as one line. */
void bomp_affinity_display(const char *format, size_t length);

/* affinity-format-var. Any thread. */
BOMP_NAMED void bomp_affinity_format_set(const char *format, size_t length);
BOMP_NAMED size_t bomp_affinity_format_get(char *text, size_t size);

#endif
