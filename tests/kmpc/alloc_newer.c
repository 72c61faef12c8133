// Numbers of allocators that LLVM 22's omp.h has, and GCC's and older ones have not.
// beyond libomp: 19 does not know them
#include "calls.h"

omp_allocator_handle_t __kmpc_init_allocator(int32_t, omp_memspace_handle_t, int, omp_alloctrait_t[]);
intptr_t omp_init_allocator_(const intptr_t *, const int *, const omp_alloctrait_t *);

enum { DEFAULT_SPACE = 99, ALL = 19, PREFERRED_DEVICE = 9 };

static void use(omp_allocator_handle_t allocator) {
    CHECK(allocator != omp_null_allocator);
    char *block = omp_alloc(100, allocator);
    CHECK(block && (uintptr_t)block % 64 == 0);
    memset(block, 1, 100);
    omp_free(block, allocator);
    omp_destroy_allocator(allocator);
}

int main(void) {
    omp_memspace_handle_t space = (omp_memspace_handle_t)DEFAULT_SPACE;
    omp_alloctrait_t traits[] = {
        {omp_atk_access, ALL}, {omp_atk_alignment, 64}, {(omp_alloctrait_key_t)PREFERRED_DEVICE, 0}};
    intptr_t by_reference = DEFAULT_SPACE;
    int count = 3;
    use(omp_init_allocator(space, 3, traits));
    use(__kmpc_init_allocator(__kmpc_global_thread_num(&here), space, 3, traits));
    use((omp_allocator_handle_t)omp_init_allocator_(&by_reference, &count, traits));
    traits[0].value = ALL + 1;
    CHECK(omp_init_allocator(space, 3, traits) == omp_null_allocator);
    CHECK(traits[0].value == ALL + 1);
    return check_done("alloc_newer");
}
