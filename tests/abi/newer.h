/* newer.h: for programs that call the entry points of newer compilers themselves. */
#ifndef NEWER_H
#define NEWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0                                                                                   \
                 : (printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition), fflush(stdout), abort()))

void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
int omp_get_thread_num(void), omp_get_num_threads(void), omp_get_max_threads(void);

#endif
