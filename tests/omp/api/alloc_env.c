// beyond libgomp: 12 accepts no memory spaces in OMP_ALLOCATOR
// beyond libomp: it aborts by an assertion
// threads: 2
// env: OMP_ALLOCATOR=omp_default_mem_space:alignment=512,pool_size=100000,fallback=null_fb
// env: OMP_ALLOCATOR=ompx_gnu_managed_mem_space:alignment=512,pool_size=100000,fallback=null_fb
// The default allocator from the environment: for each thread, with its handle and without one, also after the program
// has set another. The same memory space through the API.
#include "../check.h"

#include <stdint.h>

static void use(omp_allocator_handle_t allocator) {
    char *block = omp_alloc(1000, allocator);
    CHECK(block && (uintptr_t)block % 512 == 0);
    block = omp_realloc(block, 2000, allocator, allocator);
    CHECK(block && (uintptr_t)block % 512 == 0);
    CHECK(omp_alloc(200000, allocator) == NULL); /* beyond its pool */
    omp_free(block, allocator);
}

static void use_managed_space(void) {
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 512}, {omp_atk_pool_size, 100000}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_memspace_handle_t ompx_gnu_managed_mem_space = (omp_memspace_handle_t)200;
    omp_allocator_handle_t allocator = omp_init_allocator(ompx_gnu_managed_mem_space, 3, traits);
    CHECK(allocator != omp_null_allocator);
    use(allocator);
    omp_destroy_allocator(allocator);
}

int main(void) {
    use_managed_space();
#pragma omp parallel
    {
        omp_allocator_handle_t own = omp_get_default_allocator();
        use(omp_null_allocator);
        use(own);
        omp_set_default_allocator(omp_thread_mem_alloc);
        CHECK(omp_get_default_allocator() == omp_thread_mem_alloc);
        omp_set_default_allocator(own);
        use(omp_null_allocator);
    }
    return check_done("alloc_env");
}
