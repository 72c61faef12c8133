/* affinity_display.h: where the calling thread runs, in words (affinity/affinity_format.h): affinity-format-var, and what
 * omp_display_affinity, omp_capture_affinity and OMP_DISPLAY_AFFINITY print. */
#ifndef BOMP_AFFINITY_DISPLAY_H
#define BOMP_AFFINITY_DISPLAY_H

#include <stddef.h>

/* Write the format's first length bytes (NULL: that of the process), filled in for the calling thread, to text: at most
 * size bytes, with a null byte at the end if size is not 0. Returns the length that there was to write. */
size_t bomp_affinity_capture(char *text, size_t size, const char *format, size_t length);

/* The same on standard error, as one line. */
void bomp_affinity_display(const char *format, size_t length);

/* affinity-format-var: set it, or write it to text as that does. Any thread. */
void bomp_affinity_format_set(const char *format, size_t length);
size_t bomp_affinity_format_get(char *text, size_t size);

#endif
