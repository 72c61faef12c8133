/*
 * places.h: the grammars of OMP_PLACES and GOMP_CPU_AFFINITY. Threads are not bound to places, so a list is looked
 * at for mistakes and not kept.
 */
#ifndef BOMP_PLACES_H
#define BOMP_PLACES_H

/* Whether text is a place list: 0, or EINVAL for what is none and ERANGE for a number that no CPU list can hold. */
int bomp_places_check(const char *text);

/* Whether text is a list of CPUs and CPU ranges as GOMP_CPU_AFFINITY has them; returns the same. */
int bomp_cpu_list_check(const char *text);

#endif
