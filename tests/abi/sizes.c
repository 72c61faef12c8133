/*
 * sizes.c: the types of the compiler's own omp.h have the sizes and alignments that the library expects. Compiled only,
 * by the stock compiler.
 */
#include <omp.h>
#include <stdint.h>

#define SIZE(type, size, align)                                                                              \
    _Static_assert(sizeof(type) == (size) && _Alignof(type) == (align), #type " has another size in this "   \
                                                                              "ABI")

SIZE(omp_lock_t, 4, 4);
SIZE(omp_nest_lock_t, 16, 8);
SIZE(omp_depend_t, 16, 8);
SIZE(omp_sched_t, 4, 4);
SIZE(omp_proc_bind_t, 4, 4);
SIZE(omp_sync_hint_t, 4, 4);
SIZE(omp_pause_resource_t, 4, 4);
SIZE(omp_event_handle_t, 8, 8);
SIZE(omp_allocator_handle_t, 8, 8);
SIZE(omp_memspace_handle_t, 8, 8);
SIZE(omp_alloctrait_t, 16, 8);

_Static_assert(omp_sched_static == 1 && omp_sched_dynamic == 2 && omp_sched_guided == 3 &&
                   omp_sched_auto == 4 && omp_sched_monotonic == 0x80000000u,
               "schedules have other numbers in this ABI");
_Static_assert(omp_proc_bind_false == 0 && omp_proc_bind_true == 1 && omp_proc_bind_primary == 2 &&
                   omp_proc_bind_close == 3 && omp_proc_bind_spread == 4,
               "binding policies have other numbers in this ABI");
