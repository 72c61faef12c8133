// beyond libomp: it loses the list's sizes for lower levels where the region has one thread
// A list in the num_threads clause: the sizes of the region and of those below it; and clauses for a serialised region,
// inside a serialised region.
#include "calls.h"

void __kmpc_push_num_threads_list(ident_t *, int32_t gtid, uint32_t count, int32_t *list);

static int sizes[4]; /* of regions, by their level */
static int entered;

static void deeper(int32_t *id, int32_t *num, int64_t levels) {
    int level = omp_get_level();
    (void)id;
    if (*num == 0)
        __atomic_store_n(&sizes[level], omp_get_num_threads(), __ATOMIC_RELAXED);
    count_up(&entered);
    if (level < levels)
        __kmpc_fork_call(&here, 1, (microtask *)deeper, levels);
}

static void nest(uint32_t count, int32_t *list, int one, int two, int three) {
    entered = 0;
    __kmpc_push_num_threads_list(&here, ME, count, list);
    __kmpc_fork_call(&here, 1, (microtask *)deeper, (int64_t)3);
    CHECK_EQ(sizes[1], one);
    CHECK_EQ(sizes[2], two);
    CHECK_EQ(sizes[3], three);
    CHECK_EQ(entered, one + one * two + one * two * three);
}

int main(void) {
    omp_set_dynamic(0);
    omp_set_num_threads(2);
    omp_set_max_active_levels(3);
    for (int i = 0; i < 5; i++) {
        nest(3, (int32_t[]){2, 3, 1}, 2, 3, 1);
        nest(3, (int32_t[]){1, 2, 3}, 1, 2, 3);
        nest(1, (int32_t[]){3}, 3, 2, 2);
        nest(2, (int32_t[]){2, 3}, 2, 3, 3);
        CHECK_EQ(omp_get_max_threads(), 2);
    }
    return check_done("region_list");
}
