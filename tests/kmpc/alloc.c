// Memory calls of clang's code, for allocate constructs and depend objects; allocators by their handles; kmp_malloc.
#include <stdlib.h>

#include "calls.h"

omp_allocator_handle_t __kmpc_init_allocator(int32_t, omp_memspace_handle_t, int, omp_alloctrait_t[]);
void __kmpc_destroy_allocator(int32_t, omp_allocator_handle_t);
void __kmpc_set_default_allocator(int32_t, omp_allocator_handle_t);
omp_allocator_handle_t __kmpc_get_default_allocator(int32_t);

static int32_t number(void) {
    return __kmpc_global_thread_num(&here);
}

static int is_filled(const char *block, int value, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (block[i] != value)
            return 0;
    return 1;
}

static void blocks_of(omp_allocator_handle_t handle) {
    void *allocator = (void *)(uintptr_t)handle;
    char *block = __kmpc_alloc(number(), 100, allocator);
    CHECK(block != NULL);
    memset(block, 7, 100);
    block = __kmpc_realloc(number(), block, 5000, allocator, allocator);
    CHECK(block && is_filled(block, 7, 100));
    __kmpc_free(number(), block, allocator);
    block = __kmpc_aligned_alloc(number(), 512, 100, allocator);
    CHECK(block && (uintptr_t)block % 512 == 0);
    memset(block, 1, 100);
    __kmpc_free(number(), block, NULL);
    block = __kmpc_calloc(number(), 10, 30, allocator);
    CHECK(block && is_filled(block, 0, 300));
    __kmpc_free(number(), block, allocator);
    CHECK(__kmpc_alloc(number(), 0, allocator) == NULL);
}

static void allocators(void) {
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 1024}, {omp_atk_pool_size, 100000}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t own = __kmpc_init_allocator(number(), omp_default_mem_space, 3, traits);
    CHECK(own != omp_null_allocator);
    char *block = __kmpc_alloc(number(), 50, (void *)(uintptr_t)own);
    CHECK(block && (uintptr_t)block % 1024 == 0);
    CHECK(__kmpc_alloc(number(), 200000, (void *)(uintptr_t)own) == NULL);
    __kmpc_free(number(), block, (void *)(uintptr_t)own);
    __kmpc_set_default_allocator(number(), own);
    CHECK(__kmpc_get_default_allocator(number()) == own);
    CHECK(omp_get_default_allocator() == own);
    __kmpc_set_default_allocator(number(), omp_default_mem_alloc);
    __kmpc_destroy_allocator(number(), own);
}

/* A fallback keeps the alignment of the allocator that was asked first. */
static void aligned_fallback(void) {
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 1 << 20}, {omp_atk_pool_size, 1000}};
    omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 2, traits);
    char *block = omp_alloc(5000, own);
    CHECK(block && (uintptr_t)block % (1 << 20) == 0);
    omp_free(block, own);
    omp_destroy_allocator(own);
}

/* Allocators for devices, in a process without any. */
static void of_devices(void) {
    omp_allocator_handle_t shared = omp_init_allocator(llvm_omp_target_shared_mem_space, 0, NULL);
    char *shared_block = omp_alloc(100, shared);
    if (shared != omp_null_allocator)
        CHECK(shared_block != NULL);
    omp_free(shared_block, shared);
    void *block = omp_alloc(100, llvm_omp_target_host_mem_alloc);
    CHECK(block != NULL);
    omp_free(block, llvm_omp_target_host_mem_alloc);
}

static void of_kmp(void) {
    char *block = kmp_malloc(100);
    CHECK(block != NULL);
    memset(block, 3, 100);
    block = kmp_realloc(block, 3000);
    CHECK(block && is_filled(block, 3, 100));
    kmp_free(block);
    block = kmp_calloc(20, 30);
    CHECK(block && is_filled(block, 0, 600));
    kmp_free(block);
    block = kmp_aligned_malloc(100, 256);
    CHECK(block && (uintptr_t)block % 256 == 0);
    kmp_free(block);
    block = kmp_malloc(0);
    kmp_free(block);
}

/* Blocks that another thread frees. */
static void between_threads(void) {
    enum { BLOCKS = 64 };
    char *blocks[BLOCKS];
#pragma omp parallel
    for (int i = omp_get_thread_num(); i < BLOCKS; i += omp_get_num_threads()) {
        blocks[i] = kmp_malloc(64 + (size_t)i);
        memset(blocks[i], i, 64);
    }
#pragma omp parallel
    for (int i = omp_get_thread_num(); i < BLOCKS; i += omp_get_num_threads()) {
        CHECK(is_filled(blocks[BLOCKS - 1 - i], BLOCKS - 1 - i, 64));
        kmp_free(blocks[BLOCKS - 1 - i]);
    }
}

int main(void) {
    blocks_of(omp_null_allocator);
    for (uintptr_t handle = omp_default_mem_alloc; handle <= omp_thread_mem_alloc; handle++)
        if (handle != omp_high_bw_mem_alloc)
            blocks_of((omp_allocator_handle_t)handle);
    allocators();
    aligned_fallback();
    of_devices();
    of_kmp();
    between_threads();
    return check_done("alloc");
}
