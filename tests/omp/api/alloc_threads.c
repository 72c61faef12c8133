// repeat: 300
// One pool for all threads: never more is allocated than it holds, and all of it is free again at the end, whichever
// thread frees a block.
#include "../check.h"

#include <string.h>

#define BLOCK 1000
#define BLOCKS 20

static char *slots[CHECK_MAX_THREADS * 4];

/* Puts another block into the slot; frees the block that another thread may have put there. */
static void swap(int slot, char *block, omp_allocator_handle_t pool, int *out) {
    char *old = __atomic_exchange_n(&slots[slot], block, __ATOMIC_ACQ_REL);

    if (!old)
        return;
    for (int i = 1; i < BLOCK; i++)
        if (old[i] != old[0])
            CHECK(!"a block is one thread's alone");
    __atomic_sub_fetch(out, 1, __ATOMIC_RELAXED);
    omp_free(old, pool);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20000);
    /* Room for 20 blocks, with an implementation's own overhead, but not for 30. */
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, BLOCKS * BLOCK + 5000},
                                 {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    int out = 0;

#pragma omp parallel
    {
        unsigned random = (unsigned)omp_get_thread_num();

        for (int i = 0; i < rounds; i++) {
            char *block, *small = NULL;

            random = scramble(random + 1);
            if (random % 3 == 0)
                small = omp_alloc(10, pool);
            block = omp_realloc(small, BLOCK, pool, pool);
            if (!block)
                omp_free(small, pool);
            if (block) {
                int now = __atomic_add_fetch(&out, 1, __ATOMIC_RELAXED);

                CHECK(now <= BLOCKS + 5);
                memset(block, (int)(random % 100), BLOCK);
            }
            swap((int)(random / 100 % (CHECK_MAX_THREADS * 4)), block, pool, &out);
        }
    }
    for (int i = 0; i < CHECK_MAX_THREADS * 4; i++)
        swap(i, NULL, pool, &out);
    CHECK_EQ(out, 0);
    char *all = omp_alloc(BLOCKS * BLOCK, pool);
    CHECK(all != NULL);
    omp_free(all, pool);
    omp_destroy_allocator(pool);
    return check_done("alloc_threads");
}
