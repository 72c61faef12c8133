/* sort.h: the order of what was read. qsort() may take memory by malloc. */
#ifndef BOMP_SORT_H
#define BOMP_SORT_H

#include <stdbool.h>
#include <stddef.h>

#define BOMP_SORT_MOST 448 /* bytes of an entry */

typedef bool bomp_sort_before(const void *one, const void *other);

/* A heap sort: in place, and never slow. */
void bomp_sort(void *list, size_t count, size_t size, bomp_sort_before *comes_before);

#endif
