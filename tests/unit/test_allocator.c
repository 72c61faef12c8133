/* test_allocator.c: allocator.h: exact pools, fallbacks, alignment, pinned memory, and allocation when malloc fails or
 * the lock limit is reached. */
#include "omp/api/allocator.h"

#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "capture.h"
#include "omp/bomp.h"
#include "runtime.h"

/* ---- memory (linked with --wrap) ---- */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__real_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size);

static bool none_left;

void *__wrap_malloc(size_t size) {
    return none_left ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return none_left ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size) {
    return none_left ? NULL : __real_realloc(block, size);
}

int __wrap_mlock(const void *block, size_t size);

static size_t locked; /* bytes in all */
static bool may_lock = true;

int __wrap_mlock(const void *block, size_t size) {
    (void)block;
    if (!may_lock)
        return -1;
    __atomic_fetch_add(&locked, size, __ATOMIC_RELAXED);
    return 0; /* pretends to lock: users' limits differ */
}

void *__wrap_bz_alloc(size_t size) {
    return none_left ? NULL : __real_bz_alloc(size);
}

/* malloc must return NULL under a sanitizer as well. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

static uintptr_t pool_of(size_t size, enum bomp_fallback fallback, uintptr_t other) {
    struct bomp_allocator_traits traits = {1, size, fallback, other, false};
    uintptr_t handle = bomp_allocator_new(&traits);
    assert_true(handle > 8);
    return handle;
}

static void *alloc(size_t size, uintptr_t handle) {
    return bomp_allocate(size, 1, handle, false);
}

/* The memory behind a block of malloc's usual alignment, with our header; below 128 KiB. */
#define TAKES(size) (((size_t)(size) + 32 + 8 + 15) / 16 * 16)

/* The largest block that takes no more than that. */
#define MOST(takes) ((takes) - (32 + 8))

/* The largest piece that the pool still gives. */
static size_t room(uintptr_t handle, size_t most) {
    for (; most > 0; most--) {
        void *block = alloc(most, handle);
        bomp_free(block);
        if (block)
            break;
    }
    return most;
}

/* ---- tests ---- */

static void counts_exactly(void **state) {
    (void)state;
    uintptr_t pool = pool_of(1024, BOMP_FALLBACK_NULL, 0);
    assert_int_equal(room(pool, 2000), MOST(1024));
    void *a = bomp_allocate(300, 256, pool, true); /* alignment adds at most 256 - 16 bytes in front */
    assert_int_equal(room(pool, 2000), MOST(1024 - TAKES(300 + 240)));
    a = bomp_reallocate(a, 301, pool); /* the allocator requests no such alignment */
    assert_int_equal(room(pool, 2000), MOST(1024 - TAKES(301)));
    assert_null(bomp_reallocate(a, MOST(1024) + 1, 0));
    assert_int_equal(room(pool, 2000), MOST(1024 - TAKES(301)));
    a = bomp_reallocate(a, MOST(1024), 0);
    assert_non_null(a);
    assert_int_equal(room(pool, 2000), 0);
    a = bomp_reallocate(a, 1, pool);
    void *b = alloc(MOST(1024 - TAKES(1)), pool);
    assert_non_null(b);
    assert_int_equal(room(pool, 2000), 0);
    b = bomp_reallocate(b, 900, 1);
    assert_int_equal(room(pool, 2000), MOST(1024 - TAKES(1)));
    assert_null(bomp_reallocate(a, 0, pool));
    bomp_free(b);
    assert_int_equal(room(pool, 2000), MOST(1024));
    bomp_allocator_destroy(pool);
}

/* A pool counts at least the size that malloc reports for its blocks. */
static void counts_what_is_taken(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 8, 24, 25, 1000, 131000, 131072, 200000, 1 << 20, 3 << 20};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t align = 1; align <= 8192; align *= 8)
            for (unsigned zero = 0; zero < 2; zero++) {
                size_t pool_size = sizes[i] + 32; /* always too small: at least 8 bytes are malloc's */
                void *block = NULL;
                while (!block) {
                    uintptr_t pool = pool_of(pool_size, BOMP_FALLBACK_NULL, 0);
                    block = bomp_allocate(sizes[i], align, pool, zero);
                    if (!block) {
                        bomp_allocator_destroy(pool);
                        pool_size += 8;
                        continue;
                    }
                    void *base = ((void **)block)[-4];
                    assert_true(malloc_usable_size(base) + 8 <=
                                pool_size + 16 /* what malloc could not split off */);
                    assert_true(pool_size <= sizes[i] + align + 64 + (sizes[i] > 130000 ? 4096 : 0));
                    bomp_free(block);
                    bomp_allocator_destroy(pool);
                }
            }
}

static void bounds_memory(void **state) {
    (void)state;
    enum { POOL_SIZE = 2 << 20 };
    uintptr_t pool = pool_of(POOL_SIZE, BOMP_FALLBACK_NULL, 0);
    void **last = NULL;
    size_t count = 0;
    for (void **block; (block = alloc(sizeof *block, pool)); count++) {
        *block = last;
        last = block;
    }
    assert_int_equal(count, POOL_SIZE / TAKES(sizeof *last));
    while (last) {
        void **next = *last;
        bomp_free(last);
        last = next;
    }
    void *half = alloc(POOL_SIZE / 2, pool);
    assert_non_null(half);
    assert_null(alloc(POOL_SIZE / 2, pool));
    void *small = alloc(1000, pool);
    assert_null(bomp_reallocate(small, POOL_SIZE / 2, pool));
    half = bomp_reallocate(half, 1000, pool); /* now without pages of its own */
    assert_int_equal(((size_t *)half)[-2], TAKES(1000));
    small = bomp_reallocate(small, POOL_SIZE / 2, pool);
    assert_non_null(small);
    bomp_free(small);
    bomp_free(half);
    half = alloc(POOL_SIZE - 8192, pool);
    assert_non_null(half);
    bomp_free(half);
    bomp_allocator_destroy(pool);
}

/* An aligned block cannot grow in place, but the pool must not count it twice while it moves. */
static void counts_moves_once(void **state) {
    (void)state;
    struct bomp_allocator_traits traits = {512, 2048, BOMP_FALLBACK_NULL, 0, false};
    uintptr_t pool = bomp_allocator_new(&traits);
    char *block = alloc(1100, pool);
    assert_int_equal((uintptr_t)block % 512, 0);
    memset(block, 'x', 1100);
    for (size_t size = 1101; size <= MOST(2048) - 496; size += 57) {
        block = bomp_reallocate(block, size, pool);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 512, 0);
        assert_int_equal(block[0] + block[1099], 2 * 'x');
    }
    block = bomp_reallocate(block, 3, pool);
    assert_int_equal(room(pool, 2000), MOST(2048 - TAKES(3 + 496)) - 496);
    bomp_free(block);
    bomp_allocator_destroy(pool);
}

static void survives_no_memory(void **state) {
    (void)state;
    uintptr_t pool = pool_of(1000, BOMP_FALLBACK_NULL, 0);
    char *block = alloc(10, pool);
    strcpy(block, "text");
    none_left = true;
    struct bomp_allocator_traits traits = {1, 1, BOMP_FALLBACK_NULL, 0, false};
    uintptr_t made = bomp_allocator_new(&traits);
    void *answers[] = {alloc(10, pool), alloc(10, 1), bomp_allocate(10, 1, pool, true),
                       bomp_reallocate(block, 20, pool), bomp_reallocate(block, 20, 1)};
    none_left = false;
    assert_int_equal(made, 0);
    for (unsigned i = 0; i < sizeof answers / sizeof *answers; i++)
        assert_null(answers[i]);
    assert_string_equal(block, "text");
    assert_int_equal(room(pool, 2000), MOST((1000 - TAKES(10)) / 16 * 16));
    bomp_free(block);
    bomp_allocator_destroy(pool);
}

static void falls_back(void **state) {
    (void)state;
    struct bomp_allocator_traits traits = {2048, SIZE_MAX, BOMP_FALLBACK_NULL, 0, false};
    uintptr_t wide = bomp_allocator_new(&traits);
    uintptr_t second = pool_of(TAKES(400) + TAKES(100), BOMP_FALLBACK_ALLOCATOR, wide);
    uintptr_t first = pool_of(TAKES(100), BOMP_FALLBACK_ALLOCATOR, second);
    void *a = alloc(100, first), *b = alloc(500, first), *c = alloc(100, first);
    assert_int_equal(room(first, 0) + room(second, 0), 0);
    assert_int_equal((uintptr_t)c % 2048, 0);
    bomp_free(b);
    b = bomp_reallocate(a, 400, first); /* moves to the second's pool */
    assert_non_null(b);
    void *d = alloc(100, first);
    assert_non_null(d);
    void *e = alloc(100, first);
    void *f = alloc(8, second);
    assert_int_equal((uintptr_t)f % 2048, 0); /* both are full */
    bomp_free(b);
    bomp_free(c);
    bomp_free(d);
    bomp_free(e);
    bomp_free(f);
    bomp_allocator_destroy(first);
    bomp_allocator_destroy(second);
    bomp_allocator_destroy(wide);

    uintptr_t nameless = pool_of(1, BOMP_FALLBACK_ALLOCATOR, 0);
    a = alloc(2, nameless);
    assert_non_null(a);
    bomp_free(a);
    bomp_allocator_destroy(nameless);
}

static void pins_memory(void **state) {
    (void)state;
    struct bomp_allocator_traits traits = {256, SIZE_MAX, BOMP_FALLBACK_NULL, 0, true};
    uintptr_t pinned = bomp_allocator_new(&traits);
    uintptr_t handles[] = {BOMP_PINNED_MEM_ALLOC, pinned};
    for (int i = 0; i < 2; i++) {
        locked = 0;
        char *block = bomp_allocate(5000, 8, handles[i], true);
        assert_true(locked >= 5000 && locked % 4096 == 0);
        assert_int_equal((uintptr_t)block % (i ? 256 : 16), 0);
        for (int at = 0; at < 5000; at++)
            assert_int_equal(block[at], 0);
        memset(block, 'x', 5000);
        block = bomp_reallocate(block, 100000, 0);
        assert_true(locked >= 105000 && block[0] + block[4999] == 2 * 'x');
        block = bomp_reallocate(block, 10, 1); /* ordinary memory */
        assert_true(malloc_usable_size(((void **)block)[-4]) >= 10);
        block = bomp_reallocate(block, 20, handles[i]);
        assert_true(locked >= 105000 && block[0] + block[9] == 2 * 'x');
        bomp_free(block);
    }
    bomp_allocator_destroy(pinned);
    locked = 0;
    void *managed = alloc(100, BOMP_MANAGED_MEM_ALLOC);
    assert_true(managed && locked == 0);
    bomp_free(managed);
}

/* The child of a fork locks its own pages. */
static void pins_in_children(void **state) {
    (void)state;
    int status;
    void *block = alloc(2000, BOMP_PINNED_MEM_ALLOC);
    locked = 0;
    pid_t child = fork();
    if (child == 0) {
        void *own = alloc(10, BOMP_PINNED_MEM_ALLOC);
        bomp_free(block);
        _exit(own && locked == 4096 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    bomp_free(block);
}

/* Small blocks share a page, since only few pages may be locked. */
static void pins_small_blocks(void **state) {
    (void)state;
    void *blocks[20];
    locked = 0;
    for (int i = 0; i < 20; i++) {
        blocks[i] = alloc(10, BOMP_PINNED_MEM_ALLOC);
        blocks[i] = bomp_reallocate(blocks[i], 20, BOMP_PINNED_MEM_ALLOC);
        assert_non_null(blocks[i]);
    }
    assert_true(locked <= 4096);
    for (int i = 0; i < 20; i++)
        bomp_free(blocks[i]);
}

/* A pool of pinned memory counts pages; beyond the lock limit the fallback applies. */
static void pins_as_much_as_it_may(void **state) {
    (void)state;
    struct bomp_allocator_traits traits = {1, 3 * 4096, BOMP_FALLBACK_NULL, 0, true};
    uintptr_t pool = bomp_allocator_new(&traits);
    traits = (struct bomp_allocator_traits){1, SIZE_MAX, BOMP_FALLBACK_DEFAULT_MEM, 0, true};
    uintptr_t falls_back = bomp_allocator_new(&traits);
    void *a = alloc(4000, pool), *b = alloc(5000, pool);
    assert_true(a && b);
    assert_null(alloc(3000, pool));
    bomp_free(a);
    a = alloc(4000, pool);
    assert_non_null(a);
    bomp_free(a);
    bomp_free(b);
    may_lock = false;
    assert_null(alloc(3000, pool));
    assert_null(alloc(3000, BOMP_PINNED_MEM_ALLOC));
    a = alloc(3000, falls_back);
    assert_non_null(a);
    may_lock = true;
    bomp_free(a);
    a = alloc(4000, pool); /* nothing was counted */
    assert_non_null(a);
    bomp_free(a);
    bomp_allocator_destroy(pool);
    bomp_allocator_destroy(falls_back);
}

static void rounds_alignments(void **state) {
    (void)state;
    struct capture capture;
    char text[200];
    capture_begin(&capture);
    void *a = bomp_allocate(8, 48, 1, false), *b = bomp_allocate(8, 4097, 1, false);
    bomp_allocator_destroy(3);
    bomp_allocator_destroy(BOMP_PINNED_MEM_ALLOC);
    capture_next(&capture, text, sizeof text);
    assert_string_equal(text, "blitz: alignment=48: not a power of two; using 64\n");
    capture_next(&capture, text, sizeof text);
    assert_string_equal(text, "blitz: omp_destroy_allocator: allocator=3: predefined; ignored\n");
    capture_next(&capture, text, sizeof text);
    assert_string_equal(text, "blitz: omp_destroy_allocator: allocator=200: predefined; ignored\n");
    capture_end(&capture);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_int_equal((uintptr_t)b % 8192, 0);
    assert_null(bomp_allocate(8, SIZE_MAX, 1, false));
    bomp_free(a);
    bomp_free(b);
}

static void defaults_are_inherited(void *arg) {
    uintptr_t *seen = arg;
    if (bomp_default_allocator() == 4)
        __atomic_fetch_add(seen, 1, __ATOMIC_RELAXED);
    bomp_set_default_allocator(6);
}

static void inherits_defaults(void **state) {
    (void)state;
    uintptr_t seen = 0;
    assert_int_equal(bomp_default_allocator(), 1);
    bomp_set_default_allocator(4);
    bomp_parallel(defaults_are_inherited, &seen, 3);
    bomp_parallel(defaults_are_inherited, &seen, 2);
    assert_int_equal(seen, 5);
    assert_int_equal(bomp_default_allocator(), 4);
    bomp_set_default_allocator(0);
    assert_int_equal(bomp_default_allocator(), 1);
}

/* ---- many threads ---- */

#define THREADS 4
#define POOL 256

static uintptr_t shared_pool;
static struct bz_a32 bytes_out;

static void take_and_give(void *arg) {
    (void)arg;
    for (unsigned i = 0; i < 20000; i++) {
        size_t size = 1 + (i * 7) % POOL;
        void *block = alloc(size, shared_pool);
        if (!block)
            continue;
        size_t takes = TAKES(size);
        assert_true(bz_fetch_add_relaxed(&bytes_out, (uint32_t)takes) + takes <= POOL);
        bz_fetch_sub_relaxed(&bytes_out, (uint32_t)takes);
        bomp_free(block);
    }
}

static void shares_a_pool(void **state) {
    (void)state;
    shared_pool = pool_of(POOL, BOMP_FALLBACK_NULL, 0);
    bomp_parallel(take_and_give, NULL, THREADS);
    assert_int_equal(room(shared_pool, 2 * POOL), MOST(POOL));
    bomp_allocator_destroy(shared_pool);
}

static void pin_and_free(void *arg) {
    (void)arg;
    char *blocks[40] = {NULL};
    for (unsigned i = 0; i < 20000; i++) {
        char **block = &blocks[i * 7 % 40];
        if (*block)
            assert_int_equal((*block)[0] + (*block)[99], 2 * (char)(i * 7 % 40));
        bomp_free(*block);
        *block = bomp_allocate(100, 1, BOMP_PINNED_MEM_ALLOC, true);
        assert_int_equal((*block)[0] + (*block)[99], 0);
        memset(*block, (int)(i * 7 % 40), 100);
    }
    for (int i = 0; i < 40; i++)
        bomp_free(blocks[i]);
}

static void shares_pages(void **state) {
    (void)state;
    locked = 0;
    bomp_parallel(pin_and_free, NULL, THREADS);
    assert_true(locked < THREADS * 20000 * 4096 / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_exactly),     cmocka_unit_test(counts_what_is_taken),
        cmocka_unit_test(bounds_memory),      cmocka_unit_test(counts_moves_once),
        cmocka_unit_test(survives_no_memory), cmocka_unit_test(falls_back),
        cmocka_unit_test(pins_memory),        cmocka_unit_test(pins_in_children),
        cmocka_unit_test(pins_small_blocks),  cmocka_unit_test(pins_as_much_as_it_may),
        cmocka_unit_test(rounds_alignments),  cmocka_unit_test(inherits_defaults),
        cmocka_unit_test(shares_a_pool),      cmocka_unit_test(shares_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
