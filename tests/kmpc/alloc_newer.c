// Allocators and memory spaces of LLVM 22's omp.h that GCC's and older ones lack.
// beyond libomp: 19 lacks them
#include "calls.h"

omp_allocator_handle_t __kmpc_init_allocator(int32_t, omp_memspace_handle_t, int, omp_alloctrait_t[]);
intptr_t omp_init_allocator_(const intptr_t *, const int *, const omp_alloctrait_t *);

/* Weak: libomp 19, which programs are linked with, lacks them. Some have names of their own here: the omp.h of clang 23
   declares them with other parameters. */
#pragma weak omp_get_devices_memspace
#pragma weak submemspace
#pragma weak omp_get_device_and_host_allocator
#pragma weak omp_get_submemspace_
#pragma weak omp_get_devices_all_memspace_
#pragma weak omp_get_memspace_num_resources
#pragma weak omp_get_memspace_num_resources_
#pragma weak dyn_gprivate_size
#pragma weak dyn_gprivate_ptr
omp_memspace_handle_t omp_get_devices_memspace(int, const int *, omp_memspace_handle_t);
omp_memspace_handle_t submemspace(omp_memspace_handle_t, int, const int *) __asm__("omp_get_submemspace");
omp_allocator_handle_t omp_get_device_and_host_allocator(int, omp_memspace_handle_t);
intptr_t omp_get_submemspace_(const intptr_t *, const int *, const int *),
    omp_get_devices_all_memspace_(intptr_t *);
int omp_get_memspace_num_resources(omp_memspace_handle_t), omp_get_memspace_num_resources_(const intptr_t *);
size_t dyn_gprivate_size(int) __asm__("omp_get_dyn_gprivate_size");
void *dyn_gprivate_ptr(size_t, int) __asm__("omp_get_dyn_gprivate_ptr");

enum { DEFAULT_SPACE = 99, ALL = 19, PREFERRED_DEVICE = 9 };

static void use(omp_allocator_handle_t allocator) {
    CHECK(allocator != omp_null_allocator);
    char *block = omp_alloc(100, allocator);
    CHECK(block && (uintptr_t)block % 64 == 0);
    memset(block, 1, 100);
    omp_free(block, allocator);
    omp_destroy_allocator(allocator);
}

/* The answers of libomp 22 in a process without devices. */
static void ask_for_spaces(void) {
    static const uintptr_t handles[] = {0, 1, 2, 3, 4, 5, 6, 98, 99, 100, 101, 102, 103, 1024};
    int one = 1, device = omp_get_initial_device(), resource = 0;
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        omp_memspace_handle_t space = (omp_memspace_handle_t)handles[i];
        intptr_t word = (intptr_t)handles[i];
        int there = (handles[i] >= 1 && handles[i] <= 5) || (handles[i] >= 99 && handles[i] <= 102);
        CHECK(omp_get_memspace_num_resources(space) == there &&
              omp_get_memspace_num_resources_(&word) == there);
        CHECK((uintptr_t)submemspace(space, 1, &resource) == (there ? handles[i] : 0));
        CHECK(omp_get_submemspace_(&word, &one, &resource) == (there ? word : 0));
        CHECK(!omp_get_devices_memspace(1, &device, space) && !omp_get_devices_all_memspace_(&word));
        CHECK(omp_get_device_and_host_allocator(device, space) == omp_null_allocator);
    }
    CHECK(dyn_gprivate_size(0) == 0 && !dyn_gprivate_ptr(0, 0));
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
    ask_for_spaces();
    return check_done("alloc_newer");
}
