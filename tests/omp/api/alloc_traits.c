// beyond libomp: it aborts by an assertion
// threads: 1
// Valid memory spaces and traits of allocators, and the behaviour of an allocator whose pool is exhausted.
#include "../check.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* malloc must return NULL under a sanitizer as well. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

static void show(const char *what, uintptr_t space, int count, const omp_alloctrait_t *traits) {
    omp_allocator_handle_t allocator = omp_init_allocator((omp_memspace_handle_t)space, count, traits);

    printf("%s: %s\n", what, allocator == omp_null_allocator ? "refused" : "made");
    if (allocator != omp_null_allocator) {
        void *block = omp_alloc(64, allocator);

        CHECK(block != NULL);
        omp_free(block, allocator);
        omp_destroy_allocator(allocator);
    }
}

static void spaces_and_traits(void) {
    static const struct {
        omp_alloctrait_key_t key;
        const char *name;
    } keys[] = {{omp_atk_sync_hint, "sync_hint"}, {omp_atk_alignment, "alignment"},
                {omp_atk_access, "access"},       {omp_atk_fallback, "fallback"},
                {omp_atk_pinned, "pinned"},       {omp_atk_partition, "partition"}};

    for (uintptr_t space = 0; space < 7; space++)
        if (space != omp_high_bw_mem_space) /* libgomp 12 lacks it */
            show("memory space", space, 0, NULL);
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
        for (uintptr_t value = 0; value < 20; value++) {
            omp_alloctrait_t trait = {keys[i].key, value};

            if (trait.key == omp_atk_pinned && value == omp_atv_true)
                continue; /* libgomp 12 lacks them: alloc_pinned.c */
            printf("%ju ", (uintmax_t)value);
            show(keys[i].name, omp_default_mem_space, 1, &trait);
        }
        omp_alloctrait_t trait = {keys[i].key, omp_atv_default};
        show(keys[i].name, omp_default_mem_space, 1, &trait);
    }
    omp_alloctrait_t no_trait = {(omp_alloctrait_key_t)99, 1};
    omp_alloctrait_t pool = {omp_atk_pool_size, omp_atv_default};
    show("no trait", omp_default_mem_space, 1, &no_trait);
    show("any pool", omp_default_mem_space, 1, &pool);
}

static omp_allocator_handle_t pool_of(size_t size, uintptr_t fallback, omp_allocator_handle_t other) {
    omp_alloctrait_t traits[] = {
        {omp_atk_pool_size, size}, {omp_atk_fallback, fallback}, {omp_atk_fb_data, (uintptr_t)other}};

    return omp_init_allocator(omp_default_mem_space, 3, traits);
}

static void pools(void) {
    omp_allocator_handle_t pool = pool_of(10000, omp_atv_null_fb, omp_null_allocator);
    char *a = omp_alloc(6000, pool);
    CHECK(a && !omp_alloc(6000, pool));
    char *b = omp_alloc(3000, pool);
    CHECK(b && !omp_calloc(3, 1000, pool));
    strcpy(a, "still here");
    CHECK(!omp_realloc(a, 9000, pool, pool)); /* too little is left */
    CHECK(!strcmp(a, "still here"));
    a = omp_realloc(a, 500, pool, pool);
    CHECK(a && !strcmp(a, "still here"));
    b = omp_realloc(b, 8000, pool, pool);
    CHECK(b && !omp_alloc(2500, pool));
    b = omp_realloc(b, 8000, omp_default_mem_alloc, pool); /* out of the pool */
    CHECK(b != NULL);
    char *c = omp_alloc(8000, pool);
    CHECK(c && !omp_alloc(8000, pool));
    CHECK(!omp_realloc(b, 8000, pool, omp_default_mem_alloc)); /* it cannot return to the pool */
    omp_free(c, omp_null_allocator);
    b = omp_realloc(b, 8000, pool, omp_default_mem_alloc);
    CHECK(b && !omp_alloc(8000, pool));
    CHECK(!omp_realloc(b, 0, pool, pool));
    omp_free(a, pool);
    for (int i = 0; i < 1000; i++) { /* no bytes get lost */
        a = omp_aligned_alloc(64, 9000, pool);
        CHECK(a && !omp_alloc(2000, pool));
        omp_free(a, omp_default_mem_alloc);
    }
    CHECK(!omp_alloc((size_t)1 << 62, pool));
    omp_destroy_allocator(pool);
}

/* A pool bounds memory including overhead: two halves exceed a whole. */
static void overheads(void) {
    enum { POOL = 2 << 20, LIBGOMPS = 63550 };
    static void *blocks[LIBGOMPS + 1];
    omp_allocator_handle_t pool = pool_of(POOL, omp_atv_null_fb, omp_null_allocator);
    long count = 0;

    while (count <= LIBGOMPS && (blocks[count] = omp_alloc(1, pool)))
        count++;
    CHECK(count > POOL / 64 && count <= LIBGOMPS);
    while (count > 0)
        omp_free(blocks[--count], pool);
    void *half = omp_calloc(1, POOL / 2, pool);
    CHECK(half && !omp_alloc(POOL / 2, pool) && !omp_aligned_calloc(64, 2, POOL / 4, pool));
    void *small = omp_alloc(1, pool);
    CHECK(small && !omp_realloc(small, POOL / 2, pool, pool));
    void *quarter = omp_aligned_alloc(4096, POOL / 4, pool);
    CHECK(quarter && !omp_aligned_alloc(4096, POOL / 4 - 8192, pool));
    omp_free(quarter, pool);
    omp_free(small, pool);
    omp_free(half, pool);
    void *most = omp_alloc(POOL - 4096, pool);
    CHECK(most != NULL);
    omp_free(most, pool);
    omp_destroy_allocator(pool);
}

static void fallbacks(void) {
    omp_alloctrait_t page_trait[] = {{omp_atk_alignment, 4096}};
    omp_allocator_handle_t page = omp_init_allocator(omp_default_mem_space, 1, page_trait);
    omp_allocator_handle_t any = pool_of(100, omp_atv_default_mem_fb, omp_null_allocator);
    omp_allocator_handle_t none = pool_of(1000, omp_atv_null_fb, omp_null_allocator);
    omp_allocator_handle_t to_page = pool_of(100, omp_atv_allocator_fb, page);
    omp_allocator_handle_t to_none = pool_of(100, omp_atv_allocator_fb, none);
    void *block = omp_alloc(5000, any);
    CHECK(block != NULL);
    omp_free(block, any);
    for (int i = 1; i < 50; i++) {
        block = omp_alloc(5000, to_page);
        CHECK(block && (uintptr_t)block % 4096 == 0);
        block = omp_realloc(block, 5000 * (size_t)i, to_page, to_page);
        CHECK(block != NULL);
        omp_free(block, to_page);
    }
    CHECK(!omp_alloc(5000, to_none));
    block = omp_alloc(600, to_none); /* in the pool behind it */
    CHECK(block && !omp_alloc(600, none) && !omp_alloc(600, to_none));
    omp_free(block, to_none);
    block = omp_alloc(600, none);
    CHECK(block != NULL);
    omp_free(block, none);
    omp_destroy_allocator(to_none);
    omp_destroy_allocator(to_page);
    omp_destroy_allocator(none);
    omp_destroy_allocator(any);
    omp_destroy_allocator(page);
}

/* An error that ends the program, in a child process. */
static void ends(const char *what, void (*body)(void)) {
    int status = 0;

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    waitpid(child, &status, 0);
    printf("%s: exit status %d\n", what, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void abort_fallback(void) {
    omp_allocator_handle_t pool = pool_of(100, omp_atv_abort_fb, omp_null_allocator);

    void *block = omp_alloc(10, pool);

    CHECK(block != NULL);
    omp_free(block, pool);
    omp_alloc(5000, pool);
}

static void allocate_clause(void) {
    omp_allocator_handle_t pool = pool_of(100, omp_atv_null_fb, omp_null_allocator);
    char row[5000];

#pragma omp parallel num_threads(1) private(row) allocate(pool : row)
    memset(row, 1, sizeof row);
}

int main(void) {
    spaces_and_traits();
    pools();
    overheads();
    fallbacks();
    ends("abort_fb", abort_fallback);
    ends("allocate clause", allocate_clause);
    return check_done("alloc_traits");
}
