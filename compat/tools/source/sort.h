/* sort.h: a heap sort, since qsort() may call malloc. */
#ifndef BOMP_SORT_H
#define BOMP_SORT_H

#include <stdbool.h>
#include <stddef.h>

#define BOMP_SORT_MOST 448 /* bytes of an entry */

typedef bool bomp_sort_before(const void *one, const void *other);

/* In place; n log n in the worst case. */
void bomp_sort(void *list, size_t count, size_t size, bomp_sort_before *comes_before);

#endif
