/* sort.h: a heap sort, since qsort() may call malloc, and a search in sorted lists. */
#ifndef BOMP_SORT_H
#define BOMP_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOMP_SORT_MOST 448 /* bytes of an entry */

typedef bool bomp_sort_before(const void *one, const void *other);

/* In place; n log n in the worst case. */
void bomp_sort(void *list, size_t count, size_t size, bomp_sort_before *comes_before);

/* How many entries of a list begin with a number, a uint64_t, up to this one. They are sorted by it. */
size_t bomp_sort_up_to(const void *list, size_t count, size_t size, uint64_t number);

#endif
