// beyond libomp: it crashes where a memory space is missing
// threads: 1 8
// env: OMP_ALLOCATOR=omp_low_lat_mem_alloc
// Functions that allocate memory: sizes, alignments, zeroing, growing, moving between allocators.
#include "../check.h"

#include <stdint.h>
#include <string.h>

/* malloc must return NULL under a sanitizer as well. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

static omp_allocator_handle_t aligned_to(size_t alignment) {
    omp_alloctrait_t traits[] = {{omp_atk_alignment, alignment}};

    return omp_init_allocator(omp_default_mem_space, 1, traits);
}

static int is_aligned(const void *block, size_t alignment) {
    return block && (uintptr_t)block % alignment == 0;
}

static int holds(const unsigned char *block, int value, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (block[i] != value)
            return 0;
    return 1;
}

static volatile size_t most = SIZE_MAX; /* hidden from the compiler */

static void nothing(void) {
    size_t huge = most / 2 + 2;

    CHECK(!omp_alloc(0, omp_default_mem_alloc));
    CHECK(!omp_calloc(0, 8, omp_default_mem_alloc) && !omp_calloc(8, 0, omp_default_mem_alloc));
    CHECK(!omp_aligned_alloc(64, 0, omp_null_allocator));
    CHECK(!omp_alloc(most - 20, omp_default_mem_alloc));
    CHECK(!omp_calloc(huge, 2, omp_default_mem_alloc));
    CHECK(!omp_aligned_calloc(64, huge, 2, omp_default_mem_alloc));
    CHECK(!omp_aligned_alloc((size_t)1 << 62, 8, omp_default_mem_alloc));
    omp_free(NULL, omp_default_mem_alloc);
    omp_free(NULL, omp_null_allocator);
}

static void alignments(void) {
    omp_allocator_handle_t page = aligned_to(4096);

    for (size_t align = 1; align <= (size_t)1 << 21; align *= 2) {
        unsigned char *a = omp_aligned_alloc(align, 100, omp_default_mem_alloc);
        unsigned char *b = omp_aligned_calloc(align, 25, 4, omp_null_allocator);
        unsigned char *c = omp_aligned_alloc(align, 100, page);

        CHECK(is_aligned(a, align) && is_aligned(a, sizeof(void *)));
        CHECK(is_aligned(b, align) && holds(b, 0, 100));
        CHECK(is_aligned(c, align) && is_aligned(c, 4096));
        memset(a, 1, 100);
        memset(b, 2, 100);
        memset(c, 3, 100);
        CHECK(holds(a, 1, 100) && holds(b, 2, 100) && holds(c, 3, 100));
        omp_free(b, omp_null_allocator);
        omp_free(a, omp_default_mem_alloc);
        omp_free(c, page);
    }
    omp_destroy_allocator(page);
}

/* A block keeps its contents through many sizes and allocators. */
static void growing(void) {
    omp_allocator_handle_t allocators[] = {omp_default_mem_alloc, aligned_to(256), omp_thread_mem_alloc,
                                           aligned_to(8192), omp_null_allocator};
    size_t sizes[] = {1, 100, 5000, 1000000, 70, 3, 4096, 200000};
    unsigned char *block = NULL;
    size_t size = 0;

    for (int i = 0; i < 200; i++) {
        size_t wanted = sizes[i % 8] + (size_t)i;
        omp_allocator_handle_t allocator = allocators[i % 5];
        unsigned char *moved = omp_realloc(block, wanted, allocator, omp_null_allocator);

        CHECK(moved && holds(moved, i & 0xff, size < wanted ? size : wanted));
        if (allocator == allocators[1])
            CHECK(is_aligned(moved, 256));
        if (allocator == allocators[3])
            CHECK(is_aligned(moved, 8192));
        block = moved;
        size = wanted;
        memset(block, (i + 1) & 0xff, size);
    }
    CHECK(!omp_realloc(block, most - 5, omp_default_mem_alloc, omp_null_allocator));
    CHECK(holds(block, 200, size));
    CHECK(!omp_realloc(block, 0, omp_default_mem_alloc, omp_null_allocator));
    CHECK(!omp_realloc(NULL, 0, omp_default_mem_alloc, omp_null_allocator));
    omp_destroy_allocator(allocators[1]);
    omp_destroy_allocator(allocators[3]);
}

/* The default allocator belongs to the implicit task. */
static void defaults(void) {
    printf("default %lu\n", (unsigned long)omp_get_default_allocator());
    omp_set_default_allocator(omp_large_cap_mem_alloc);
#pragma omp parallel
    {
        CHECK_EQ(omp_get_default_allocator(), omp_large_cap_mem_alloc);
#pragma omp barrier
        if (omp_get_thread_num() % 2 == 0)
            omp_set_default_allocator(omp_cgroup_mem_alloc);
#pragma omp barrier
        CHECK_EQ(omp_get_default_allocator(),
                 omp_get_thread_num() % 2 ? omp_large_cap_mem_alloc : omp_cgroup_mem_alloc);
#pragma omp parallel num_threads(2)
        {
            omp_allocator_handle_t inherited = omp_get_default_allocator();

            CHECK_EQ(inherited,
                     omp_get_ancestor_thread_num(1) % 2 ? omp_large_cap_mem_alloc : omp_cgroup_mem_alloc);
            omp_set_default_allocator(omp_null_allocator);
            CHECK_EQ(omp_get_default_allocator(), omp_default_mem_alloc);
        }
    }
    CHECK_EQ(omp_get_default_allocator(), omp_large_cap_mem_alloc);
#pragma omp parallel
    CHECK_EQ(omp_get_default_allocator(), omp_large_cap_mem_alloc);

    omp_allocator_handle_t page = aligned_to(4096);
    int all_aligned = 1;

    omp_set_default_allocator(page);
    CHECK_EQ(omp_get_default_allocator(), page);
    for (int i = 0; i < 50; i++) {
        void *block = omp_alloc(100, omp_null_allocator);

        all_aligned &= is_aligned(block, 4096);
        omp_free(block, omp_null_allocator);
    }
    CHECK(all_aligned);
    omp_set_default_allocator(omp_default_mem_alloc);
    omp_destroy_allocator(page);
    omp_destroy_allocator(omp_null_allocator);
}

int main(void) {
    nothing();
    alignments();
    growing();
    defaults();
    for (omp_allocator_handle_t a = omp_default_mem_alloc; a <= omp_thread_mem_alloc; a++) {
        unsigned char *block = omp_calloc(10, 100, a);

        CHECK(block && holds(block, 0, 1000));
        omp_free(block, a);
    }
    return check_done("alloc_blocks");
}
