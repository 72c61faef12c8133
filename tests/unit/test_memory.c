/* test_memory.c: the memory part of os/os.h: blocks of every size, their reuse, from every thread, in the child of a
 * fork, and when the system has no memory. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/os.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "../sanitized.h"
#include "base/atomic.h"
#include "base/config.h"

#define SENTINEL_ERRNO 4242
#define MANY 1000
#ifndef EMULATED
#    define EMULATED 0 /* 1: the memory of an emulator counts as this process's */
#endif

/* Pages of address space that the process has. */
static size_t pages(void) {
    size_t count = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu", &count), 1);
    fclose(file);
    return count;
}

/* Every size that is the first or the last of a class, and some. */
static size_t next_size(size_t size) {
    size_t step = size < 512 ? 1 : size / 8;
    return size % step == 0 ? size + 1 : (size / step + 1) * step;
}

static void blocks_are_zeroed_and_aligned(void **state) {
    (void)state;
    for (size_t size = 1; size < (40 << 20); size = next_size(size)) {
        for (int again = 0; again < 2; again++) { /* the second time, the blocks that the first left behind */
            unsigned char *block = bz_os_alloc(size);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % BZ_LINE, 0);
            assert_true(block[0] == 0 && memcmp(block, block + 1, size - 1) == 0);
            memset(block, 0xff, size);
            bz_os_free(block, size);
        }
    }
}

static void blocks_of_nothing_are_blocks(void **state) {
    (void)state;
    void *a = bz_os_alloc(0), *b = bz_os_room(0), *c = bz_alloc(0);
    assert_true(a && b && c && a != b);
    bz_os_free(a, 0);
    bz_os_free(b, 0);
    bz_free(c);
    bz_os_free(NULL, 0);
    bz_free(NULL);
    bz_free_used(NULL);
}

static void too_much_is_null(void **state) {
    (void)state;
    if (SANITIZED) {
        skip(); /* they end the process */
    }
    assert_null(bz_os_alloc(SIZE_MAX)); /* rounding up would make it 0 */
    assert_null(bz_os_room(SIZE_MAX - 62));
    assert_null(bz_os_alloc(SIZE_MAX / 2));
    assert_null(bz_alloc(SIZE_MAX));
    assert_null(bz_alloc(SIZE_MAX / 2));
    assert_null(bz_alloc_zero(SIZE_MAX / 2, 3));
    assert_null(bz_realloc(NULL, SIZE_MAX));
}

static void blocks_know_their_sizes(void **state) {
    (void)state;
    char *block = NULL;
    for (size_t size = 0; size < 100000; size = next_size(size)) {
        block = bz_realloc(block, size + 1);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 16, 0);
        block[size] = (char)size;
        for (size_t at = 0; at <= size; at = next_size(at)) {
            assert_int_equal(block[at], (char)at);
        }
    }
    block = bz_realloc(block, 3);
    assert_int_equal(block[2], 2);
    bz_free(block);
    block = bz_alloc_zero(100, 7);
    for (int i = 0; i < 700; i++) {
        assert_int_equal(block[i], 0);
    }
    bz_free_used(block);
}

/* ---- used again ---- */

static void all_at_once(size_t size, void **blocks) {
    for (unsigned i = 0; i < MANY; i++) {
        blocks[i] = bz_os_room(size);
        assert_non_null(blocks[i]);
        memset(blocks[i], (int)i, size);
    }
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(((unsigned char *)blocks[i])[size - 1], (unsigned char)i);
        bz_os_free(blocks[i], size);
    }
}

static void freed_blocks_are_used_again(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 64, 100, 1000, 16384, 70000};
    static void *blocks[MANY];
    if (SANITIZED) {
        skip(); /* malloc decides that */
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        all_at_once(sizes[i], blocks);
        size_t before = pages();
        for (int round = 0; round < 5; round++) {
            all_at_once(sizes[i], blocks);
        }
        assert_int_equal(pages(), before);
    }
}

static void huge_blocks_go_but_for_one(void **state) {
    (void)state;
    if (SANITIZED || EMULATED) {
        skip();
    }
    size_t size = BZ_MEMORY_KEPT_MAX, page = bz_os_page_size();
    bz_os_free(bz_os_room(size), size);
    size_t before = pages();
    char *first = bz_os_room(size), *second = bz_os_room(size), *larger = bz_os_room(size + 1);
    assert_true(first && second && larger);
    assert_int_equal(pages(), before + size / page + size / page + 1);
    bz_os_free(larger, size + 1);
    bz_os_free(first, size);
    bz_os_free(second, size);
    assert_int_equal(pages(), before);
    size_t half = size / 2 / page * page; /* the rest of the kept block is freed */
    second = bz_os_room(half);
    assert_int_equal(pages(), before - (size - half) / page);
    bz_os_free(second, half);
    assert_int_equal(pages(), before - (size - half) / page);
}

/* ---- threads ---- */

enum { THREADS = 4, SLOTS = 64, ROUNDS = 30000 };

/* Each thread takes a block out, checks and frees it, and puts another one in. */
static struct { void *v; } slots[SLOTS];

static size_t size_in(unsigned slot) {
    static const size_t sizes[] = {48, 200, 3000, 40000};
    return sizes[slot % 4];
}

static void *exchange_blocks(void *arg) {
    unsigned random = (unsigned)(uintptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 1664525 + 1013904223;
        unsigned slot = random >> 8 & (SLOTS - 1);
        size_t size = size_in(slot);
        unsigned char *block = bz_os_room(size);
        if (!block)
            abort();
        block[0] = block[size - 1] = (unsigned char)slot;
        block = bz_exchange_acq_rel(&slots[slot], (void *)block);
        if (block && (block[0] != slot || block[size - 1] != slot))
            abort();
        if (block)
            block[0] = block[size - 1] = 0xee; /* a second owner would see this */
        bz_os_free(block, size);
    }
    return NULL;
}

static void blocks_go_from_thread_to_thread(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, exchange_blocks, (void *)(i + 1)), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        bz_os_free(bz_exchange_acq_rel(&slots[slot], NULL), size_in(slot));
    }
}

/* Free blocks of another thread are reused before new ones are made. */
static void *free_all(void *blocks) {
    for (unsigned i = 0; i < MANY; i++) {
        bz_os_free(((void **)blocks)[i], 5000);
    }
    return NULL;
}

static void a_taker_gets_the_blocks_that_others_free(void **state) {
    (void)state;
    static void *blocks[MANY];
    size_t before = 0;
    if (SANITIZED || EMULATED) {
        skip();
    }
    for (int round = 0; round < 10; round++) {
        pthread_t thread;
        for (unsigned i = 0; i < MANY; i++) {
            blocks[i] = bz_os_room(5000);
        }
        assert_int_equal(pthread_create(&thread, NULL, free_all, blocks), 0);
        pthread_join(thread, NULL);
        before = round == 0 ? pages() : before;
    }
    assert_int_equal(pages(), before);
}

/* ---- forks ---- */

static struct bz_aflag forked;

static void *allocate_on(void *arg) {
    while (!bz_load_relaxed(&forked)) {
        bz_os_free(bz_os_room(100), 100);
        bz_os_free(bz_os_room(90000), 90000);
    }
    return arg;
}

static int child(void) {
    static void *blocks[MANY];
    alarm(HANG_SECONDS);
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < MANY; i++) {
            blocks[i] = bz_os_alloc(100);
            memset(blocks[i], (int)i, 100);
        }
        for (unsigned i = 0; i < MANY; i++) {
            if (*(unsigned char *)blocks[i] != (unsigned char)i) {
                return 1;
            }
            bz_os_free(blocks[i], 100);
        }
    }
    return 0;
}

static void a_child_goes_on(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    if (UNDER_ASAN) {
        skip(); /* the memory is its own, and gcc 12's keeps its locks in a child */
    }
    bz_store_relaxed(&forked, false);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_on, NULL), 0);
    }
    for (int round = 0; round < 50; round++) {
        int status;
        pid_t pid = fork();
        if (pid == 0) {
            _exit(child());
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
    }
    bz_store_relaxed(&forked, true);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* ---- no memory ---- */

/* In a child process whose address space may grow by `more`. */
static void within(size_t more, int (*body)(void)) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit limit = {0, 0};
        limit.rlim_cur = limit.rlim_max = pages() * bz_os_page_size() + more;
        _exit(setrlimit(RLIMIT_AS, &limit) == 0 ? body() : 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static int takes_all(void) {
    static void *blocks[MANY];
    unsigned count = 0;
    errno = SENTINEL_ERRNO;
    while (count < MANY && (blocks[count] = bz_os_alloc(16384)))
        count++;
    bool right = count >= 128 / 2 && count < MANY && errno == SENTINEL_ERRNO; /* of 2 MiB */
    while (count > 0)
        bz_os_free(blocks[--count], 16384);
    while (count < 64 && (blocks[count] = bz_os_alloc(16384)))
        count++;
    return !(right && count == 64);
}

/* Huge blocks kept for reuse do not prevent other allocations. */
static int has_room_in_what_is_kept(void) {
    bz_os_free(bz_os_room(24 << 20), 24 << 20);
    for (int i = 0; i < 20; i++)
        if (!bz_os_room(BZ_MEMORY_STACKED))
            return 1;
    return 0;
}

static void no_memory_is_null(void **state) {
    (void)state;
    if (SANITIZED || EMULATED) {
        skip(); /* shadow memory needs all the address space there is */
    }
    within(2 << 20, takes_all);
    within(26 << 20, has_room_in_what_is_kept);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_is_null), /* while there are no free blocks of others */
        cmocka_unit_test(blocks_are_zeroed_and_aligned),
        cmocka_unit_test(blocks_of_nothing_are_blocks),
        cmocka_unit_test(too_much_is_null),
        cmocka_unit_test(blocks_know_their_sizes),
        cmocka_unit_test(freed_blocks_are_used_again),
        cmocka_unit_test(huge_blocks_go_but_for_one),
        cmocka_unit_test(blocks_go_from_thread_to_thread),
        cmocka_unit_test(a_taker_gets_the_blocks_that_others_free),
        cmocka_unit_test(a_child_goes_on),
    };
    alarm(HANG_SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
