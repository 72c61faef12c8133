/* libgomp_g.h: the entry points that test programs call themselves, as compilers before GCC 4.9 did. */
#ifndef CONFORMANCE_LIBGOMP_G_H
#define CONFORMANCE_LIBGOMP_G_H

#include <stdbool.h>

typedef void gomp_body(void *);

void GOMP_parallel_start(gomp_body *, void *, unsigned);
void GOMP_parallel_end(void);
void GOMP_barrier(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);
unsigned GOMP_sections_start(unsigned);
unsigned GOMP_sections_next(void);
void GOMP_parallel_sections_start(gomp_body *, void *, unsigned, unsigned);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);

/* One schedule's entry points; runtime's take no chunk size. */
#define LOOP(schedule, ...)                                                                                  \
    bool GOMP_loop_##schedule##_start(long, long, long, __VA_ARGS__ long *, long *);                         \
    bool GOMP_loop_##schedule##_next(long *, long *);                                                        \
    bool GOMP_loop_ordered_##schedule##_start(long, long, long, __VA_ARGS__ long *, long *);                 \
    bool GOMP_loop_ordered_##schedule##_next(long *, long *);
#define CHUNK long,
LOOP(static, CHUNK)
LOOP(dynamic, CHUNK)
LOOP(guided, CHUNK)
LOOP(runtime)
#undef LOOP
#undef CHUNK

void GOMP_parallel_loop_static_start(gomp_body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(gomp_body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(gomp_body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(gomp_body *, void *, unsigned, long, long, long);

#endif
